"""Dates: read from English text, kept as ISO 8601 text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, JsonValue, model_validator

from catalog.values.base import DENIED, Kind, Mention, Unfit, listed, shortened
from catalog.values.stretches import Looks, Order

_MONTHS = {
    word: number
    for number, words in enumerate(
        ["jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
         "sep sept september", "oct october", "nov november", "dec december"], start=1,
    )
    for word in words.split()
}  # fmt: skip
_MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
_EXAMPLE_TODAY, _EXAMPLE_DAY = date(2026, 1, 1), date(2026, 5, 3)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SMALL = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[12][0-9]{3}|['’][0-9]{2})"
_DAYNAME = rf"(?:(?P<dayname>{'|'.join(_WEEKDAYS)})(?:,\s*|\s+)(?:the\s+)?)?"
_COUNT = rf"(?P<count>[0-9]{{1,4}}|{'|'.join(_SMALL)})"
_UNIT = r"(?P<unit>day|week|month|year)s?"

_EXPLICIT = (
    r"(?P<year>[0-9]{4})[-/.](?P<month>[01]?[0-9])[-/.](?P<day>[0-3]?[0-9])(?:[T ][0-9:.]+Z?)?",
    rf"{_DAYNAME}{_DAY}(?:\s+of)?[\s-]*{_MONTH}(?:[\s,-]*{_YEAR})?",
    rf"{_DAYNAME}{_MONTH}[\s-]*{_DAY}(?:[\s,]*{_YEAR})?",
    r"(?P<first>[0-3]?[0-9])(?P<sep>[/.-])(?P<second>[0-3]?[0-9])(?P=sep)(?P<year>[12][0-9]{3}|[0-9]{2})",
)
_RELATIVE = (
    rf"{_COUNT}\s+{_UNIT}\s+(?P<direction>from\s+(?:now|today)|ago)",
    r"(?P<word>the day after tomorrow|day after tomorrow|the day before yesterday|day before yesterday|today|tomorrow"
    r"|yesterday|tonight|right now)",
    rf"in\s+{_COUNT}\s+{_UNIT}",
    rf"(?:(?P<which>next|last|this|coming|this coming|past)\s+)?(?P<weekday>{'|'.join(_WEEKDAYS)})",
)
_FORMS = tuple(
    re.compile(rf"(?<![\w/.-])(?:{form})(?![\w/]|[.-][0-9])", re.IGNORECASE) for form in (*_EXPLICIT, *_RELATIVE)
)
_DATED = _FORMS[: len(_EXPLICIT)]
_WORDS = {
    "today": 0, "tonight": 0, "right now": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2,
    "the day after tomorrow": 2, "day before yesterday": -2, "the day before yesterday": -2,
}  # fmt: skip
_NOT = re.compile(r"(?:\b(?:not|never|except)|n['’]t)\s+(?:(?:on|the|before|after|be|until)\s+){0,2}$", re.IGNORECASE)
_BOUND = re.compile(r"\b(?:before|after|by|until|since|from|between|no later than)\s+(?:the\s+)?$", re.IGNORECASE)
_BOUND_FORM = re.compile(r"^(?:today(?:\s*(?P<sign>[+-])\s*(?P<count>[0-9]{1,5})\s*(?P<unit>day|week|month|year)s?)?)$")


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
    noun: ClassVar[str] = "date"

    @model_validator(mode="after")
    def _has_room(self) -> Date:
        absolute = [b for b in (self.earliest, self.latest) if b and not b.startswith("today")]
        if len(absolute) == 2 and absolute[0] > absolute[1]:
            raise Unfit(
                f"The earliest date {absolute[0]} is after the latest {absolute[1]}.", "Put the earlier one first."
            )
        return self

    @property
    def hint(self) -> str:
        """Give an example, and the bounds."""
        low, high = (_in_words(bound) for bound in (self.earliest, self.latest))
        bounds = f", between {low} and {high}" if low and high else f", not before {low}" if low else ""
        bounds = f", not after {high}" if high and not low else bounds
        return f"a date such as {self._example()}{bounds}"

    def check(self, value: JsonValue, today: date | None = None) -> JsonValue:
        """Take an ISO date within the bounds; a bound relative to today holds only where `today` is given."""
        if not isinstance(value, str):
            raise self.unreadable(f"That is not a date but {type(value).__name__}.")
        try:
            day = date.fromisoformat(value)
        except ValueError:
            raise self.unreadable(f"“{shortened(value)}” is not a date of the calendar.") from None
        if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
            raise self.unreadable(f"The year {day.year} is not between {_FIRST_YEAR} and {_LAST_YEAR}.")
        low, high = (bound_on(bound, today) if bound else None for bound in (self.earliest, self.latest))
        if low and day < low:
            raise self.unreadable(f"{_long(day)} is before {_long(low)}.")
        if high and day > high:
            raise self.unreadable(f"{_long(day)} is after {_long(high)}.")
        return day.isoformat()

    def show(self, value: JsonValue) -> str:
        """Show it with the month in words, so that nobody mistakes the day for the month."""
        return _long(date.fromisoformat(str(value)))

    def find(self, text: str, today: date) -> tuple[Mention, ...]:
        """Find dates; one without a year, or a weekday, has as readings those that it can stand for."""
        found: list[Mention] = []
        for form in _FORMS:
            for match in form.finditer(text):
                if any(m.start < match.end() and match.start() < m.end for m in found):
                    continue
                if match.group().casefold() == "may":
                    continue
                found.append(self._mention(match, text, today))
        return tuple(sorted(found, key=lambda mention: mention.start))

    def _mention(self, match: re.Match[str], text: str, today: date) -> Mention:
        said = match.group()
        possible = self._meant(_readings(match.groupdict(), today, self.order), match.groupdict(), today)
        readings = tuple(day.isoformat() for day in dict.fromkeys(possible))
        before = text[max(0, match.start() - 30) : match.start()]
        unsure = ""
        if not readings:
            unsure = f"“{said}” is not a day of the calendar."
        elif _NOT.search(before):
            unsure = f"{DENIED}: {said}."
        elif bound := _BOUND.search(before):
            unsure = f"“{bound.group().strip()} {said}” is a range, and I need one day."
        elif len(readings) > 1 and sum(self.accepts(r, today) for r in readings) != 1:
            days = [_long(date.fromisoformat(r)) for r in readings]
            same_day = len({r[4:] for r in readings}) == 1
            which = "in more than one year" if same_day and len(readings) > 2 else listed(days, "or")
            unsure = f"“{said}” could be {which}; please say which."
        return Mention(match.start(), match.end(), said, readings, unsure)

    def _meant(self, days: list[date], parts: Mapping[str, str | None], today: date) -> list[date]:
        """Of several years, or of two weekdays, keep the day where this kind looks for it."""
        one_day = len({(day.month, day.day) for day in days}) == 1 or parts.get("weekday") is not None
        if self.looks is None or len(days) < 2 or not one_day:
            return days
        past = [day for day in days if day <= today]
        coming = [day for day in days if day >= today]
        return [max(past)] if self.looks == "back" and past else [min(coming)] if coming else days

    def _example(self) -> str:
        """Give an example that is right on any day to come, whatever the bounds."""
        low, high = (bound_on(bound, _EXAMPLE_TODAY) if bound else None for bound in (self.earliest, self.latest))
        if self.earliest and self.earliest.startswith("today") and low:
            days = (low - _EXAMPLE_TODAY).days + (1 if high is None or low < high else 0)
            return {0: "today", 1: "tomorrow"}.get(days) or (f"in {days} days" if days > 0 else f"{-days} days ago")
        day = _EXAMPLE_DAY if high is None or high >= _EXAMPLE_DAY else high
        return _long(low if low and low > day else day)


def find_dated_spans(text: str) -> tuple[tuple[int, int], ...]:
    """List where a text holds dates written out in numbers or with the name of a month."""
    return tuple(match.span() for form in _DATED for match in form.finditer(text))


def bound_on(bound: str, today: date | None) -> date | None:
    """Work out a bound: an ISO date, or `today` with a number of days, weeks, months or years added or taken."""
    match = _BOUND_FORM.match(bound)
    if match is None:
        try:
            return date.fromisoformat(bound)
        except ValueError:
            known = "Write 2026-05-03, today, today + 30 days or today - 18 years."
            raise Unfit(f"{shortened(bound)!r} is no date.", known) from None
    if today is None:
        return None
    count = int(match["count"] or 0) * (-1 if match["sign"] == "-" else 1)
    moved = _moved(today, count, match["unit"] or "day")
    if moved is None:
        raise Unfit(f"{shortened(bound)!r} is beyond the calendar.", f"Write fewer {match['unit']}s.")
    return moved


def _readings(parts: Mapping[str, str | None], today: date, order: Order | None) -> list[date]:
    """List the days that the parts of a match can stand for."""
    if word := parts.get("word"):
        return [today + timedelta(days=_WORDS[" ".join(word.casefold().split())])]
    if count := parts.get("count"):
        number = int(count) if count.isdecimal() else _SMALL[count.casefold()]
        moved = _moved(today, -number if parts.get("direction") == "ago" else number, str(parts["unit"]).casefold())
        return [moved] if moved else []
    if weekday := parts.get("weekday"):
        return _weekdays(_WEEKDAYS.index(weekday.casefold()), (parts.get("which") or "").casefold(), today)
    if parts.get("first"):
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        orders = [(first, second), (second, first)]
        if parts["sep"] == "." and order is None:
            orders = orders[:1]
        elif order and (parts["sep"] != "." or order == "day_first"):
            orders = orders[:1] if order == "day_first" else orders[1:]
            if not 1 <= orders[0][1] <= 12:
                orders = [(orders[0][1], orders[0][0])]  # 25/12/2024 is one day only, whatever the order
        days = [_day(year, month, day) for year in _years(parts["year"], today) for day, month in orders]
        return [day for day in days if day]
    month = str(parts["month"])
    number = int(month) if month.isdecimal() else _MONTHS[month.casefold()]
    days = [_day(year, number, int(parts["day"] or 0)) for year in _years(parts.get("year"), today)]
    named = (parts.get("dayname") or "").casefold()
    return [day for day in days if day and named in ("", _WEEKDAYS[day.weekday()])]


def _years(year: str | None, today: date) -> list[int]:
    """List the years that a year can stand for: of two digits in two centuries; without one, any near."""
    if year is None:
        return list(range(today.year - 2, today.year + 3))
    if len(year) == 4 and year.isdecimal():
        return [int(year)]
    century = today.year // 100 * 100
    return [century - 100 + int(year.lstrip("'’")), century + int(year.lstrip("'’"))]


def _weekdays(weekday: int, which: str, today: date) -> list[date]:
    """List what a weekday can stand for: "next Friday" may be this week's or the one after."""
    coming = today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
    past = today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    if which in ("last", "past"):
        return [past]
    if which in ("this", "coming", "this coming"):
        return [coming]
    if which == "next":
        same_week = coming.isocalendar()[:2] == today.isocalendar()[:2]
        return [coming, coming + timedelta(days=7)] if same_week else [coming]
    return [past, coming]


def _moved(day: date, count: int, unit: str) -> date | None:
    try:
        if unit in ("day", "week"):
            return day + timedelta(days=count * (7 if unit == "week" else 1))
        months = day.month - 1 + count * (12 if unit == "year" else 1)
        year, month = day.year + months // 12, months % 12 + 1
        return (
            next(found for d in range(day.day, 27, -1) if (found := _day(year, month, d)))
            if day.day > 27
            else (date(year, month, day.day))
        )
    except (OverflowError, ValueError, StopIteration):
        return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _long(day: date) -> str:
    return f"{day.day} {_MONTH_NAMES[day.month - 1]} {day.year:04}"


def _in_words(bound: str | None) -> str | None:
    relative = _BOUND_FORM.match(bound or "")
    if bound is None or not relative:
        return None if bound is None else _long(date.fromisoformat(bound))
    if not relative["count"]:
        return "today"
    unit = relative["unit"] if int(relative["count"]) == 1 else f"{relative['unit']}s"
    return f"{relative['count']} {unit} {'ago' if relative['sign'] == '-' else 'from now'}"
