"""Dates, kept as ISO 8601 text, and periods from one to another."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, JsonValue, model_validator

from catalog.values.base import Kind, Looks, Order, UnfitDeclaration, shortened

MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
USUAL_DAY = date(1986, 3, 14)
BOUND_FORM = re.compile(r"^(?:today(?:\s*(?P<sign>[+-])\s*(?P<count>[0-9]{1,5})\s*(?P<unit>day|week|month|year)s?)?)$")
"""A bound relative to the day on which a value is checked."""


def _check_bound(bound: str) -> str:
    bound_on(bound, date(2000, 1, 1))
    return bound


Bound = Annotated[str, Field(max_length=40), AfterValidator(_check_bound)]


class Date(Kind):
    """A day of the calendar."""

    kind: Literal["date"] = "date"
    earliest: Annotated[Bound | None, Field(description="2026-05-03, today, or today - 18 years.")] = None
    latest: Annotated[Bound | None, Field(description="2026-05-03, today, or today + 30 days.")] = None
    order: Order | None = Field(default=None, description="What 3/5/2026 is; without it, that is unclear.")
    looks: Looks | None = Field(
        default=None, description="Which of several days is meant by a day without a year: the latest, or the next."
    )
    is_day: ClassVar[bool] = True
    stands_apart: ClassVar[bool] = True
    noun: ClassVar[str] = "date"
    name_words: ClassVar[frozenset[str]] = frozenset(("date", "day"))

    @model_validator(mode="after")
    def _has_room(self) -> Date:
        absolute = [b for b in (self.earliest, self.latest) if b and not b.startswith("today")]
        if len(absolute) == 2 and absolute[0] > absolute[1]:
            raise UnfitDeclaration(
                f"The earliest date {absolute[0]} is after the latest {absolute[1]}.", "Put the earlier one first."
            )
        return self

    def sample(self, today: date) -> JsonValue:
        low, high = self.bounds_on(today)
        day = USUAL_DAY if high is None or high >= USUAL_DAY else high
        return (low if low is not None and low > day else day).isoformat()

    @property
    def day_convention(self) -> tuple[Order | None, Looks | None]:
        return self.order, self.looks

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take an ISO date within the bounds; a bound relative to today holds only where `today` is given."""
        text = self.text_of(value)
        try:
            day = date.fromisoformat(text)
        except ValueError:
            raise self.unreadable("not_one", value=text) from None
        if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
            raise self.unreadable("year_out_of_range", year=day.year, first=_FIRST_YEAR, last=_LAST_YEAR)
        low, high = self.bounds_on(today)
        if low and day < low:
            raise self.unreadable("too_early", day=day, limit=low)
        if high and day > high:
            raise self.unreadable("too_late", day=day, limit=high)
        return day.isoformat()

    def bounds_on(self, today: date | None) -> tuple[date | None, date | None]:
        """Return the first and the last day that is taken; None where that is open, or not known without `today`."""
        low, high = (bound_on(bound, today) if bound else None for bound in (self.earliest, self.latest))
        return low, high

    def show(self, value: JsonValue) -> str:
        """Show it with the month in words, so that the day is not mistaken for the month."""
        return long_form(date.fromisoformat(str(value)))


class Period(Kind):
    """A first and a last day, each of which may have been left open."""

    kind: Literal["period"] = "period"
    start: Annotated[str | None, Field(max_length=100, description="The fact that is its first day, a date.")] = None
    end: Annotated[str | None, Field(max_length=100, description="The fact that is its last day, a date.")] = None
    order: Order | None = Field(default=None, description="What 3/5/2026 is; without it, that is unclear.")
    looks: Looks | None = Field(
        default=None, description="Which of several is meant by a time without a year: the latest, or the next."
    )
    fills_alone: ClassVar[bool] = False
    is_period: ClassVar[bool] = True
    stands_apart: ClassVar[bool] = True
    noun: ClassVar[str] = "period"

    @model_validator(mode="after")
    def _has_both_ends(self) -> Period:
        if (self.start is None) != (self.end is None) or (self.start is not None and self.start == self.end):
            raise UnfitDeclaration(
                "A period has two facts for its ends, or none.", "Name two facts, `start` and `end`."
            )
        return self

    @property
    def ends(self) -> tuple[str, ...]:
        return (self.start, self.end) if self.start is not None and self.end is not None else ()

    def sample(self, today: date) -> JsonValue:
        return {"start": USUAL_DAY.isoformat(), "end": USUAL_DAY.isoformat()}

    @property
    def day_convention(self) -> tuple[Order | None, Looks | None]:
        return self.order, self.looks

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take a first and a last day, in any order: whether one may be after the other is for rules to say."""
        if not isinstance(value, dict) or not value or not value.keys() <= {"start", "end"}:
            raise self.unreadable("no_start_and_end")
        return {key: Date().check(value[key], today) for key in ("start", "end") if key in value}

    def show(self, value: JsonValue) -> str:
        days = value if isinstance(value, dict) else {}
        start, end = (Date().show(days[key]) if key in days else None for key in ("start", "end"))
        if start and end:
            return f"{start} to {end}"
        return f"from {start}" if start else f"until {end}"


def bound_on(bound: str, today: date | None) -> date | None:
    """Work out a bound: an ISO date, or `today` with a number of days, weeks, months or years added or taken."""
    match = BOUND_FORM.match(bound)
    if match is None:
        try:
            return date.fromisoformat(bound)
        except ValueError:
            known = "Write 2026-05-03, today, today + 30 days or today - 18 years."
            raise UnfitDeclaration(f"{shortened(bound)!r} is no date.", known) from None
    if today is None:
        return None
    count = int(match["count"] or 0) * (-1 if match["sign"] == "-" else 1)
    moved = moved_by(today, count, match["unit"] or "day")
    if moved is None:
        raise UnfitDeclaration(f"{shortened(bound)!r} is beyond the calendar.", f"Write fewer {match['unit']}s.")
    return moved


def moved_by(day: date, count: int, unit: str) -> date | None:
    """Return the day so many units of time later, if the calendar has it; a month later is at most its last day."""
    try:
        if unit in ("day", "week"):
            return day + timedelta(days=count * (7 if unit == "week" else 1))
        years, month = divmod(day.month - 1 + count * (12 if unit == "year" else 1), 12)
        year, month = day.year + years, month + 1
        return date(year, month, min(day.day, monthrange(year, month)[1]))
    except (OverflowError, ValueError):
        return None


def day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def long_form(day: date) -> str:
    return f"{day.day} {MONTH_NAMES[day.month - 1]} {day.year:04}"
