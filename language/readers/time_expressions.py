"""Time expressions: intervals, alone or combined to ranges, which may be open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from pydantic import JsonValue

from catalog.values import Fault, Period
from catalog.values.base import Looks, Order
from language.readers.base import Mention, Reader
from language.readers.intervals import Days, Interval, Problem, month_days
from language.readers.time_grammar import find_intervals, pair_as_month
from language.readers.time_lexicon import TimeWord, century, words_of_time
from language.text.lazy_pattern import LazyPattern

_NOT = LazyPattern(
    r"(?:\b(?:not|never|except|excluding|without)|n['’]t)\s+(?:(?:on|in|for|from|the|be|of)\s+){0,2}$", re.I
)
_COMPARING = LazyPattern(r"\b(?:compar\w+|versus|vs\b|against|difference)", re.IGNORECASE)
_COMPARED = LazyPattern(
    r"\b(?:vs\.?|versus|against|than|compared? (?:it )?(?:to|with))\s+(?:the |my |our )?$", re.IGNORECASE
)
_UNTIL = frozenset(("until", "till", "untill", "til", "through", "thru", "up to"))
_STARTING = frozenset(("starting", "starts", "begins", "opens"))
_LOOSE = frozenset(("most", "part", "rest", "remainder", "late", "early", "around", "about", "after"))
"""What makes a time vague only right before it: "most of May", but not "what sold most in May"."""
_IN = LazyPattern(r"\b(?:in|for|during|on|over)\b", re.IGNORECASE)
_DAYS = frozenset(("d", "pair", "relative day"))
_YEARS_AROUND = 6
_BY = LazyPattern(r"\bby\s+$", re.IGNORECASE)
_OF_TODAY = LazyPattern(r"\b(?:for|of|from|on|and|or)\s+$", re.IGNORECASE)
_LISTED = 12
"""Stretches that may be listed in a row."""
_DAY_OR_YEAR = "day_or_year"


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A time that is said at a place of a text, with the first and last days that it can have; None where open.

    `day` tells that it is a single day, `goes_on` that a word behind it says that it has no end: "from May 3 on".
    """

    start: int
    end: int
    text: str
    readings: tuple[tuple[date | None, date | None], ...]
    unsure: Fault | None = None
    day: bool = False
    goes_on: bool = False


def _as_days(one: Interval, other: Interval) -> tuple[Interval, Interval]:
    """Take "April 15" for a day, no month of a year, where the other end of a range is surely one, or of April."""
    if not one.unit == other.unit == "d":
        return one, other
    months = [days[0].month for end in (one, other) for days in (end.readings or end.in_years((2024,)))]
    certain = not (one.problem == _DAY_OR_YEAR and other.problem == _DAY_OR_YEAR)
    if certain or len(set(months)) == 1:
        one, other = (replace(end, problem="") if end.problem == _DAY_OR_YEAR else end for end in (one, other))
    return one, other


_WEEK = 7
_WEEKDAY = LazyPattern(r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?")


@lru_cache(maxsize=256)
def find_time_expressions(
    text: str, today: date, order: Order | None = None, looks: Looks | None = None
) -> tuple[TimeExpression, ...]:
    """Find the times that are said in a text, in order, never overlapping."""
    found = list(_Finder(text, today, order, looks).expressions())
    return tuple(expression for expression in found if len(found) == 1 or not _is_aside(expression, text, today, looks))


def _is_aside(expression: TimeExpression, text: str, today: date, looks: Looks | None) -> bool:
    """Return whether a time is that of the request, or its deadline, beside another that is asked about."""
    if looks == "back" and expression.day and _BY.search(text, 0, expression.start):
        return True
    if looks == "back" and expression.readings and all(first and first > today for first, _ in expression.readings):
        return True
    owning = text[expression.end : expression.end + 2] in ("'s", "’s")
    return expression.text.casefold() == "today" and not owning and _OF_TODAY.search(text, 0, expression.start) is None


class _Finder:
    def __init__(self, text: str, today: date, order: Order | None, looks: Looks | None) -> None:
        self._text, self._today, self._looks = text, today, looks
        self._words = words_of_time(text)
        self._codes = "".join(word.code for word in self._words)
        self._intervals = find_intervals(self._words, today, order, looks)
        self._comparing = _COMPARING.search(text) is not None

    def expressions(self) -> Iterator[TimeExpression]:
        """Go through the intervals, putting two together where words join them."""
        at = 0
        while at < len(self._intervals):
            one = self._intervals[at]
            other = self._intervals[at + 1] if at + 1 < len(self._intervals) else None
            joined = self._range(one, other) if other else None
            row = self._row_from(at) if joined is None and not self._comparing else 0
            yield joined or (self._row(self._intervals[at : at + row]) if row else None) or self._alone(one)
            at += 2 if joined else row or 1

    # -- two intervals -----------------------------------------------------------------------------------------------

    def _range(self, one: Interval, other: Interval) -> TimeExpression | None:
        """From March to May; between May 3 and 5 June; Oct 2 until today."""
        between, before = self._codes[one.end : other.first], self._codes[max(0, one.first - 1) : one.first]
        if not self._joins(between, before, self._words[other.first - 1].text):
            return None
        first = one.first - (before in ("f", "v", "s"))
        one, other = _as_days(one, self._as_month(one, other))
        problem: Problem = one.problem or other.problem
        if one.unit == other.unit == "pair":
            readings = self._pairs(one, other)
        elif problem:
            readings = []
        else:
            readings = [(a[0], b[1]) for a, b in self._in_years(one, other)]
        return self._expression(first, other.end, readings, problem if not readings else "")

    def _joins(self, between: str, before: str, joiner: str) -> bool:
        """Return whether what stands between two intervals makes them the ends of one; "to" may also compare them."""
        if self._comparing and joiner in ("to", "&", "and") and before != "f":
            return False
        joins = r",?-{1,2}|[,&]{0,2}-?e" + {"v": "|&", "f": "|,?&-"}.get(before, "")
        return re.fullmatch(joins, between) is not None

    def _as_month(self, one: Interval, other: Interval) -> Interval:
        """Take "June 24" for a month of a year where it ends what begins with a month: "Jan-June 24"."""
        if one.unit != "m" or other.problem != _DAY_OR_YEAR:
            return other
        month, number = (self._words[i].value for i in (other.first, other.end - 1))
        days = month_days(century(number), month)
        return replace(other, unit="m", readings=(days,), of_year=None, problem="") if days else other

    def _pairs(self, one: Interval, other: Interval) -> list[Days]:
        """6/22 to 7/22 are months of a year, 6/1 to 6/15 days; where both could be meant, both are given."""
        words = self._words[one.first], self._words[other.first]
        months = [pair_as_month(word) for word in words]
        days = [(a[0], b[1]) for a, b in self._in_years(one, other)] if not (one.problem or other.problem) else []
        near = all(month and abs(month[0].year - self._today.year) <= 10 for month in months)
        as_months = [(months[0][0], months[1][1])] if near and months[0] and months[1] else []
        if as_months and words[0].text.split("/")[1] == words[1].text.split("/")[1]:
            return as_months
        return days if words[0].text.split("/")[0] == words[1].text.split("/")[0] and days else [*as_months, *days]

    def _row_from(self, at: int) -> int:
        """Count the intervals that are listed in a row from here on, without a gap in time: "Jan, Feb and March"."""
        end = at + 1
        most = min(len(self._intervals), at + _LISTED)
        while end < most and self._listed(self._intervals[end - 1], self._intervals[end]):
            end += 1
        while end - at > 1:
            between = self._codes[self._intervals[end - 2].end : self._intervals[end - 1].first]
            if "&" in between and self._row(self._intervals[at:end]):
                return end - at
            end -= 1
        return 0

    def _listed(self, one: Interval, other: Interval) -> bool:
        plain = not (one.edge or other.edge or one.problem or other.problem)
        between = self._codes[one.end : other.first]
        return plain and between in (",", "&", ",&") and one.unit == other.unit and one.unit in "mqhy"

    def _row(self, listed: Sequence[Interval]) -> TimeExpression | None:
        """Put intervals that follow each other without a gap together: January and February 2024."""
        last = listed[-1]
        days = self._read(last)
        if len(days) != 1:
            return None
        first = days[0]
        for one in reversed(listed[:-1]):
            earlier = one.in_years((first[0].year, first[0].year - 1)) if one.of_year else one.readings
            before = [found for found in earlier if found[1] + timedelta(days=1) == first[0]]
            if not before:
                return None
            first = before[0]
        return self._expression(listed[0].first, last.end, [(first[0], days[0][1])])

    def _in_years(self, one: Interval, other: Interval) -> list[tuple[Days, Days]]:
        """Read two intervals, the one without a year in the year that goes with the other's."""
        if one.of_year and other.of_year:
            return [pair for days in self._read(other) for pair in self._ending(one, days)]
        if one.of_year:
            return [pair for days in other.readings for pair in self._ending(one, days)]
        if other.of_year:
            found = []
            for days in one.readings:
                later = [d for d in other.in_years((days[0].year, days[0].year + 1)) if d[1] >= days[0]]
                found += [(days, later[0])] if later else []
            return found
        return [(a, self._not_before(a, b, other)) for a in one.readings for b in other.readings]

    def _not_before(self, first: Days, last: Days, end: Interval) -> Days:
        """Return the weekday that ends a range as the one behind its beginning: "from Monday to Friday"."""
        said = " ".join(self._words[at].text for at in range(end.first, end.end))
        if last[0] >= first[0] or not _WEEKDAY.fullmatch(said):
            return last
        later = timedelta(days=(last[0] - first[0]).days % _WEEK)
        return first[0] + later, first[0] + later

    def _ending(self, one: Interval, other: Days) -> Iterator[tuple[Days, Days]]:
        earlier = [days for days in one.in_years((other[0].year, other[0].year - 1)) if days[0] <= other[1]]
        if earlier:
            yield earlier[0], other

    # -- one interval -------------------------------------------------------------------------------------------------

    def _alone(self, one: Interval) -> TimeExpression:
        """An interval by itself: whole, or open at one end ("from Oct 2", "since March", "until June 2024")."""
        before = self._words[one.first - 1] if one.first else None
        code = before.code if before and self._touches(before, one) else ""
        after = self._codes[one.end : one.end + 1]
        readings = self._read(one)
        coming = bool(readings) and all(day >= self._today for day, _ in readings)
        plain = one.unit in _DAYS and (one.unit != "relative day" or coming)
        problem: Problem = one.problem or ("" if readings else "no_year")
        if self._comparing and _COMPARED.search(self._text[: self._words[one.first].start]):
            problem = problem or "compared_with"
        said_edge = one.edge and not (code in ("s", "f", "e") or (before and before.text in _UNTIL))
        if said_edge or self._is_vague(one, code) or (code == "-" and before and self._comes_from_nowhere(one)):
            return self._expression(one.first - bool(code), one.end, readings, "vague")
        opens = after == ">" and self._is_after(one.end)
        if opens or (code == "f" and (plain or (before and before.text in _STARTING))):
            begins = [(a, None) for a, _ in readings]
            return self._expression(one.first - (code == "f"), one.end + opens, begins, problem, goes_on=opens)
        if code == "s":
            since = [(a, self._today) for a, _ in readings if a <= self._today]
            return self._expression(one.first - 1, one.end, since, problem or ("" if since else "not_over"))
        if code == "e" or (code == "-" and before and before.text in _UNTIL):
            first = one.first - (2 if self._codes[max(0, one.first - 2) : one.first] == "-e" else 1)
            return self._expression(first, one.end, [(None, b) for _, b in readings], problem)
        day = one.unit in _DAYS and one.problem != _DAY_OR_YEAR
        return self._expression(one.first, one.end, readings, problem, day=day)

    def _touches(self, before: TimeWord, one: Interval) -> bool:
        return re.search(r"[.;!?\n]", self._text[before.end : self._words[one.first].start]) is None

    def _is_vague(self, one: Interval, code: str) -> bool:
        """Return whether the word before an interval makes it vague: "late May", "the week of May 3"."""
        before = self._words[one.first - 1] if one.first else None
        if before is None or code not in ("<", ">", "w", "z"):
            return False
        if before.text in ("onward", "onwards", "forward", "later"):
            return False
        between = self._text[before.end : self._words[one.first].start]
        return before.text not in _LOOSE or _IN.search(between) is None

    def _is_after(self, at: int) -> bool:
        """Return whether a word after an interval says that it goes on: "June and after", but not "June after tax"."""
        word = self._words[at]
        return word.text != "after" or re.match(r"\s*(?:$|[.,;:!?)])", self._text[word.end :]) is not None

    def _comes_from_nowhere(self, one: Interval) -> bool:
        """Return whether a range ends here whose start was said in words that are none of time."""
        return self._words[one.first - 1].text == "to" and bool(
            set(self._codes[max(0, one.first - 6) : one.first - 1]) & {"f", "v"}
        )

    def _read(self, one: Interval) -> list[Days]:
        """Read an interval alone: without a year, it is the latest that has begun, or the next that is not over."""
        if one.of_year is None:
            return list(one.readings)
        around = range(self._today.year - _YEARS_AROUND, self._today.year + _YEARS_AROUND + 1)
        possible = one.in_years(around)
        if self._looks == "back":
            return [max(begun)] if (begun := [days for days in possible if days[0] <= self._today]) else []
        if self._looks == "ahead":
            return [min(coming)] if (coming := [days for days in possible if days[1] >= self._today]) else []
        return []

    def _expression(
        self,
        first: int,
        end: int,
        readings: Sequence[tuple[date | None, date | None]],
        problem: Problem = "",
        *,
        day: bool = False,
        goes_on: bool = False,
    ) -> TimeExpression:
        start, stop = self._words[first].start, self._words[end - 1].end
        said = self._text[start:stop]
        denied = _NOT.search(self._text[max(0, start - 30) : start])
        code = problem or ("denied" if denied else "")
        unsure = Fault(code, {"value": said}) if code else None
        return TimeExpression(start, stop, said, tuple(dict.fromkeys(readings)), unsure, day, goes_on)


class PeriodReader(Reader[Period]):
    form = "period"

    def find(self, kind: Period, text: str, today: date) -> tuple[Mention, ...]:
        """Find periods; a single day is one too."""
        return tuple(map(_mention, find_time_expressions(text, today, kind.order, kind.looks)))


def _mention(said: TimeExpression) -> Mention:
    readings: list[JsonValue] = [
        {key: day.isoformat() for key, day in (("start", first), ("end", last)) if day} for first, last in said.readings
    ]
    unsure = said.unsure or (Fault("two_periods", {"value": said.text}) if len(readings) != 1 else None)
    return Mention(said.start, said.end, said.text, tuple(readings), unsure)
