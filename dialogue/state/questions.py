"""How questions and their answers change the state."""

from __future__ import annotations

from dataclasses import replace

from dialogue.log.events import Answered, Asked, Authorized, Confirmed, Refused
from dialogue.state.conversation import Confirmation, Conversation, PendingQuestion
from dialogue.state.plans import move_on
from dialogue.state.rule import Rules
from planning.model import StepKind, call_name


def _asked(event: Asked, c: Conversation, seq: int) -> Conversation:
    return replace(c, pending=PendingQuestion(seq, event))


def _answered(event: Answered, c: Conversation, seq: int) -> Conversation:
    if not event.accepted or c.pending is None:
        return c
    return _step_done(replace(c, pending=None), c.pending.asked)


def _step_done(c: Conversation, asked: Asked) -> Conversation:
    kinds = {"fact": StepKind.ASK, "authorize": StepKind.AUTHORIZE, "confirm": StepKind.CONFIRM}
    kind = kinds.get(asked.about)
    return c if kind is None else move_on(c, kind, asked.subject)


def _authorized(event: Authorized, c: Conversation, seq: int) -> Conversation:
    return replace(c, authorized={**c.authorized, event.subject: seq}, refused=c.refused - {event.subject})


def _confirmed(event: Confirmed, c: Conversation, seq: int) -> Conversation:
    given = Confirmation(seq, frozenset(event.facts))
    return replace(c, confirmed={**c.confirmed, call_name(event.skill, event.mode): given})


def _refused(event: Refused, c: Conversation, seq: int) -> Conversation:
    return replace(c, refused=c.refused | {event.subject}, pending=None)


RULES: Rules = {
    Asked: _asked,
    Answered: _answered,
    Authorized: _authorized,
    Confirmed: _confirmed,
    Refused: _refused,
}
