"""Claims about who may speak in a room and why, each with the entries of the log that prove it.

They name the norms that decided as they stand on record; nothing is judged anew.
"""

from __future__ import annotations

from catalog.norms.model import Filters
from catalog.norms.vocabulary import Tag
from explain.model import Claim
from explain.rooms.record import Entry, InForce, Party, Reaction


class RoomClaim(Claim):
    """A claim about a room."""


class Ungoverned(RoomClaim):
    """No norms are applied here: whatever anybody sends is posted."""


class NotHere(RoomClaim):
    """Nobody of that name takes part."""

    participant: str


class NobodyHere(RoomClaim):
    """Nobody is in the room."""


class TakesPart(RoomClaim):
    """Somebody is in the room, with what people call them and their roles."""

    party: Party


class NothingSaid(RoomClaim):
    """Nothing has been said that the question could be about; by `participant`, where it is about one."""

    participant: str | None = None


class NothingDenied(RoomClaim):
    """Nothing was denied; nothing of a participant, where the question is about one."""

    participant: str | None = None


class Stands(RoomClaim):
    """What some participants are to do now, which the same norms decide; without norms the default does.

    `default_of` is one of them, to say what the default is for. `except_for` is what they may say all the same.
    """

    tag: Tag
    participants: tuple[str, ...]
    norms: tuple[InForce, ...] = ()
    except_for: tuple[Filters, ...] = ()
    default_of: Party | None = None


class Nobody(RoomClaim):
    """Nobody must, may or must not speak now."""

    tag: Tag


class Posted(RoomClaim):
    """A message was posted; it was required or allowed, by these norms or by the default for its sender."""

    entry: Entry
    sender: Party


class Denied(RoomClaim):
    """A message was denied, by these norms or by the default for its sender."""

    entry: Entry
    sender: Party


class Excepted(RoomClaim):
    """A message was not denied by a norm that would have denied it, but for this exception."""

    norm: InForce
    exception: Filters


class TurnedAway(RoomClaim):
    """Something was not even judged."""

    entry: Entry


class PutInForce(RoomClaim):
    """Since when a norm is, or was, in force: since a message that fired a transition, a lapse, or from the start.

    `lapsed` is the obligation that was not met, and by whom.
    """

    norm: InForce
    by: Entry | None = None
    lapsed: tuple[InForce, str] | None = None


class Answered(RoomClaim):
    """The participant did answer."""

    entry: Entry


class HasLeft(RoomClaim):
    """The participant has left."""

    participant: str


class Troubled(RoomClaim):
    """The bot gave no answer that could be used."""

    reaction: Reaction


class HadNothing(RoomClaim):
    """The bot was shown the message, and wanted to say nothing."""

    participant: str


class MissedIt(RoomClaim):
    """The participant had to answer, and did not in time."""

    participant: str
    norm: InForce


class StillOwes(RoomClaim):
    """The participant must answer, and has not yet."""

    participant: str
    norms: tuple[InForce, ...]


class KeptSilent(RoomClaim):
    """The participant sent nothing, though it may speak."""

    participant: str


class NoNorms(RoomClaim):
    """No norm is in force."""


class More(RoomClaim):
    """There are so many more, which are not told."""

    count: int


class SaidInAnswer(RoomClaim):
    """Somebody said something in answer to something that somebody else had said, or of their own accord."""

    entry: Entry
    asked: Entry | None = None


class RestsOn(RoomClaim):
    """What somebody says that a message of theirs rests on."""

    entry: Entry
    basis: tuple[str, ...]


class NoBasis(RoomClaim):
    """A bot does not say what a message of its own rests on."""

    entry: Entry
