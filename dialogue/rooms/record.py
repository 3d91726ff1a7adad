"""The record of a room that explanations are made from: read off the log, as one reader may see it.

Which norms decided on a message is what its verdict says; when they were in force is read off the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from catalog.norms.message import Utterance
from catalog.norms.vocabulary import EVERYBODY, UNDEFINED, NormKind, ParticipantKind, Tag
from dialogue.log.streams import Entry, Log
from dialogue.rooms.events import BotReacted, Joined, JudgedMessage, Lapsed, Left, ReactionFailed, TurnedAway
from dialogue.rooms.governance.speaking_rights import Modality, ParticipantStanding, standing_of
from dialogue.rooms.governance.status import ActiveNorm
from dialogue.rooms.governance.verdict import MessageVerdict
from dialogue.rooms.hub.visibility import as_seen_by, log_as_seen_by
from dialogue.rooms.room import ROOM_FOLD, Room, RoomMessage
from explain.rooms.record import (
    BotReaction,
    InForce,
    MessageOnRecord,
    NormEnding,
    Party,
    RoomRecord,
    Stance,
    UtteranceRecord,
)


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


_TAGS = {Modality.MUST: Tag.REQUIRED, Modality.MAY: Tag.ALLOWED, Modality.MUST_NOT: Tag.DENIED}


def record_of(log: Log, reader: str | None = None) -> RoomRecord:
    """Return the record of a room, as a reader may see it; None: as everybody may."""
    whole = reduce(ROOM_FOLD.advance, log, ROOM_FOLD.initial)
    log, room = log_as_seen_by(log, whole, reader), as_seen_by(whole, reader)
    norms = (*_standing_norms(room), *norms_in_force(log))
    judged = {one.entry: one.judged for one in room.messages.values() if one.judged}
    entries = [_entry(room, one, norms, judged) for one in room.messages.values() if one.verdict is not None]
    entries += [
        MessageOnRecord(entry.seq, event.participant, Tag.DENIED, refusal=event.reason)
        for entry in log
        if isinstance(event := entry.event, TurnedAway)
    ]
    return RoomRecord(
        _parties(log, room),
        tuple(sorted(entries, key=lambda one: one.judged or one.event)),
        norms,
        tuple(_stance(one, norms) for one in standing_of(room.governance, room.status)),
        tuple(_reactions(log)),
        room.governed,
        {name: one.label for name, one in room.specification.roles.items()},
        {name: one.label for name, one in room.specification.topics.items()},
    )


def _parties(log: Log, room: Room) -> tuple[Party, ...]:
    specification = room.specification
    opened = log[0].seq if log else None

    def labels(roles: Iterable[str]) -> tuple[str, ...]:
        return tuple(specification.roles[role].label for role in roles if role in specification.roles)

    found = {
        one.name: Party(one.name, one.label, one.kind is ParticipantKind.PERSON, joined=opened, roles=labels(one.roles))
        for one in specification.participants.values()
    }
    for entry in log:
        match entry.event:
            case Joined(participant=name, what=kind, roles=roles):
                found[name] = Party(name, name, kind is ParticipantKind.PERSON, joined=entry.seq, roles=labels(roles))
            case Left(participant=name) if name in found:
                found[name] = replace(found[name], left=entry.seq)
            case _:
                pass
    return tuple(found.values())


def _standing_norms(room: Room) -> Iterable[InForce]:
    specification = room.specification
    for norm in specification.standing():
        bearers = tuple(
            one.name
            for one in room.status.members
            if {EVERYBODY, one.name, *room.governance.roles_of(one)}.intersection(norm.bearer)
        )
        yield InForce(
            norm.name, norm.label, norm.kind, bearers, norm.bearer, about=norm.act, unless=norm.unless, standing=True
        )


def _as_judged(
    one: RoomMessage, names: Iterable[str], norms: Iterable[InForce], judged: Mapping[int, int]
) -> tuple[InForce, ...]:
    found: list[InForce] = []
    for name in names:
        candidates = [
            norm
            for norm in norms
            if norm.norm == name
            and (norm.standing or one.message.sender in norm.bearers)
            and (norm.since is None or judged.get(norm.since, norm.since) < one.judged)
            and (norm.until is None or judged.get(norm.until, norm.until) >= one.judged)
        ]
        met = [norm for norm in candidates if (one.message.sender, one.entry) in norm.met]
        found += met or candidates
    return tuple(found)


_MOST_BASES, _LONGEST_BASIS = 20, 300
"""Texts about what an utterance rests on that are taken over, and characters of each."""


def _basis(part: Utterance) -> tuple[str, ...]:
    """Return what a sender says that an utterance rests on: texts under `basis` among its values."""
    said = part.values.get("basis")
    texts = [text[:_LONGEST_BASIS] for text in said if isinstance(text, str)] if isinstance(said, list) else []
    return tuple(texts[:_MOST_BASES])


def _entry(
    room: Room,
    one: RoomMessage,
    norms: Iterable[InForce],
    judged: Mapping[int, int],
) -> MessageOnRecord:
    specification = room.specification
    message, verdict = one.message, one.verdict or MessageVerdict(Tag.DENIED, ())
    answered = room.called(message.in_reply_to) if message.in_reply_to else None
    utterances = tuple(
        UtteranceRecord(
            part.act,
            part.text,
            part.topic,
            specification.topics[part.topic].label if part.topic in specification.topics else "",
            part.content,
            _basis(part),
        )
        for part in message.utterances
    )
    if not utterances and message.content:
        utterances = (UtteranceRecord("", message.content, UNDEFINED),)
    excepted = (
        (norm, specification.norms[name].unless[place])
        for name, place in verdict.excepted
        for norm in _as_judged(one, (name,), norms, judged)[:1]
    )
    return MessageOnRecord(
        one.entry,
        message.sender,
        verdict.tag,
        utterances,
        message.receivers,
        message.mentions,
        one.judged,
        answers=None if answered is None else answered.entry,
        deciding=_as_judged(one, verdict.norms, norms, judged),
        conflict=bool(verdict.conflicts),
        transition=verdict.transition,
        excepted=tuple(excepted),
    )


def _stance(standing: ParticipantStanding, norms: tuple[InForce, ...]) -> Stance:
    name = standing.member.name
    now = [one for one in norms if one.ended is NormEnding.STILL and (one.standing or name in one.bearers)]
    owed = {one.norm for one in standing.owed if one.allowed}
    return Stance(
        name,
        _TAGS[standing.position],
        tuple(one for one in now if one.norm in standing.decision.norms),
        tuple(one for one in now if one.norm in owed and name not in {who for who, _ in one.met}),
        tuple(dict.fromkeys(filters for _, filters in standing.except_for)),
    )


def _reactions(log: Log) -> Iterable[BotReaction]:
    for entry in log:
        match entry.event:
            case BotReacted(participant=name, of=of, count=count):
                yield BotReaction(name, of, entry.seq, count)
            case ReactionFailed(participant=name, of=of, trouble=trouble):
                yield BotReaction(name, of, entry.seq, trouble=trouble)
            case _:
                pass
