"""Draw spending as plotly figures, written as plain JSON: whoever shows them brings plotly."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pydantic import JsonValue

FEW = 9
"""Up to so many categories, a pie can still be read."""
THIN = 0.01
"""A slice of less than this share of the pie cannot be seen."""


def total_by_category(transactions: Mapping[str, Any]) -> dict[str, Decimal]:
    """Add up what was spent in each category, most first. Money that came in is left out."""
    columns = list(transactions["columns"])
    category, amount = columns.index("category"), columns.index("amount")
    totals: dict[str, Decimal] = {}
    for row in transactions["rows"]:
        spent = -Decimal(str(row[amount]))
        if spent > 0:
            totals[row[category]] = totals.get(row[category], Decimal(0)) + spent
    return dict(sorted(totals.items(), key=lambda item: (-item[1], item[0])))


def choose_chart(totals: Mapping[str, Decimal]) -> str:
    """Choose pie or bar: a pie shows shares of a whole, as long as its slices are few and none is too thin."""
    whole = sum(totals.values(), Decimal(0))
    return "pie" if len(totals) <= FEW and all(part / whole >= THIN for part in totals.values()) else "bar"


def pie(totals: Mapping[str, Decimal], title: str) -> JsonValue:
    """Draw a pie chart."""
    trace: JsonValue = {
        "type": "pie",
        "labels": list(totals),
        "values": [float(total) for total in totals.values()],
        "hole": 0.45,
        "sort": False,
        "textinfo": "percent",
        "hovertemplate": "%{label}: $%{value:,.2f} (%{percent})<extra></extra>",
    }
    return _chart(trace, title, {"legend": {"orientation": "h"}})


def bar(totals: Mapping[str, Decimal], title: str) -> JsonValue:
    """Draw a bar chart, with the largest bar on top."""
    trace: JsonValue = {
        "type": "bar",
        "orientation": "h",
        "y": list(totals),
        "x": [float(total) for total in totals.values()],
        "hovertemplate": "%{y}: $%{x:,.2f}<extra></extra>",
    }
    axes: dict[str, JsonValue] = {
        "xaxis": {"tickprefix": "$", "tickformat": ",.0f", "automargin": True},
        "yaxis": {"autorange": "reversed", "automargin": True},
    }
    return _chart(trace, title, axes)


def _chart(trace: JsonValue, title: str, layout: dict[str, JsonValue]) -> JsonValue:
    return {
        "plotly": {
            "data": [trace],
            "layout": {"margin": {"l": 16, "r": 16, "t": 24, "b": 16}, "height": 340, **layout},
        },
        "title": title,
    }
