"""Answers to questions about a room: who may speak, what was denied, why a participant spoke or was silent.

Each answer goes from the record alone: the deciding norms are those of the verdict, and why a norm is in force is told
by the message that fired the transition to it; where that message had to be sent, by what obliged its sender in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from catalog.norms.vocabulary import Tag
from explain.claim import AnswerText, Claim, More, cite, put
from explain.rooms import claims
from explain.rooms.record import (
    InForce,
    MessageOnRecord,
    NormEnding,
    Party,
    RoomQuestion,
    RoomQuestionKind,
    RoomRecord,
    Stance,
)
from explain.rooms.words import RoomWords

_LONGEST_CHAIN = 6
"""Norms of which it is told how they came to be in force."""
_MOST = 5
"""Denied messages that are told, the last ones."""
_MOST_NORMS = 20
_MOST_PARTIES = 20


def answer_about_room(record: RoomRecord, question: RoomQuestion) -> AnswerText[RoomQuestion]:
    told = explain_room(record, question)
    words = RoomWords(question.asker, record.roles, record.topics)
    said = (put(one, replace(words, before=before)) for before, one in zip((None, *told), told, strict=False))
    return AnswerText(question, tuple(chain.from_iterable(said)))


def explain_room(record: RoomRecord, question: RoomQuestion) -> tuple[Claim, ...]:
    room = _Room(record)
    if not record.governed and question.kind not in {RoomQuestionKind.WHO_IS_HERE, RoomQuestionKind.HOW}:
        return (claims.Ungoverned(),)
    if question.participant is not None and question.participant not in room.parties:
        return (claims.NotHere(question.participant),)
    return tuple(_ANSWERS[question.kind](room, question))


class _Room:
    """A record, with what is looked up in it."""

    def __init__(self, record: RoomRecord) -> None:
        self.record = record
        self.parties = {party.name: party for party in record.parties}
        self.entries = {entry.event: entry for entry in record.entries}
        self.stances = {stance.participant: stance for stance in record.stances}

    def party(self, name: str) -> Party:
        """Return a participant; one that is not on record goes by its name."""
        return self.parties.get(name, Party(name))

    def last(self, fits: Callable[[MessageOnRecord], bool]) -> MessageOnRecord | None:
        return next((entry for entry in reversed(self.record.entries) if fits(entry)), None)

    def judged(self, entry: MessageOnRecord) -> list[Claim]:
        evidence = cite(entry.event, entry.judged)
        if entry.refusal:
            return [claims.NotJudged(entry, evidence=evidence)]
        what = claims.Denied if entry.tag is Tag.DENIED else claims.Posted
        passed = (claims.Excepted(norm, filters, evidence=evidence) for norm, filters in entry.excepted)
        return [what(entry, self.party(entry.sender), evidence=evidence), *passed]

    def chain(self, norms: Iterable[InForce]) -> list[Claim]:
        """Say how norms came to be in force, back to what no participant was obliged to say."""
        told: dict[tuple[str, int | None], Claim] = {}
        todo = list(norms)
        while todo and len(told) < _LONGEST_CHAIN:
            norm = todo.pop(0)
            if (norm.norm, norm.since) in told:
                continue
            by = None if norm.since is None else self.entries.get(norm.since)
            told[norm.norm, norm.since] = self.put_in_force(norm)
            if by is not None and by.tag is Tag.REQUIRED:
                todo += by.deciding
        return list(told.values())

    def put_in_force(self, norm: InForce) -> Claim:
        if norm.since is None:
            return claims.PutInForce(norm)
        by = self.entries.get(norm.since)
        owed = ((one, name) for one in self.record.norms for name, event in one.unmet if event == norm.since)
        lapsed = next(owed, None) if by is None else None
        return claims.PutInForce(norm, by, lapsed, evidence=cite(norm.since, by.judged if by else None))


def _more(found: Sequence[object], most: int) -> list[Claim]:
    return [More(len(found) - most)] if len(found) > most else []


def _deciding(entry: MessageOnRecord) -> Sequence[InForce]:
    return () if entry.refusal else entry.deciding


# who is here


def _who_is_here(room: _Room, question: RoomQuestion) -> list[Claim]:
    """List who is in the room, those first who were there first; or say who one of them is."""
    if question.participant is not None and room.party(question.participant).left is not None:
        return [claims.HasLeft(question.participant, evidence=cite(room.party(question.participant).left))]
    here = [one for one in room.record.parties if one.left is None and question.participant in {None, one.name}]
    found: list[Claim] = [claims.TakesPart(one, evidence=cite(one.joined)) for one in here[:_MOST_PARTIES]]
    return [*found, *_more(here, _MOST_PARTIES)] or [claims.EmptyRoom()]


# who may, must, must not


def _who(room: _Room, question: RoomQuestion) -> list[Claim]:
    """Say who stands how now; those that are to do the same by the same norms together."""
    if question.participant is not None:
        return _stance_of(room, question.participant)
    asked = [one for one in room.record.stances if one.tag in _WANTED[question.kind]]
    if not asked:
        return [claims.NoSpeaker(_WANTED[question.kind][-1])]
    together: dict[tuple[object, ...], list[Stance]] = {}
    for tag in Tag:
        for one in asked:
            if one.tag is tag:
                together.setdefault((tag, _reasons(one), one.except_for, _defaults(room, one)), []).append(one)
    found: list[Claim] = [_stands(room, stances) for stances in together.values()]
    return found + room.chain(norm for stances in together.values() for norm in _reasons(stances[0]))


def _stance_of(room: _Room, who: str) -> list[Claim]:
    stance = room.stances.get(who)
    if stance is None:
        return [claims.HasLeft(who, evidence=cite(room.party(who).left))]
    return [_stands(room, [stance]), *room.chain(_reasons(stance))]


_WANTED = {
    RoomQuestionKind.WHO_MAY: (Tag.REQUIRED, Tag.ALLOWED),
    RoomQuestionKind.WHO_MUST: (Tag.REQUIRED,),
    RoomQuestionKind.WHO_MUST_NOT: (Tag.DENIED,),
}


def _reasons(stance: Stance) -> tuple[InForce, ...]:
    """Return the norms by which a participant must, may or must not speak."""
    return stance.owed if stance.tag is Tag.REQUIRED else stance.deciding


def _defaults(room: _Room, stance: Stance) -> bool | None:
    """Return for whom a default decides: for people or for bots; None where norms decide."""
    return None if _reasons(stance) else room.party(stance.participant).person


def _stands(room: _Room, stances: Sequence[Stance]) -> Claim:
    first = stances[0]
    norms = _reasons(first)
    return claims.ToDoNow(
        first.tag,
        tuple(one.participant for one in stances),
        norms,
        first.except_for,
        None if norms else room.party(first.participant),
        evidence=cite(*(norm.since for norm in norms)),
    )


# why denied, why allowed


def _meant(room: _Room, question: RoomQuestion, fits: Callable[[MessageOnRecord], bool]) -> MessageOnRecord | None:
    """Return the message that a question is about: that of its entry, or the last one that fits."""
    return room.last(fits) if question.entry is None else room.entries.get(question.entry)


def _why_judged(room: _Room, question: RoomQuestion) -> list[Claim]:
    """Say why a message was denied or posted; where a participant sent none that was denied, what it is to do."""
    who, denied = question.participant, question.kind is RoomQuestionKind.WHY_DENIED
    entry = _meant(room, question, lambda one: (one.tag is Tag.DENIED) is denied and who in {None, one.sender})
    if entry is not None:
        return [*room.judged(entry), *room.chain(_deciding(entry))]
    if not denied:
        return [claims.NothingSaid(who)]
    return [claims.NothingDenied(who), *(_stance_of(room, who) if who is not None else ())]


# how


def _how(room: _Room, question: RoomQuestion) -> list[Claim]:
    """Say what a message answers, back to a person, and what it rests on; the last one of a bot, if none is named."""
    who = question.participant

    def is_meant(one: MessageOnRecord) -> bool:
        return one.tag is not Tag.DENIED and (one.sender == who if who else not room.party(one.sender).person)

    entry = _meant(room, question, is_meant)
    if entry is None or entry.refusal:
        return [claims.NothingSaid(who)]
    answered = [entry]
    while (asked := room.entries.get(answered[-1].answers or 0)) is not None and len(answered) <= _LONGEST_CHAIN:
        answered.append(asked)
    found: list[Claim] = [
        claims.SaidInAnswer(one, asked, evidence=cite(one.event, one.judged, asked.event))
        for one, asked in pairwise(answered)
    ] or [claims.SaidInAnswer(entry, evidence=cite(entry.event, entry.judged))]
    for one in answered:
        if basis := tuple(text for part in one.utterances for text in part.basis):
            return [*found, claims.SenderRestsOn(one, basis, evidence=cite(one.event))]
    return found if room.party(entry.sender).person else [*found, claims.NoBasis(entry, evidence=cite(entry.event))]


# why silent


def _why_silent(room: _Room, question: RoomQuestion) -> list[Claim]:
    who = question.participant
    asked = None if question.entry is None else room.entries.get(question.entry)
    if asked is None:
        asked = _asked(room, who)
    after = asked.event if asked is not None else 0
    bots = (one.name for one in room.record.parties if not one.person and (asked is None or one.name != asked.sender))
    silences = [_silence(room, name, after) for name in ((who,) if who is not None else bots)]
    told = [claim for found, _ in silences for claim in found]
    told.sort(key=lambda claim: not isinstance(claim, claims.AnsweredMessage))  # those that answered are told first
    return [*told, *room.chain(norm for _, norms in silences for norm in norms)] or [claims.NothingSaid()]


def _asked(room: _Room, who: str | None) -> MessageOnRecord | None:
    """Return the message that was not answered: the last of a person, else the last of all."""

    def posted(entry: MessageOnRecord) -> bool:
        return entry.tag is not Tag.DENIED and entry.sender != who

    return room.last(lambda entry: posted(entry) and room.party(entry.sender).person) or room.last(posted)


def _silence(room: _Room, who: str, after: int) -> tuple[list[Claim], list[InForce]]:
    """Say why one participant said nothing after a message, and by which norms."""
    left = room.party(who).left
    if left is not None:
        return [claims.HasLeft(who, evidence=cite(left))], []
    sent = [entry for entry in room.record.entries if entry.sender == who and entry.event > after]
    posted = next((entry for entry in sent if entry.tag is not Tag.DENIED), None)
    if posted is not None:
        return [claims.AnsweredMessage(posted, evidence=cite(posted.event, posted.judged))], []
    missed = [one for one in room.record.norms if any(name == who and event > after for name, event in one.unmet)]
    told: list[Claim] = [
        claims.MissedIt(who, one, evidence=cite(one.since, *(event for name, event in one.unmet if name == who)))
        for one in missed
    ]
    if sent:
        return [*room.judged(sent[-1]), *told], [*_deciding(sent[-1]), *missed]
    return _unsaid(room, who, [*told, *_reacted(room, who, after)], missed)


def _reacted(room: _Room, who: str, after: int) -> list[Claim]:
    """Say what a bot made of a message that it was shown: nothing, or nothing that could be used."""
    reactions = [one for one in room.record.reactions if one.participant == who and one.of >= after]
    if not reactions:
        return []
    last = next((one for one in reversed(reactions) if one.trouble), reactions[-1])
    evidence = cite(last.of, last.event)
    return [claims.Troubled(last, evidence=evidence) if last.trouble else claims.HadNothing(who, evidence=evidence)]


def _unsaid(room: _Room, who: str, told: list[Claim], missed: list[InForce]) -> tuple[list[Claim], list[InForce]]:
    """Say of a silent participant what they are to do; by which norms, too."""
    stance = room.stances.get(who, Stance(who, Tag.ALLOWED))
    if stance.tag is Tag.REQUIRED:
        owes = claims.StillOwes(who, stance.owed, evidence=cite(*(norm.since for norm in stance.owed)))
        return [*told, owes], [*missed, *stance.owed]
    if stance.tag is Tag.DENIED and not missed:
        return [*told, _stands(room, [stance])], list(stance.deciding)
    return told or [claims.KeptSilent(who)], missed


# norms, and what was denied


def _norms_now(room: _Room, question: RoomQuestion) -> list[Claim]:
    """List the norms in force; those that bear on a participant, where the question is about one."""
    who = question.participant
    now = [one for one in room.record.norms if one.ended is NormEnding.STILL and (who is None or who in one.bearers)]
    found: list[Claim] = [room.put_in_force(one) for one in now[:_MOST_NORMS]]
    return [*found, *_more(now, _MOST_NORMS)] or [claims.NoNorms()]


def _what_denied(room: _Room, question: RoomQuestion) -> list[Claim]:
    who = question.participant
    denied = [one for one in room.record.entries if one.tag is Tag.DENIED and who in {None, one.sender}]
    found = [claim for one in reversed(denied[-_MOST:]) for claim in room.judged(one)]
    return [*found, *_more(denied, _MOST)] or [claims.NothingDenied(who)]


_ANSWERS: dict[RoomQuestionKind, Callable[[_Room, RoomQuestion], list[Claim]]] = {
    RoomQuestionKind.WHO_MAY: _who,
    RoomQuestionKind.WHO_MUST: _who,
    RoomQuestionKind.WHO_MUST_NOT: _who,
    RoomQuestionKind.WHY_DENIED: _why_judged,
    RoomQuestionKind.WHY_ALLOWED: _why_judged,
    RoomQuestionKind.WHY_SILENT: _why_silent,
    RoomQuestionKind.NORMS_NOW: _norms_now,
    RoomQuestionKind.WHAT_DENIED: _what_denied,
    RoomQuestionKind.WHO_IS_HERE: _who_is_here,
    RoomQuestionKind.HOW: _how,
}
