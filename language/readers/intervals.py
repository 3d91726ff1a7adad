"""Intervals of days, whose year may be open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from catalog.values.dates import MONTH_NAMES, day_of, moved_by

Days = tuple[date, date]
"""The first and the last day of an interval."""
Problem = Literal[
    "", "compared_with", "day_or_longer", "day_or_year", "no_such_day", "no_year", "not_over", "over", "two_days",
    "two_years", "vague",
]  # fmt: skip
"""Code of the fault for which an interval is not taken; nothing where it can be."""
MONTHS = tuple(map(str.lower, MONTH_NAMES))
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of time in a row of words, from the word at `first` up to the one at `end`.

    `readings` are the days it can stand for. Where the year was not said, `of_year` gives the days in a year.
    `edge` tells that only its first or its last day is meant ("end of April").
    """

    first: int
    end: int
    unit: str
    readings: tuple[Days, ...] = ()
    of_year: Callable[[int], Days | None] | None = None
    edge: Literal["", "start", "end"] = ""
    problem: Problem = ""

    def at_edge(self, edge: Literal["start", "end"]) -> Interval:
        """Keep only its first or its last day."""
        pick = 0 if edge == "start" else 1
        of_year = self.of_year

        def day_of_year(year: int) -> Days | None:
            days = of_year(year) if of_year else None
            return days and (days[pick], days[pick])

        readings = tuple((days[pick], days[pick]) for days in self.readings)
        return replace(self, readings=readings, of_year=day_of_year if of_year else None, edge=edge)

    def in_years(self, years: Sequence[int]) -> list[Days]:
        return [days for year in years if self.of_year and (days := self.of_year(year))]


def month_days(year: int, month: int, count: int = 1) -> Days | None:
    first = day_of(year, month, 1)
    after = first and moved_by(first, count, "month")
    return (first, after - timedelta(days=1)) if first and after else None


def unit_days(unit: str, day: date, back: int = 0, count: int = 1) -> Days | None:
    """Return the days of the unit of time that holds a day, or of `count` units that begin `back` units before it."""
    try:
        if unit == "d":
            first = day - timedelta(days=back)
            return first, first + timedelta(days=count - 1)
        if unit == "w":
            first = day - timedelta(days=day.weekday() + 7 * back)
            return first, first + timedelta(days=7 * count - 1)
    except OverflowError:
        return None
    length = {"m": 1, "q": 3, "h": 6, "y": 12}[unit]
    months = day.year * 12 + (day.month - 1) // length * length - back * length
    return month_days(months // 12, months % 12 + 1, length * count)


def one_day(year: int, month: int, day: int) -> Days | None:
    found = day_of(year, month, day)
    return (found, found) if found else None
