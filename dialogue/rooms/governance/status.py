"""The status of a conversation under norms: who takes part, which norms are in force, who spoke last.

It is all that governance needs besides the message (Gatti de Bayser et al. 2018, §4), and can be written as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from catalog.norms.message import Message, Moment
from catalog.norms.model import WHO, Guards, Norm, NormSpecification
from catalog.norms.vocabulary import NormKind, ParticipantKind, Variable


@dataclass(frozen=True, slots=True)
class Member:
    """A participant who is in the room. `roles` are its own; the specification says what those are within."""

    name: str
    kind: ParticipantKind
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ActiveNorm:
    """A norm that was activated, and on whom it bears still.

    `bound` are the variables of its filters, as they were when it was activated. `by` is the id of the message that
    activated it, and `transition` what that fired; both are empty for norms that hold from the start. Times are those
    of messages.
    """

    norm: str
    bearers: tuple[str, ...]
    bound: tuple[tuple[str, tuple[str, ...]], ...] = ()
    by: str = ""
    transition: str = ""
    since: Moment | None = None
    due: Moment | None = None


@dataclass(frozen=True, slots=True)
class RoomStatus:
    """Where a conversation stands. Standing norms are not among the `active` ones: they always hold."""

    state: str
    members: tuple[Member, ...] = ()
    active: tuple[ActiveNorm, ...] = ()
    last_sender: str | None = None
    last_answerer: str | None = None

    def member(self, name: str) -> Member | None:
        return next((one for one in self.members if one.name == name), None)

    def owes(self, name: str, norm: str) -> bool:
        return any(one.norm == norm and name in one.bearers for one in self.active)

    def is_active(self, norm: str) -> bool:
        return any(one.norm == norm for one in self.active)

    def without(self, norms: Mapping[str, object] | frozenset[str]) -> RoomStatus:
        return replace(self, active=tuple(one for one in self.active if one.norm not in norms))


def called(specification: NormSpecification, status: RoomStatus) -> dict[str, str]:
    declared = specification.participants
    names = [one.name for one in status.members]
    return {name: (declared[name].label if name in declared else "") or name for name in names}


STATUS: TypeAdapter[RoomStatus] = TypeAdapter(RoomStatus)
"""Reads and writes a status as JSON."""


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
