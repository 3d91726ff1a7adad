"""Forms in which people say a stretch of time that hangs on the day on which they say it: "last month", "today"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from catalog.values.stretches import Days, Looks, Order, Stretch, unit_days
from catalog.values.time_words import Word


@dataclass(frozen=True, slots=True)
class Now:
    """The day on which something is said, and how days are written and looked for."""

    today: date
    order: Order | None
    looks: Looks | None


def said(unit: str, *readings: Days | None) -> Stretch | None:
    """Make a stretch of the days that it can stand for, if there are any."""
    known = tuple(dict.fromkeys(days for days in readings if days))
    return Stretch(0, 0, unit, known) if known else None


def value_of(words: Sequence[Word], codes: str) -> int:
    """Give the number of the first word of some codes."""
    return next(word.value for word in words if word.code in codes)


def units(words: Sequence[Word], codes: str, now: Now) -> Stretch | None:
    """Last quarter; this year; the last 3 months: complete ones, except that days go up to today."""
    unit, count = codes[-1], next((word.value for word in words if word.code == "N"), 1)
    if not 1 <= count <= 400 or (unit == "d" and "N" not in codes):
        return None
    back = {"l": count, "t": 0, "n": -1}[codes[0]]
    if unit == "d" and codes[0] == "l":
        back = count - 1
    return said(unit, unit_days(unit, now.today, back, count))


def before_last(words: Sequence[Word], codes: str, now: Now) -> Stretch | None:
    """The year before last."""
    return said(codes[0], unit_days(codes[0], now.today, 2))


def ago(words: Sequence[Word], codes: str, now: Now) -> Stretch | None:
    """Three days ago; "two months ago" may be a day or a month."""
    if codes[-2] != "d":
        return Stretch(0, 0, "d", problem="could be a day or a whole stretch of time")
    return said("d", unit_days("d", now.today, words[0].value))


def to_date(words: Sequence[Word], codes: str, now: Now) -> Stretch | None:
    """Year to date; this quarter so far; ytd."""
    unit = (
        next(word.text for word in words if word.code == "G")
        if "G" in codes
        else next(code for code in codes if code in "wmqy")
    )
    if "Y" in codes and value_of(words, "Y") != now.today.year:
        return Stretch(0, 0, "to date", problem="is over")
    days = unit_days(unit, now.today)
    return said("to date", days and (days[0], now.today))


def year_to_date(words: Sequence[Word], codes: str, now: Now) -> Stretch | None:
    """2024 to date, in 2024."""
    return to_date([replace(words[0], code="y")], "y", now) if words[0].value == now.today.year else None


def today(words: Sequence[Word], codes: str, now: Now) -> Stretch | None:
    """Today; yesterday; the day before yesterday."""
    before = {"T": 0, "X": -words[-1].value, "d<X": 2}.get(codes)
    after = -2 if codes == "d>X" else before
    return said("relative day", None if after is None else unit_days("d", now.today, after))


def weekday(words: Sequence[Word], codes: str, now: Now) -> Stretch | None:
    """Last Friday: the latest before today."""
    ago = (now.today.weekday() - value_of(words, "W") - 1) % 7 + 1
    past, coming = unit_days("d", now.today, ago), unit_days("d", now.today, ago - 7)
    if codes[0] == "l" or (codes == "W" and now.looks == "back"):
        return said("relative day", past)
    if codes == "tW" or (codes == "W" and now.looks == "ahead"):
        return said("relative day", coming)
    return said("relative day", past, coming) if codes == "W" else None
