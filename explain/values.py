"""Explanations of values: what a fact is or was, what a skill answered, where it comes from, and who was given it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from catalog.model import Catalog, Outcome
from catalog.values import Period
from catalog.values.base import HIDDEN
from catalog.values.numbers import Quantity
from catalog.wording.grammar import be, count, quote, quoted_sentence
from catalog.wording.values import filled_in
from explain.claim import Claim, Pieces, cite
from explain.claims import HadValue, Undeclared, answer
from explain.graph import find_current, find_giver, fits
from explain.how import claim_established, claim_stand_in, claim_unknown, describe, explain_how, look_ahead
from explain.model import Agreement, Call, Explanation, Question, Record, SaidMessage, Value
from explain.words import Wording
from planning.history import Actor
from planning.model import StepKind


class HasValue(Claim):
    """A fact has a value; one that cannot be said in words is only there."""

    value: Value

    def say(self, words: Wording) -> Iterator[Pieces]:
        shown, fact = words.shown(self.value), self.value.fact
        named, verb = words.fact(fact), be(words.label(fact))
        yield (named, f" {verb} ", shown, ".") if shown else (named, f" {verb} shown above.")


class SkillAnswered(Claim):
    """The last call of a skill: its outcome, and the values of the facts that it gave; None: it failed."""

    call: Call
    facts: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    given: tuple[Value, ...] = ()
    """What it was given, as it was then."""
    words_only: bool = False
    """Only its author's words for that outcome are to be told, if there are any."""

    def say(self, words: Wording) -> Iterator[Pieces]:
        """Say what a skill answered: its outcome by its name, and what the catalog has the assistant say of it."""
        if self.words_only:
            yield from self._say_own_words(words)
            return
        call, skill, outcome = self.call, words.skill(self.call.skill), self._outcome(words)
        taken = tuple(value for value in self.given if words.shown(value) is not None)
        asked: Pieces = (", given ", words.valued(tuple(value.fact for value in taken), taken), ",") if taken else ()
        if call.ended is None:
            yield "I have called ", skill, ", and have no answer yet."
        elif outcome is None:
            yield "I called ", skill, *asked[:-1], ", and it did not work."
        else:
            given: Pieces = (": ", words.valued(self.facts, self.values)) if self.facts else ()
            label = outcome.label or ("" if self.facts else outcome.name.replace("_", " "))
            named = f" {quote(label)}" if label or not self.facts else ""
            yield skill, *asked, f" {'gave me' if given and not named else 'answered'}{named}", *given, "."
            yield from self._say_own_words(words)

    def _outcome(self, words: Wording) -> Outcome | None:
        declared = words.record.catalog.skills[self.call.skill].modes.get(self.call.mode or "")
        return declared.outcomes.get(self.call.outcome or "") if declared else None

    def _say_own_words(self, words: Wording) -> Iterator[Pieces]:
        """Quote what the catalog has the assistant say of an outcome, with the values that it cites."""
        outcome = self._outcome(words)
        if outcome is not None and outcome.say:
            shown = {value.fact: part for value in self.values if (part := words.shown(value)) is not None}
            seen = {fact: HIDDEN if part.secret else part.text for fact, part in shown.items()}
            yield (quoted_sentence(filled_in(outcome.say, seen)),)


class NotCalled(Claim):
    """A skill was not called, or (`coming`) is not called yet."""

    skill: str
    coming: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "I have not called ", words.skill(self.skill), " yet." if self.coming else "."


@dataclass(frozen=True, slots=True)
class Receiver:
    """A skill that was given facts, and whether it was agreed to in advance."""

    skill: str
    facts: tuple[str, ...]
    agreed: bool


class GivenTo(Claim):
    """Which skills were given facts."""

    receivers: tuple[Receiver, ...]

    def say(self, words: Wording) -> Iterator[Pieces]:
        for receiver in self.receivers:
            agreed = ", as you had agreed" if receiver.agreed else ""
            yield "I gave ", words.facts(receiver.facts), " to ", words.skill(receiver.skill), f"{agreed}."
        yield ("No other skill got that.",)


class NotGiven(Claim):
    """A fact was given to no skill; without a fact, nothing was given to any."""

    fact: str | None

    def say(self, words: Wording) -> Iterator[Pieces]:
        nothing: Pieces = ("I have not given anything to any skill.",)
        yield nothing if self.fact is None else ("I have not given ", words.fact(self.fact), " to any skill.")


class TookBack(Claim):
    """Consent was given and taken back; `received` are the skills that had got some of it by then."""

    agreement: Agreement
    received: tuple[str, ...]

    def say(self, words: Wording) -> Iterator[Pieces]:
        one = self.agreement
        whom = words.skill(one.subject) if one.subject in words.record.catalog.skills else "the skills that need it"
        took_back = (
            f", and took it back at {one.taken_back_at}; {'nothing more is' if self.received else 'nothing was'} given."
        )
        yield f"You agreed at {one.given_at} that ", words.facts(one.facts), " may go to ", whom, took_back


class WillBeGiven(Claim):
    """The skills that the plan is to give a fact to; it `needs_consent` if it is sensitive."""

    fact: str
    skills: tuple[str, ...]
    needs_consent: bool

    def say(self, words: Wording) -> Iterator[Pieces]:
        asking = ", and only if you agree" if self.needs_consent else ""
        yield "I would give ", words.fact(self.fact), " to ", words.skills(self.skills), f"{asking}."


class NeedsConsent(Claim):
    """A skill is given facts only with consent, or is called only when told to go ahead (no facts)."""

    skill: str
    facts: tuple[str, ...] = ()
    template = "I need your consent before I give {facts:facts} to {skill:skill}."


class ToldThen(Claim):
    """When the user said what gave a fact its value, and in which words; without a fact, what they asked for."""

    utterance: SaidMessage
    value: Value | None = None

    def say(self, words: Wording) -> Iterator[Pieces]:
        one, value = self.utterance, self.value
        told: Pieces = ("You asked for that",)
        if value is not None:
            verb = "You told me " if words.is_sayable(value.fact) else "You uploaded "
            told = (verb, words.valued((value.fact,), (value,)))
        quoted = words.message(one)
        yield *told, f" at {one.at}, in your message no. {one.place}", *((": ", quoted) if one.text else ()), "."


class TimesCalled(Claim):
    """How often a skill was called."""

    skill: str
    times: int

    def say(self, words: Wording) -> Iterator[Pieces]:
        yield "I called ", words.skill(self.skill), f" {count(self.times, 'time')} in this conversation."


class Tally(Claim):
    """How many calls were made for a request, and questions answered; how many of these and go-aheads are to come."""

    calls: int
    answered: int
    left: int
    go_aheads: int

    def say(self, words: Wording) -> Iterator[Pieces]:
        answered = f"you answered {count(self.answered, 'question')}"
        asked = ((self.left, "question"), (self.go_aheads, "go-ahead"))
        left = " and ".join(count(number, what) for number, what in asked if number)
        to_come = f"; {left} still to come" if left else ""
        yield (f"For this request, I made {count(self.calls, 'call')} and {answered}{to_come}.",)


def explain_value(record: Record, question: Question) -> Explanation:
    """Say what a fact is and who established it, or what it was; of a skill, what it answered."""
    if question.skill is not None:
        return answer(question, claim_said(record, question.skill))
    facts = (question.fact,) if question.fact is not None else record.goal
    claims = [claim for fact in facts for claim in _claim_value(record, fact)]
    return answer(question, claims or claim_nothing_got(record))


def claim_nothing_got(record: Record) -> list[Claim]:
    """Speak of a goal that comes down to no facts: of what the skills called last answered."""
    calls = {call.skill: call for call in record.calls}
    claims: list[Claim] = [claim_answer(record, call) for call in calls.values() if call.skill in record.skills]
    return claims or [NotCalled(skill, coming=True, evidence=cite(record.goal_event)) for skill in record.skills]


def _claim_value(record: Record, fact: str) -> list[Claim]:
    kind = record.catalog.facts[fact].value if fact in record.catalog.facts else None
    parts = (kind.start, kind.end) if isinstance(kind, Period) else ()
    ends = [end for end in parts if end is not None and end in record.values]
    if ends and fact not in record.values:
        return [claim for end in ends for claim in _claim_value(record, end)]
    current = find_current(record, fact)
    if current is not None:
        found = find_giver(record, current)
        place = None if found is None else found.index
        value = record.values[current]
        claims = claim_stand_in(record, fact, current, found)
        established = claim_established(record, (current,), place, briefly=True)
        return [*claims, HasValue(value, evidence=cite(value.event)), established]
    past = [one for one in record.held if one.value.fact == fact and one.until is not None]
    if past:
        last = past[-1]
        return [HadValue(last.value, last.ended, evidence=cite(last.value.event, last.until))]
    return claim_unknown(record, fact)


def claim_said(record: Record, skill: str) -> list[Claim]:
    """Claim the result of the last call of a skill, or that it was not called."""
    calls = [call for call in record.calls if call.skill == skill]
    if skill not in record.catalog.skills:
        return [Undeclared(skill, evidence=cite(record.goal_event))]
    if not calls:
        coming = any(step.kind is StepKind.SKILL and step.subject == skill for step in record.plan)
        evidence = cite(record.goal_event, record.plan_event)
        return [NotCalled(skill, coming, evidence=evidence), *describe(record.catalog, skill, record.goal_event)]
    return [claim_answer(record, calls[-1])]


def claim_answer(record: Record, call: Call, *, words_only: bool = False) -> SkillAnswered:
    """Claim how a call ended, and what the skill was given; or only what it has the assistant say."""
    given = tuple(one for one in record.held if one.by == call.ended)
    values = tuple(one.value for one in given)
    taken = tuple(
        one.value
        for fact in call.inputs
        for one in record.held
        if one.value.fact == fact and one.since < call.event and (one.until is None or one.until > call.event)
    )
    facts = tuple(value.fact for value in values)
    return SkillAnswered(call, facts, values, taken, words_only, evidence=cite(call.event, call.ended))


def explain_source(record: Record, question: Question) -> Explanation:
    """Say where a fact comes from, all the way back to what the user said; of a skill, what it was given."""
    if question.skill is None:
        full = explain_how(record, Question(question.kind, question.fact, full=True))
        return answer(question, full.claims, full.links)
    claims = claim_said(record, question.skill)
    inputs = {fact for call in record.calls if call.skill == question.skill for fact in call.inputs}
    return answer(question, [*claims, *_claim_given(record, tuple(sorted(inputs)), question.skill)])


def explain_who_saw(record: Record, question: Question) -> Explanation:
    """Name the skills that were given a fact, and those that the plan would give it to; of a skill, what it was given.

    Without either, it is about what is sensitive, or about all that was given where nothing sensitive is known.
    """
    everything = tuple(dict.fromkeys(fact for call in record.calls for fact in call.inputs))
    if question.skill is not None:
        given = _claim_given(record, everything, question.skill)
        given += _claim_taken_back(record, lambda one: one.subject == question.skill)
        return answer(question, given or claim_said(record, question.skill))
    if question.fact is None:
        told = tuple(e.outputs[0] for e in record.history if e.actor is Actor.USER)
        secret = tuple(dict.fromkeys(fact for fact in told if record.catalog.is_sensitive(fact)))
        claims = [claim for fact in secret for claim in _claim_receivers(record, fact)]
        nothing = NotGiven(None, evidence=cite(record.goal_event))
        back = [*_claim_taken_back(record, lambda one: not {*secret}.intersection(one.facts))]
        return answer(question, [*(claims or _claim_given(record, everything) or [nothing]), *back])
    claims = _claim_receivers(record, question.fact)
    if isinstance(claims[0], NotGiven):  # who made a result saw what it was made of
        makers = {call.skill for call in record.calls if may_give(record.catalog, call.skill, question.fact)}
        claims += [claim for skill in sorted(makers) for claim in _claim_given(record, everything, skill)]
    return answer(question, claims)


def gives_of(catalog: Catalog, skill: str) -> tuple[str, ...]:
    return catalog.skills[skill].gives if skill in catalog.skills else ()


def may_give(catalog: Catalog, skill: str, fact: str) -> bool:
    return any(fits(catalog, given, fact) for given in gives_of(catalog, skill))


def _claim_receivers(record: Record, fact: str) -> list[Claim]:
    fitting = tuple(
        dict.fromkeys(used for call in record.calls for used in call.inputs if fits(record.catalog, used, fact))
    )
    coming = tuple(
        dict.fromkeys(
            step.subject
            for step in record.plan
            if step.kind is StepKind.SKILL and any(fits(record.catalog, used, fact) for used in step.inputs)
        )
    )
    told = cite(record.goal_event, *(one.value.event for one in record.held if one.value.fact == fact))
    claims: list[Claim] = [*_claim_given(record, fitting)] or [NotGiven(fact, evidence=told)]
    claims += _claim_taken_back(record, lambda one: any(fits(record.catalog, used, fact) for used in one.facts))
    if coming:
        needs = record.catalog.is_sensitive(fact)
        claims.append(WillBeGiven(fact, coming, needs, evidence=cite(record.plan_event, record.goal_event)))
    return claims


def _claim_taken_back(record: Record, applies: Callable[[Agreement], bool]) -> Iterator[Claim]:
    for one in filter(applies, record.agreements):
        calls = [call for call in record.calls if call.agreed == one.given and not {*one.facts}.isdisjoint(call.inputs)]
        received = tuple(dict.fromkeys(call.skill for call in calls))
        yield TookBack(one, received, evidence=cite(one.given, one.taken_back, *(call.event for call in calls)))


def _claim_given(record: Record, facts: tuple[str, ...], skill: str | None = None) -> list[Claim]:
    receivers: dict[str, Receiver] = {}
    events: list[int | None] = []
    for call in record.calls:
        given = tuple(fact for fact in facts if fact in call.inputs)
        if given and skill in (None, call.skill):
            before = receivers.get(call.skill, Receiver(call.skill, (), agreed=False))
            both = tuple(dict.fromkeys((*before.facts, *given)))
            receivers[call.skill] = Receiver(call.skill, both, before.agreed or call.agreed is not None)
            events += [call.event, call.agreed]
    return [GivenTo(tuple(receivers.values()), evidence=cite(*events))] if receivers else []


def claim_consent(
    catalog: Catalog, skill: str | None, facts: tuple[str, ...], evidence: tuple[int, ...]
) -> list[NeedsConsent]:
    secret = tuple(fact for fact in facts if catalog.is_sensitive(fact))
    return [NeedsConsent(skill, secret, evidence=evidence)] if skill is not None and secret else []


def explain_when_said(record: Record, question: Question) -> Explanation:
    """Say when the user told a fact, each time, and in which words; of any other fact, where it is from.

    Without a fact, it is about the request.
    """
    fact = question.fact
    values = {one.value.event: one.value for one in record.held if fits(record.catalog, one.value.fact, fact or "")}
    told = [
        ToldThen(one, values.get(event), evidence=cite(one.event, event))
        for one in record.said
        for event in (sorted(one.gave & values.keys()) if fact is not None else [one.event])
        if fact is not None or (one.event == record.goal_event and question.skill is None)
    ]
    return answer(question, told or explain_value(record, question).claims)


def explain_how_many(record: Record, question: Question) -> Explanation:
    """Count the calls of a skill, or that gave or took a fact; say an amount; else count for the request."""
    fact, skill = question.fact, question.skill
    declared = record.catalog.facts.get(fact or "")
    if skill is None and fact in record.values and declared is not None and isinstance(declared.value, Quantity):
        return explain_value(record, question)
    if skill is not None or fact is not None:
        makers = {call.skill for call in record.calls if may_give(record.catalog, call.skill, fact or "")}
        makers = makers if skill is None else {skill}
        made: dict[str, list[int]] = {}
        for call in record.calls:
            if call.skill in makers or (not makers and fact in call.inputs):
                made.setdefault(call.skill, []).append(call.event)
        counted = [TimesCalled(one, len(events), evidence=cite(*events)) for one, events in made.items()]
        return answer(question, counted or explain_value(record, question).claims)
    since = record.goal_event or 0
    calls = [call.event for call in record.calls if call.own and call.event > since]
    answered = [done.event for done in record.history if done.asked is not None and done.event > since]
    coming = [step.kind for step in look_ahead(record)[0].plan]
    go_aheads = coming.count(StepKind.AUTHORIZE) + coming.count(StepKind.CONFIRM)
    evidence = cite(record.goal_event, record.plan_event if coming else None, *calls, *answered)
    return answer(
        question, [Tally(len(calls), len(answered), coming.count(StepKind.ASK), go_aheads, evidence=evidence)]
    )
