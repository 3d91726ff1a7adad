"""What a participant sees of a room: everything that was posted, but of what is private to others only that it was.

A bot is shown one occasion after the other, in the order of the room.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import PurePath

from catalog.norms.load import read_norms
from catalog.norms.message import Message
from catalog.norms.occasion import Happening, Occasion, Seat
from catalog.problems import CatalogError
from catalog.values.base import HIDDEN as MASK
from dialogue.log.streams import Entry, Log
from dialogue.rooms.connectors.http import hide_keys, without_keys
from dialogue.rooms.events import Confided, Joined, RoomExplained, RoomOpened, Sent
from dialogue.rooms.room import Room, RoomMessage, governance_of

MOST_SHOWN = 200
"""Messages from before that a bot is shown at most."""


def as_seen_by(room: Room, viewer: str | None) -> Room:
    """Return a room as a viewer may see it: the room that the log is folded into which they may see."""
    found = {entry: one.as_seen_by(viewer) for entry, one in room.messages.items()}
    messages = {entry: one for entry, one in found.items() if one is not None}
    return replace(
        room,
        norms=open_norms(room.norms),
        messages=messages,
        waiting=tuple(entry for entry in room.waiting if entry in messages),
        bots={name: without_keys(bot) for name, bot in room.bots.items()},
        questions=tuple(one for one in room.questions if one.is_for(viewer)),
        conversations=dict.fromkeys(room.conversations, MASK),
        commands={},
    )


def log_as_seen_by(log: Log, room: Room, viewer: str | None) -> Log:
    """Return the log of a room as a viewer may see it. What they may not see at all is left out."""
    asked = frozenset(one.entry for one in room.questions if not one.is_for(viewer))
    unseen = asked | {entry for entry, one in room.messages.items() if one.as_seen_by(viewer) is None}
    return tuple(
        entry.model_copy(update={"event": entry.event.model_copy(update=changed)}) if changed else entry
        for entry in log
        if entry.seq not in unseen and not (isinstance(entry.event, RoomExplained) and entry.event.of in asked)
        for changed in [_hidden(entry, room, viewer)]
    )


def _hidden(entry: Entry, room: Room, viewer: str | None) -> dict[str, object]:
    """Return the fields of an event that a viewer sees otherwise than they are."""
    match entry.event:
        case RoomOpened(norms=norms, bots=bots, file=file):
            shown = {name: without_keys(bot) for name, bot in bots.items()}
            return {"norms": open_norms(norms), "bots": shown, "file": PurePath(file).name}
        case Joined(bot=bot) if bot:
            return {"bot": without_keys(bot)}
        case Confided():
            return {"conversation": MASK}
        case Sent(message=message):
            sent = replace(room.messages[entry.seq], message=message)
            seen = sent.as_seen_by(viewer) or sent
            return {"message": seen.message, "command": "", "secrets": seen.secrets, "meant_for": seen.meant_for}
        case _:
            return {}


@lru_cache(256)
def open_norms(norms: str) -> str:
    """Return the text of a norm file without the keys that stand in addresses of bots, which are secret."""
    masked = hide_keys(norms)
    specification = governance_of(norms).specification
    bots = {name: without_keys(one.bot) for name, one in specification.participants.items()}
    participants = {
        name: one.model_copy(update={"bot": bots[name]}) for name, one in specification.participants.items()
    }
    without = specification.model_copy(update={"participants": participants})
    try:
        if read_norms(masked).specification == without:
            return masked
    except CatalogError:
        pass  # an address was written in a way of its own: with escapes, say
    return without.model_dump_json(by_alias=True, exclude_defaults=True)


def occasion_for(room: Room, room_id: str, bot: str, entry: int) -> Occasion:
    """Return what a bot is shown of an entry: the opening, a message that it may read, or a lapse."""
    before = room.order[: room.order.index(entry)] if entry in room.messages else room.order
    posted = [one for at in before[-MOST_SHOWN:] if (one := room.messages[at]).is_for(bot)]
    lapsed = next((one.lapse for one in room.lapses if one.entry == entry), None)
    message = _own(room.messages[entry], bot) if entry in room.messages else None
    what = Happening.MESSAGE if message is not None else Happening.OPENED if lapsed is None else Happening.UNANSWERED
    return Occasion.model_construct(
        what=what,
        you=bot,
        room=room_id,
        message=message,
        unanswered=() if lapsed is None else lapsed.bearers,
        posted=tuple(_own(one, bot) for one in posted),
        participants=_seats(room),
        at=None if message is None else message.at,
    )


def _own(one: RoomMessage, bot: str) -> Message:
    """Return a message as a bot may see it, and may spoil it: values are the only part of it that can be changed."""
    message = (one.as_seen_by(bot) or one).message
    return message.model_copy(deep=True) if any(one.values for one in message.utterances) else message


def _seats(room: Room) -> tuple[Seat, ...]:
    declared = room.specification.participants
    return tuple(
        Seat.model_construct(
            name=one.name,
            kind=one.kind,
            roles=tuple(sorted(room.governance.roles_of(one))),
            label=declared[one.name].label if one.name in declared else one.name,
        )
        for one in room.status.members
    )
