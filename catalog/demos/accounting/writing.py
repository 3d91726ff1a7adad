"""Write figures and days for people."""

from __future__ import annotations

from datetime import date


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


def plural(count: int, noun: str) -> str:
    """Write a count with its noun: 1 invoice, 12 invoices."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
