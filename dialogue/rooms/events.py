"""Events of a room: who came and went, what was sent, how it was judged, and what was owed and did not come.

A message is posted when its verdict is on record, in the same moment: so there is nothing between judging and posting
that could be lost. The order of verdicts is the order of the room, for everybody.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from catalog.norms.message import Message
from catalog.norms.vocabulary import ParticipantKind
from dialogue.log.streams import Event, StreamKind
from dialogue.rooms.governance.verdict import Lapse, MessageVerdict
from language.content import usually


class RoomOpened(Event, kind="room_opened", sensitive=()):
    """A room was opened under norms; `norms` is the text of their file, so that the room can be judged anew."""

    norms: str
    file: str = usually("")
    title: str = usually("")
    governed: bool = usually(True)
    bots: dict[str, str] = usually({})
    """What answers for bots, where that is not what the norms say."""


class Joined(Event, kind="joined", sensitive=()):
    """A participant joined, in roles that the norms have for them; `bot` answers for them, if they are no person."""

    participant: str
    what: ParticipantKind = ParticipantKind.PERSON
    roles: tuple[str, ...] = usually(())
    bot: str = usually("")


class Left(Event, kind="left", sensitive=()):
    """A participant left. What they owed lapsed: see the lapses that follow."""

    participant: str


class Sent(Event, kind="sent", sensitive=()):
    """A message came into the inbox. It is not judged yet, and no other participant has seen it.

    `command` is an id of the sender's: the same one sent again counts once. `secrets` are words of it that hold a
    sensitive value; besides its sender they are for the bots that they are `meant_for` alone.
    """

    message: Message
    command: str = usually("")
    secrets: tuple[str, ...] = usually(())
    meant_for: tuple[str, ...] = usually(())


class RefusalReason(StrEnum):
    """Why a message was turned away before it was judged."""

    FLOOD = "flood"
    """Too many messages of one participant in a short time."""
    TOO_LONG = "too_long"
    """More than a message may hold."""
    ANOTHERS_NAME = "anothers_name"
    """It said that it was another participant's."""
    TWICE = "twice"
    """Its sender had answered that message already."""
    NOT_UNDERSTOOD = "not_understood"
    """It is no message."""
    NOT_HERE = "not_here"
    """Its sender is not in the room."""


class TurnedAway(Event, kind="turned_away", sensitive=()):
    """Something that a participant sent was not taken. `detail` quotes nothing of it.

    `of` is the entry of the message, where it was in the inbox already.
    """

    participant: str
    reason: RefusalReason
    detail: str = usually("")
    of: int = usually(0)


class JudgedMessage(Event, kind="judged", sensitive=()):
    """The verdict on the message of entry `of`. If it is not denied, the message is posted with it."""

    of: int
    verdict: MessageVerdict


class Lapsed(Event, kind="lapsed", sensitive=()):
    """An obligation ended unmet: at its deadline, when it was `due`, or because its bearer left."""

    lapse: Lapse
    left: bool = usually(False)
    due: datetime | None = usually(None)


class ReactionFailed(Event, kind="failed", sensitive=()):
    """A bot gave no usable answer to what it was shown, entry `of`: it took too long, or broke."""

    participant: str
    of: int
    trouble: str


class BotReacted(Event, kind="answered", sensitive=()):
    """A bot was shown entry `of` (the opening, a message, a lapse), and has sent `count` messages, or nothing."""

    participant: str
    of: int
    count: int = usually(0)
    took_ms: float = usually(0.0)


class Confided(Event, kind="confided", sensitive=()):
    """A bot holds a conversation of its own with a person in the room; its id is the way to it, and is a secret."""

    participant: str
    person: str
    conversation: str


class RoomAsked(Event, kind="room_asked", sensitive=()):
    """A participant asked about the room itself (why a message was denied). `private`: only they see the answer."""

    participant: str
    text: str
    private: bool = usually(False)


class RoomExplained(Event, kind="room_explained", sensitive=()):
    """The question of entry `of` was answered; `evidence` are the entries that show it."""

    of: int
    text: str
    evidence: tuple[int, ...] = usually(())


ROOM: StreamKind[Event] = StreamKind(
    "room", RoomOpened, Joined, Left, Sent, TurnedAway, JudgedMessage, Lapsed, ReactionFailed, BotReacted, Confided,
    RoomAsked, RoomExplained,
)  # fmt: skip
"""A conversation of several participants under norms."""
