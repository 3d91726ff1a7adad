"""What happened in a room, entry by entry, in lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from dialogue.log.streams import Entry
from dialogue.rooms.events import (
    Joined,
    JudgedMessage,
    Lapsed,
    Left,
    ReactionFailed,
    RoomAsked,
    RoomExplained,
    TurnedAway,
)
from dialogue.rooms.room import Room, RoomMessage
from language.responses.rooms import at_terminal as words
from language.responses.rooms.notices import (
    say_failure,
    say_joined,
    say_lapse,
    say_left,
    say_private,
    say_turned_away,
)


def tell(entry: Entry, room: Room, viewer: str, *, denied: bool = False) -> Iterator[str]:
    """Tell of an entry what a viewer is to see of it: `denied` are messages of others that were denied."""
    match entry.event:
        case JudgedMessage(of=of):
            yield from tell_message(room, room.messages[of], viewer, denied=denied)
        case RoomAsked(participant=name, text=text):
            yield words.asked(name, text)
        case RoomExplained(text=text):
            yield from words.message(words.EXPLAINER, text)
        case Joined(participant=name):
            yield say_joined((name,))
        case Left(participant=name):
            yield say_left((name,))
        case TurnedAway(participant=name, reason=reason) if name != viewer:
            yield say_turned_away(name, reason.value)
        case ReactionFailed(participant=name, trouble=trouble):
            yield say_failure(name, trouble)
        case Lapsed(lapse=lapse, left=left):
            yield say_lapse(room.specification.norms[lapse.norm].label, lapse.bearers, left=left)
        case _:
            pass


def tell_message(room: Room, one: RoomMessage, viewer: str, *, denied: bool) -> Iterator[str]:
    said = one.message
    if one.verdict is None:
        return
    if not one.posted:
        own = said.sender == viewer
        if own or denied:
            labels = [room.specification.norms[name].label for name in one.verdict.norms]
            yield from words.denied(said.sender, said.text if one.is_for(viewer) else "", labels, own=own)
    elif one.is_for(viewer):
        yield from words.message(said.sender, said.text, only=(said.sender, *said.receivers) if said.private else ())
    else:
        yield say_private(said.sender, said.receivers, asked=said.asks)
