"""What is taken into the inbox of a room, what is turned away, and messages in FIPA ACL. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from catalog.norms.errors import check_newcomer
from catalog.norms.fipa import PERFORMATIVE_OF
from catalog.norms.message import Message, Utterance
from catalog.norms.vocabulary import ParticipantKind
from catalog.problems import Findings
from catalog.wording.grammar import listing
from dialogue.rooms.events import RefusalReason, TurnedAway
from dialogue.rooms.governance.status import Member, called
from dialogue.rooms.room import Room, RoomMessage
from language.rooms.mentions import read_mentions

WINDOW = timedelta(minutes=1)
"""The time in which messages of a participant are counted."""

Understand = Callable[[Room, str], tuple[tuple[Utterance, ...], tuple[str, ...]]]
"""Reads the words of a message in a room: the utterances, and who is named in them."""


class Secrets(NamedTuple):
    """Words of a message that hold a sensitive value, and the bots that they are meant for."""

    words: tuple[str, ...] = ()
    meant_for: tuple[str, ...] = ()


NO_SECRETS = Secrets()
FindSecrets = Callable[[Room, Message], Secrets]
"""Finds what is sensitive in the words of a message in a room."""


@dataclass(frozen=True, slots=True)
class RoomLimits:
    """What a participant may send at most.

    `messages` in one minute; those of a bot count anew whenever a person has spoken. `answers` are the messages that a
    bot may send at once, and `characters` what a message may hold, written as JSON.
    """

    messages: int = 60
    answers: int = 20
    characters: int = 60_000


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a message: the entry with which it was taken, or why it was turned away."""

    entry: int = 0
    turned_away: RefusalReason | None = None
    detail: str = ""


def refuse(room: Room, message: Message, now: datetime, limits: RoomLimits) -> TurnedAway | None:
    name = message.sender
    member = room.status.member(name)
    if member is None:
        return TurnedAway(participant=name, reason=RefusalReason.NOT_HERE)
    if is_flooding(room, member, now, limits):
        told = f"More than {limits.messages} messages in a minute"
        return TurnedAway(participant=name, reason=RefusalReason.FLOOD, detail=told)
    if len(message.model_dump_json()) > limits.characters:
        told = f"More than {limits.characters:,} characters"
        return TurnedAway(participant=name, reason=RefusalReason.TOO_LONG, detail=told)
    if detail := _unknown_words(room, message.utterances) or _not_for_one(room, message):
        return TurnedAway(participant=name, reason=RefusalReason.NOT_UNDERSTOOD, detail=detail)
    return None


def unfit_name(room: Room, name: str) -> str:
    """Return why a name is refused to a newcomer; empty: it is not."""
    declared = room.specification.participants
    if name in declared and declared[name].kind is ParticipantKind.BOT:
        return f"The name {name!r} belongs to a bot of this room. Choose another one."
    findings = Findings("", {})
    check_newcomer(room.specification, name, [one.name for one in room.status.members], (), findings)
    return " ".join(f"{one.found} {one.write}" for one in findings.problems)


def is_flooding(room: Room, member: Member, now: datetime, limits: RoomLimits) -> bool:
    """Return whether a participant has sent so much, with what they asked about the room, that no more is taken now."""
    asked = (one for one in room.questions if one.sent is not None and one.sent > now - WINDOW)
    count = sum(one.participant == member.name for one in asked)
    for one in reversed(room.messages.values()):
        if one.sent is None or one.sent <= now - WINDOW:
            break
        sender = room.status.member(one.message.sender)
        if member.kind is ParticipantKind.BOT and sender is not None and sender.kind is ParticipantKind.PERSON:
            break
        count += one.message.sender == member.name
    return count >= limits.messages


def was_told(room: Room, refused: TurnedAway) -> bool:
    """Return whether a participant was told just that, and has had nothing taken since: it is not written anew."""
    same = (
        seq for seq, one in room.turned_away if (one.participant, one.reason) == (refused.participant, refused.reason)
    )
    told = max(same, default=0)
    sent = (one.entry for one in reversed(room.messages.values()) if one.message.sender == refused.participant)
    asked = (one.entry for one in reversed(room.questions) if one.participant == refused.participant)
    return told > max(next(sent, 0), next(asked, 0))


def _unknown_words(room: Room, utterances: Iterable[Utterance]) -> str:
    specification = room.specification
    for one in utterances:
        for what, said, known in (
            ("speech act", one.act, specification.acts),
            ("topic", one.topic, tuple(specification.topics)),
            ("content type", one.content, specification.content_types),
        ):
            if said not in known:
                return f"An unknown {what}. There are: {', '.join(known)}."
    return ""


def _not_for_one(room: Room, message: Message) -> str:
    """Say what is wrong with a private message whose receivers are not all here."""
    if message.private and not (message.receivers and all(map(room.status.member, message.receivers))):
        here = listing(tuple(one.name for one in room.status.members))
        return f"A private message needs receivers who are here: {here}."
    return ""


def complete(room: Room, message: Message, understand: Understand) -> Message:
    """Add to a message what follows from the room: what was said, who is named, and who is answered."""
    found: dict[str, object] = {"at": None, "id": "", "replies_to": None}
    if message.in_reply_to and (answered := room.called(message.in_reply_to)) is not None:
        found["replies_to"] = answered.message.sender
    mentions = message.mentions
    if not message.utterances:
        found["utterances"], named = understand(room, message.content)
        mentions = mentions or named
    found["mentions"] = mentions or read_mentions(message.text, called_in(room)).participants
    return message.model_copy(update=found)


def called_in(room: Room) -> dict[str, str]:
    return called(room.specification, room.status)


def open_private_question(room: Room, person: str) -> RoomMessage | None:
    """Return the private question that a person has not answered yet, if there is one."""
    for entry in (*reversed(room.waiting), *reversed(room.order)):
        one = room.messages[entry]
        if one.message.private and one.message.sender == person:
            return None
        if one.message.private and person in one.message.receivers:
            return one if one.message.asks else None
    return None


def as_answer(room: Room, message: Message) -> Message:
    """Return a person's message as the answer to a private question that is open: private, to the asker.

    A message to another participant, by name, does not answer it.
    """
    if message.private:
        return message
    asked = room.called(message.in_reply_to) if message.in_reply_to else open_private_question(room, message.sender)
    if asked is None or not asked.message.private or not asked.is_for(message.sender):
        return message
    who = asked.message.sender if asked.message.sender != message.sender else asked.message.receivers[0]
    named = read_mentions(message.content, called_in(room)).participants
    others = {*message.receivers, *message.mentions, *named} - {who}
    if others or room.status.member(who) is None:
        return message
    return message.model_copy(
        update={"private": True, "receivers": (who,), "in_reply_to": message.in_reply_to or asked.message.id}
    )


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
