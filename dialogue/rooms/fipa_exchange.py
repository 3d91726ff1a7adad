"""Messages that come from elsewhere into a room in FIPA ACL, and go from it to elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from catalog.norms.fipa import PERFORMATIVE_OF
from catalog.norms.message import Message, Utterance
from dialogue.rooms.hub.admission import Understand
from dialogue.rooms.room import Room


def as_told_elsewhere(room: Room) -> Iterator[Message]:
    """Yield what was posted for everybody, each with its words, and with a name by which it can be answered."""
    for one in room.posted:
        said = one.message
        answered = room.called(said.in_reply_to)
        to = _name(answered.message) if answered is not None else said.in_reply_to
        if not said.private:
            yield said.model_copy(update={"content": said.text, "reply_with": _name(said), "in_reply_to": to})


def _name(message: Message) -> str:
    return message.reply_with or message.id


def as_said_here(room: Room, message: Message, entries: Mapping[str, str], understand: Understand) -> Message:
    """Return a message from elsewhere as it is said in a room.

    `entries` are those of messages from the same source, by what they were called there: an answer refers to them. Of a
    message that only says what it does (a query, say), its words are read, too: norms go by its topic.
    """
    found: dict[str, object] = {"in_reply_to": entries.get(message.in_reply_to, message.in_reply_to)}
    given = message.utterances
    if message.content and len(given) == 1 and given[0] == Utterance(act=given[0].act):
        found["utterances"] = _read_as(given[0].act, understand(room, message.content)[0]) or given
    return message.model_copy(update=found)


def _read_as(act: str, heard: tuple[Utterance, ...]) -> tuple[Utterance, ...]:
    """Return what was read of words; where their sender says that they do something else, that counts."""
    performative = PERFORMATIVE_OF.get(act)
    if any(PERFORMATIVE_OF.get(one.act) == performative for one in heard):
        return heard
    return tuple(one.model_copy(update={"act": act}) for one in heard[:1])
