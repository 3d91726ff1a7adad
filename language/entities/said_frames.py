"""Declared frames: words of the catalog that say where a fact's value stands: "to {recipient}", "titled '{title}'".

A value begins behind the words before it, and ends at the words behind it, at a closing quote, or where the frame of
another fact begins, whichever comes first; in free words also where something else begins (`extents`). A stretch of
text fills one fact: the one whose frame has the most words there. Where two frames fit alike, neither does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from catalog.model import Fact
from catalog.model.said import bounds_of
from language.entities.extents import end_before_time, end_of_value
from language.entities.value_context import end_of_name, is_of_another
from language.interpretation import Entity
from language.readers import find_mentions
from language.text.utterance import Utterance
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, span_of, words_in

FRAMED = "in words that the catalog puts around it"
"""The rule of a value in a declared frame."""
_QUOTES = {"'": "'", '"': '"', "«": "»", "»": "«"}  # folded text has no others
_QUOTED = re.compile(r"""(?<![\w])(?:"[^"\n]+"|'[^'\n]+'(?!\w)|«[^»\n]+»|»[^«\n]+«)""")
_END = re.compile(r"[;!?\n]|(?<=[^\W\d_]{2})\.(?=\s|\Z)|,?\s+(?:please|pls|thanks|thank you)\b|\Z")
_FORMED = 50
"""What a form of its own adds to the weight of a frame."""
_OF_NAMES = frozenset(("new", "old", "last", "first"))
"""Common words that names begin with, too: "New York"."""
_YOURS = re.compile(r"\byou(?:rs?)?\b(?! like| want)", re.IGNORECASE)
_DENIED = re.compile(r"(?:\b(?:not|never|no longer)|n't)\s+(?:\w+\s+)?\Z")
_ARTICLES = r"(?:(?:a|an|the|my|our|about|around|exactly)\s+)?"


@dataclass(frozen=True, slots=True)
class Framed:
    """A value in a frame: the stretch of the frame with it, that of the value, and the value."""

    fact: str
    start: int
    end: int
    value: tuple[int, int]
    reading: JsonValue
    weight: int
    """Letters of the frame's own words; what has a form of its own counts more than free words."""

    def entity(self, text: str) -> Entity:
        """Return it as a value of an utterance."""
        return Entity(fact=self.fact, value=self.reading, span=span_of(text, *self.value), rule=FRAMED)


@dataclass(frozen=True, slots=True)
class _Frame:
    fact: Fact
    before: re.Pattern[str]
    after: re.Pattern[str] | None
    weight: int
    little: bool
    """Whether only little words stand before the value."""
    of_speaker: bool
    """Whether the fact is about whoever is asked for it: "your employer"."""


class Frames:
    """The frames of a catalog's facts; `ordinary` are words that begin no value behind a little word."""

    def __init__(self, facts: Iterable[Fact], ordinary: Collection[str]) -> None:
        every = tuple(facts)
        self._frames = {fact.name: tuple(map(_compile(fact), fact.said)) for fact in every if fact.said}
        self._timed = frozenset(fact.name for fact in every if fact.value.is_day or fact.value.is_period)
        self._ordinary = (frozenset(ordinary) | FUNCTION_WORDS | FRAME_WORDS) - _OF_NAMES

    def __bool__(self) -> bool:
        return bool(self._frames)

    def read(self, said: Utterance, facts: Collection[str]) -> tuple[Framed, ...]:
        """Return the values in the frames of some facts, in order; none of them share words."""
        frames = [frame for name in self._frames if name in facts for frame in self._frames[name]]
        if not frames:
            return ()
        timed = not self._timed.isdisjoint(facts)
        quoted = [match.span() for match in _QUOTED.finditer(said.folded)]
        opened = [
            (match, frame)
            for frame in frames
            for match in frame.before.finditer(said.folded)
            if not any(first < match.start() < last for first, last in quoted)
        ]
        begins = sorted({(match.start(), frame.fact.name) for match, frame in opened if match.end() > match.start()})
        found = [
            one
            for match, frame in opened
            for one in self._read(
                said, frame, match, [at for at, name in begins if name != frame.fact.name], timed=timed
            )
        ]
        return tuple(sorted(_apart(found), key=lambda one: one.start))

    def _read(
        self, said: Utterance, frame: _Frame, opened: re.Match[str], others: Sequence[int], *, timed: bool
    ) -> Iterator[Framed]:
        kind, start = frame.fact.value, opened.end()
        if _DENIED.search(said.folded, 0, opened.start()) or (
            frame.of_speaker and is_of_another(said.folded, opened.start() - 40, opened.start())
        ):
            return
        limit = min((at for at in others if at > start), default=len(said.folded))
        if not kind.free_text:
            yield from _formed(said, frame, opened, limit)
            return
        found = _words_between(said, frame, start, limit)
        if found is None:
            return
        (first, last), end, quoted = found
        if not quoted:
            if frame.little and not self._may_begin(said, first):
                return
            if timed and frame.after is None:
                last = end = end_before_time(said.folded, first, last)
        value = said.text[first:last]
        if value.strip() and kind.accepts(value, said.today):
            yield Framed(
                frame.fact.name, opened.start(), end, (first, last), kind.check(value, said.today), frame.weight
            )

    def _may_begin(self, said: Utterance, at: int) -> bool:
        """Return whether a value may begin behind a little word: with a capital, or with no word of a request."""
        words = words_in(said.folded[at : at + 60])
        return said.text[at].isupper() or bool(words and words[0].text not in self._ordinary)


def _compile(fact: Fact) -> Callable[[str], _Frame]:
    of_speaker = _YOURS.search(f"{fact.ask or ''} {fact.label}") is not None

    def compiled(said: str) -> _Frame:
        before, after = bounds_of(said)
        words = words_in(before.lower())
        opening = _pattern(before)
        opening = rf"(?<!\w){opening}\s*" if opening else r"(?<![\w.,])(?=\w)"
        closing = re.compile(rf"\s*-?\s*{_pattern(after)}(?!\w)") if after.strip(" \"'“”‘’«»") else None
        little = all(word.text in FUNCTION_WORDS | FRAME_WORDS for word in words)
        weight = len(before) + len(after) + (0 if fact.value.free_text else _FORMED)
        return _Frame(fact, re.compile(opening), closing, weight, little, of_speaker)

    return compiled


def _pattern(literal: str) -> str:
    """Return the expression for the words of a frame; the quotes in it are those of the value."""
    words = re.split(r"\s+", re.sub(r"[\"'“”‘’«»]", " ", literal.lower()).strip(" -"))
    return r"\s+".join(map(re.escape, filter(None, words)))


def _words_between(said: Utterance, frame: _Frame, start: int, limit: int) -> tuple[tuple[int, int], int, bool] | None:
    """Return where free words stand, where their frame ends, and whether they are quoted."""
    quote = _QUOTED.match(said.folded, start)
    if quote is not None:
        return (quote.start() + 1, quote.end() - 1), quote.end(), True
    if frame.after is not None:
        closed = frame.after.search(said.folded, start + 1, limit)
        return None if closed is None else ((start, closed.start()), closed.end(), False)
    kind = frame.fact.value
    stop = _END.search(said.folded, start, limit)
    end = min(limit, stop.start()) if stop else limit
    named = end_of_name(said.text, start, least=1) if kind.name_part else start
    end = min(named, end) if named > start else end_of_value(kind, said.text, start, end, said.goal_of)
    return ((start, end), end, False) if end > start else None


def _formed(said: Utterance, frame: _Frame, opened: re.Match[str], limit: int) -> Iterator[Framed]:
    """Yield what has the form of the fact's kind right behind the words before it, and right before those after it."""
    kind = frame.fact.value
    stretch = said.text[opened.end() : limit]
    lead = re.match(rf"[\"']?{_ARTICLES}", said.folded[opened.end() : limit])
    latest = lead.end() if lead else 0
    for mention in find_mentions(kind, stretch, said.today):
        if mention.start > latest or mention.unsure:
            continue
        start, end = opened.end() + mention.start, opened.end() + mention.end
        closed = frame.after.match(said.folded, end) if frame.after else None
        inside = frame.after.search(said.folded, start, end) if frame.after and closed is None else None
        if frame.after is not None and closed is None and inside is None:
            continue
        readings = [reading for reading in mention.readings if kind.accepts(reading, said.today)]
        if len(readings) == 1:
            last = closed.end() if closed else end
            value = kind.check(readings[0], said.today)
            yield Framed(frame.fact.name, min(opened.start(), start), last, (start, end), value, frame.weight)
        return


def _apart(found: Sequence[Framed]) -> Iterator[Framed]:
    """Yield those that share no words with one whose frame says more; of two that say as much, neither is left."""
    for one in found:
        rivals = [o for o in found if o is not one and o.start < one.end and one.start < o.end]
        if all(one.weight > o.weight or (o.fact == one.fact and o.value == one.value) for o in rivals):
            yield one


def without_framed(said: Utterance, framed: Sequence[Framed]) -> Utterance:
    """Return an utterance without what stands in frames: it fills nothing else."""
    if not framed:
        return said
    text = said.text
    for one in framed:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return replace(said.without([(one.start, one.end) for one in framed]), text=text)
