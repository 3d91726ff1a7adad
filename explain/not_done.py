"""Explanations of what did not come about: why it was not done, what is not known yet, and what cannot be told.

Also the answers that say so beside something else: what was done, what is needed, where something comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from catalog.model import Effect
from catalog.wording.grammar import as_clause
from explain import values
from explain.chain import explain_chain
from explain.claim import Claim, Pieces, cite
from explain.claims import HadValue, Unknown, answer
from explain.graph import find_current, find_giver, fits, list_refusals
from explain.how import claim_established, claim_origin, claim_unknown, explain_how, look_ahead
from explain.missing import NothingMissing, WayClosed, claim_refusals, explain_missing
from explain.model import Call, Explanation, Question, QuestionKind, Record, Value
from explain.what import explain_what
from explain.why import explain_why
from explain.words import Wording
from planning.history import Actor, find_refusal
from planning.model import StepKind


class WaitsFor(Claim):
    """The assistant waits for the answer to a question about a subject."""

    about: str
    subject: str
    facts: tuple[str, ...] = ()
    """What a skill that waits for a go-ahead would be given; `given` are the values that are known."""
    given: tuple[Value, ...] = ()

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield self._put_waiting(words)
        if self.facts:
            yield "It would get ", words.valued(self.facts, self.given), "."
        declared = words.record.catalog.skills.get(self.subject)
        if self.about == "confirm" and declared is not None and declared.effect is Effect.IRREVERSIBLE:
            yield ("That cannot be undone.",)

    def _put_waiting(self, words: Wording) -> Pieces:
        match self.about:
            case "fact":
                return "I am waiting for ", words.fact(self.subject), "."
            case "authorize" | "confirm" if self.subject in words.record.catalog.skills:
                return "I am waiting for your go-ahead for ", words.skill(self.subject), "."
            case _:
                return ("I am waiting for your answer.",)


class FromPeople(Claim):
    """People cannot be asked for a fact, for the reason that the catalog gives."""

    fact: str
    because: str

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "I cannot ask you for ", words.fact(self.fact), f", because {as_clause(self.because)}."


class CannotSay(Claim):
    """It cannot be told from what is on record; `about` is what can be asked about instead."""

    about: tuple[str, ...] = ()

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield ("I cannot tell: nothing that I have on record says so.",)
        if self.about:
            named = words.facts(self.about[:1])
            yield "You can ask me how I got ", *named, ", what counted in it, and who was given what."


def say_nothing(record: Record) -> list[Claim]:
    return [CannotSay(evidence=cite(record.goal_event))]


_MOST_UNTRIED = 2


def explain_why_not(record: Record, question: Question) -> Explanation:
    """Say why something was not done or got: what prevented it, or what was done instead."""
    fact, skill = question.fact, question.skill
    evidence = cite(record.goal_event, record.plan_event)
    if skill is not None:
        calls = [call for call in record.calls if call.skill == skill]
        claims = values.claim_said(record, skill)
        if not calls:
            claims += [*_claim_closed(record, skill), *_claim_instead(record, skill)]
        if any(given in record.goal for given in values.gives_of(record.catalog, skill)):
            claims += claim_prevented(record)
        return answer(question, _once(claims))
    if fact is not None and fact in record.catalog.facts and find_current(record, fact) is None:
        declared = record.catalog.facts[fact]
        claims = claim_unknown(record, fact)
        if not declared.fillable and declared.why_not_fillable:
            claims.append(FromPeople(fact, declared.why_not_fillable, evidence=evidence))
        if not any(isinstance(claim, Unknown) and claim.coming for claim in claims):
            claims += _claim_untried(record, fact)
        return answer(question, _once([*claims, *claim_prevented(record)]))
    if fact is not None and find_current(record, fact) is not None and fact not in record.goal:
        uses = explain_why(record, Question(QuestionKind.WHY, fact)).claims
        claims = [*_claim_origin(record, fact), *uses, *_claim_tries(record, fact)]
        return answer(question, _once([*claims, *([] if record.achieved else claim_prevented(record))]))
    if record.achieved:
        asked = Question(QuestionKind.CHAIN, fact or next(iter(record.goal), None), full=True)
        failures = _claim_failures(record, every=True)
        return answer(question, _once([*explain_chain(record, asked).claims, *failures]))
    return answer(question, _once(claim_prevented(record)) or say_nothing(record))


def _once(claims: list[Claim]) -> list[Claim]:
    return [claim for at, claim in enumerate(claims) if claim not in claims[:at]]


def claim_prevented(record: Record) -> list[Claim]:
    """Claim what keeps the goal from being reached: what came to nothing, what was declined, what is waited for."""
    failed = _claim_failures(record)
    if record.achieved:
        return [*failed]
    if record.waiting is not None:
        closed = [claim for skill in record.catalog.skills for claim in _claim_closed(record, skill)]
        return [*failed, *closed, *claim_waiting(record)]
    missing = explain_missing(record, Question(QuestionKind.MISSING)).claims
    return [*failed, *(claim for claim in missing if not isinstance(claim, NothingMissing))]


def _claim_closed(record: Record, skill: str) -> list[Claim]:
    causes = tuple(
        cause for cause in record.causes if cause.subject == skill and cause.event > (record.goal_event or 0)
    )
    return [WayClosed((cause,), evidence=cite(cause.event)) for cause in causes[-1:]]


def _claim_untried(record: Record, fact: str) -> list[Claim]:
    called = {call.skill for call in record.calls}
    evidence = cite(record.goal_event, record.plan_event)
    could = [name for name in record.catalog.skills if values.may_give(record.catalog, name, fact)]
    untried: list[Claim] = []
    for skill in could[:_MOST_UNTRIED]:
        if skill not in called:
            untried += [values.NotCalled(skill, coming=False, evidence=evidence), *_claim_closed(record, skill)]
    return untried


def _claim_origin(record: Record, fact: str) -> list[Claim]:
    return [claim_origin(record, find_current(record, fact) or fact)]


def _claim_instead(record: Record, skill: str) -> list[Claim]:
    """Tell from where there is already what a skill that was not called could have given."""
    gives = values.gives_of(record.catalog, skill)
    return [claim for fact in gives if fact in record.values for claim in _claim_origin(record, fact)]


def _claim_failures(record: Record, *, every: bool = False) -> list[values.SkillAnswered]:
    """Tell which last calls for the goal did not do what their skills are for; or every such call."""
    since = record.goal_event or 0
    called = [call for call in record.calls if call.event > since and call.ended is not None and call.own]
    last = called if every else list({call.skill: call for call in called}.values())
    return [values.claim_answer(record, call) for call in last if not _came_right(record, call)]


def _came_right(record: Record, call: Call) -> bool:
    """Return whether a call did what its skill is for; if its outcome is not declared now, whether it gave a fact."""
    mode = record.catalog.skills[call.skill].modes.get(call.mode or "")
    if mode is None or call.outcome is None or call.outcome not in mode.outcomes:
        return any(one.by == call.ended for one in record.held)
    return record.catalog.succeeds(call.skill, mode.name, call.outcome)


def _claim_tries(record: Record, fact: str) -> list[values.SkillAnswered]:
    """Tell which calls for the goal came to nothing that were given a fact, or could have given it.

    Where all came right in the end, only those that were given another value of it.
    """
    current = find_current(record, fact)
    now = record.values[current].shown if record.achieved and current is not None else None
    tries = _once_each(_claim_failures(record, every=True))
    if now is not None:
        return [one for one in tries if any(fits(record.catalog, v.fact, fact) and v.shown != now for v in one.given)]
    return [
        one
        for one in tries
        if any(fits(record.catalog, given, fact) for given in one.call.inputs)
        or values.may_give(record.catalog, one.call.skill, fact)
    ]


class NothingFailed(Claim):
    template = "Nothing went wrong: no call failed, and nothing was refused."


def explain_went_wrong(record: Record, question: Question) -> Explanation:
    """Say which calls came to nothing or were bad news, what was declined, and what is waited for."""
    about = {question.skill, *(call.skill for call in record.calls if question.fact in call.inputs)}
    refusals = claim_refusals(record, list_refusals(record))
    failures = _once_each(_claim_failures(record, every=True))
    failed = ([one for one in failures if one.call.skill in about] or failures)[-_MOST_CALLS:]
    claims = [*refusals, *failed, *([] if record.achieved else claim_prevented(record))]
    if not any(not isinstance(one, WaitsFor) for one in claims):
        claims = [NothingFailed(evidence=cite(record.goal_event)), *claims]
    return answer(question, _once(claims))


def explain_cannot(record: Record, question: Question) -> Explanation:
    """Say that it is not known yet, or cannot be told, and what is on record of its subject."""
    evidence = cite(record.goal_event, record.plan_event)
    facts = record.goal if question.fact is None else (question.fact,)
    cannot = CannotSay(record.goal[:1] if record.achieved else (), evidence=evidence)
    if question.skill is not None:
        unsaid = [cannot] if any(call.skill == question.skill for call in record.calls) else []
        told = values.claim_said(record, question.skill)
        gives = () if unsaid else values.gives_of(record.catalog, question.skill)
        claims = [*unsaid, *told, *(c for fact in gives[:1] for c in claim_not_there(record, fact))]
        return answer(question, _once(claims))
    missing = [fact for fact in facts if find_current(record, fact) is None]
    if missing:
        claims = [claim for fact in missing for claim in claim_not_there(record, fact)]
        return answer(question, _once(claims))
    origins = [claim for fact in facts for claim in _claim_origin(record, fact)]
    inputs = [fact for fact in facts if fact not in record.goal]
    origins += [c for fact in inputs for c in explain_why(record, Question(QuestionKind.WHY, fact)).claims]
    open_ends = [fact for fact in record.goal if find_current(record, fact) is None and fact not in facts]
    further = [claim for fact in open_ends for claim in claim_unknown(record, fact)]
    return answer(question, _once([cannot, *origins, *further]))


def claim_not_there(record: Record, fact: str) -> list[Claim]:
    """Claim that a fact is not known, what is to give it and goes by what, and what that waits for or came to."""
    claims = claim_unknown(record, fact)
    if record.achieved:
        return claims
    return [*claims, *claim_prevented(record)]


def explain_status(record: Record, question: Question) -> Explanation:
    """Say what a fact is; where that is not known yet, that is the answer."""
    facts = record.goal if question.fact is None else (question.fact,)
    ever = {held.value.fact for held in record.held} | record.values.keys()
    known = any(fits(record.catalog, one, fact) for fact in facts for one in ever)
    told = values.explain_value(record, question)
    if known or question.skill is not None or not any(isinstance(claim, Unknown) for claim in told.claims):
        return told
    return explain_cannot(record, replace(question, kind=QuestionKind.CANNOT_YET))


def is_to_be_called(record: Record, question: Question) -> bool:
    """Return whether a question is about a skill that was not called yet."""
    return question.skill in record.catalog.skills and all(call.skill != question.skill for call in record.calls)


def explain_deeds(record: Record, question: Question) -> Explanation:
    """Summarize what was gathered, with what the skills answered; of one skill, also what it was given."""
    skill = question.skill
    if skill is not None:
        calls = [call for call in record.calls if call.skill == skill]
        if not calls:
            blocked = [*_claim_closed(record, skill), *(claim_waiting(record) if not record.achieved else [])]
            return answer(question, [*values.claim_said(record, skill), *blocked])
        return answer(question, _tell_calls(record, calls))
    if question.fact is not None and question.fact not in record.goal:
        uses = explain_need(record, replace(question, kind=QuestionKind.WHY))
        value = values.explain_value(record, question)
        return answer(question, _once([*value.claims, *uses.claims]), uses.links, uses.coming)
    summary = explain_what(record, question)
    if question.fact is None and not question.full:
        shut = [] if record.achieved else [c for name in record.catalog.skills for c in _claim_closed(record, name)]
        return answer(question, _once([*summary.claims, *_claim_failures(record), *shut]), summary.links)
    called = [call for call in record.calls if call.event > (record.goal_event or 0) and call.own]
    told = _tell_calls(record, called)
    closed = [claim for name in record.catalog.skills for claim in _claim_closed(record, name)]
    return answer(question, _once([*summary.claims, *told, *closed]))


_MOST_CALLS = 4


def _tell_calls(record: Record, calls: Sequence[Call]) -> list[values.SkillAnswered]:
    """Claim what the last calls answered; the same answer to the same once."""
    return _once_each([values.claim_answer(record, call) for call in calls])[-_MOST_CALLS:]


def _once_each(told: Sequence[values.SkillAnswered]) -> list[values.SkillAnswered]:
    as_said = {}
    for one in told:
        shown = ((value.fact, value.shown) for value in (*one.given, *one.values))
        as_said[one.call.skill, one.call.outcome, *shown] = one
    return list(as_said.values())


def claim_waiting(record: Record) -> list[Claim]:
    """Claim what the assistant waits for, if it does; of a go-ahead for a skill, also what that would be given."""
    waiting = record.waiting
    if waiting is None:
        return []
    calls = (step for step in record.plan if step.kind is StepKind.SKILL and waiting.about != "fact")
    facts = next((step.inputs for step in calls if step.subject == waiting.subject), ())
    given = tuple(record.values[fact] for fact in facts if fact in record.values)
    events = (waiting.event, *(value.event for value in given))
    return [WaitsFor(waiting.about, waiting.subject, facts, given, evidence=cite(*events))]


def explain_need(record: Record, question: Question) -> Explanation:
    """Say what a fact is needed for; of what was asked for, who is to give it; and why it is asked for again.

    Of what was asked for and decided on, it says why it came out so.
    """
    needed = explain_why(record, question)
    fact = question.fact or next(iter(record.goal), None)
    if fact is None or fact not in record.catalog.facts:
        return needed
    if fact in record.goal and _is_decided(record, fact):
        no = claim_refusals(record, list_refusals(record))
        way = explain_way(record, replace(question, kind=QuestionKind.CHAIN, fact=fact))
        return answer(question, _once([*no, *way.claims, *needed.claims]), needed.links, needed.coming)
    claims = list(needed.claims)
    if fact in record.goal and len(claims) == 1 and not question.full:
        known = find_current(record, fact) is not None
        giver = _claim_origin(record, fact) if known else claim_unknown(record, fact)
        claims += [claim for claim in giver if known or (isinstance(claim, Unknown) and claim.coming)]
    again: list[Claim] = [*_claim_tries(record, fact)]
    if fact in record.goal and record.waiting is not None and record.waiting.about != "fact":
        again += claim_waiting(record)
    came_to_nothing = not (needed.links or needed.coming or record.achieved or record.plan or record.waiting)
    unused = claim_prevented(record) if came_to_nothing and not record.is_empty else []
    return answer(question, _once([*claims, *again, *unused]), needed.links, needed.coming)


def _is_decided(record: Record, fact: str) -> bool:
    """Return whether a skill decided on a fact: it says what counted, or its answer is bad news."""
    found = find_giver(record, find_current(record, fact) or fact)
    event = 0 if found is None else found.execution.event
    return bool(record.attributions.get(event) or find_refusal(record.catalog, record.history, event))


def explain_way(record: Record, question: Question) -> Explanation:
    """Explain a decision by what weighed most; in full, also all its other grounds, or its consequences."""
    chain = explain_chain(record, question)
    fact = question.fact or next(iter(record.goal), None)
    found = None if fact is None else find_giver(record, find_current(record, fact) or fact)
    was_told = found is not None and found.execution.actor is Actor.USER
    if fact is not None and fact in record.catalog.facts and find_current(record, fact) is None:
        pursued = fact in record.goal and bool(record.plan or record.waiting)
        prevented = claim_prevented(record) if pursued or question.full else []
        told = _claim_course(record, fact) if pursued else []
        return answer(question, _once([*chain.claims, *told, *prevented]), chain.links)
    if not (question.full or was_told) or fact is None or fact not in record.catalog.facts:
        return chain
    if found is not None and found.execution.skill is None:
        past = [
            HadValue(one.value, one.ended, evidence=cite(one.value.event, one.until))
            for one in record.held
            if fits(record.catalog, one.value.fact, fact) and one.until is not None
        ]
        uses = explain_why(record, Question(QuestionKind.WHY, fact, full=True))
        tries = _claim_tries(record, fact)
        return answer(question, _once([*past, *chain.claims, *tries, *uses.claims]), uses.links, uses.coming)
    named = {one for claim in chain.claims for one in getattr(claim, "facts", ())}
    whole = explain_how(record, Question(QuestionKind.HOW, fact, full=True))
    rest = [claim for claim in whole.claims if not named.issuperset(getattr(claim, "facts", ()))]
    return answer(question, _once([*chain.claims, *rest, *_claim_failures(record, every=True)]), whole.links)


def _claim_course(record: Record, fact: str) -> list[Claim]:
    """Claim what was established for the goal so far, and what else is still to be found on the way to a fact."""
    since = record.goal_event or 0
    so_far = [at for at, done in enumerate(record.history) if done.event > since and done.outputs]
    steps = [step for step in look_ahead(record)[0].plan if step.kind is StepKind.SKILL and fact not in step.outputs]
    coming = [claim for step in steps for given in step.outputs[:1] for claim in claim_unknown(record, given)]
    return [*(claim_established(record, record.history[at].outputs, at) for at in so_far), *coming]


def explain_origin(record: Record, question: Question) -> Explanation:
    """Say where a fact comes from, all the way back, and why it could not have been asked for."""
    told = values.explain_source(record, question)
    facts = [fact for fact in ((question.fact,) if question.fact else record.goal) if fact in record.catalog.facts]
    known = [fact for fact in facts if question.skill is None and find_current(record, fact) is not None]
    reasons = [
        FromPeople(fact, declared.why_not_fillable, evidence=cite(record.goal_event))
        for fact in known
        if not (declared := record.catalog.facts[fact]).fillable and declared.why_not_fillable
    ]
    return answer(question, [*told.claims, *reasons[:1]], told.links)
