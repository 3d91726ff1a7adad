"""Periods of reports, and how figures are spread over them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta


def exact(cents: int) -> str:
    """Write an amount as tables have it: 1234.50."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def in_dollars(cents: int) -> str:
    """Write an amount as sentences have it: $1,234.50."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def in_words(day: date) -> str:
    """Write a day: 3 May 2024."""
    return f"{day.day} {day:%b} {day.year}"


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


_FEW_DAYS, _FEW_MONTHS = 31, 24
"""Up to so many days, figures are spread over days; up to so many months over months; else over quarters."""


@dataclass(frozen=True, slots=True)
class DateRange:
    """From one day to another, both included."""

    first: date
    last: date

    def __str__(self) -> str:
        return f"{in_words(self.first)} to {in_words(self.last)}"

    @property
    def ends(self) -> tuple[date, date]:
        return self.first, self.last

    def cut(self, first: date, last: date) -> DateRange:
        """Leave out what is before one day or after another, if anything is left then."""
        cut = DateRange(max(self.first, first), min(self.last, last))
        return cut if cut.first <= cut.last else self

    def spread(self, parts: Iterable[tuple[date, int]]) -> dict[str, int]:
        """Add amounts up by day, month or quarter, whichever suits the period; those without any are there too."""
        days = (self.first + timedelta(days=n) for n in range((self.last - self.first).days + 1))
        steps = dict.fromkeys(map(self._step, days), 0)
        for day, cents in parts:
            steps[self._step(day)] += cents
        return steps

    def _step(self, day: date) -> str:
        if (self.last - self.first).days < _FEW_DAYS:
            return day.isoformat()
        if 12 * (self.last.year - self.first.year) + self.last.month - self.first.month < _FEW_MONTHS:
            return f"{day:%Y-%m}"
        return f"{day.year} Q{(day.month + 2) // 3}"
