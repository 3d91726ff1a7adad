"""Explanations of the course of things: what comes next, in which order, how long it takes, what counted, why not."""

from __future__ import annotations

from dataclasses import replace

from catalog.model import Catalog
from explain.chain import explain_chain, weigh
from explain.claims import NothingAsked, NotWeighed, answer, cite
from explain.graph import find_current, find_giver, find_source, fits
from explain.how import claim_established, claim_unknown
from explain.missing import explain_missing
from explain.model import Aim, Attribution, Call, Claim, ComingStep, Explanation, Question, QuestionKind, Record
from explain.trace import aim_of, situation_now
from explain.values import Said, claim_said
from explain.why import explain_why
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.history import Execution
from planning.model import Limits, Solved, StepKind
from planning.plans.solve import solve
from planning.task.compilation import ask_operator, compile_task


class NextSteps(Claim):
    """What the plan foresees for a goal, in this order."""

    aim: Aim
    steps: tuple[ComingStep, ...]


class WaitsFor(Claim):
    """The assistant waits for the answer to a question about a subject."""

    about: str
    subject: str


class NothingToCome(Claim):
    """For a goal nothing is left to do, or (not `achieved`) nothing can be planned."""

    aim: Aim
    achieved: bool


class CameFirst(Claim):
    """An act needs facts, so that what gives these came, or comes (not `done`), before it."""

    skill: str | None
    facts: tuple[str, ...]
    done: bool


class NoOrder(Claim):
    """Nothing had to come before a subject."""

    fact: str | None
    skill: str | None


class Took(Claim):
    """How long calls took."""

    calls: tuple[Call, ...]
    seconds: float


class WillTake(Claim):
    """How long what is left will take, and the questions that are left; no time is known if it is 0."""

    seconds: float
    questions: int


class Weighed(Claim):
    """How much an input counted in a decision, and its rank among all inputs of that decision, from 1."""

    one: Attribution
    skill: str | None
    facts: tuple[str, ...]
    rank: int
    inputs: int


class NotPassed(Claim):
    """A fact did not count in a decision: it was not passed, or is not among what is said to have counted."""

    fact: str
    skill: str | None
    passed: bool = False


class FromPeople(Claim):
    """People cannot be asked for a fact, for the reason that the catalog gives."""

    fact: str
    because: str


class CannotSay(Claim):
    """It cannot be told from what is on record."""


def explain_plan(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Name what the assistant waits for, and the steps that are likely from here.

    The plan being followed may begin with a question that nobody can answer, which is how it is found out (Verdi paper,
    §3.4); what is told is the plan without such questions.
    """
    aim, evidence = aim_of(catalog, record), cite(record.goal_event, record.plan_event)
    claims: list[Claim] = []
    waiting = record.waiting
    if waiting is not None:
        claims.append(WaitsFor(waiting.about, waiting.subject, evidence=cite(waiting.event)))
    steps = () if record.achieved else likely_steps(catalog, record)
    if steps:
        coming = tuple((fact, i) for i, step in enumerate(record.plan) for fact in step.inputs)
        return answer(question, [*claims, NextSteps(aim, steps, evidence=evidence)], coming=coming)
    return answer(question, [*claims, NothingToCome(aim, record.achieved, evidence=evidence)])


def likely_steps(catalog: Catalog, record: Record) -> tuple[ComingStep, ...]:
    """Plan from where things stand, without questions that nobody can answer."""
    now = situation_now(catalog, record)
    vain = {ask_operator(catalog, name).name for name, fact in catalog.facts.items() if not fact.fillable}
    task = compile_task(catalog, replace(now, pruned=now.pruned | vain), record.wanted)
    found = solve(task, ENGINES[DEFAULT_ENGINE], Limits())
    if not isinstance(found, Solved):
        return ()
    return tuple(
        ComingStep(step.kind, step.subject, step.inputs, step.outputs, step.mode, step.outcome)
        for step in found.plan.actions
    )


def explain_order(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Say what a subject needs, which therefore came before it, and what it was itself needed for."""
    skill, fact = question.skill, question.fact
    if skill is None and fact is None:
        fact = next(iter(record.goal), None)
    evidence = cite(record.goal_event, record.plan_event)
    claims: list[Claim] = []
    found = find_giver(record, find_current(catalog, record, fact) or fact) if fact is not None else None
    calls = [i for i, execution in enumerate(record.history) if execution.skill == skill is not None]
    at = calls[-1] if calls else None if found is None else found.index
    steps = [
        step
        for step in record.plan
        if step.kind is StepKind.SKILL and (step.subject == skill or _gives(catalog, step, fact))
    ]
    if at is not None and record.history[at].inputs:
        execution = record.history[at]
        sources = [find_source(catalog, record, at, used) for used in execution.inputs]
        cited = cite(execution.event, *(source.execution.event for source in sources if source is not None))
        claims.append(CameFirst(execution.skill, execution.inputs, done=True, evidence=cited))
    elif steps and steps[0].inputs:
        claims.append(CameFirst(steps[0].subject, steps[0].inputs, done=False, evidence=evidence))
    subject = fact if fact is not None else _first_output(catalog, record, skill)
    if subject is not None and subject not in record.goal:
        claims += explain_why(catalog, record, Question(QuestionKind.WHY, subject)).claims
    return answer(question, claims or [NoOrder(fact, skill, evidence=evidence)])


def _gives(catalog: Catalog, step: ComingStep, fact: str | None) -> bool:
    return fact is not None and any(fits(catalog, given, fact) for given in step.outputs)


def _first_output(catalog: Catalog, record: Record, skill: str | None) -> str | None:
    given = [fact for e in record.history if e.skill == skill for fact in e.outputs]
    given += [fact for step in record.plan if step.subject == skill for fact in step.outputs]
    return next(iter(given), None)


def explain_duration(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Say how long calls took, and how long what is left is declared to take."""
    skill = question.skill
    evidence = cite(record.goal_event, record.plan_event)
    calls = tuple(call for call in record.calls if call.ended is not None and (call.skill == skill or skill is None))
    claims: list[Claim] = []
    if calls:
        events = cite(*(event for call in calls for event in (call.event, call.ended)))
        claims.append(Took(calls, sum(call.seconds for call in calls), evidence=events))
    if record.achieved:
        return answer(question, claims or [NothingToCome(aim_of(catalog, record), achieved=True, evidence=evidence)])
    steps = likely_steps(catalog, record)
    if skill is not None:
        steps = tuple(step for step in steps if step.subject == skill)
    seconds = sum(catalog.skills[step.subject].time_s for step in steps if step.kind is StepKind.SKILL)
    questions = sum(step.kind is StepKind.ASK for step in steps)
    return answer(question, [*claims, WillTake(seconds, questions, evidence=evidence)])


def explain_weight(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Say how much a fact counted in the last decision that it went into; without one, what counted in all."""
    decision = _find_decision(catalog, record, question)
    if decision is None:
        asked = replace(question, kind=QuestionKind.CHAIN)
        return answer(question, explain_chain(catalog, record, replace(asked, fact=None)).claims or [NothingAsked()])
    weights = weigh(catalog, record, decision)
    fact = question.fact
    if fact is None or any(fits(catalog, given, fact) for given in decision.outputs):
        asked = Question(QuestionKind.CHAIN, decision.outputs[0], full=True)
        return answer(question, explain_chain(catalog, record, asked).claims)
    events = (decision.event,)
    used = [given for given in decision.inputs if fits(catalog, given, fact)]
    if not used:
        return answer(question, [NotPassed(fact, decision.skill, evidence=events)])
    rank = next((i for i, one in enumerate(weights, start=1) if one.fact in used), None)
    if rank is None:
        silent = NotWeighed(decision.skill, evidence=events)
        return answer(question, [NotPassed(fact, decision.skill, passed=True, evidence=events) if weights else silent])
    facts = decision.outputs
    return answer(question, [Weighed(weights[rank - 1], decision.skill, facts, rank, len(weights), evidence=events)])


def _find_decision(catalog: Catalog, record: Record, question: Question) -> Execution | None:
    """Find the decision that is meant: the last one that says what counted, else the last that gave something."""
    gave = [e for e in record.history if e.skill is not None and e.outputs]
    gave = [e for e in gave if question.skill in (None, e.skill)]
    about = [e for e in gave if question.fact in e.outputs]
    weighed = [e for e in about if record.attributions.get(e.event)]
    weighs = [e for e in gave if record.attributions.get(e.event)]
    return next(reversed(weighed or weighs or about or gave), None)


def explain_why_not(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Say why something was not done or got, as far as the record tells."""
    fact, skill = question.fact, question.skill
    evidence = cite(record.goal_event, record.plan_event)
    if skill is not None:
        calls = [call for call in record.calls if call.skill == skill]
        claims = claim_said(catalog, record, skill)
        if not calls:
            claims += _claim_instead(catalog, record, skill)
        return answer(question, claims)
    if fact is not None and fact in catalog.facts and find_current(catalog, record, fact) is None:
        declared = catalog.facts[fact]
        claims = claim_unknown(catalog, record, fact)
        if not declared.fillable and declared.why_not_fillable:
            claims.append(FromPeople(fact, declared.why_not_fillable, evidence=evidence))
        return answer(question, [*claims, *_claim_failures(catalog, record)])
    if fact is not None and find_current(catalog, record, fact) is not None and fact not in record.goal:
        claims = [
            *_claim_origin(catalog, record, fact),
            *explain_why(catalog, record, Question(QuestionKind.WHY, fact)).claims,
        ]
        return answer(question, claims)
    if record.achieved:
        asked = Question(QuestionKind.CHAIN, fact or next(iter(record.goal), None), full=True)
        return answer(question, explain_chain(catalog, record, asked).claims)
    missing = explain_missing(catalog, record, question)
    return answer(question, [*missing.claims, *_claim_failures(catalog, record)])


def _claim_origin(catalog: Catalog, record: Record, fact: str) -> list[Claim]:
    name = find_current(catalog, record, fact) or fact
    found = find_giver(record, name)
    return [claim_established(catalog, record, (name,), None if found is None else found.index)]


def _claim_instead(catalog: Catalog, record: Record, skill: str) -> list[Claim]:
    """Tell from where there is already what a skill that was not called could have given."""
    gives = catalog.skills[skill].gives if skill in catalog.skills else ()
    return [claim for fact in gives if fact in record.values for claim in _claim_origin(catalog, record, fact)]


def _claim_failures(catalog: Catalog, record: Record) -> list[Claim]:
    """Tell which last calls for the goal gave nothing."""
    last = {call.skill: call for call in record.calls if call.event > (record.goal_event or 0)}
    empty = [call for call in last.values() if not any(one.by == call.ended for one in record.held)]
    return [Said(call, evidence=cite(call.event, call.ended)) for call in empty]


def explain_cannot(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Say that it cannot be told, and what is on record of its subject."""
    evidence = cite(record.goal_event, record.plan_event)
    claims: list[Claim] = [CannotSay(evidence=evidence)]
    if question.skill is not None:
        claims += claim_said(catalog, record, question.skill)
    elif question.fact is not None:
        current = find_current(catalog, record, question.fact)
        claims += (
            claim_unknown(catalog, record, question.fact)
            if current is None
            else _claim_origin(catalog, record, question.fact)
        )
    return answer(question, claims)
