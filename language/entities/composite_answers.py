"""Wholes: answers that tell more than the part that was asked for, a whole period or a whole name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from catalog.model import Catalog, Fact
from catalog.values import Period, PersonName
from language.entities.person_names import find_person
from language.readers import find_mentions
from language.utterance import Utterance


@dataclass(frozen=True, slots=True)
class Part:
    """A value for a fact that is a part of what was said from `start` to `end`."""

    fact: str
    start: int
    end: int
    value: JsonValue
    rule: str


def find_wholes(catalog: Catalog, said: Utterance, no_names: frozenset[str]) -> Iterator[Part]:
    """Find what an answer tells where it is a whole of which a part was asked for; nobody has one of `no_names`."""
    asked = catalog.facts.get(said.asked or "")
    if asked is None:
        return
    for fact in catalog.facts.values():
        if isinstance(fact.value, Period) and asked.name in fact.value.ends:
            yield from _of_period(catalog, asked, fact.value, said)
    if isinstance(asked.value, PersonName) and asked.value.part != "full":
        yield from _of_name(catalog, asked, said, no_names)


def _of_period(catalog: Catalog, asked: Fact, period: Period, said: Utterance) -> Iterator[Part]:
    """Take the day that was asked for; who is asked for the start and says "Q1 2023" has said the end too."""
    mentions = find_mentions(period, said.text, said.today)
    if len(mentions) != 1 or mentions[0].unsure or len(mentions[0].readings) != 1:
        return
    mention, days = mentions[0], mentions[0].readings[0]
    if not isinstance(days, dict):
        return
    whole = asked.name == period.start and days.get("start") != days.get("end")
    for end, key in zip(period.ends, ("start", "end"), strict=True):
        value = days.get(key)
        if (end == asked.name or whole) and value is not None and catalog.facts[end].value.accepts(value, said.today):
            yield Part(end, mention.start, mention.end, value, f"{key} of a period")


def _of_name(catalog: Catalog, asked: Fact, said: Utterance, no_names: frozenset[str]) -> Iterator[Part]:
    """Take the parts of a name; a single one without a title is whatever was asked for."""
    person = find_person(said.text, no_names)
    places = {"given": person.given, "family": person.family} if person else {}
    for part, place in places.items():
        named = [f for f in catalog.facts.values() if isinstance(f.value, PersonName) and f.value.part == part]
        if place is None or (places["family"] is None and part != getattr(asked.value, "part", None)):
            continue
        fact = asked if asked in named else named[0] if len(named) == 1 else None
        value = said.text[slice(*place)]
        if fact is not None and fact.value.accepts(value, said.today):
            yield Part(fact.name, *place, value, person.rule if person else "")
