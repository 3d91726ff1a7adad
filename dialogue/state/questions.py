"""The open question, and the consents and go-aheads that were given or declined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import is_
from typing import TYPE_CHECKING, Literal

from dialogue.log.events import Answered, Approved, Asked, Authorized, Confirmed, Foreseen, Refused, Withdrew
from dialogue.state.fold_rule import Rules
from planning.model import StepKind, call_name, operator_name

if TYPE_CHECKING:
    from dialogue.state.conversation import Conversation


GO_AHEAD = ("authorize", "confirm", "plan")
"""What a question is about to which a yes lets something happen."""


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """The question that the assistant waits for; `since` are the parts of the state that plans start from, as then."""

    seq: int
    asked: Asked
    since: tuple[object, ...] = field(default=(), compare=False, repr=False)

    def foreseen_in(self, c: Conversation) -> Foreseen | None:
        """Return what was foreseen when the question was put; None once anything has changed that plans start from."""
        return self.asked.foreseen if all(map(is_, self.since, _parts(c))) else None


def _parts(c: Conversation) -> tuple[object, ...]:
    return c.facts, c.calls, c.plans, c.goals, c.questions.consents, c.questions.confirmed


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A confirmed call: the entry of the confirmation, the facts that may go into the call, and those still `open`."""

    seq: int
    facts: frozenset[str]
    open: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Consent:
    """What the user said, within one request, of passing sensitive facts to a skill (or of one fact to any skill).

    `seq` is the entry that says how it stands; `given` the one in which it was given, if it ever was.
    """

    subject: str
    facts: tuple[str, ...]
    status: Literal["given", "refused", "unclear", "withdrawn"]
    seq: int
    given: int | None = None
    given_at: datetime | None = None
    at: datetime | None = None
    """When it was given, and when it came to stand as it does."""


@dataclass(frozen=True, slots=True)
class Approval:
    """A plan that was approved: the entry that says so, its calls (`call_name`), and the money it may take in all."""

    seq: int
    calls: frozenset[str]
    money: float


@dataclass(frozen=True, slots=True)
class QuestionState:
    """What the assistant waits for, and what the user has agreed to."""

    pending: PendingQuestion | None = None
    consents: Mapping[tuple[int, str], Consent] = field(default_factory=dict)
    """By purpose (`StackedGoal.purpose`) and subject: consent serves the request that it was asked for, no other."""
    confirmed: Mapping[str, Confirmation] = field(default_factory=dict)
    """Calls that the user has agreed to (`call_name`), not made yet."""

    approved: Mapping[int, Approval] = field(default_factory=dict)
    """By purpose: the latest plan that was approved for a request."""

    def agreed_for(self, purpose: int) -> Mapping[str, int]:
        """Return the subjects of the consents that are in force for a request, each with the entry that gave it."""
        given = (one for (of, _), one in self.consents.items() if of == purpose and one.status == "given")
        return {one.subject: one.seq for one in given}

    def closed_for(self, purpose: int) -> frozenset[str]:
        """Name the operators that ask for consents which were declined, left open or taken back in a request."""
        closed = (one for (of, _), one in self.consents.items() if of == purpose and one.status != "given")
        return frozenset(operator_name(StepKind.AUTHORIZE, one.subject) for one in closed)


def answered_or_dropped(questions: QuestionState) -> QuestionState:
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


def date_consents(questions: QuestionState, seq: int, at: datetime) -> QuestionState:
    """Note when the consents were given, declined or taken back of which an entry tells."""
    dated = {
        key: replace(one, at=at, given_at=at if one.given == seq else one.given_at)
        for key, one in questions.consents.items()
        if one.seq == seq
    }
    return replace(questions, consents={**questions.consents, **dated}) if dated else questions


def _asked(event: Asked, c: Conversation, seq: int) -> Conversation:
    return replace(c, questions=replace(c.questions, pending=PendingQuestion(seq, event, _parts(c))))


def _answered(event: Answered, c: Conversation, seq: int) -> Conversation:
    pending = c.questions.pending
    if not event.accepted or pending is None:
        return c
    kinds = {"fact": StepKind.ASK, "authorize": StepKind.AUTHORIZE, "confirm": StepKind.CONFIRM}
    kind, subject = kinds.get(pending.asked.about), pending.asked.subject
    plans = c.plans if kind is None else c.plans.move_on(c.plan, kind, subject)
    return replace(c, questions=answered_or_dropped(c.questions), plans=plans)


def _consented(c: Conversation, consent: Consent) -> QuestionState:
    purpose = c.goal.purpose if c.goal else 0
    return replace(c.questions, consents={**c.questions.consents, (purpose, consent.subject): consent})


def _authorized(event: Authorized, c: Conversation, seq: int) -> Conversation:
    return replace(c, questions=_consented(c, Consent(event.subject, event.facts, "given", seq, seq)))


def _approved(event: Approved, c: Conversation, seq: int) -> Conversation:
    approval = Approval(seq, frozenset(call_name(*call) for call in event.calls), event.money)
    questions = replace(c.questions, approved={**c.questions.approved, c.purpose: approval}, pending=None)
    return replace(c, questions=questions)


def _confirmed(event: Confirmed, c: Conversation, seq: int) -> Conversation:
    given = Confirmation(seq, frozenset(event.facts), frozenset(event.open))
    confirmed = {**c.questions.confirmed, call_name(event.skill, event.mode): given}
    left = c.plan.left[:1] if c.plan else ()
    spared = any(step.kind is StepKind.CONFIRM and step.mode == event.mode for step in left)
    plans = c.plans.move_on(c.plan, StepKind.CONFIRM, event.skill) if spared else c.plans
    goals = replace(c.goals, stack=tuple(replace(goal, agreed=event.heard) for goal in c.goals.stack))
    return replace(c, plans=plans, goals=goals, questions=replace(c.questions, confirmed=confirmed))


def _refused(event: Refused, c: Conversation, seq: int) -> Conversation:
    questions = _consented(c, Consent(event.subject, event.facts, event.because, seq))
    return replace(c, questions=replace(questions, pending=None))


def _withdrew(event: Withdrew, c: Conversation, seq: int) -> Conversation:
    """Take a consent back in each request of the conversation, with the go-aheads for calls that rest on it."""
    given = ((key, one) for key, one in c.questions.consents.items() if one.given == event.given)
    mine = {key: replace(one, status="withdrawn", seq=seq) for key, one in given}
    approved = {key: one for key, one in c.questions.approved.items() if one.seq != event.given}
    gone = set(event.facts)
    confirmed = {call: one for call, one in c.questions.confirmed.items() if gone.isdisjoint(one.facts)}
    consents = {**c.questions.consents, **mine}
    return replace(c, questions=replace(c.questions, consents=consents, confirmed=confirmed, approved=approved))


RULES: Rules = {
    Asked: _asked,
    Answered: _answered,
    Approved: _approved,
    Authorized: _authorized,
    Confirmed: _confirmed,
    Refused: _refused,
    Withdrew: _withdrew,
}
