"""The open question, and the consents and go-aheads that were given or declined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dialogue.log.events import Answered, Asked, Authorized, Confirmed, Refused
from dialogue.state.rule import Rules
from planning.model import StepKind, call_name

if TYPE_CHECKING:
    from dialogue.state.conversation import Conversation


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """The question that the assistant waits for."""

    seq: int
    asked: Asked


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A confirmed call: the entry of the confirmation, the facts that may go into the call, and those still `open`."""

    seq: int
    facts: frozenset[str]
    open: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class QuestionState:
    """What the assistant waits for, and what the user has agreed to."""

    pending: PendingQuestion | None = None
    authorized: Mapping[str, int] = field(default_factory=dict)
    """Consents that were given (to a skill, or for a fact), with the entry that says so."""
    refused: frozenset[str] = frozenset()
    confirmed: Mapping[str, Confirmation] = field(default_factory=dict)
    """Calls that the user has agreed to (`call_name`), not made yet."""


def answered_or_dropped(questions: QuestionState) -> QuestionState:
    """Stop waiting for an answer."""
    return questions if questions.pending is None else replace(questions, pending=None)


def without(questions: QuestionState, changed: Iterable[str]) -> QuestionState:
    """Leave out the go-aheads for calls that take one of the facts that have changed, but for first values."""
    if not questions.confirmed:
        return questions
    facts = set(changed)
    confirmed = {
        call: replace(given, open=given.open - facts)
        for call, given in questions.confirmed.items()
        if facts.isdisjoint(given.facts - given.open)
    }
    return replace(questions, confirmed=confirmed)


def _asked(event: Asked, c: Conversation, seq: int) -> Conversation:
    return replace(c, questions=replace(c.questions, pending=PendingQuestion(seq, event)))


def _answered(event: Answered, c: Conversation, seq: int) -> Conversation:
    pending = c.questions.pending
    if not event.accepted or pending is None:
        return c
    return _step_done(replace(c, questions=answered_or_dropped(c.questions)), pending.asked)


def _step_done(c: Conversation, asked: Asked) -> Conversation:
    kinds = {"fact": StepKind.ASK, "authorize": StepKind.AUTHORIZE, "confirm": StepKind.CONFIRM}
    kind = kinds.get(asked.about)
    return c if kind is None else replace(c, plans=c.plans.move_on(c.plan, kind, asked.subject))


def _authorized(event: Authorized, c: Conversation, seq: int) -> Conversation:
    given, refused = {**c.questions.authorized, event.subject: seq}, c.questions.refused - {event.subject}
    return replace(c, questions=replace(c.questions, authorized=given, refused=refused))


def _confirmed(event: Confirmed, c: Conversation, seq: int) -> Conversation:
    given = Confirmation(seq, frozenset(event.facts), frozenset(event.open))
    confirmed = {**c.questions.confirmed, call_name(event.skill, event.mode): given}
    left = c.plan.left[:1] if c.plan else ()
    spared = any(step.kind is StepKind.CONFIRM and step.mode == event.mode for step in left)
    plans = c.plans.move_on(c.plan, StepKind.CONFIRM, event.skill) if spared else c.plans
    goals = replace(c.goals, stack=tuple(replace(goal, agreed=event.heard) for goal in c.goals.stack))
    return replace(c, plans=plans, goals=goals, questions=replace(c.questions, confirmed=confirmed))


def _refused(event: Refused, c: Conversation, seq: int) -> Conversation:
    return replace(c, questions=replace(c.questions, refused=c.questions.refused | {event.subject}, pending=None))


RULES: Rules = {
    Asked: _asked,
    Answered: _answered,
    Authorized: _authorized,
    Confirmed: _confirmed,
    Refused: _refused,
}
