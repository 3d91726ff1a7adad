"""Units: what numbers count, and how one unit is counted in another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

_TABLE = """
time: second seconds sec secs = 1/31556952 | minute minutes min mins = 60/31556952 | hour hours hr hrs = 3600/31556952
 | day days = 86400/31556952 | week weeks wk wks = 604800/31556952 | fortnight fortnights = 1209600/31556952
 | month months mth mths mo mos mnth mnths = 1/12 | quarter quarters = 1/4 | year years yr yrs y = 1
 | decade decades = 10
mass: milligram milligrams mg = 1/1000000 | gram grams gramme grammes g = 1/1000
 | kilogram kilograms kilo kilos kg kgs = 1 | tonne tonnes = 1000
 | ounce ounces oz = 45359237/1600000000 | pound pounds lb lbs = 45359237/100000000 | stone = 635029318/100000000
length: millimetre millimetres millimeter millimeters mm = 1/1000
 | centimetre centimetres centimeter centimeters cm = 1/100
 | metre metres meter meters = 1 | kilometre kilometres kilometer kilometers km kms = 1000
 | inch inches = 254/10000 | foot feet ft = 3048/10000 | yard yards = 9144/10000 | mile miles = 1609344/1000
volume: millilitre millilitres milliliter milliliters ml = 1/1000 | litre litres liter liters = 1
 | gallon gallons = 3785411784/1000000000
area: hectare hectares = 10000 | acre acres = 40468564224/10000000
data: megabyte megabytes mb = 1 | gigabyte gigabytes gb = 1000 | terabyte terabytes tb = 1000000
temperature: celsius = 1
share: percent = 1
"""
"""Each dimension with its units: the words for each, and how many of the dimension's own unit one is."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure: its name, its dimension, and its size in that dimension's own unit."""

    name: str
    dimension: str
    size: Fraction
    plural: str

    def written(self, number: str) -> str:
        """Write so many of it: "2 years", "1 year", "30 kg", "12 %"."""
        return f"{number} {_SIGNS.get(self.name) or (self.name if number in ('1', '-1') else self.plural)}"

    def count(self, amount: Fraction, unit: Unit) -> Fraction | None:
        """Return so much of this unit counted in another; None where that is of another dimension."""
        return amount * self.size / unit.size if self.dimension == unit.dimension else None


_SIGNS = {
    "kilogram": "kg", "gram": "g", "milligram": "mg", "ounce": "oz", "pound": "lb",
    "kilometre": "km", "centimetre": "cm", "millimetre": "mm", "foot": "ft", "millilitre": "ml",
    "megabyte": "MB", "gigabyte": "GB", "terabyte": "TB", "celsius": "°C", "percent": "%",
}  # fmt: skip


def _read() -> Mapping[str, Unit]:
    found = {}
    for line in _TABLE.strip().replace("\n |", " |").splitlines():
        dimension, _, entries = line.partition(":")
        for entry in entries.split("|"):
            words, _, size = entry.partition("=")
            names = words.split()
            for word in names:
                found[word] = Unit(names[0], dimension, Fraction(size.strip()), names[min(1, len(names) - 1)])
    return found


UNITS: Mapping[str, Unit] = _read()
"""Units by each word for them."""


def unit_named(word: str) -> Unit | None:
    return UNITS.get(word.casefold())


_UNITS_BY_SIGN = {sign: UNITS[name] for name, sign in _SIGNS.items()}


def without_unit_before(shown: str, following: str) -> str:
    """Leave the unit out of a value where the words after it say the unit: "for {years} years" has 2, not 2 years."""
    number, _, word = shown.rpartition(" ")
    next_word = _NEXT.match(following)
    unit = _UNITS_BY_SIGN.get(word) or unit_named(word)
    if not number or unit is None or next_word is None:
        return shown
    named = _UNITS_BY_SIGN.get(next_word["word"]) or unit_named(next_word["word"])
    return number if named == unit else shown


_NEXT = re.compile(r"[\s-]?(?P<word>%|°C|[A-Za-z]+)")
_WORD = "|".join(sorted(UNITS, key=len, reverse=True))
_PLURAL = "|".join(sorted((word for word in UNITS if len(word) > 3 and word.endswith("s")), key=len, reverse=True))
_SIGN = r"kg|km|cm|mm|lbs?|oz|ml|mg|gb|mb|tb"
_NAMED = re.compile(rf"\b(?:{_PLURAL}|{_SIGN}|feet|percent|fortnights)\b|\(in (?:{_WORD})\)")
"""A name says what is counted in the plural: a "year" may be one of the calendar."""
_DESCRIBED = re.compile(
    rf"\b(?:how many|number of|counted in|measured in|count of|in)\s+(?:full |whole )?(?:{_PLURAL}|{_SIGN})\b"
)
_AGE = re.compile(r"\bhow old\b|\bage\b(?! of \w+s\b)|\b(?:years?|months?)[ -]old\b")
_MEASURED = re.compile(rf"[0-9]\s?-?(?P<unit>{_WORD})\b")


def is_age_named(said: Iterable[str]) -> bool:
    """Return whether names or statements of a number speak of an age."""
    return any(_AGE.search(text.casefold()) for text in said)


def unit_meant(names: Iterable[str], description: str, examples: Iterable[str]) -> Unit | None:
    """Return what a number counts, going by its names, by how people state it, and by its description."""
    said = [name.casefold().replace("_", " ") for name in names]
    for name in said:
        if named := _NAMED.search(name):
            return unit_named(named.group().strip("()").split()[-1])
    for example in examples:
        if measured := _MEASURED.search(example.casefold()):
            return unit_named(measured["unit"])
    if is_age_named(said):
        return UNITS["years"]
    described = _DESCRIBED.search(description.casefold())
    return unit_named(described.group().split()[-1]) if described else None
