"""Tables and figures in words: short sentences after templates."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.demos.reports.tables import FIGURE, VALUE, SourcedTable
from catalog.wording.grammar import count

_COUNTED = ("People", "Joined")
"""How names of figures begin that count people; the others of the board pack and of branches are amounts of money."""


def written(name: str, value: float, *, in_money: bool = False) -> str:
    if in_money and not name.startswith(_COUNTED):
        return money(value)
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def money(value: float) -> str:
    return f"{'-' if round(value, 2) < 0 else ''}€{abs(value):,.2f}"


def share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else "none"


def summarize(name: str, sums: SourcedTable, figures: SourcedTable) -> str:
    """Summarize a table: how much there is in all, what most of it is, and what least."""
    measure = str(sums.frame.columns[-1])
    total, rows = figures.figure(f"Total {measure}") or 0.0, figures.figure("Rows") or 0.0
    first = f"{name} has {count(rows, 'row')}; the {measure} adds up to {written(measure, total)}."
    groups = [(str(row[0]), float(row[-1])) for row in sums.frame.itertuples(index=False, name=None)]
    if len(groups) < 2:
        return first
    groups.sort(key=lambda group: -group[1])
    (most, much), (least, little) = groups[0], groups[-1]
    second = f"By {sums.frame.columns[0]}, most of it is {most} with {written(measure, much)} ({share(much, total)})"
    return f"{first} {second}, and least is {least} with {written(measure, little)} ({share(little, total)})."


def tell_revenue(quarter: str, figures: SourcedTable, months: Sequence[tuple[str, float]]) -> str:
    revenue = figures.figure("Revenue") or 0.0
    parts = [(str(name)[9:], figures.figure(str(name)) or 0.0) for name in figures.frame[FIGURE]
             if str(name).startswith("Revenue: ")]  # fmt: skip
    told = f"Revenue in {quarter} was {money(revenue)}."
    if parts:
        most, much = max(parts, key=lambda part: part[1])
        told += f" The largest part was {most} with {money(much)}, {share(much, revenue)} of it."
    if len(months) > 1:
        best, well = max(months, key=lambda month: month[1])
        told += f" The strongest month was {best} with {money(well)}."
    return told


def tell_costs(figures: SourcedTable) -> str:
    """Compare costs with the budget, and name the largest deviation."""
    spent, planned = figures.figure("Costs") or 0.0, figures.figure("Budget") or 0.0
    over = spent - planned
    deviations = [(str(name)[11:], float(value)) for name, value in zip(figures.frame[FIGURE], figures.frame[VALUE],
                  strict=True) if str(name).startswith("Deviation: ")]  # fmt: skip
    told = f"Costs were {money(spent)} against a budget of {money(planned)}: "
    told += f"{money(abs(over))} {'over' if over > 0 else 'under'} budget."
    if deviations:
        name, by = max(deviations, key=lambda one: abs(one[1]))
        told += f" The largest deviation was {name}, {money(abs(by))} {'over' if by > 0 else 'under'} its budget."
    return told


def tell_people(figures: SourcedTable) -> str:
    """Say how many people there are, who joined, and what they are paid a month."""
    people, joined = figures.figure("People") or 0.0, figures.figure("Joined in the quarter") or 0.0
    noun = "person works" if people == 1 else "people work"
    told = f"{people:,.0f} {noun} for the firm; {joined:,.0f} joined in the quarter."
    return f"{told} Monthly pay is {money(figures.figure('Monthly pay') or 0.0)} in all."
