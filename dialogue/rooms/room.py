"""The state of a room: a pure function of its log.

What was posted is what the log's verdicts say. Which norms are in force is worked out anew by governance from the same
messages, so that the state after any prefix of the log can be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from catalog.norms.load import read_norms
from catalog.norms.message import Message
from catalog.norms.model import NormSpecification
from catalog.norms.vocabulary import ParticipantKind
from dialogue.log.streams import Entry, Event, Fold, StoredJournal
from dialogue.rooms import events
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.status import Member, RoomStatus
from dialogue.rooms.governance.verdict import Lapse, MessageVerdict
from dialogue.state.masking import mask


@dataclass(frozen=True, slots=True)
class RoomMessage:
    """A message of the room: the entry it was sent in, and once it was judged, the verdict with its entry.

    `sent` is when it came in; the time of the message itself is that of its verdict. `secrets` are words of it that
    only its sender, and those whom they are `meant_for`, may read.
    """

    entry: int
    message: Message
    judged: int = 0
    verdict: MessageVerdict | None = None
    sent: datetime | None = None
    secrets: tuple[str, ...] = ()
    meant_for: tuple[str, ...] = ()

    @property
    def posted(self) -> bool:
        return self.verdict is not None and self.verdict.posted

    def is_for(self, name: str | None) -> bool:
        """Return whether a viewer may read it: what is private is for its sender, and once posted for its receivers."""
        one = self.message
        return not one.private or name == one.sender or (self.posted and name in one.receivers)

    def as_seen_by(self, name: str | None) -> RoomMessage | None:
        """Return what a viewer sees of it; None: nothing, as it is not judged, or was not even taken."""
        if self.verdict is None and name != self.message.sender:
            return None
        if not self.is_for(name):
            return replace(self, message=self.message.from_outside(), secrets=(), meant_for=())
        if not self.secrets or name in (self.message.sender, *self.meant_for):
            return self
        return replace(self, message=_masked(self.message, self.secrets), secrets=(), meant_for=())


def _masked(message: Message, secrets: Collection[str]) -> Message:
    """Return a message with some words of it masked, wherever they stand; values that were read are left out."""
    said = (one.model_copy(update={"text": mask(one.text, secrets), "values": {}}) for one in message.utterances)
    return message.model_copy(update={"content": mask(message.content, secrets), "utterances": tuple(said)})


@dataclass(frozen=True, slots=True)
class RoomLapse:
    """An obligation that ended unmet, and the entry that says so."""

    entry: int
    lapse: Lapse
    left: bool


@dataclass(frozen=True, slots=True)
class AskedInRoom:
    """A question about the room, and its answer once there is one. `private`: only the asker sees it."""

    entry: int
    participant: str
    text: str
    answer: str = ""
    evidence: tuple[int, ...] = ()
    private: bool = False
    sent: datetime | None = None

    def is_for(self, name: str | None) -> bool:
        return not self.private or name == self.participant


NOWHERE = RoomStatus("")
"""Where a room stands that is not open yet."""


@dataclass(frozen=True)
class Room:
    """A room at one moment. `messages` are in the order in which they were sent, `order` names those posted, in order.

    `waiting` are the messages that are not judged yet. `occasions` are the entries that bots are shown: the opening,
    what was posted and what lapsed, in the order in which all bots see them; `shown` is with how many of them each bot
    is done, and `answered` are the pairs. `bots` say what answers for a participant, `conversations` which conversation
    a bot holds with a person. `commands` are the entries of messages by the ids that their senders gave them.
    """

    title: str = ""
    norms: str = ""
    governed: bool = True
    status: RoomStatus = NOWHERE
    messages: dict[int, RoomMessage] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    lapses: tuple[RoomLapse, ...] = ()
    turned_away: tuple[tuple[int, events.TurnedAway], ...] = ()
    failures: tuple[tuple[int, events.ReactionFailed], ...] = ()
    bots: Mapping[str, str] = field(default_factory=dict)
    occasions: tuple[int, ...] = ()
    shown: Mapping[str, int] = field(default_factory=dict)
    answered: frozenset[tuple[str, int]] = frozenset()
    conversations: Mapping[tuple[str, str], str] = field(default_factory=dict)
    questions: tuple[AskedInRoom, ...] = ()
    commands: Mapping[str, int] = field(default_factory=dict)
    seq: int = 0

    @property
    def specification(self) -> NormSpecification:
        return self.governance.specification

    @property
    def governance(self) -> Governance:
        """The norms that govern it, ready to judge by."""
        return governance_of(self.norms)

    @property
    def inbox(self) -> tuple[RoomMessage, ...]:
        """The messages that are not judged yet, the first that came in first."""
        return tuple(self.messages[entry] for entry in self.waiting)

    @property
    def posted(self) -> tuple[RoomMessage, ...]:
        return tuple(self.messages[entry] for entry in self.order)

    def next_for(self, bot: str) -> int | None:
        left = self.occasions[self.shown.get(bot, 0) :]
        return next((one for one in left if one not in self.messages or self.messages[one].is_for(bot)), None)

    def called(self, reference: str) -> RoomMessage | None:
        """Return the posted message of an id or a `reply_with`, the latest first."""
        if reference.isdecimal() and (found := self.messages.get(int(reference))) is not None and found.posted:
            return found
        posted = (self.messages[entry] for entry in reversed(self.order))
        return next((one for one in posted if reference and one.message.reply_with == reference), None)


@lru_cache(256)
def governance_of(norms: str) -> Governance:
    """Return norms ready to judge by, from the text of their file."""
    return Governance(read_norms(norms).specification)


def _opened(event: events.RoomOpened, room: Room, entry: Entry) -> Room:
    begun = replace(room, title=event.title, norms=event.norms, governed=event.governed, occasions=(entry.seq,))
    declared = begun.specification.participants.values()
    bots = {one.name: one.bot for one in declared if one.kind is ParticipantKind.BOT and one.bot}
    return replace(begun, status=begun.governance.begin(at=entry.at), bots={**bots, **event.bots})


def _joined(event: events.Joined, room: Room, entry: Entry) -> Room:
    member = Member(event.participant, event.what, event.roles)
    room = replace(room, status=room.governance.join(room.status, member))
    if not event.bot:
        return room
    shown = {**room.shown, event.participant: len(room.occasions)}
    return replace(room, bots={**room.bots, event.participant: event.bot}, shown=shown)


def _left(event: events.Left, room: Room, entry: Entry) -> Room:
    bots = {name: bot for name, bot in room.bots.items() if name != event.participant}
    return replace(room, status=room.governance.leave(room.status, event.participant, entry.at)[1], bots=bots)


def _sent(event: events.Sent, room: Room, entry: Entry) -> Room:
    message = event.message.model_copy(update={"id": str(entry.seq)})
    sent = RoomMessage(entry.seq, message, sent=entry.at, secrets=event.secrets, meant_for=event.meant_for)
    messages = {**room.messages, entry.seq: sent}
    commands = {**room.commands, event.command: entry.seq} if event.command else room.commands
    return replace(room, messages=messages, commands=commands, waiting=(*room.waiting, entry.seq))


def _judged(event: events.JudgedMessage, room: Room, entry: Entry) -> Room:
    before = room.messages[event.of]
    message = before.message.model_copy(update={"at": entry.at})
    after = replace(before, message=message, judged=entry.seq, verdict=event.verdict)
    room = replace(_without(room, event.of), messages={**room.messages, event.of: after})
    if not after.posted:
        return room
    status = room.governance.judge(room.status, message)[1] if room.governed else room.status
    return replace(room, status=status, order=(*room.order, event.of), occasions=(*room.occasions, event.of))


def _without(room: Room, message: int) -> Room:
    return replace(room, waiting=tuple(one for one in room.waiting if one != message))


def _lapsed(event: events.Lapsed, room: Room, entry: Entry) -> Room:
    lapses = (*room.lapses, RoomLapse(entry.seq, event.lapse, event.left))
    room = replace(room, lapses=lapses, occasions=(*room.occasions, entry.seq))
    if event.left:  # what they owed ended with their leaving
        return room
    lapse = event.lapse
    _, after = room.governance.end_unmet(room.status, lapse.norm, lapse.bearers, entry.at, due_by=event.due)
    return replace(room, status=after)


def _turned_away(event: events.TurnedAway, room: Room, entry: Entry) -> Room:
    return replace(_without(room, event.of), turned_away=(*room.turned_away, (entry.seq, event)))


def _failed(event: events.ReactionFailed, room: Room, entry: Entry) -> Room:
    return replace(_done(event, room, entry), failures=(*room.failures, (entry.seq, event)))


def _done(event: events.BotReacted | events.ReactionFailed, room: Room, entry: Entry) -> Room:
    answered = room.answered | {(event.participant, event.of)}
    done = room.shown.get(event.participant, 0)
    if event.of in room.occasions[done:]:
        done = room.occasions.index(event.of, done) + 1
    return replace(room, answered=answered, shown={**room.shown, event.participant: done})


def _confided(event: events.Confided, room: Room, entry: Entry) -> Room:
    return replace(room, conversations={**room.conversations, (event.participant, event.person): event.conversation})


def _asked(event: events.RoomAsked, room: Room, entry: Entry) -> Room:
    asked = AskedInRoom(entry.seq, event.participant, event.text, private=event.private, sent=entry.at)
    return replace(room, questions=(*room.questions, asked))


def _explained(event: events.RoomExplained, room: Room, entry: Entry) -> Room:
    questions = (
        replace(one, answer=event.text, evidence=event.evidence) if one.entry == event.of else one
        for one in room.questions
    )
    return replace(room, questions=tuple(questions))


_RULES: Mapping[type[Event], Callable[[Any, Room, Entry], Room]] = {
    events.RoomOpened: _opened,
    events.Joined: _joined,
    events.Left: _left,
    events.Sent: _sent,
    events.JudgedMessage: _judged,
    events.Lapsed: _lapsed,
    events.TurnedAway: _turned_away,
    events.ReactionFailed: _failed,
    events.BotReacted: _done,
    events.Confided: _confided,
    events.RoomAsked: _asked,
    events.RoomExplained: _explained,
}


def advance(before: Room, entry: Entry) -> Room:
    return replace(_RULES[type(entry.event)](entry.event, before, entry), seq=entry.seq)


ROOM_FOLD: Fold[Event, Room] = Fold(Room(), advance)
RoomJournal = StoredJournal[Event, Room]
