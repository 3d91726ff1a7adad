"""Forms in which people say an interval of time: "3 May 2024", "Q1 2023", "last month", "fy21", "the year before last".

A grammar over words of time (`catalog.values.time_words`). An interval that is said without its year keeps that open;
one that is said ambiguously has several readings.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from catalog.values.base import Looks, Order
from language.readers.intervals import Days, Interval, Problem, month_days, one_day, unit_days
from language.readers.time_lexicon import TimeWord, century
from language.text.lazy_pattern import LazyPattern


@dataclass(frozen=True, slots=True)
class Now:
    """The day on which something is said, and how days are written and looked for."""

    today: date
    order: Order | None
    looks: Looks | None


def said(unit: str, *readings: Days | None) -> Interval | None:
    """Make an interval of the days that it can stand for, if there are any."""
    known = tuple(dict.fromkeys(days for days in readings if days))
    return Interval(0, 0, unit, known) if known else None


def value_of(words: Sequence[TimeWord], codes: str) -> int:
    """Return the number of the first token with one of some codes."""
    return next(word.value for word in words if word.code in codes)


def units(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """Last quarter; this year; the last 3 months: complete ones, except that days go up to today."""
    unit, count = codes[-1], next((word.value for word in words if word.code == "N"), 1)
    if not 1 <= count <= 400 or (unit == "d" and "N" not in codes):
        return None
    back = {"l": count, "t": 0, "n": -1}[codes[0]]
    if unit == "d" and codes[0] == "l":
        back = count - 1
    return said(unit, unit_days(unit, now.today, back, count))


def ago(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """Three days ago; "two months ago" may be a day or a month."""
    if codes[-2] != "d":
        return Interval(0, 0, "d", problem="day_or_longer")
    return said("d", unit_days("d", now.today, words[0].value))


def to_date(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """Year to date; this quarter so far; ytd."""
    unit = (
        next(word.text for word in words if word.code == "G")
        if "G" in codes
        else next(code for code in codes if code in "wmqy")
    )
    if "Y" in codes and value_of(words, "Y") != now.today.year:
        return Interval(0, 0, "to date", problem="over")
    days = unit_days(unit, now.today)
    return said("to date", days and (days[0], now.today))


def year_to_date(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    return to_date([replace(words[0], code="y")], "y", now) if words[0].value == now.today.year else None


def today(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """Today; yesterday; the day before yesterday."""
    before = {"T": 0, "X": -words[-1].value, "d<X": 2}.get(codes)
    after = -2 if codes == "d>X" else before
    return said("relative day", None if after is None else unit_days("d", now.today, after))


def weekday(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """Last Friday: the latest before today."""
    ago = (now.today.weekday() - value_of(words, "W") - 1) % 7 + 1
    past, coming = unit_days("d", now.today, ago), unit_days("d", now.today, ago - 7)
    if codes[0] == "l" or (codes == "W" and now.looks == "back"):
        return said("relative day", past)
    if codes == "tW" or (codes == "W" and now.looks == "ahead"):
        return said("relative day", coming)
    return said("relative day", past, coming) if codes == "W" else None


_NEVER_FIRST = frozenset("*,&-sfe<>zA")
"""Codes with which no interval begins."""
_NEAR = range(-6, 7)
"""Years around today in which a day or a month without a year is looked for."""


def find_intervals(words: Sequence[TimeWord], today: date, order: Order | None, looks: Looks | None) -> list[Interval]:
    """Find the intervals in a row of words, from left to right, never overlapping; of two the longer one."""
    codes = "".join(word.code for word in words)
    found: list[Interval] = []
    at = 0
    while at < len(codes):
        interval = None if codes[at] in _NEVER_FIRST else _longest(words, codes, at, Now(today, order, looks))
        if interval is not None:
            found.append(interval)
        at = interval.end if interval else at + 1
    return found


def _longest(words: Sequence[TimeWord], codes: str, at: int, now: Now) -> Interval | None:
    matches = [(match.end(), form) for pattern, form in _FORMS if (match := pattern.match(codes, at))]
    for end, form in sorted(matches, key=lambda pair: -pair[0]):
        interval = form(words[at:end], codes[at:end], now)
        if interval is not None:
            return replace(interval, first=at, end=end)
    return None


Form = Callable[[Sequence[TimeWord], str, Now], Interval | None]


def _yearless(unit: str, of_year: Callable[[int], Days | None]) -> Interval:
    return Interval(0, 0, unit, of_year=of_year)


def _in_numbers(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    parts = [int(part) for part in re.findall(r"[0-9]+", words[0].text)[:3]]
    if parts[0] > 31:
        days = [one_day(*parts)]
    else:
        year = century(parts[2])
        month_first, day_first = one_day(year, parts[0], parts[1]), one_day(year, parts[1], parts[0])
        dotted = "." in words[0].text
        preferred = {"month_first": month_first, "day_first": day_first}.get(now.order or "")
        days = [preferred] if preferred and not (dotted and now.order == "month_first") else [month_first, day_first]
    return said("d", *days) or Interval(0, 0, "d", problem="no_such_day")


def _month_in_numbers(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    first, second = (int(part) for part in re.findall(r"[0-9]+", words[0].text))
    return said("m", month_days(max(first, second), min(first, second)))


def _pair(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """6/22: a month of a year where another month of a year goes with it, else a day without a year."""
    first, second = (int(part) for part in words[0].text.split("/"))
    month, day = (second, first) if now.order == "day_first" or first > 12 else (first, second)
    unclear = now.order is None and first <= 12 and second <= 12 and first != second
    problem: Problem = "two_days" if unclear else ""
    return replace(_yearless("pair", lambda year: one_day(year, month, day)), problem=problem)


def pair_as_month(word: TimeWord) -> Days | None:
    month, year = (int(part) for part in word.text.split("/"))
    return month_days(century(year), month) if 1 <= month <= 12 and len(word.text.split("/")[1]) == 2 else None


def _day(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """May 3rd, 2024; 3 May; 3 May of last year."""
    month, day = value_of(words, "M"), next(w for w in words if w.code in "NO")
    if not day.text[0].isdigit() or not 1 <= day.value <= 31:
        return None
    found = _in_year("d", words, codes, now, lambda year: one_day(year, month, day.value))
    if found is None:
        return Interval(0, 0, "d", problem="no_such_day")
    as_year = found.of_year and day.code == "N" and codes.index("M") < codes.index("N") and len(day.text) == 2
    years = century(day.value) - now.today.year
    near = (0 if now.looks == "ahead" else -10) <= years <= (0 if now.looks == "back" else 10)
    problem: Problem = "day_or_year" if as_year and near else found.problem
    return replace(found, problem=problem)


def _days(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """June 3-28, 2024; 1st to 15th of March."""
    month, numbers = value_of(words, "M"), [word for word in words if word.code in "NO"]
    if not all(word.text[0].isdigit() for word in numbers):
        return None

    def of_year(year: int) -> Days | None:
        first, last = (one_day(year, month, word.value) for word in numbers)
        return (first[0], last[0]) if first and last else None

    return _in_year("days", words, codes, now, of_year)


def _month(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """April 2024; April; April last year; last April."""
    month = value_of(words, "M")
    return _in_year("m", words, codes, now, lambda year: month_days(year, month))


def _quarter(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """Q1 2023; 3Q 23; the first quarter of last year."""
    number = value_of(words, "QON")
    if not 1 <= number <= 4 or ("N" in codes and any(word.code == "q" and word.text.endswith("s") for word in words)):
        return None  # "two quarters" are not the second one
    if codes == "QN" and not (len(words[1].text) == 2 and abs(century(words[1].value) - now.today.year) <= 20):
        return None
    made = _in_year("q", words, codes, now, lambda year: month_days(year, number * 3 - 2, 3))
    return said("q", month_days(century(words[1].value), number * 3 - 2, 3)) if codes == "QN" else made


def _half(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """H1 2022; first half of 2024; 1 half 2023."""
    number = value_of(words, "HON")
    return _in_year("h", words, codes, now, lambda year: month_days(year, number * 6 - 5, 6)) if number < 3 else None


def _in_year(
    unit: str, words: Sequence[TimeWord], codes: str, now: Now, of_year: Callable[[int], Days | None]
) -> Interval | None:
    """Put a part of a year into the year that is said with it: in numbers, as "last year", or not at all."""
    relative = now.today.year - ("ly" in codes) if "ly" in codes or "ty" in codes else None
    if "Y" in codes:
        year = value_of(words, "Y")
        if relative not in (None, year):  # "March of this year, 2023"
            return Interval(0, 0, unit, problem="two_years")
        return said(unit, of_year(year))
    if "l" in codes and "y" not in codes:  # "last April" is the latest complete one
        ended = [days for n in _NEAR if (days := of_year(now.today.year + n)) and days[1] < now.today]
        return said(unit, max(ended)) if ended else None
    if "ly" in codes or "ty" in codes or codes.endswith("y"):
        return said(unit, of_year(now.today.year - ("ly" in codes)))
    return _yearless(unit, of_year)


def _part_of_year(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """The last quarter of 2023; the first three months of last year."""
    unit = next(code for code in codes if code in "mqh")
    length = {"m": 1, "q": 3, "h": 6}[unit]
    count = next((word.value for word in words if word.code == "N"), 1)
    if not 1 <= count * length <= 12:
        return None
    first = 13 - count * length if codes[0] == "l" else 1
    return _in_year(unit, words[1:], codes[1:], now, lambda year: month_days(year, first, count * length))


def _ending(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """The quarter ending June 30, 2024; the twelve months ended last month."""
    at = codes.index("e")
    unit, count = codes[at - 1], next((word.value for word in words[:at] if word.code == "N"), 1)
    last = _longest(words[at + 1 :], codes[at + 1 :], 0, now)
    if last is None or last.problem or not 1 <= count <= 60:
        return None

    def up_to(days: Days) -> Days | None:
        end = days[1]
        if unit == "w":
            return end - timedelta(days=7 * count - 1), end
        after, months = end + timedelta(days=1), count * {"m": 1, "q": 3, "h": 6, "y": 12}[unit]
        year, month = divmod(after.year * 12 + after.month - 1 - months, 12)
        first = one_day(year, month + 1, min(after.day, monthrange(year, month + 1)[1]))
        return first and (first[0], end)

    def of_year(year: int) -> Days | None:
        days = last.of_year(year) if last.of_year else None
        return days and up_to(days)

    return _yearless("ending", of_year) if last.of_year else said("ending", *map(up_to, last.readings))


def _with_edge(words: Sequence[TimeWord], codes: str, now: Now) -> Interval | None:
    """June start 2023; the end of April; start of 2023."""
    at = codes.index("B") if "B" in codes else codes.index("E")
    rest = [*words[:at], *words[at + 1 :]]
    others = codes[:at] + codes[at + 1 :]
    if others in ("w", "m", "q", "h", "y"):  # "the year" is this one
        whole = said(others, unit_days(others, now.today))
    else:
        whole = _longest(rest, others, 0, now)
        whole = whole if whole is not None and whole.end == len(rest) and whole.unit in "mqhyw" else None
    if whole is None:
        return None
    day = whole.at_edge("start" if codes[at] == "B" else "end")
    return replace(day, unit="d", edge="") if words[at].text in ("first_day", "last_day") else day


_YEARLY = r"(?:,?Y|[lt]y(?:,?Y)?)"
_FORMS: tuple[tuple[LazyPattern, Form], ...] = tuple(
    (LazyPattern(pattern), form)
    for pattern, form in (
        (r"(?:W,?)?D", lambda words, codes, now: _in_numbers(words[-1:], codes, now)),
        (r"m?J", lambda words, codes, now: _month_in_numbers(words[-1:], codes, now)),
        (r"S", _pair),
        (rf"(?:v?M[NO]-[NO](?!M)|[NO]-[NO]M|vM[NO]&[NO](?!M)|v[NO]&[NO]M){_YEARLY}?", _days),
        (rf"(?:W,?)?M[NO]{_YEARLY}?", _day),
        (rf"(?:W,?)?[NO]-?M(?:-Y|{_YEARLY})?", _day),
        (rf"m?M(?:{_YEARLY}|-Y)?|[lt]y,?M(?!,?Y)|YM|Y,M(?!,?[YN])|[lt]M", _month),
        (
            rf"QN|q?Q{_YEARLY}?|[lt]y,?Q(?!,?Y)|YQ|Y,Q(?!,?Y)|[lt]Q(?!,?Y)|Y-Q|Q-Y|[ON]q{_YEARLY}?|[lt]y[ON]q|qN{_YEARLY}?|Oqy",
            _quarter,
        ),
        (rf"H{_YEARLY}?|YH|Y-H|[lt]yH|[ON]h{_YEARLY}?|[lt]y[ON]h|Ohy", _half),
        (rf"[lO]N?[mqh]{_YEARLY}", _part_of_year),
        (r"y?Y", lambda words, codes, now: said("y", month_days(value_of(words, "Y"), 1, 12))),
        (r"lN?[dwmqhy]|[tn][wmqhy]", units),
        (r"[wmqy]<l", lambda words, codes, now: said(codes[0], unit_days(codes[0], now.today, 2))),
        (r"N[dwmqy]A", ago),
        (r"G(?:,?Y)?|YG|t?[wmqy](?:-{1,3}T|r)|rt[wmqy]", to_date),
        (r"[lt]?N?[wmqhy]e(?:D|(?:W,?)?M[NO](?:,?Y)?|[NO]M(?:,?Y)?|M(?:,?Y)?|Y|Q(?:,?Y)?|[lt][mqy])", _ending),
        (r"Y-T|Yr", year_to_date),
        (r"T|X|d[<>]X", today),
        (r"[ltn]?W", weekday),
        (r"M[BE](?:,?Y)?|[BE](?:t?[wmqhy]|lN?[mqy]|M(?:,?Y)?|Q(?:,?Y)?|[ON]q(?:,?Y)?|Y|J)", _with_edge),
    )
)
