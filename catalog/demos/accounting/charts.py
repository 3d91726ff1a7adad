"""Draw the books as plotly figures, written as plain JSON: whoever shows them brings plotly."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

_DOLLARS: dict[str, JsonValue] = {"tickprefix": "$", "tickformat": ",.0f", "automargin": True}
_COLOURS = {
    "income": "#0f8b8d", "expenses": "#d98324", "net profit": "#5b4bb5",
    "paid": "#0f8b8d", "unpaid": "#e0a030", "overdue": "#c8453b",
}  # fmt: skip
"""The same thing has the same colour in each chart; what is overdue stands out."""
_HOVER = "%{x}, %{fullData.name}: $%{y:,.2f}<extra></extra>"


def profit_and_loss(title: str, income: Mapping[str, int], costs: Mapping[str, int]) -> JsonValue:
    """Draw income and expenses as bars side by side, and the profit as a line."""
    profit = {step: income[step] - costs[step] for step in income}
    traces = [_bars("income", income), _bars("expenses", costs), {**_bars("net profit", profit), "type": "scatter"}]
    return _figure(title, [*traces], "group")


def expenses(title: str, totals: Mapping[str, int]) -> JsonValue:
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


def invoices(title: str, parts: Mapping[str, Mapping[str, int]]) -> JsonValue:
    """Draw what was invoiced as bars on top of each other: paid, unpaid and overdue."""
    return _figure(title, [_bars(name, part) for name, part in parts.items()], "stack")


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
