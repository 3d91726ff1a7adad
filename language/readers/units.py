"""Measures in English text: so many of a unit, "18 months", "6 kg", "a year and a half"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from catalog.model import Fact
from catalog.values.units import UNITS, Unit, is_age_named, unit_named
from language.text.lazy_pattern import LazyPattern

UNIT_WORD = "|".join(sorted(UNITS, key=len, reverse=True))
_OF_DAYS = {word for word, unit in UNITS.items() if unit.dimension == "time" and unit.size >= UNITS["day"].size}
DAYS_OR_MORE = "|".join(word for word in UNIT_WORD.split("|") if word in _OF_DAYS)
"""Words for units of time of a day or longer."""
_SMALL = (
    "an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|several|a few|many"
)
MEASURE = (
    rf"(?:[0-9][0-9.,]*|{_SMALL})(?:\s+and a half)?[\s-]?(?:{UNIT_WORD})"
    rf"(?:\s+and (?:a half|(?:[0-9.]+|{_SMALL})\s(?:{UNIT_WORD})))?\b"
)
"""So many of a unit, in folded text."""
_MEASURE = LazyPattern(MEASURE)
_UNIT = LazyPattern(rf"[\s-]?(?P<unit>{UNIT_WORD})\b(?!')(?P<half>\s+and a half\b)?", re.IGNORECASE)
_ONE = LazyPattern(rf"\b(?P<half>half\s+)?an?\s+(?P<unit>{UNIT_WORD})\b(?!')(?P<more>\s+and a half\b)?", re.IGNORECASE)
_LEADING = LazyPattern(
    r"(?:\A|[,;.!?:(]|\b(?:for|about|around|almost|nearly|over|just|only|exactly|been|is|it's|was|there|and|or|than"
    r"|in|after|within))\s*\Z",
    re.IGNORECASE,
)
"""What stands before "a year" where it is no rate: not "50k a year"."""
_OLD = LazyPattern(r"[\s-](?:old|of age)\b")
_LED = LazyPattern(r"(?:\A|[,;:.!?(])\s*(?:(?:and|for|about|over|since|around|almost|nearly)\s+)*\Z")
_STOP = LazyPattern(r"(?:\s+(?:now|there|already|so far|please))*\s*(?:[,;:.!?)]|\Z)")
_JOINED = LazyPattern(r"\s*(?:,|,?\s*and\b)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Measure:
    """So many of a unit, and where it is said; `finest` is the smallest unit in which it is said."""

    start: int
    end: int
    amount: Fraction
    unit: Unit
    finest: Unit | None = None

    def count_in(self, unit: Unit, *, whole: bool = False) -> Fraction | None:
        """Return it counted in another unit; None where that is of another dimension.

        Where `whole` numbers are wanted, and a unit is no whole number of the other, the nearest is returned: a year
        has 365 days. What is said in a smaller unit stays as it is: 90 days are no 3 months.
        """
        count = self.unit.count(self.amount, unit)
        uneven = (self.unit.size / unit.size).denominator != 1 and (self.finest or self.unit).size >= unit.size
        return Fraction(round(count)) if count is not None and whole and uneven else count


def measure_after(text: str, start: int, end: int, amount: Fraction) -> Measure | None:
    """Return the measure of which an amount at a place is the number, if a unit follows it."""
    match = _UNIT.match(text, end)
    unit = unit_named(match["unit"]) if match else None
    if match is None or unit is None:
        return None
    return Measure(start, match.end(), amount + (Fraction(1, 2) if match["half"] else 0), unit)


_IN_METRES = LazyPattern(r"[0-9]+(?:[.,][0-9]+)?\s?m\b")
_METRES = LazyPattern(r"(?P<count>[0-9]+(?:[.,][0-9]+)?)\s?m\Z")


def in_metres_and_inches(
    text: str, numbers: Sequence[tuple[int, int]], measures: Mapping[int, Measure]
) -> dict[int, Measure]:
    """Return what is a length where one is meant: "1.82 m" is no million there, and "5 foot 11" has inches."""
    metre, inch, foot = UNITS["metre"], UNITS["inch"], UNITS["foot"]
    feet = {measure.end for measure in measures.values() if measure.unit == foot}
    found = {}
    for start, end in numbers:
        if match := _METRES.fullmatch(text[start:end]):
            found[start] = Measure(start, end, Fraction(match["count"].replace(",", ".")), metre)
        elif start - 1 in feet and re.fullmatch(r"[0-9]|1[01]", text[start:end]):
            found[start] = Measure(start, end, Fraction(text[start:end]), inch)
    return found


def is_measure(folded: str, start: int) -> bool:
    """Return whether so many of a unit are said at a place."""
    return (_MEASURE.match(folded, start) or _IN_METRES.match(folded, start)) is not None


def end_of_age(folded: str, start: int) -> int | None:
    """Return where the age ends that begins at a place; None if there is none."""
    match = _MEASURE.match(folded, start)
    old = _OLD.match(folded, match.end()) if match else None
    return old.end() if old else None


def is_age_of_something(fact: Fact, folded: str, start: int) -> bool:
    """Return whether a number at a place is how old something is, "3 years old", and the fact is no age."""
    return end_of_age(folded, start) is not None and not is_an_age(fact)


def is_an_age(fact: Fact) -> bool:
    return is_age_named((fact.label, fact.name.replace("_", " "), fact.ask or "", *fact.examples))


def stands_between_stops(folded: str, start: int) -> bool:
    """Return whether a measure is all that is said between two stops: "Harbor Works, for 4 years"."""
    match = _MEASURE.match(folded, start)
    before, after = _LED.search(folded, 0, start), _STOP.match(folded, match.end()) if match else None
    return bool(before and after)


def single_measures(text: str) -> Iterator[Measure]:
    """Yield measures of one, said without a number: "a year", "half a year"."""
    for match in _ONE.finditer(text):
        unit = unit_named(match["unit"])
        if unit is not None and (match["more"] or _LEADING.search(text, 0, match.start())):
            amount = Fraction(1, 2) if match["half"] else Fraction(1)
            yield Measure(match.start(), match.end(), amount + (Fraction(1, 2) if match["more"] else 0), unit)


def put_together(text: str, measures: Sequence[Measure]) -> list[Measure]:
    """Make one of measures that go on from one another: "6 years and 3 months"."""
    made: list[Measure] = []
    for one in sorted(measures, key=lambda measure: measure.start):
        last = made[-1] if made else None
        if last and one.start < last.end:
            continue
        more = one.unit.count(one.amount, last.unit) if last else None
        joins = last and one.unit.size < last.unit.size and _JOINED.fullmatch(text, last.end, one.start)
        if last and more is not None and joins:
            made[-1] = replace(last, end=one.end, amount=last.amount + more, finest=one.unit)
        else:
            made.append(one)
    return made
