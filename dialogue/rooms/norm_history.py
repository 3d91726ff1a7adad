"""Which norms were in force when, and on whom they bore: read off the log of a room, entry by entry."""

from __future__ import annotations

from dataclasses import dataclass, field

from catalog.norms.vocabulary import NormKind
from dialogue.log.streams import Entry, Log
from dialogue.rooms.events import JudgedMessage, Lapsed, Left
from dialogue.rooms.governance.status import ActiveNorm
from dialogue.rooms.room import ROOM_FOLD, Room
from explain.rooms.record import InForce, NormEnding


@dataclass(slots=True)
class _Open:
    """A norm that is in force, as far as the log was read."""

    active: ActiveNorm
    since: int | None
    bearers: dict[str, None]
    met: list[tuple[str, int]] = field(default_factory=list)
    unmet: list[tuple[str, int]] = field(default_factory=list)


_Key = tuple[object, ...]


def norms_in_force(log: Log) -> tuple[InForce, ...]:
    """Return when each norm was in force, in the order in which they were activated; one renewed is there twice.

    Messages are told by the entry in which they were sent.
    """
    open_: dict[_Key, _Open] = {}
    done: dict[_Key, InForce] = {}
    room = ROOM_FOLD.initial
    order: list[_Key] = []
    for entry in log:
        room = ROOM_FOLD.advance(room, entry)
        now = {_key(one): one for one in room.status.active}
        for key, one in open_.items():
            _lose_bearers(one, now.get(key), entry, room)
        for key in [key for key in open_ if key not in now]:
            ended = open_.pop(key)
            done[key] = _closed(ended, room, _number(entry), _ending(ended, entry))
        for key, active in now.items():
            if key in open_:
                open_[key].active = active
                open_[key].bearers |= dict.fromkeys(active.bearers)
            else:
                since = int(active.by) if active.by else entry.seq if active.transition else None
                open_[key] = _Open(active, since, dict.fromkeys(active.bearers))
                order.append(key)
    found = done | {key: _closed(one, room, None, NormEnding.STILL) for key, one in open_.items()}
    return tuple(found[key] for key in order)


def _key(one: ActiveNorm) -> _Key:
    return one.norm, one.bound, one.by, one.transition, one.since


def _number(entry: Entry) -> int:
    return entry.event.of if isinstance(entry.event, JudgedMessage) else entry.seq


def _lose_bearers(one: _Open, now: ActiveNorm | None, entry: Entry, room: Room) -> None:
    """Put down who met an obligation with this entry, and who can no longer."""
    norm, event = one.active.norm, entry.event
    gone = [name for name in one.active.bearers if now is None or name not in now.bearers]
    match event:
        case JudgedMessage():
            sender = room.messages[event.of].message.sender
            one.met += [(name, event.of) for name in gone if name == sender and norm in event.verdict.met]
        case Lapsed():
            one.unmet += [
                (name, entry.seq) for name in gone if norm == event.lapse.norm and name in event.lapse.bearers
            ]
        case Left() if room.specification.norms[norm].kind is NormKind.OBLIGATION:
            one.unmet += [(name, entry.seq) for name in gone if name == event.participant]
        case _:
            pass


def _ending(one: _Open, entry: Entry) -> NormEnding:
    number = _number(entry)
    if any(at == number for _, at in one.unmet):
        return NormEnding.UNMET
    event = entry.event
    switched = isinstance(event, JudgedMessage) and one.active.norm in event.verdict.deactivated
    return NormEnding.MET if not switched and any(at == number for _, at in one.met) else NormEnding.SWITCHED_OFF


def _closed(one: _Open, room: Room, until: int | None, ended: NormEnding) -> InForce:
    norm = room.specification.norms[one.active.norm]
    return InForce(
        norm.name,
        norm.label,
        norm.kind,
        tuple(one.bearers),
        norm.bearer,
        since=one.since,
        transition=one.active.transition or None,
        until=until,
        ended=ended,
        met=tuple(one.met),
        unmet=tuple(one.unmet),
        about=norm.act,
        unless=norm.unless,
    )
