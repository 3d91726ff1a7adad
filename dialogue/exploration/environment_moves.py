"""Environment moves: what a user and the skills can do next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.model import Catalog
from dialogue.forked import ForeseenCall
from dialogue.state.conversation import Conversation


class EnvironmentMoveKind(StrEnum):
    """Kinds of environment moves."""

    REQUEST = "request"
    """The user asks for the goal: the first move."""
    ANSWER = "answer"
    """The user gives the value that was asked for."""
    SKIP = "skip"
    """The user cannot answer, or will not."""
    AGREE = "agree"
    """The user consents; with a mode, to a call."""
    DECLINE = "decline"
    """The user does not consent; with a mode, not to a call."""
    COMES = "comes"
    """The skill that is called comes back with an outcome."""
    FAILS = "fails"
    """The skill that is called raises an error."""


COOPERATIVE = frozenset(
    (EnvironmentMoveKind.REQUEST, EnvironmentMoveKind.ANSWER, EnvironmentMoveKind.AGREE, EnvironmentMoveKind.COMES)
)
"""Moves of a user who answers whatever is asked, and of skills that come back."""


@dataclass(frozen=True, slots=True)
class EnvironmentMove:
    """One thing that happens. `subject` is a goal, a fact, whom consent is for, or a skill."""

    kind: EnvironmentMoveKind
    subject: str
    mode: str | None = None
    outcome: str | None = None

    @property
    def of_skill(self) -> bool:
        return self.kind in (EnvironmentMoveKind.COMES, EnvironmentMoveKind.FAILS)


def moves_of_user(conversation: Conversation) -> tuple[EnvironmentMove, ...]:
    """List the fates of the open question; none if nothing that a goal needs is asked."""
    pending = conversation.questions.pending
    if pending is None or pending.asked.about not in ("fact", "authorize", "confirm"):
        return ()
    yes, no = (
        (EnvironmentMoveKind.ANSWER, EnvironmentMoveKind.SKIP)
        if pending.asked.about == "fact"
        else (EnvironmentMoveKind.AGREE, EnvironmentMoveKind.DECLINE)
    )
    subject, mode = pending.asked.subject, pending.asked.mode if pending.asked.about == "confirm" else None
    return EnvironmentMove(yes, subject, mode), EnvironmentMove(no, subject, mode)


def moves_of_skill(catalog: Catalog, call: ForeseenCall, *, failures: bool) -> tuple[EnvironmentMove, ...]:
    """List what may come of a call: every outcome that is declared, and an error where these are asked for."""
    outcomes = catalog.skills[call.skill].modes[call.mode].outcomes
    came = tuple(EnvironmentMove(EnvironmentMoveKind.COMES, call.skill, call.mode, outcome) for outcome in outcomes)
    return (*came, EnvironmentMove(EnvironmentMoveKind.FAILS, call.skill, call.mode)) if failures else came
