"""Norms in force: whether guards hold, what answers are owed to, and what variables stand for."""

from __future__ import annotations

from catalog.norms.message import Message
from catalog.norms.model import WHO, Guards, Norm
from catalog.norms.vocabulary import NormKind, Variable
from dialogue.rooms.governance.status import ActiveNorm, RoomStatus


def holds(guards: Guards, status: RoomStatus) -> bool:
    return all(map(status.is_active, guards.active)) and not any(map(status.is_active, guards.inactive))


def is_an_answer(norm: Norm) -> bool:
    """Return whether a norm obliges to answer the message that activates it: if it asks whom the answer is to."""
    return norm.kind is NormKind.OBLIGATION and bool(norm.act.replies_to)


def waits_for_bearers(norm: Norm) -> bool:
    """Return whether a norm without bearers is to bear on newcomers: they are not obliged by it."""
    return norm.kind is not NormKind.OBLIGATION and not all(one.startswith("$") for one in norm.bearer)


def is_about(norm: Norm, active: ActiveNorm | None, message: Message) -> bool:
    """Return whether a norm can be about a message: where an answer is owed to a message, only answers to that one."""
    if active is None or not active.by or not is_an_answer(norm):
        return True
    return message.in_reply_to in {"", active.by}


_BOUND = (Variable.SENDER, Variable.LAST_SENDER, Variable.RECEIVERS, Variable.MENTIONED, Variable.LAST_ANSWERER)


def variables_in(norm: Norm) -> tuple[str, ...]:
    """Return the variables that the filters of a norm name, which are bound when it is activated."""
    named = {one for filters in (norm.act, *norm.unless) for field in WHO for one in getattr(filters, field)}
    return tuple(one for one in _BOUND if one in named)
