"""Dates in English text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from catalog.values import Date, Fault
from catalog.values.base import Order
from catalog.values.dates import day_of, moved_by
from language.readers.base import Mention, Reader
from language.readers.intervals import MONTHS, WEEKDAYS, month_days, unit_days
from language.text.lazy_pattern import LazyPattern

_MONTHS = {word: number for number, month in enumerate(MONTHS, start=1) for word in (month, month[:3])} | {"sept": 9}
_SMALL = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)?"
_AT_END = r"(?=\s*(?:$|[;!?)]|[.,](?:\s|$)|(?:and|please|i|for|to|is)\b))"
_YEAR = rf"(?P<year>[12][0-9]{{3}}|['’][0-9]{{2}}|(?<=[\s-])[0-9]{{2}}{_AT_END})"
_DAYNAME = rf"(?:(?P<dayname>{'|'.join(WEEKDAYS)})(?:,\s*|\s+)(?:the\s+)?)?"
_COUNT = rf"(?P<count>[0-9]{{1,4}}|{'|'.join(_SMALL)})"
_UNIT = r"(?P<unit>day|week|fortnight|month|year)s?"
_ALONE = (
    r"(?=\s*(?:$|[,;.!?)])"
    r"|\s+(?:and|please|if|then|is|would|works|will|at|in|for|to|or|i|we|by|thanks|instead|rather)\b)"
)
"""What may stand behind "the 28th" where it is a day: not "the 3rd card"."""
WHICH_DAY = frozenset(("which_year", "which_day"))
"""The codes of what may be one of several days."""
_CENTURY = 99
_A_YEAR = timedelta(days=365)
_WHICH = r"(?:(?P<shift>next|last|this|coming|the)\s+)"

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
    rf"{_COUNT}\s+{_UNIT}\s+from\s+(?:next\s+)?(?P<from_weekday>{'|'.join(WEEKDAYS)})",
    rf"(?:the\s+)?(?P<edge>end|start|beginning)\s+of\s+(?:the\s+)?(?:{_WHICH})?(?P<span>week|month|quarter|year)",
    rf"(?:the\s+)?(?P<edge>end|start|beginning)\s+of\s+{_MONTH}(?:\s+{_YEAR})?",
    rf"{_DAYNAME}(?:the\s+)?(?P<of_month>[0-3]?[0-9])(?:st|nd|rd|th)(?:\s+of\s+(?:the\s+)?(?:{_WHICH})?month|{_ALONE})",
    r"(?!24/7\b)(?P<day_one>[0-3]?[0-9])/(?P<day_two>[0-3]?[0-9])",
    rf"(?:(?P<which>next|last|this|coming|this coming|past)\s+)?(?P<weekday>{'|'.join(WEEKDAYS)})",
)
_FORMS = tuple(
    LazyPattern(rf"(?<![\w/.-])(?:{form})(?![\w/]|[.-][0-9])", re.IGNORECASE) for form in (*_EXPLICIT, *_RELATIVE)
)
_DATED = _FORMS[: len(_EXPLICIT)]
_WORDS = {
    "today": 0, "tonight": 0, "right now": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2,
    "the day after tomorrow": 2, "day before yesterday": -2, "the day before yesterday": -2,
}  # fmt: skip
_NOT = LazyPattern(r"(?:\b(?:not|never|except)|n['’]t)\s+(?:(?:on|the|before|after|be|until)\s+){0,2}$", re.IGNORECASE)
_BOUND = LazyPattern(r"\b(?:before|after|by|until|since|from|between|no later than)\s+(?:the\s+)?$", re.IGNORECASE)


class DateReader(Reader[Date]):
    form = "period"

    def find(self, kind: Date, text: str, today: date) -> tuple[Mention, ...]:
        """Find dates; one without a year, or a weekday, has as readings those that it can stand for."""
        found: list[Mention] = []
        for form in _FORMS:
            for match in form.finditer(text):
                if any(m.start < match.end() and match.start() < m.end for m in found):
                    continue
                if match.group().casefold() == "may":
                    continue
                found.append(self._mention(kind, match, text, today))
        return tuple(sorted(found, key=lambda mention: mention.start))

    def _mention(self, kind: Date, match: re.Match[str], text: str, today: date) -> Mention:
        said = match.group()
        possible = self._meant(kind, _readings(match.groupdict(), today, kind.order), match.groupdict(), today)
        readings = tuple(day.isoformat() for day in dict.fromkeys(possible))
        before = text[max(0, match.start() - 30) : match.start()]
        unsure = None
        if not readings:
            unsure = Fault("no_such_day", {"value": said})
        elif _NOT.search(before):
            unsure = Fault("denied", {"value": said})
        elif bound := _BOUND.search(before):
            unsure = Fault("a_range", {"value": f"{bound.group().strip()} {said}"})
        elif len(readings) > 1 and sum(kind.accepts(r, today) for r in readings) != 1:
            of_years = len({r[4:] for r in readings}) == 1 and len(readings) > 2
            unsure = Fault(
                "which_year" if of_years else "which_day", {"value": said, "said": tuple(map(kind.show, readings))}
            )
        return Mention(match.start(), match.end(), said, readings, unsure)

    def _meant(self, kind: Date, days: list[date], parts: Mapping[str, str | None], today: date) -> list[date]:
        """Of several years, or of two weekdays, keep the day where this kind looks for it, or that its bounds leave."""
        if len(days) > 1 and max(days).year - min(days).year >= _CENTURY:
            days = [day for day in days if kind.accepts(day.isoformat(), today)] or days  # '86: bounds may tell
        one_day = len({(day.month, day.day) for day in days}) == 1 or bool(
            parts.get("weekday") or parts.get("of_month")
        )
        if len(days) < 2 or not one_day:
            return days
        if kind.looks is None:
            return _within_bounds(kind, days, today) or days
        past = [day for day in days if day <= today]
        coming = [day for day in days if day >= today]
        return [max(past)] if kind.looks == "back" and past else [min(coming)] if coming else days


def _within_bounds(kind: Date, days: list[date], today: date) -> list[date]:
    """Return the day nearest to a bound that is less than a year away: "30 November", where the earliest is today.

    Days of one year stay several: "next Friday". A latest day decides nothing where the earliest is years before: then
    the day may be one of long ago.
    """
    low, high = kind.bounds_on(today)
    able = [day for day in days if kind.accepts(day.isoformat(), today)]
    if not able or (len(able) > 1 and max(able) - min(able) < _A_YEAR):
        return []
    if low and low > today - _A_YEAR:
        return [min(able)]
    return [max(able)] if high and high < today + _A_YEAR and low is None else []


def find_dated_spans(text: str) -> tuple[tuple[int, int], ...]:
    """List where a text holds dates written out in numbers or with the name of a month."""
    return tuple(match.span() for form in _DATED for match in form.finditer(text))


def _readings(parts: Mapping[str, str | None], today: date, order: Order | None) -> list[date]:
    if word := parts.get("word"):
        return [today + timedelta(days=_WORDS[" ".join(word.casefold().split())])]
    if count := parts.get("count"):
        number, unit = int(count) if count.isdecimal() else _SMALL[count.casefold()], str(parts["unit"]).casefold()
        if unit == "fortnight":
            number, unit = 2 * number, "week"
        weekday = parts.get("from_weekday")
        begins = _weekdays(WEEKDAYS.index(weekday.casefold()), "coming", today)[0] if weekday else today
        moved = moved_by(begins, -number if parts.get("direction") == "ago" else number, unit)
        return [moved] if moved else []
    if weekday := parts.get("weekday"):
        return _weekdays(WEEKDAYS.index(weekday.casefold()), (parts.get("which") or "").casefold(), today)
    if (spoken := _without_month_or_year(parts, today, order)) is not None:
        return spoken
    if parts.get("first"):
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        orders = [(first, second), (second, first)]
        if parts["sep"] == "." and order is None:
            orders = orders[:1]
        elif order and (parts["sep"] != "." or order == "day_first"):
            orders = orders[:1] if order == "day_first" else orders[1:]
            if not 1 <= orders[0][1] <= 12:
                orders = [(orders[0][1], orders[0][0])]  # 25/12/2024 is one day only, whatever the order
        days = [day_of(year, month, day) for year in _years(parts["year"], today) for day, month in orders]
        return [day for day in days if day]
    month = str(parts["month"])
    number = int(month) if month.isdecimal() else _MONTHS[month.casefold()]
    days = [day_of(year, number, int(parts["day"] or 0)) for year in _years(parts.get("year"), today)]
    named = (parts.get("dayname") or "").casefold()
    return [day for day in days if day and named in ("", WEEKDAYS[day.weekday()])]


def _without_month_or_year(parts: Mapping[str, str | None], today: date, order: Order | None) -> list[date] | None:
    """List the days of "the 28th", "25/10" and "end of the month"; None where it is none of these."""
    if parts.get("edge"):
        return list(_edges(parts, today))
    if number := parts.get("of_month"):
        return _days_of_month(int(number), (parts.get("shift") or "").casefold(), parts.get("dayname"), today)
    if parts.get("day_one"):
        return _days_in_numbers(int(parts["day_one"] or 0), int(parts["day_two"] or 0), order, today)
    return None


def _edges(parts: Mapping[str, str | None], today: date) -> Iterator[date]:
    """Yield the first or the last day of a week, a month, a quarter or a year."""
    pick = 1 if parts["edge"] == "end" else 0
    if month := parts.get("month"):
        found = [month_days(year, _MONTHS[month.casefold()]) for year in _years(parts.get("year"), today)]
    else:
        unit = {"week": "w", "month": "m", "quarter": "q", "year": "y"}[str(parts["span"]).casefold()]
        shift = {"next": -1, "coming": -1, "last": 1}.get((parts.get("shift") or "").casefold(), 0)
        found = [unit_days(unit, today, shift)]
    yield from (days[pick] for days in found if days)


def _days_of_month(day: int, shift: str, dayname: str | None, today: date) -> list[date]:
    """List what "the 28th" can stand for: the latest, and the next one, that the calendar has."""
    steps = {"next": (1,), "last": (-1,), "this": (0,), "the": (0,)}.get(shift, range(-2, 3))
    months = [divmod(today.year * 12 + today.month - 1 + step, 12) for step in steps]
    days = [found for year, month in months if (found := day_of(year, month + 1, day))]
    days = [found for found in days if not dayname or found.weekday() == WEEKDAYS.index(dayname.casefold())]
    if shift:
        return days
    past, coming = [d for d in days if d <= today], [d for d in days if d >= today]
    return sorted({*past[-1:], *coming[:1]})


def _days_in_numbers(one: int, two: int, order: Order | None, today: date) -> list[date]:
    """List the days, in the years around, that two numbers stand for: 25/10 is one day only, whatever the order."""
    orders = {"day_first": [(one, two)], "month_first": [(two, one)]}.get(order or "", [(one, two), (two, one)])
    if not any(1 <= month <= 12 for _, month in orders):
        orders = [(two, one), (one, two)]
    return [
        found
        for year in _years(None, today)
        for day, month in dict.fromkeys(orders)
        if (found := day_of(year, month, day))
    ]


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
