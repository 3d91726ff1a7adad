"""What a board reads: costs against budget, people, branches; its sections, and the check of its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import PurePath

import pandas as pd

from catalog.demos.reports.assembly import Section
from catalog.demos.reports.tables import FIGURE, VALUE, CellFigures, SourcedTable
from catalog.demos.reports.words import money, share, tell_costs, tell_people
from catalog.skills import File, SkillInput
from catalog.skills.texts import read_contents
from catalog.wording.grammar import count

_COSTS = "Costs: "


def compare(quarter: SourcedTable, budget: SourcedTable) -> tuple[SourcedTable, str]:
    """Set the costs of a quarter against its budget, category by category."""
    figures = CellFigures()
    figures.take(quarter, "Costs")
    figures.add("Budget", budget.total("budget"), (budget, "budget", None))
    for category, rows in budget.groups("category"):
        spent = quarter.figure(_COSTS + category) or 0.0
        spent_on = (quarter, VALUE, quarter.row_of(_COSTS + category))
        figures.add(f"Deviation: {category}", spent - budget.total("budget", rows), spent_on, (budget, "budget", rows))
    table = figures.table
    return table, tell_costs(table)


def count_people(staff: SourcedTable, quarter: str) -> tuple[SourcedTable, str]:
    """Count people, those who joined in a quarter, and what all are paid a month."""
    figures = CellFigures()
    figures.add("People", len(staff.frame), (staff, "name", None))
    year, number = quarter.split("-Q")
    months = {f"{year}-{month:02}" for month in range(3 * int(number) - 2, 3 * int(number) + 1)}
    joined = [at for at, day in enumerate(staff.frame["starts"]) if str(day)[:7] in months]
    figures.add("Joined in the quarter", len(joined), (staff, "starts", joined))
    for team, rows in staff.groups("team"):
        figures.add(f"People: {team}", len(rows), (staff, "team", rows))
    figures.add("Monthly pay", staff.total("monthly pay"), (staff, "monthly pay", None))
    table = figures.table
    return table, tell_people(table)


def summarize(quarter: SourcedTable, costs: SourcedTable, people: SourcedTable) -> str:
    revenue, spent, result = (quarter.figure(name) or 0.0 for name in ("Revenue", "Costs", "Result"))
    planned = costs.figure("Budget") or 0.0
    return (
        f"The quarter ended with a {'profit' if result >= 0 else 'loss'} of {money(abs(result))} "
        f"on a revenue of {money(revenue)}. Costs were {money(spent)}, {share(spent, planned)} of the budget. "
        f"{count(people.figure('People') or 0.0, 'employee')} had a monthly pay of "
        f"{money(people.figure('Monthly pay') or 0.0)} in all."
    )


def sections(inputs: Mapping[str, SkillInput]) -> list[Section]:
    quarter, chart = SourcedTable.of(inputs["quarter_figures"]), inputs.get("quarter_chart")
    names = [str(name) for name in quarter.frame[FIGURE]]
    overall, revenue = CellFigures(), CellFigures()
    overall.take(quarter, "Revenue", "Costs", "Result")
    revenue.take(quarter, *(name for name in names if name.startswith("Revenue: ")))
    picture = chart if isinstance(chart, File) else None
    return [
        Section("Summary", str(inputs["board_summary"]), overall.table, in_money=True),
        Section("Revenue", str(inputs["revenue_text"]), revenue.table, picture, in_money=True),
        Section("Costs", str(inputs["cost_text"]), SourcedTable.of(inputs["cost_figures"]), in_money=True),
        Section("People", str(inputs["people_text"]), SourcedTable.of(inputs["people_figures"]), in_money=True),
    ]


def check(quarter: SourcedTable, pack: File, page: File) -> SourcedTable:
    """Find the main figures of a quarter in two documents, and see whether they are the same everywhere."""
    contents = read_contents(pack), read_contents(page)
    rows, rests = [], []
    for name in ("Revenue", "Costs", "Result"):
        meant = Decimal(str(quarter.figure(name) or 0.0))
        found = [one.find_figure(name) for one in contents]
        equal = all(figure == meant for figure in found)
        rows.append((name, float(meant), *(None if figure is None else float(figure) for figure in found), equal))
        rests.append(quarter.rests[quarter.row_of(name)[0]] if quarter.row_of(name) else ())
    compared = pd.DataFrame(rows, columns=[FIGURE, VALUE, "in the pack", "on the page", "equal"])
    return SourcedTable(compared, quarter.places, tuple(rests))


def sales_of(name: str, sales: SourcedTable) -> SourcedTable:
    """Add up the sales of a branch, which its file is named after."""
    figures = CellFigures()
    branch = PurePath(name).stem.replace("_", " ").title()
    figures.add(branch, sales.total("amount"), (sales, "amount", None))
    return figures.table


def compare_branches(branches: Sequence[SourcedTable]) -> tuple[SourcedTable, str]:
    """Put branches together, the one that sold most first, after what all sold."""
    ranked = sorted(branches, key=lambda one: -float(one.frame[VALUE].iloc[0]))
    figures = CellFigures()
    total = sum(float(one.frame[VALUE].iloc[0]) for one in ranked)
    figures.add("All branches", total, *((one, VALUE, None) for one in ranked))
    for one in ranked:
        figures.take(one, str(one.frame[FIGURE].iloc[0]))
    table = figures.table
    best, least = (str(ranked[at].frame[FIGURE].iloc[0]) for at in (0, -1))
    noun = "branch" if len(ranked) == 1 else "branches"
    return table, (
        f"{len(ranked)} {noun} sold for {money(total)} in all. {best} sold most, {money(table.figure(best) or 0.0)}; "
        f"{least} sold least, {money(table.figure(least) or 0.0)}."
    )
