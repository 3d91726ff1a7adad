"""Draw up reports from the books: what each is called, a sentence, a table whose figures add up, and a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from catalog.demos.accounting import ledger
from catalog.demos.accounting.ledger import Sale, VendorSpending
from catalog.demos.accounting.periods import DateRange, exact, in_dollars, in_words, share
from catalog.wording.grammar import count

_URGENCY = {"overdue": 0, "unpaid": 1, "paid": 2}
_DOLLARS: dict[str, JsonValue] = {"tickformat": "$,.0f", "automargin": True}
_COLOURS = {
    "income": "#0f8b8d", "expenses": "#d98324", "net profit": "#5b4bb5",
    "paid": "#0f8b8d", "unpaid": "#e0a030", "overdue": "#c8453b",
}  # fmt: skip
"""The same thing has the same colour in each chart; what is overdue stands out."""
_HOVER = "%{x}, %{fullData.name}: $%{y:,.2f}<extra></extra>"


@dataclass(frozen=True, slots=True)
class AccountingReport:
    """A report. `name` says what it is and of which period."""

    name: str
    summary: str
    table: JsonValue
    chart: JsonValue


@dataclass(frozen=True, slots=True)
class InvoiceTotals:
    """Totals of invoices on a day, in cents; the last three add up to the first."""

    invoiced: int
    paid: int
    unpaid: int
    overdue: int


def profit_and_loss(period: DateRange) -> AccountingReport | None:
    """Set what was invoiced in a period against what was spent, or give None where there is neither."""
    sales, spent = ledger.sales_of(*period.ends), ledger.expenses_of(*period.ends)
    if not sales and not spent:
        return None
    by_service = _totals((sale.detail, sale.cents) for sale in sales)
    by_kind = by_category(spent)
    income, costs = sum(by_service.values()), sum(by_kind.values())
    lines = [
        *(("income", service, cents) for service, cents in by_service.items()),
        ("income", "total income", income),
        *(("expense", category, cents) for category, cents in by_kind.items()),
        ("expense", "total expenses", costs),
        ("result", "net profit" if income >= costs else "net loss", income - costs),
    ]
    rows: list[list[JsonValue]] = [[kind, line, exact(cents)] for kind, line, cents in lines]
    result = f"a net {'profit' if income >= costs else 'loss'} of {in_dollars(abs(income - costs))}"
    margin = f", {share(income - costs, income)} of income" if income > costs else ""
    summary = f"You earned {in_dollars(income)} and spent {in_dollars(costs)}: {result}{margin}."
    name, shown = f"profit and loss report, {period}", period.cut(*ledger.extent())
    chart = draw_profit_and_loss(
        f"Profit and loss, {period}",
        shown.spread((sale.issued, sale.cents) for sale in sales),
        shown.spread((one.day, one.cents) for one in spent),
    )
    return AccountingReport(name, summary, _table(("kind", "line", "amount"), rows), chart)


def expenses(period: DateRange) -> AccountingReport | None:
    """Add up what was spent in a period, by category and vendor, or give None where nothing was."""
    spent = ledger.expenses_of(*period.ends)
    if not spent:
        return None
    totals = by_category(spent)
    total = sum(totals.values())
    rows: list[list[JsonValue]] = [
        [category, vendor, exact(cents), share(cents, total)]
        for category in totals
        for vendor, cents in _totals((one.vendor, one.cents) for one in spent if one.category == category).items()
    ]
    rows.append(["all", "total", exact(total), share(total, total)])
    most, cents = next(iter(totals.items()))
    summary = f"You spent {in_dollars(total)}, most of it on {most}: {in_dollars(cents)}, {share(cents, total)}."
    if len(totals) == 1:
        summary = f"You spent {in_dollars(total)}, all of it on {most}."
    chart = draw_expenses(f"Expenses by category, {period}", totals)
    return AccountingReport(
        f"expense report, {period}", summary, _table(("category", "vendor", "amount", "share"), rows), chart
    )


def invoices(period: DateRange) -> AccountingReport | None:
    """List the invoices of a period as they stood on its last day, overdue ones first; None where there are none."""
    sales = ledger.sales_of(*period.ends)
    if not sales:
        return None
    on = period.last
    rows: list[list[JsonValue]] = [
        [
            f"INV-{sale.number}",
            sale.customer or "not named yet",
            exact(sale.cents),
            status(sale, on),
            exact(sale.paid),
            sale.issued.isoformat(),
            sale.due.isoformat(),
            sale.detail,
        ]
        for sale in sorted(sales, key=lambda sale: (_URGENCY[status(sale, on)], sale.number))
    ]
    sums = standing(sales, on)
    rows.append([count(len(sales), "invoice"), "total", exact(sums.invoiced), "", exact(sums.paid), "", "", ""])
    late = sum(status(sale, on) == "overdue" for sale in sales)
    overdue = f" on {count(late, 'invoice')}" if late else ""
    summary = (
        f"{count(len(sales), 'invoice')} over {in_dollars(sums.invoiced)}. By {in_words(on)}, {in_dollars(sums.paid)} "
        f"was paid, {in_dollars(sums.unpaid)} was unpaid but not due yet, and {in_dollars(sums.overdue)} was overdue"
        f"{overdue}."
    )
    columns = ("invoice", "customer", "amount", "status", "paid", "issued", "due", "for")
    shown = period.cut(*ledger.extent())
    parts = {"paid": shown.spread((sale.issued, sale.paid) for sale in sales)} | {
        kind: shown.spread((sale.issued, sale.open) for sale in sales if status(sale, on) == kind)
        for kind in ("unpaid", "overdue")
    }
    chart = _figure(f"Invoices, {period}", [_bars(name, part) for name, part in parts.items()], "stack")
    return AccountingReport(f"invoice and sales report, {period}", summary, _table(columns, rows), chart)


def status(sale: Sale, on: date) -> str:
    """Return whether an invoice was paid, unpaid or overdue on a day; of one that was paid in part, the rest counts."""
    if not sale.open:
        return "paid"
    return "overdue" if sale.due < on else "unpaid"


def standing(sales: Iterable[Sale], on: date) -> InvoiceTotals:
    """Add invoices up as they stood on a day."""
    listed = tuple(sales)
    unpaid, overdue = (sum(s.open for s in listed if status(s, on) == kind) for kind in ("unpaid", "overdue"))
    return InvoiceTotals(sum(s.cents for s in listed), sum(s.paid for s in listed), unpaid, overdue)


def by_category(spent: Iterable[VendorSpending]) -> dict[str, int]:
    return _totals((one.category, one.cents) for one in spent)


def _totals(parts: Iterable[tuple[str, int]]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for name, cents in parts:
        totals[name] = totals.get(name, 0) + cents
    return dict(sorted(totals.items(), key=lambda item: (-item[1], item[0])))


def _table(columns: tuple[str, ...], rows: list[list[JsonValue]]) -> JsonValue:
    return {"columns": list(columns), "rows": [*rows]}


def draw_profit_and_loss(title: str, income: Mapping[str, int], costs: Mapping[str, int]) -> JsonValue:
    """Draw income and expenses as bars side by side, and the profit as a line."""
    profit = {step: income[step] - costs[step] for step in income}
    traces = [_bars("income", income), _bars("expenses", costs), {**_bars("net profit", profit), "type": "scatter"}]
    return _figure(title, [*traces], "group")


def draw_expenses(title: str, totals: Mapping[str, int]) -> JsonValue:
    """Draw what was spent by category, the largest bar on top."""
    trace: JsonValue = {
        "type": "bar",
        "orientation": "h",
        "name": "expenses",
        "marker": {"color": _COLOURS["expenses"]},
        "y": list(totals),
        "x": [cents / 100 for cents in totals.values()],
        "hovertemplate": "%{y}: $%{x:,.2f}<extra></extra>",
    }
    layout: JsonValue = {
        "margin": {"l": 16, "r": 16, "t": 24, "b": 16},
        "height": 60 + 26 * max(len(totals), 4),
        "xaxis": {**_DOLLARS},
        "yaxis": {"autorange": "reversed", "automargin": True},
    }
    return {"plotly": {"data": [trace], "layout": layout}, "title": title}


def _bars(name: str, totals: Mapping[str, int]) -> dict[str, JsonValue]:
    return {
        "type": "bar",
        "name": name,
        "marker": {"color": _COLOURS[name]},
        "x": list(totals),
        "y": [cents / 100 for cents in totals.values()],
        "hovertemplate": _HOVER,
    }


def _figure(title: str, traces: list[JsonValue], bars: str) -> JsonValue:
    layout: JsonValue = {
        "barmode": bars,
        "margin": {"l": 16, "r": 16, "t": 24, "b": 16},
        "height": 340,
        "legend": {"orientation": "h"},
        "xaxis": {"type": "category", "automargin": True},
        "yaxis": {**_DOLLARS},
    }
    return {"plotly": {"data": traces, "layout": layout}, "title": title}
