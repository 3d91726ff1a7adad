"""How the bots of finch write money, periods and products."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from catalog.demos.finch.calculations import InvestmentPeriod

LABELS: Mapping[str, str] = {
    "savings": "savings accounts",
    "cd": "certificates of deposit",
    "bonds": "treasury bonds",
}
"""What each product is called."""


def money(amount: Decimal) -> str:
    """Write an amount: 4,000.00 reais."""
    return f"{amount:,.2f} reais"


def spell(period: InvestmentPeriod) -> str:
    """Write a period: 3 years, 18 months, 90 days."""
    months = period.months
    count, unit = (months, "month") if months % 12 else (months // 12, "year")
    if not period.in_months:
        count, unit = period.days, "day"
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def write(figure: Decimal | InvestmentPeriod) -> str:
    """Write an amount or a period."""
    return spell(figure) if isinstance(figure, InvestmentPeriod) else money(figure)
