"""Values in parts: the first and the last day of a period, each as its fact looks for days, and the names of a person.

What is said may be a whole of which one part was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date

from pydantic import JsonValue

from catalog.model import Catalog, Fact
from language.entities.person_names import Person, Place, find_person
from language.readers import find_mentions
from language.slots.candidates import NAMED, Stretch, ValueCandidate
from language.text.lazy_pattern import LazyPattern
from language.text.utterance import UtteranceText

_SINCE = LazyPattern(r"(?:ever )?since\b", re.IGNORECASE)
_UNTIL = LazyPattern(r"\b(?:until|till|up to|to)\b", re.IGNORECASE)


def split_period(catalog: Catalog, whole: ValueCandidate, today: date) -> Iterator[tuple[str, ValueCandidate]]:
    """Yield the first and the last day of a period, as far as these facts accept them: "start" or "end" with each."""
    period, days = catalog.facts[whole.fact].value, whole.value
    if not (period.ends and isinstance(days, dict)):
        return
    days = _as_ends_look(catalog, whole, days, today)
    for fact, end in zip(period.ends, ("start", "end"), strict=True):
        if end == "end" and _is_open(whole) and catalog.facts[fact].value.day_convention[1] == "ahead":
            continue  # "ill since Monday" does not say up to when
        if end in days and catalog.facts[fact].value.accepts(days[end], today):
            yield end, replace(whole, fact=fact, value=days[end])


def _as_ends_look(
    catalog: Catalog, whole: ValueCandidate, days: dict[str, JsonValue], today: date
) -> dict[str, JsonValue]:
    """Return the days of a period as its ends are looked for, which may be unlike: "ill since Monday until Friday"."""
    ends = [catalog.facts[fact].value.day_convention for fact in catalog.facts[whole.fact].value.ends]
    looks = {"start": ends[0][1], "end": ends[1][1]}
    if looks["start"] == looks["end"] or whole.mention is None:
        return days
    of_kind = catalog.facts[whole.fact].value
    for way in ("back", "ahead"):
        found = find_mentions(of_kind.model_copy(update={"looks": way}), whole.mention.text, today)
        for one in found[0].readings if len(found) == 1 and not found[0].unsure else ():
            if isinstance(one, dict) and one.keys() == days.keys() and all(
                looks[end] is None or (str(day) <= today.isoformat()) == (looks[end] == "back")
                or str(day) == today.isoformat()
                for end, day in one.items()
            ):  # fmt: skip
                return one
    return days


def _is_open(period: ValueCandidate) -> bool:
    """Return whether only the beginning of a period was said: "since Monday"."""
    said = period.mention.text if period.mention else ""
    return _SINCE.match(said) is not None and _UNTIL.search(said) is None


def split_name(
    facts: Mapping[str, Fact], person: Person | None, stretch: Stretch, today: date
) -> Iterator[ValueCandidate]:
    """Yield the parts of the name of a person in a segment, for the facts ("given", "family") that accept them."""
    places: dict[str, Place | None] = {"given": person.given, "family": person.family} if person else {}
    for part, place in places.items():
        if person is not None and place is not None and part in facts:
            fact, value = facts[part], stretch.text[slice(*place)]
            if fact.value.accepts(value, today):
                yield ValueCandidate(fact.name, stretch.start + place[0], stretch.start + place[1], value, person.rule)


def find_composite_answer(catalog: Catalog, said: UtteranceText, no_names: frozenset[str]) -> Iterator[ValueCandidate]:
    """Find what an answer gives where it is a whole, of which a part was asked for: a period, or a person's name."""
    asked = catalog.facts.get(said.asked or "")
    if asked is None:
        return
    for fact in catalog.facts.values():
        if asked.name in fact.value.ends:
            yield from _period_as_answer(catalog, asked, fact, said)
    if asked.value.name_part in ("given", "family"):
        yield from _name_as_answer(catalog, asked, said, no_names)


_RANGED = LazyPattern(r"\w\s*(?:\b(?:to|until|till|through|thru|and)\b|[-–])\s*\w", re.IGNORECASE)
"""Both ends of a period are said in so many words."""
_IS = r"(?:\s+(?:date|day))?\s*(?:is|was|:|=|(?:should|would|must|will) (?:be|have been)|to)?\s*\Z"
_END_NAMED = {
    "start": LazyPattern(rf"\b(?:start|begin|beginning|first day){_IS}"),
    "end": LazyPattern(rf"\b(?:end|last day|finish){_IS}"),
}
"""Before a day: which end of a period it is, by name."""


def _period_as_answer(catalog: Catalog, asked: Fact, fact: Fact, said: UtteranceText) -> Iterator[ValueCandidate]:
    """Take the day that was asked for, or is named; who says a range, or "Q1 2023" for the start, has said both."""
    mentions = find_mentions(fact.value, said.text, said.today)
    if len(mentions) != 1 or mentions[0].unsure or len(mentions[0].readings) != 1:
        return
    mention, days = mentions[0], mentions[0].readings[0]
    if not isinstance(days, dict):
        return
    of = next((end for end, named in _END_NAMED.items() if named.search(said.folded, 0, mention.start)), None)
    one_end = {end: days[end] for end in (of,) if end in days}
    ranged = asked.name == fact.value.ends[0] or _RANGED.search(mention.text) is not None
    both = (ranged and days.get("start") != days.get("end")) or one_end or len(days) == 1
    whole = ValueCandidate(fact.name, mention.start, mention.end, one_end or days)
    for end, one in split_period(catalog, whole, said.today):
        if (one.fact == asked.name or both) and one.value is not None:
            yield replace(one, rule=f"{end} of a period", strength=NAMED)


def _name_as_answer(
    catalog: Catalog, asked: Fact, said: UtteranceText, no_names: frozenset[str]
) -> Iterator[ValueCandidate]:
    """Take the parts of a name; a single one without a title is whatever was asked for."""
    facts: dict[str, Fact] = {}
    parts: tuple[str, ...] = ("given", "family")
    for part in parts:
        named = [f for f in catalog.facts.values() if f.value.name_part == part]
        if asked in named or len(named) == 1:
            facts[part] = asked if asked in named else named[0]
    person = find_person(said.text, no_names)
    if person is not None and person.family is None:
        facts = {part: fact for part, fact in facts.items() if part == asked.value.name_part}
    for one in split_name(facts, person, Stretch(said.text, 0), said.today):
        yield replace(one, strength=NAMED)
