"""A room again under other norms: what would have been judged otherwise. And figures of a room. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from catalog.norms.vocabulary import ParticipantKind
from dialogue.log.streams import Entry
from dialogue.rooms.events import Joined, JudgedMessage, Left, RoomOpened
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.status import Member, RoomStatus
from dialogue.rooms.governance.verdict import Lapse, MessageVerdict
from dialogue.rooms.room import NOWHERE, ROOM_FOLD, Room, advance


@dataclass(frozen=True, slots=True)
class VerdictDifference:
    """The message of entry `entry` would be judged otherwise: as `after`; None: its sender would not be there."""

    entry: int
    before: MessageVerdict
    after: MessageVerdict | None

    @property
    def posted_otherwise(self) -> bool:
        return self.before.posted != (self.after is not None and self.after.posted)


@dataclass(frozen=True, slots=True)
class Replay:
    """The same messages under other norms: what differs, every verdict by message, and what would have lapsed."""

    differences: tuple[VerdictDifference, ...]
    verdicts: Mapping[int, MessageVerdict]
    lapses: tuple[Lapse, ...]
    status: RoomStatus


def replay(log: Iterable[Entry], governance: Governance) -> Replay:
    """Judge the messages of a room anew, in their order and with their times.

    Messages stay as they were understood, and what bots would have said instead is not known. Who took part without
    being declared in the other norms keeps their roles; people have those of the other norms.
    """
    room, status = ROOM_FOLD.initial, NOWHERE
    verdicts: dict[int, MessageVerdict] = {}
    differences: list[VerdictDifference] = []
    lapses: list[Lapse] = []
    for entry in log:
        event = entry.event
        room = advance(room, entry)
        while late := governance.overdue(status, entry.at):
            lapse, status = governance.end_unmet(status, late[0].norm, late[0].bearers, entry.at, due_by=late[0].due)
            lapses.append(lapse)
        match event:
            case RoomOpened():
                status = governance.begin(at=entry.at)
                for one in room.specification.participants.values():
                    status = governance.join(status, Member(one.name, one.kind, tuple(one.roles)))
            case Joined(participant=name, what=kind, roles=roles):
                usual = tuple(room.specification.people.roles)
                other = tuple(governance.specification.people.roles) if roles == usual else roles
                status = governance.join(status, Member(name, kind, other))
            case Left(participant=name):
                gone, status = governance.leave(status, name, entry.at)
                lapses += gone
            case JudgedMessage(of=of, verdict=was):
                message = room.messages[of].message
                verdict = None
                if status.member(message.sender) is not None:
                    verdict, status = governance.judge(status, message)
                    verdicts[of] = verdict
                if verdict is None or verdict.outcome != was.outcome:
                    differences.append(VerdictDifference(of, was, verdict))
            case _:
                pass
    return Replay(tuple(differences), verdicts, tuple(lapses), status)


@dataclass(frozen=True, slots=True)
class Counters:
    """Figures of a room: messages judged and posted, those of bots among them, and how often each transition fired.

    `transitions` holds every transition of the norms, also those that never fired.
    """

    judged: int = 0
    posted: int = 0
    judged_of_bots: int = 0
    posted_of_bots: int = 0
    required: int = 0
    turned_away: int = 0
    lapsed: int = 0
    failed: int = 0
    transitions: Mapping[str, int] = field(default_factory=dict)

    @property
    def share(self) -> float | None:
        """The share of messages that was allowed; None: there was none."""
        return self.posted / self.judged if self.judged else None


def count(room: Room) -> Counters:
    """Return the figures of a room (row R21)."""
    fired: Counter[str] = Counter(dict.fromkeys(room.specification.transitions, 0))
    judged = posted = of_bots = posted_of_bots = required = 0
    bots = {one.name for one in room.specification.participants.values() if one.kind is ParticipantKind.BOT}
    bots |= {one.name for one in room.status.members if one.kind is ParticipantKind.BOT}
    for one in room.messages.values():
        if one.verdict is None:
            continue
        by_bot = one.message.sender in bots
        judged, posted = judged + 1, posted + one.posted
        of_bots, posted_of_bots = of_bots + by_bot, posted_of_bots + (by_bot and one.posted)
        required += bool(one.verdict.met)
        fired.update(filter(None, [one.verdict.transition]))
    fired.update(one.lapse.transition for one in room.lapses if one.lapse.transition)
    return Counters(
        judged, posted, of_bots, posted_of_bots, required,
        len(room.turned_away), len(room.lapses), len(room.failures), dict(fired),
    )  # fmt: skip
