"""Declared frames: words of the catalog that say where a fact's value stands: "to {recipient}", "titled '{title}'".

A value begins behind the words before it, and ends at the words behind it, at a closing quote, or where the frame of
another fact begins, whichever comes first; in free words also where something else begins (`extents`). A stretch of
text fills one fact: the one whose frame has the most words there. Where two frames fit alike, neither does.

Whole sentences as values, what a person is told, or a note says, are found by what their examples have before them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pydantic import JsonValue

from catalog.analysis.dependencies import arguments_of, can_be_asked, what_is_said_for, what_leads_to
from catalog.model import Catalog, Fact, Goal
from catalog.model.fact import bounds_of
from language.entities.extents import (
    BARE_PLACE,
    GoalOf,
    end_before_time,
    end_of_noun,
    end_of_place,
    end_of_value,
    is_time,
    listing,
    times_in,
)
from language.entities.name_likeness import end_of_name
from language.entities.names import NamePlaces, common_value
from language.entities.value_context import DENIED_BEFORE, is_about_speaker, is_of_another
from language.interpretation import Entity
from language.readers import ANY_DAY, Mention, find_mentions
from language.readers.time_expressions import find_time_expressions
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.request_context import tells
from language.text.utterance import UtteranceText
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, clauses_in, fold, span_of, words_in

FRAMED = "in words that the catalog puts around it"
"""The rule of a value in a declared frame."""
QUOTED = LazyPattern(r"""(?<![\w])(?:"[^"\n]+"|'[^'\n]+'(?!\w)|«[^»\n]+»|»[^«\n]+«)""")
_END = LazyPattern(r"[;!?\n]|(?<=[^\W\d_]{2})\.(?=\s|\Z)|,?\s+(?:please|pls|thanks|thank you)\b|\Z")
_FOR_SPEAKER = LazyPattern(r"\s+for (?:me|us)(?=\W*\Z)")
_FAR = 60
"""Characters behind the name of a fact in which its value is looked for."""
_FORMED = 50
"""What a form of its own adds to the weight of a frame."""
_OF_NAMES = frozenset(("new", "old", "last", "first"))
"""Common words that names begin with, too: "New York"."""
_BEFORE_INFINITIVE = LazyPattern(
    r"\b(?:wants?|wanted|needs?|like|love|wish|hope|plan|intend|prefer|have|has|had|try|trying|going|able|ready|about"
    r"|how|where|what|when|whom|time|way|possible|you|me|us|him|her|them|order)\s+\Z"
)
"""Before a "to" that leads to what is to be done, and to no value."""
Place = tuple[int, int]
Stretch = tuple[Place, Place]
"""A stretch in a frame, and what of it says nothing of a goal."""
_ARTICLES = r"(?:(?:a|an|the|my|our|about|around|exactly)\s+)?"
_WHERE = frozenset("to from at in near via through into leaving towards toward".split())
"""Words that places stand behind."""
_DETERMINER = LazyPattern(r"(?:the|a|an|my|our|this)\s+")
_WHO = LazyPattern(r"(?:my|our|his|her|their|the)\s+(?:[^\W\d_]+\s+){1,2}?(?=[^\W\d_a-z])")
"""What a person is, before their name: "my boss Kim"."""
_FIRST_DAY = LazyPattern(r"\b(?:since|after|from|starting|as of)(?:\s+the)?\s*\Z")
_LAST_DAY = LazyPattern(r"\b(?:until|till|before|by|to|up to)(?:\s+the)?\s*\Z")


@dataclass(frozen=True, slots=True)
class FramedValue:
    """A value in a frame: the stretch of the frame with it, that of the value, and the value."""

    fact: str
    start: int
    end: int
    value: tuple[int, int]
    reading: JsonValue
    weight: int
    """Letters of the frame's own words; what has a form of its own counts more than free words."""
    sure: bool = True
    """Whether it needs no other value beside it to be one: "to york" after words that were only learned does."""

    def entity(self, text: str) -> Entity:
        return Entity(fact=self.fact, value=self.reading, span=span_of(text, *self.value), rule=FRAMED)


@dataclass(frozen=True, slots=True)
class _Frame:
    fact: Fact
    before: re.Pattern[str]
    after: re.Pattern[str] | None
    weight: int
    little: bool
    """Whether only little words stand before the value."""
    of_place: bool
    """Whether a place may stand there: "to {destination}"."""
    of_speaker: bool
    """Whether the fact is about the person who is asked for it: "your employer"."""
    names: frozenset[str]
    """The words that the fact is called by: "the item" names no item."""
    learned: bool
    """Whether examples have it, and the catalog does not declare it."""


class Frames:
    """The frames of a catalog's facts."""

    def __init__(self, catalog: Catalog) -> None:
        every = [fact for fact in catalog.facts.values() if fact.value.sayable and can_be_asked(fact)]
        learned = {} if all(fact.said or not fact.value.free_text for fact in every) else _learned(catalog, every)
        self._frames = {
            fact.name: tuple(map(_compile(fact, learned=not fact.said), said))
            for fact in every
            if (said := fact.said or learned.get(fact.name, ()))
        }
        self._timed = frozenset(fact.name for fact in every if fact.value.is_day or fact.value.is_period)
        self._listed, self._has_places = listing(every), any(fact.value.is_place for fact in every)
        self.names, self.sentences = NamePlaces(catalog), Sentences(catalog)
        self._arguments = frozenset(fact for goal in catalog.goals for fact in what_is_said_for(catalog, goal))
        asked = [text for goal in catalog.goals.values() for text in (goal.label, *goal.examples)]
        asking = {word.text for text in asked for word in words_in(fold(text))}
        formed = [fact for fact in every if fact.name in self._arguments and not fact.value.free_text]
        self._stated = [(fact, stated) for fact in formed if (stated := _stating(fact, asking)) is not None]
        needs = {goal.name: what_leads_to(catalog, goal).facts for goal in catalog.goals.values() if self._frames}
        self._takers = {fact: [goal for goal, needed in needs.items() if fact in needed] for fact in self._frames}
        self._own: dict[str, frozenset[str]] = {}
        self._own = {goal: self._words_of(catalog.goals[goal], needed) for goal, needed in needs.items()}
        """The words of each goal, without the values in its examples: behind a little word they begin no value."""
        self._asking = frozenset[str]().union(*self._own.values())

    def read(self, said: UtteranceText, facts: Collection[str]) -> tuple[FramedValue, ...]:
        """Return the values in the frames of some facts, in order; none of them share words."""
        frames = [frame for name in self._frames if name in facts for frame in self._frames[name]]
        if not frames:
            return ()
        timed = not self._timed.isdisjoint(facts)
        quoted = [match.span() for match in QUOTED.finditer(said.folded)]
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
        found = [one for one in found if one.sure or _is_beside_another(one, found)]
        found = [one for one in found if not any(_leads_on(said.folded, other, one) for other in found)]
        return tuple(sorted(_apart(_nested(found)), key=lambda one: one.start))

    def read_taken(self, text: str) -> dict[FramedValue, frozenset[str]]:
        """Return the values behind little words, each with the goals that take it and call nothing by its words.

        What another goal is about may be a value of this one: "cancel the lamp", beside "has the lamp been sent".
        """
        folded = fold(text)
        found: dict[FramedValue, frozenset[str]] = {}
        for fact, frames in self._frames.items():
            if any(frame.little and not frame.learned for frame in frames):
                for goal in self._takers[fact]:
                    said = UtteranceText(text, folded, clauses_in(folded), ANY_DAY, (goal,))
                    for one in self.read(said, (fact,)):
                        found[one] = found.get(one, frozenset()) | {goal}
        return found

    def _words_of(self, goal: Goal, facts: Collection[str]) -> frozenset[str]:
        """Return the words that a goal is called by, and those of its examples that stand in no frame of its facts."""
        words = {word.text for text in (goal.label, goal.name.replace("_", " ")) for word in words_in(fold(text))}
        for example in goal.examples:
            folded = fold(example)
            said = UtteranceText(example, folded, clauses_in(folded), ANY_DAY)
            values = [one.value for one in self.read(said, facts)]
            words |= {w.text for w in words_in(folded) if not any(a <= w.start < b for a, b in values)}
        return frozenset(words)

    def around(self, text: str, goal_of: GoalOf = lambda _: None) -> list[Stretch]:
        """List the stretches of a text that stand in frames of what any goal takes, or beside the name of it.

        Each comes with what of it says nothing of a goal: words of a frame that goals are asked for with are left out.
        """
        folded = fold(text)
        stated = [
            (named.start(), named.end() + mention.end)
            for fact, names in self._stated
            for named in names.finditer(folded)
            for mention in find_mentions(fact.value, text[named.end() : named.end() + _FAR], ANY_DAY)[:1]
            if mention.start <= 1
        ]
        named = [match.span() for match in BARE_PLACE.finditer(text) if self._has_places]
        said = UtteranceText(text, folded, clauses_in(folded), ANY_DAY, goal_of=goal_of)
        found = [((one.start, one.end), self.idle_in(folded, one)) for one in self.read(said, self._arguments)]
        people = self.names.places(text)
        for one in (*self.sentences.around(text, people), *stated, *named, *people):
            found += [(one, one)] if not any(a < one[1] and one[0] < b for (a, b), _ in found) else []
        return sorted(found)

    def idle_in(self, folded: str, one: FramedValue) -> Place:
        """Return a value and its frame's words up to those with which goals are asked for: "I need a *room in*"."""
        first, last = one.value
        before = [w.end for w in words_in(folded[one.start : first]) if self._asks(w.text)]
        behind = [w.start for w in words_in(folded[last : one.end]) if self._asks(w.text)]
        return one.start + max(before, default=0), last + behind[0] if behind else one.end

    def _asks(self, word: str) -> bool:
        return word in self._asking and word not in FUNCTION_WORDS | FRAME_WORDS

    def without(self, text: str) -> str:
        """Return a text without what stands in frames: it asks for the same."""
        for _, (start, end) in reversed(self.around(text)):
            text = f"{text[:start]} {text[end:]}"
        return " ".join(text.split())

    def begin_at(self, folded: str, place: int) -> bool:
        """Return whether the words of a frame, or a fact's name in a list, stand right behind a place."""
        at = place + len(folded[place:]) - len(folded[place:].lstrip())
        closed = any(f.after and f.after.match(folded, place) for frames in self._frames.values() for f in frames)
        return (
            closed
            or self._listed.match(folded, place) is not None
            or any(
                match.end() > at
                for frames in self._frames.values()
                for frame in frames
                if (match := frame.before.match(folded, at))
            )
        )

    def _read(
        self, said: UtteranceText, frame: _Frame, opened: re.Match[str], others: Sequence[int], *, timed: bool
    ) -> Iterator[FramedValue]:
        kind, start = frame.fact.value, opened.end()
        if DENIED_BEFORE.search(said.folded, 0, opened.start()) or (
            frame.of_speaker and is_of_another(said.folded, opened.start() - 40, opened.start())
        ):
            return
        limit = min((at for at in others if at > start), default=len(said.folded))
        if not kind.free_text:
            yield from _formed(said, frame, opened, limit)
            return
        found = _words_between(said, frame, opened, limit, self._listed)
        if found is None:
            return
        (first, last), end, quoted = found
        if not quoted:
            last = self.names.end_of(frame.fact.name, said.text, first, last)
            end = min(end, last) if frame.after is None else end
            if QUOTED.search(said.folded, first, last):
                return  # quotes are bounds of a value, and stand in none
            if frame.little and not self._may_begin(said, frame, opened, first, last):
                return
            if timed or frame.of_place:
                end_of_timed = end_before_time(said.folded, first, last)
                last, end = end_of_timed, end if frame.after else end_of_timed
            if is_time(said.folded[first:last]):
                return
        value = said.text[first:last]
        if value.strip() and kind.accepts(value, said.today):
            yield FramedValue(
                frame.fact.name,
                opened.start(),
                end,
                (first, last),
                kind.check(value, said.today),
                frame.weight,
                sure=not frame.learned or said.text[first].isupper(),
            )

    def _may_begin(self, said: UtteranceText, frame: _Frame, opened: re.Match[str], at: int, last: int) -> bool:
        """Return whether a value may begin behind a little word: with a capital, or with no word of a request."""
        if (determiner := _DETERMINER.match(said.folded, at)) is not None:
            at = determiner.end()
        if said.text[at : at + 1].isupper():
            return True
        words = [word.text for word in words_in(said.folded[at:last])]
        infinitive = opened.group().strip() == "to" and _BEFORE_INFINITIVE.search(said.folded, 0, opened.start())
        return bool(words) and not (infinitive or frame.names.issuperset(words) or self._is_ordinary(words[0], said))

    def _is_ordinary(self, word: str, said: UtteranceText) -> bool:
        """Return whether a word is one of the goals at hand, or, where there are none, of any goal."""
        if word in _OF_NAMES:
            return False
        goals = [goal for goal in (*said.mentioned, *said.stack) if goal in self._own] or list(self._own)
        return word in FUNCTION_WORDS | FRAME_WORDS or any(word in self._own[goal] for goal in goals)


def _stating(fact: Fact, asking: Collection[str]) -> re.Pattern[str] | None:
    """Match what a value is stated with: "with badge code"; None where goals are asked for with the same words."""
    names = [fold(name) for name in (fact.label, fact.name.replace("_", " "))]
    own = [name for name in names if not any(word.text in asking for word in words_in(name))]
    named = "|".join(re.escape(name) for name in sorted(set(own), key=len, reverse=True))
    begins = r"(?:,\s*)?\b(?:(?:with|in|and)\s+)?(?:(?:a|an|the|my|our|its)\s+)?"
    return re.compile(rf"{begins}(?:{named})\s*(?:is|are|of|:|=)?\s*(?=\S)") if named else None


def _compile(fact: Fact, *, learned: bool) -> Callable[[str], _Frame]:
    names = frozenset(word.text for name in (fact.label, fact.name.replace("_", " ")) for word in words_in(fold(name)))

    def compiled(said: str) -> _Frame:
        before, after = bounds_of(said)
        words = words_in(before.lower())
        opening = _pattern(before)
        ends = r"(?!\w)" if opening and before.rstrip(" \"'")[-1:].isalnum() else ""
        opening = rf"(?<!\w){opening}{ends}\s*" if opening else r"(?<![\w.,])(?=\w)"
        closing = re.compile(rf"\s*-?\s*{_pattern(after)}(?!\w)") if after.strip(" \"'“”‘’«»") else None
        little = all(word.text in FUNCTION_WORDS | FRAME_WORDS for word in words)
        of_place = bool(words) and words[-1].text in _WHERE and not fact.value.name_part
        weight = len(before) + len(after) + (0 if fact.value.free_text else _FORMED)
        return _Frame(
            fact, re.compile(opening), closing, weight, little, of_place, is_about_speaker(fact), names, learned
        )

    return compiled


def _pattern(literal: str) -> str:
    """Return the expression for the words of a frame; the quotes in it are those of the value."""
    words = re.split(r"\s+", re.sub(r"[\"'“”‘’«»]", " ", literal.lower()).strip(" -"))
    return r"\s+".join(map(re.escape, filter(None, words)))


def _words_between(
    said: UtteranceText, frame: _Frame, opened: re.Match[str], limit: int, listed: re.Pattern[str]
) -> tuple[tuple[int, int], int, bool] | None:
    """Return where free words stand, where their frame ends, and whether they are quoted."""
    start = opened.end()
    quote = QUOTED.match(said.folded, start)
    if quote is not None:
        return (quote.start() + 1, quote.end() - 1), quote.end(), True
    if frame.after is not None:
        closed = frame.after.search(said.folded, start + 1, limit)
        return None if closed is None else ((start, closed.start()), closed.end(), False)
    kind = frame.fact.value
    forms: tuple[re.Pattern[str] | LazyPattern, ...] = (_END, listed, _FOR_SPEAKER)[: 3 if frame.little else 2]
    stops = (form.search(said.folded, start, limit) for form in forms)
    end = min([limit, *(stop.start() for stop in stops if stop)])
    if kind.name_part and (who := _WHO.match(said.text, start, end)):
        start = who.end()
    named = end_of_name(said.text, start, least=1) if kind.name_part else start
    if named > start:
        end = min(named, end)
    elif frame.of_place:
        end = end_of_place(said.text, start, end, said.goal_of)
    else:
        end = end_of_value(kind, said.text, start, end, said.goal_of)
        end = end_of_noun(said, opened, start, end, little=frame.little)
    return ((start, end), end, False) if end > start else None


def _formed(said: UtteranceText, frame: _Frame, opened: re.Match[str], limit: int) -> Iterator[FramedValue]:
    """Yield what has the form of the fact's kind right behind the words before it, and right before those after it."""
    kind = frame.fact.value
    stretch = said.text[opened.end() : limit]
    lead = re.match(rf"[\"']?{_ARTICLES}", said.folded[opened.end() : limit])
    latest = lead.end() if lead else 0
    for mention in (
        _days(frame, opened, stretch, said.today) if kind.is_day else find_mentions(kind, stretch, said.today)
    ):
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
            yield FramedValue(frame.fact.name, min(opened.start(), start), last, (start, end), value, frame.weight)
        return


def _days(frame: _Frame, opened: re.Match[str], stretch: str, today: date) -> Iterator[Mention]:
    """Yield the days in a stretch: of a time with two ends the one that the words before it speak of."""
    order, looks = frame.fact.value.day_convention
    first, last = _FIRST_DAY.search(opened.group()), _LAST_DAY.search(opened.group())
    back = "back" if opened.group().split()[-1:] == ["since"] else None
    for spell in find_time_expressions(stretch, today, order, looks or back):
        ends = {
            end for days in spell.readings for end in (days[:1] if first or spell.day else days[1:] if last else ())
        }
        days: tuple[JsonValue, ...] = tuple(end.isoformat() for end in sorted(end for end in ends if end))
        if not days:  # bounds may tell the year
            same = (
                m for m in find_mentions(frame.fact.value, stretch, today) if m.start == spell.start and not m.unsure
            )
            days = next((m.readings for m in same if m.end == spell.end), ())
        yield Mention(spell.start, spell.end, spell.text, days, spell.unsure if not days else None)


def _leads_on(folded: str, one: FramedValue, other: FramedValue) -> bool:
    """Return whether the frame of another fact is but the article of a value: "to *the* cellar"."""
    opening = folded[other.start : other.value[0]]
    return one.fact != other.fact and one.value[0] == other.start and _DETERMINER.fullmatch(opening) is not None


def _nested(found: Sequence[FramedValue]) -> list[FramedValue]:
    """Put a frame right behind another one of the same fact together with it: "the book *called* Emma"."""
    inner = {(one.fact, one.start): one for one in found}
    outer = {(one.fact, one.value[0]): one for one in found if (one.fact, one.value[0]) in inner}
    whole = [
        replace(one, start=outer[one.fact, one.start].start) if (one.fact, one.start) in outer else one for one in found
    ]
    return [one for one, was in zip(whole, found, strict=True) if outer.get((was.fact, was.value[0])) != was]


def _is_beside_another(one: FramedValue, found: Sequence[FramedValue]) -> bool:
    """Return whether the frame of another fact is right before or behind one: "from york to bath"."""
    return any(o.fact != one.fact and (0 <= o.start - one.end <= 1 or 0 <= one.start - o.end <= 1) for o in found)


_ROLES = {
    "from": "from origin departure depart start source sender leave",
    "to": "to destination arrival arrive target recipient receiver end goal",
}
"""Words in the names of a fact that tell what a preposition stands before."""
_BEFORE_NAME = LazyPattern(r"\b(from|to|at|in|near|via|through|into|with|by|under|between)\s+(?=[^\W\d_a-z])")


def _learned(catalog: Catalog, facts: Sequence[Fact]) -> dict[str, tuple[str, ...]]:
    """Learn frames from examples: the prepositions before names in them, each for the one fact that it can be for.

    "A ticket from Leeds to Derby" says where the departure and the arrival station stand.
    """
    wordy = {fact.name: fact for fact in facts if fact.value.free_text and not fact.said}
    found: dict[str, set[str]] = {name: set(_before_names(fact.examples)) for name, fact in wordy.items()}
    for goal, one in catalog.goals.items():
        open_facts = [wordy[name] for name in arguments_of(catalog, goal) if name in wordy]
        words = dict.fromkeys(_before_names(one.examples))
        likely = {
            word: [fact for fact in open_facts if word in found[fact.name] or _names_role(fact, word)] for word in words
        }
        for word, able in likely.items():
            if len(able) == 1:
                found[able[0].name].add(word)
    return {name: tuple(f"{word} {{{name}}}" for word in sorted(words)) for name, words in found.items() if words}


def _before_names(examples: Sequence[str]) -> Iterator[str]:
    for example in filter(_BEFORE_NAME.search, examples):
        times = times_in(fold(example))
        for match in _BEFORE_NAME.finditer(example):
            if not any(start <= match.end() < end for start, end in times):
                yield match[1]


def _names_role(fact: Fact, word: str) -> bool:
    """Return whether a fact's names or question speak of what a preposition stands before."""
    known = {stem(role) for role in _ROLES.get(word, word).split()}
    names = {stem(said.text) for said in words_in(fold(f"{fact.label} {fact.name.replace('_', ' ')}"))}
    asked = re.compile(rf"(?:\A|\W)(?:{word})\s+(?:which|what|where|whom)\b|\b{word}\s*\?").search(fold(fact.ask or ""))
    return bool(known & names) or asked is not None


def _apart(found: Sequence[FramedValue]) -> Iterator[FramedValue]:
    """Yield those that share no words with one whose frame says more; of two that say as much, neither is left."""
    for one in found:
        rivals = [o for o in found if o is not one and o.start < one.end and one.start < o.end]
        if all(one.weight > o.weight or (o.fact == one.fact and o.value == one.value) for o in rivals):
            yield one


_OF_THING = LazyPattern(
    r"(?:\b(?:the|this|my|our|his|her|their|your|all|any|every|each|those|these)\s+(?:\w+\s+){0,2}?\w+"
    r"|\b(?:everything|anything|something|all|those|these|one|ones))\s+\Z"
)
"""Before "that": a thing of which something is said; no person is told it."""
_CLOSES = LazyPattern(r"[\s,]*(?:\b(?:please|pls|thanks|thank you|would you|will you|could you|can you)\b)?[\s.,!?]*\Z")
_LEAST_OF_SENTENCE, _FEW = 2, 3
_INDIRECT = LazyPattern(r"\s+(?:know\s+)?(?=(?:i|we|it|he|she|they|there|my|our|the)\b)")


class Sentences:
    """What opens the values that are whole sentences, and what closes those in free words, for one catalog.

    What all examples of a fact have in common is its value; what stands before it there opens it elsewhere: "saying
    that …". Behind "that" stands a sentence only where it goes with no thing: not in "the mail that I wrote".
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        wordy = [fact for fact in catalog.facts.values() if fact.value.free_text and not fact.value.name_part]
        values = {fact.name: value for fact in wordy if not fact.said and (value := common_value(fact.examples))}
        self._opened = {
            name: openings
            for name, value in values.items()
            if catalog.facts[name].value.takes_any_text
            and tells(fold(value))
            and (openings := tuple(_openings(catalog.facts[name].examples, value)))
        }
        self._behind = {name: _behind(catalog.facts[name].examples, value) for name, value in values.items()}

    def around(self, text: str, people: Sequence[Place]) -> list[Place]:
        """List where a text says what a person named before it is told: that does not say what is asked for."""
        if not self._opened:
            return []
        folded = fold(text)
        opened = [m.span() for openings in self._opened.values() for one in openings for m in one.finditer(folded)]
        for _, last in people:
            behind = _INDIRECT.match(folded, last)
            opened += [(last, behind.end())] if behind and tells(folded[behind.end() :]) else []
        told = (
            end
            for start, end in opened
            if any(last <= start and len(folded[last:start].split()) <= _FEW for _, last in people)
        )
        first = min(told, default=len(folded))
        return [(first, len(folded))] if first < len(folded) else []

    def find(self, fact: str, said: UtteranceText, within: Place) -> Place | None:
        """Return where a sentence stands for a fact in a stretch, behind what opens it."""
        for opening in self._opened.get(fact, ()):
            match = opening.search(said.folded, *within)
            if match is None or (match.group().strip() == "that" and _OF_THING.search(said.folded, 0, match.start())):
                continue
            return self._up_to_end(fact, said, match.end(), within[1])
        return None

    def find_told(self, fact: str, said: UtteranceText, start: int, last: int) -> Place | None:
        """Return where a sentence stands right behind whom it is told: "tell Kim I'm running late"."""
        behind = _INDIRECT.match(said.folded, start, last) if fact in self._opened else None
        if behind is None or not tells(said.folded[behind.end() : last]):
            return None
        return self._up_to_end(fact, said, behind.end(), last)

    def _up_to_end(self, fact: str, said: UtteranceText, start: int, last: int) -> Place | None:
        end = end_of_value(self._catalog.facts[fact].value, said.text, start, last, said.goal_of)
        closing = _CLOSES.search(said.folded, start, end)
        end = closing.start() if closing else end
        return (start, end) if len(said.folded[start:end].split()) >= _LEAST_OF_SENTENCE else None

    def end_before_frame(self, fact: str, folded: str, start: int, end: int) -> int:
        """Return where a value ends without the words that examples have behind theirs: "… Springfield now"."""
        closing = self._behind[fact].search(folded, start, end) if fact in self._behind else None
        return closing.start() if closing else end


def _openings(examples: Sequence[str], value: str) -> Iterator[re.Pattern[str]]:
    opened = {" ".join(fold(text[: at.start()]).split()) for text in examples for at in _places(text, value)}
    for words in sorted(filter(None, opened), key=len, reverse=True):
        said = r"\s+".join(re.escape(word) for word in words.split())
        yield re.compile(rf"(?<!\w){said}\s+")


def _behind(examples: Sequence[str], value: str) -> re.Pattern[str]:
    """Match the end of a stretch with words that examples have behind a value: "… Springfield now"."""
    closed = {fold(text[at.end() :]).strip(" .!?") for text in examples for at in _places(text, value)}
    words = "|".join(map(re.escape, sorted(filter(None, closed), key=len, reverse=True)))
    return re.compile(rf"[\s,]+(?:{words})\Z" if words else "(?!)")


def _places(text: str, value: str) -> Iterator[re.Match[str]]:
    yield from re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text)
