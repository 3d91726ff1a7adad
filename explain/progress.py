"""Explanations of the course of things: what comes next, in which order, how long it takes, what counted, why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from catalog.model import Catalog
from catalog.wording.grammar import count, say_time, signed
from explain.chain import explain_chain, weigh
from explain.claim import Claim, Part, Piece, Pieces, cite, row
from explain.claims import Unknown, answer
from explain.graph import find_current, find_giver, find_source, fits
from explain.how import claim_established, claim_unknown, declared_plan, look_ahead, to_come
from explain.model import Aim, Attribution, Call, ComingStep, Explanation, Question, QuestionKind, Record
from explain.not_done import claim_not_there, claim_prevented, claim_waiting, say_nothing
from explain.trace import aim_of, situation_now
from explain.values import claim_consent
from explain.why import explain_why
from explain.words import Wording
from planning.history import Execution
from planning.model import StepKind
from planning.needs import find_way


class NextSteps(Claim):
    """What the plan foresees for a goal, in this order."""

    aim: Aim
    steps: tuple[ComingStep, ...]

    def say(self, words: Wording) -> Iterator[Pieces]:
        steps = row([_put_step(words, step) for step in self.steps], "and then")
        yield "For ", words.aim(self.aim), ", I plan to ", steps, "."


class NothingToCome(Claim):
    """For a goal nothing is left to do, or (not `achieved`) nothing can be planned."""

    aim: Aim
    achieved: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "Nothing is left to do for " if self.achieved else "At present I see no way to ", words.aim(self.aim), "."


class CameFirst(Claim):
    """An act needs facts, so that what gives these came, or comes (not `done`), before it."""

    skill: str | None
    facts: tuple[str, ...]
    done: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        verb, had = ("needed", "had") if self.done else ("needs", "have")
        act: Piece = words.skill(self.skill) if self.skill else "That"
        yield act, f" {verb} ", words.facts(self.facts), f", so I {had} to have that first."


class NoOrder(Claim):
    """Nothing had to come before a subject."""

    fact: str | None
    skill: str | None

    def say(self, words: Wording) -> Iterator[Pieces]:
        named: Piece = words.fact(self.fact) if self.fact else words.skill(self.skill) if self.skill else "that"
        yield "Nothing had to come before ", named, "."


class Took(Claim):
    """How long calls took."""

    calls: tuple[Call, ...]
    seconds: float

    def say(self, words: Wording) -> Iterator[Pieces]:
        time = "less than a second" if self.seconds < 1 else f"about {say_time(self.seconds)}"
        skills = words.skills(tuple(dict.fromkeys(call.skill for call in self.calls)))
        yield skills, f" took {time}{' in all' if len(self.calls) > 1 else ''}."


class WillTake(Claim):
    """How long what is left for a goal will take, and the questions that are left; no time is known if it is 0.

    `skills` are those that are to be called, each with its own time.
    """

    seconds: float
    questions: int
    aim: Aim | None = None
    skills: tuple[tuple[str, float], ...] = ()

    def say(self, words: Wording) -> Iterator[Pieces]:
        """Say how long what is left takes, each skill with its time; where none is known, on what it depends."""
        asked = f"{count(self.questions, 'question')} to you" if self.questions else ""
        aim: Pieces = (" for ", words.aim(self.aim)) if self.aim is not None else ()
        timed = [(words.skill(skill), Part(f" (about {_put_seconds(time)})")) for skill, time in self.skills if time]
        untimed = [skill for skill, time in self.skills if not time]
        if self.seconds:
            total = f" should take about {_put_seconds(self.seconds)}"
            yield "What is left", *aim, total, ": ", row(timed), f", and {asked}." if asked else "."
        elif asked:
            are = "are" if self.questions > 1 else "is"
            yield "How long it takes", *aim, f" depends on you: there {are} {asked} left."
        if untimed or not self.seconds:
            calls: Pieces = (" of ", words.skills(untimed)) if untimed else aim if not asked else ()
            yield "I know of no time for the work", *calls, "." if calls or asked else " that is left."


class Weighed(Claim):
    """How much an input counted in a decision, and its rank among all inputs of that decision, from 1."""

    one: Attribution
    skill: str | None
    facts: tuple[str, ...]
    rank: int
    inputs: int

    def say(self, words: Wording) -> Iterator[Pieces]:
        one, fact, facts, by = self.one, words.fact(self.one.fact), words.facts(self.facts), words.skill(self.skill)
        if not one.weight:
            yield fact, " made no difference to ", facts, ", says ", by, "."
            return
        towards = "towards" if one.weight > 0 else "against"
        place = "more than anything else" if self.rank == 1 else f"as number {self.rank} of {self.inputs}"
        yield fact, f" counted {place}: {signed(one.weight)} {towards} ", facts, ", according to ", by, "."


class NotPassed(Claim):
    """A fact did not count in a decision: it was not passed, or is not among what is said to have counted."""

    fact: str
    skill: str | None
    passed: bool = False
    silent: bool = False
    """It was passed, and nothing is said of what counted."""

    def say(self, words: Wording) -> Iterator[Pieces]:
        fact, skill = words.fact(self.fact), words.skill(self.skill)
        if not (self.silent or self.passed):
            yield fact, " did not count: ", skill, " was not given it."
        else:
            silent = "does not say how much it counted" if self.silent else "does not name it among what counted"
            yield fact, " was given to ", skill, f", which {silent}."


def explain_plan(record: Record, question: Question) -> Explanation:
    """Name what the assistant waits for, and the steps that are likely from here.

    The plan being followed may begin with a question that cannot be answered, which is how it is found out (Verdi
    paper, §3.4); what is told is the plan without such questions.
    """
    aim, evidence = aim_of(record), cite(record.goal_event, record.plan_event)
    claims = claim_waiting(record)
    steps = () if record.achieved else likely_steps(record)
    if steps:
        coming = tuple((fact, i) for i, step in enumerate(record.plan) for fact in step.inputs)
        return answer(question, [*claims, NextSteps(aim, steps, evidence=evidence)], coming=coming)
    closed = [] if record.achieved or record.waiting is not None else claim_prevented(record)
    return answer(question, [*claims, *(closed or [NothingToCome(aim, record.achieved, evidence=evidence)])])


def likely_steps(record: Record) -> tuple[ComingStep, ...]:
    """List the steps of the plan being followed; of a likely one, from a question that people cannot be asked."""
    if record.needs is not None:
        return to_come(record.needs.steps)
    return to_come(find_way(record.catalog, situation_now(record), record.wanted, declared_plan(record)))


def explain_order(record: Record, question: Question) -> Explanation:
    """Say what a subject needs, which therefore came before it, and what it was itself needed for."""
    skill, fact = question.skill, question.fact
    if skill is None and fact is None:
        fact = next(iter(record.goal), None)
    claims = _claim_first(record, skill, fact)
    takers = [] if fact is None else _list_takers(record, fact)
    for taker in takers[:_MOST_TAKERS]:
        claims += [claim for claim in _claim_first(record, taker, None) if claim not in claims]
    subject = fact if fact is not None else _first_output(record, skill)
    if subject is not None and subject not in record.goal and not takers:
        claims += explain_why(record, Question(QuestionKind.WHY, subject)).claims
    evidence = cite(record.goal_event, record.plan_event)
    return answer(question, claims or [NoOrder(fact, skill, evidence=evidence)])


_MOST_TAKERS = 2


def _list_takers(record: Record, fact: str) -> list[str]:
    took = [e.skill for e in record.history if e.skill and any(fits(record.catalog, used, fact) for used in e.inputs)]
    coming = [
        step.subject
        for step in look_ahead(record)[0].plan
        if step.kind is StepKind.SKILL and any(fits(record.catalog, used, fact) for used in step.inputs)
    ]
    return list(dict.fromkeys([*coming, *reversed(took)]))


def _claim_first(record: Record, skill: str | None, fact: str | None) -> list[Claim]:
    found = find_giver(record, find_current(record, fact) or fact) if fact is not None else None
    calls = [i for i, execution in enumerate(record.history) if skill is not None and execution.skill == skill]
    at = calls[-1] if calls else None if found is None else found.index
    steps = [
        step
        for step in look_ahead(record)[0].plan
        if step.kind is StepKind.SKILL and (step.subject == skill or _gives(record.catalog, step, fact))
    ]
    if at is not None and record.history[at].inputs:
        execution = record.history[at]
        by, inputs, evidence = execution.skill, execution.inputs, cite(execution.event)
        sources = [find_source(record, at, used) for used in inputs]
        cited = cite(*evidence, *(source.execution.event for source in sources if source is not None))
        first = CameFirst(by, inputs, done=True, evidence=cited)
    elif steps and steps[0].inputs:
        by, inputs, evidence = steps[0].subject, steps[0].inputs, cite(record.goal_event, record.plan_event)
        first = CameFirst(by, inputs, done=False, evidence=evidence)
    else:
        return []
    return [first, *claim_consent(record.catalog, by, inputs, evidence), *_claim_givers(record, inputs)]


def _claim_givers(record: Record, facts: Sequence[str]) -> list[Claim]:
    """Tell which skills gave what had to come first."""
    by_giver: dict[int, list[str]] = {}
    for fact in facts:
        found = find_giver(record, find_current(record, fact) or fact)
        if found is not None and found.execution.skill is not None:
            by_giver.setdefault(found.index, []).append(found.fact)
    known = [claim_established(record, tuple(given), at, briefly=True) for at, given in by_giver.items()]
    missing = [fact for fact in facts if find_current(record, fact) is None]
    unknown = [claim for fact in missing for claim in claim_unknown(record, fact)]
    return [*known, *(c for c in unknown if isinstance(c, Unknown) and c.coming and c.coming.kind is StepKind.SKILL)]


def _gives(catalog: Catalog, step: ComingStep, fact: str | None) -> bool:
    return fact is not None and any(fits(catalog, given, fact) for given in step.outputs)


def _first_output(record: Record, skill: str | None) -> str | None:
    given = [fact for e in record.history if e.skill == skill for fact in e.outputs]
    given += [fact for step in record.plan if step.subject == skill for fact in step.outputs]
    return next(iter(given), None)


def explain_duration(record: Record, question: Question) -> Explanation:
    """Say how long calls took, and how long what is left is declared to take."""
    skill = question.skill or _find_maker(record, question.fact)
    evidence = cite(record.goal_event, record.plan_event)
    calls = tuple(call for call in record.calls if call.ended is not None and (call.skill == skill or skill is None))
    claims: list[Claim] = []
    if calls:
        events = cite(*(event for call in calls for event in (call.event, call.ended)))
        claims.append(Took(calls, sum(call.seconds for call in calls), evidence=events))
    if record.achieved:
        return answer(question, claims or [NothingToCome(aim_of(record), achieved=True, evidence=evidence)])
    steps = likely_steps(record)
    called = [step.subject for step in steps if step.kind is StepKind.SKILL]
    if skill is not None:
        called = [one for one in called if one == skill] or (
            [skill] if skill in record.catalog.skills and not calls else []
        )
    times = tuple((one, record.catalog.skills[one].time_s) for one in called)
    questions = sum(step.kind is StepKind.ASK for step in steps)
    left = WillTake(sum(time for _, time in times), questions, aim_of(record), times, evidence=evidence)
    return answer(question, [*claims, left])


def _find_maker(record: Record, fact: str | None) -> str | None:
    """Find the skill that gave a fact, or is to give it; none for what was asked for, which the whole work is for."""
    if fact is None or fact in record.goal or fact not in record.catalog.facts:
        return None
    found = find_giver(record, find_current(record, fact) or fact)
    steps = look_ahead(record)[0].plan
    coming = (step.subject for step in steps if step.kind is StepKind.SKILL and _gives(record.catalog, step, fact))
    return found.execution.skill if found is not None else next(coming, None)


def explain_weight(record: Record, question: Question) -> Explanation:
    """Say how much a fact counted in the last decision that it went into; without one, what counted in all."""
    decision = _find_decision(record, question)
    open_ends = [fact for fact in record.goal if find_current(record, fact) is None]
    if decision is None or (open_ends and not record.attributions.get(decision.event)):
        return answer(question, [c for fact in open_ends for c in claim_not_there(record, fact)] or say_nothing(record))
    weights = weigh(record, decision)
    fact = question.fact
    asked = Question(QuestionKind.CHAIN, decision.outputs[0], full=True)
    if fact is None or any(fits(record.catalog, given, fact) for given in decision.outputs):
        return answer(question, explain_chain(record, asked).claims)
    events = (decision.event,)
    used = [given for given in decision.inputs if fits(record.catalog, given, fact)]
    if not used:
        told = explain_chain(record, asked).claims[:1]
        return answer(question, [NotPassed(fact, decision.skill, evidence=events), *told])
    rank = next((i for i, one in enumerate(weights, start=1) if one.fact in used), None)
    if rank is None:
        passed = NotPassed(fact, decision.skill, passed=bool(weights), silent=not weights, evidence=events)
        return answer(question, [passed])
    facts = decision.outputs
    weighed = Weighed(weights[rank - 1], decision.skill, facts, rank, len(weights), evidence=events)
    others = explain_chain(record, asked).claims[: 2 if len(weights) > 1 else 0]
    return answer(question, [weighed, *others])


def _find_decision(record: Record, question: Question) -> Execution | None:
    """Find the decision that is meant: the last one that says what counted, else the last that gave something."""
    gave = [e for e in record.history if e.skill is not None and e.outputs]
    gave = [e for e in gave if question.skill in (None, e.skill)]
    about = [e for e in gave if question.fact in e.outputs]
    weighed = [e for e in about if record.attributions.get(e.event)]
    weighs = [e for e in gave if record.attributions.get(e.event)]
    return next(reversed(weighed or weighs or about or gave), None)


def _put_step(words: Wording, step: ComingStep) -> tuple[Part, ...]:
    match step.kind:
        case StepKind.ASK:
            return Part("ask you for "), words.fact(step.subject)
        case StepKind.SKILL:
            gives = (Part(" for "), *words.facts(step.outputs)) if step.outputs else ()
            return Part("ask "), words.skill(step.subject), *gives
        case StepKind.AUTHORIZE if step.subject in words.record.catalog.skills:
            return Part("ask whether "), words.skill(step.subject), Part(" may have what is sensitive")
        case StepKind.AUTHORIZE:
            return Part("ask whether I may pass on "), words.fact(step.subject)
        case StepKind.CONFIRM:
            return Part("ask you to confirm "), words.skill(step.subject)
        case _:
            return Part("take "), *words.facts(step.inputs), Part(" for "), words.fact(step.subject)


def _put_seconds(seconds: float) -> str:
    return count(round(seconds), "second") if seconds < 120 else say_time(seconds)
