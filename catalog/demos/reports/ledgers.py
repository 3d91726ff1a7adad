"""Ledgers: the entries of a month, what they add up to, and the quarter that the months make."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from catalog.demos.reports.tables import CellFigures, SourcedTable, add_up
from catalog.demos.reports.words import tell_revenue

_KINDS = (("revenue", "Revenue"), ("cost", "Costs"))
_MONTH = "Month"


def booked(entries: SourcedTable) -> SourcedTable:
    return entries.where(lambda row: str(row["status"]).casefold() == "booked")


def figures_of(entries: SourcedTable) -> SourcedTable:
    """Add up a month: revenue and costs, each in all and by category, and the result."""
    figures = CellFigures()
    sums = []
    for kind, name in _KINDS:
        rows = [at for at, one in enumerate(entries.frame["kind"]) if str(one).casefold() == kind]
        sums.append(figures.add(name, entries.total("amount", rows), (entries, "amount", rows)))
        for category, every in entries.groups("category"):
            if within := [at for at in every if at in rows]:
                figures.add(f"{name}: {category}", entries.total("amount", within), (entries, "amount", within))
    figures.add("Result", sums[0] - sums[1], (entries, "amount", None))
    months = sorted(str(day)[:7] for day in entries.frame["date"])
    if months:
        figures.add(_MONTH, int(months[0].replace("-", "")), (entries, "date", None))
    return figures.table


def quarter_of(quarter: str, months: Sequence[SourcedTable]) -> tuple[SourcedTable, str]:
    every = add_up(months)
    kept = [name for name in every.frame["figure"] if name != _MONTH]
    figures = CellFigures()
    figures.take(every, *kept)
    table = figures.table
    return table, tell_revenue(quarter, table, [(month_of(one), one.figure("Revenue") or 0.0) for one in months])


def month_of(figures: SourcedTable) -> str:
    number = int(figures.figure(_MONTH) or 0)
    return f"{date(number // 100, number % 100, 1):%B}" if number else "a month without entries"
