"""Who must, may and must not speak now: what norms say of each participant before a message is sent.

Of a message that is not written yet only its sender is known. So each participant is judged for a message that has
nothing a filter asks for; and for what they owe, for one that would meet it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.norms.message import Message, Utterance
from catalog.norms.model import Filters, Norm
from catalog.norms.vocabulary import EVERYBODY, NOBODY, TEXT, UNDEFINED, NormKind
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.status import ActiveNorm, Member, RoomStatus
from dialogue.rooms.governance.verdict import Decision, Tag

_ANYTHING = "anything"
"""A speech act that no norm knows."""


class Modality(StrEnum):
    """What a participant is to do now."""

    MUST = "must"
    """They owe something, and may say it."""
    MAY = "may"
    """They may say anything."""
    MUST_NOT = "must_not"
    """They may not speak, except where it says so."""


@dataclass(frozen=True, slots=True)
class OwedMessage:
    """Something that a participant must say; `allowed` is false where another norm forbids all that would meet it."""

    norm: str
    active: ActiveNorm | None
    filters: Filters
    allowed: bool


@dataclass(frozen=True, slots=True)
class ParticipantStanding:
    """What norms say of one participant: the decision about anything at all, what they owe, and what else they may say.

    `except_for` are filters of messages that they may send although they must not speak, each with its norm.
    """

    member: Member
    position: Modality
    decision: Decision
    owed: tuple[OwedMessage, ...] = ()
    except_for: tuple[tuple[str, Filters], ...] = ()


def standing_of(governance: Governance, status: RoomStatus) -> tuple[ParticipantStanding, ...]:
    """Return what norms say of each participant, in the order of the room."""
    return tuple(_standing(governance, status, member) for member in status.members)


def _standing(governance: Governance, status: RoomStatus, member: Member) -> ParticipantStanding:
    bearing = governance.bearing_on(status, member.name)
    plain = Message(sender=member.name, utterances=(Utterance(act=_ANYTHING),))
    (decision,) = governance.judge(status, plain)[0].decisions
    owed = tuple(
        OwedMessage(norm.name, active, norm.act, _may(governance, status, member, norm.act, active))
        for norm, active in bearing
        if norm.kind is NormKind.OBLIGATION
    )
    forbidden = decision.tag is Tag.DENIED
    others = tuple(_exceptions(governance, status, member, bearing)) if forbidden else ()
    position = Modality.MUST if any(one.allowed for one in owed) else Modality.MUST_NOT if forbidden else Modality.MAY
    return ParticipantStanding(member, position, decision, owed, others)


def _exceptions(
    governance: Governance, status: RoomStatus, member: Member, bearing: tuple[tuple[Norm, ActiveNorm | None], ...]
) -> list[tuple[str, Filters]]:
    found: list[tuple[str, Filters]] = []
    for norm, active in bearing:
        candidates = {NormKind.PERMISSION: (norm.act,), NormKind.PROHIBITION: norm.unless}.get(norm.kind, ())
        found += [(norm.name, filters) for filters in candidates if _may(governance, status, member, filters, active)]
    return found


def _may(
    governance: Governance, status: RoomStatus, member: Member, filters: Filters, active: ActiveNorm | None
) -> bool:
    """Return whether a participant may send a message that some filters describe."""
    message = an_example(governance, status, member, filters, active)
    return governance.judge(status, message)[0].posted


def an_example(
    governance: Governance, status: RoomStatus, member: Member, filters: Filters, active: ActiveNorm | None
) -> Message:
    """Return a message that matches filters, as far as there can be one from this sender."""

    def first(selectors: tuple[str, ...]) -> tuple[str, ...]:
        for one in selectors:
            if one == NOBODY:
                return ()
            bound = dict(active.bound) if active is not None else {}
            if one in bound:
                return bound[one][:1]
            for other in status.members:
                if other.name != member.name and one in {EVERYBODY, other.name, *governance.roles_of(other)}:
                    return (other.name,)
        return ()

    utterance = Utterance(
        act=next(iter(filters.act), _ANYTHING),
        topic=next(iter(filters.topic), UNDEFINED),
        content=next(iter(filters.content), TEXT),
    )
    return Message(
        sender=member.name,
        utterances=(utterance,),
        receivers=first(filters.receivers),
        mentions=first(filters.mentions),
        replies_to=next(iter(first(filters.replies_to)), None),
    )
