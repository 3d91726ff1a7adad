"""Work out credit scores, between 300 and 850, by fixed and documented sums of weighted parts."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from catalog.demos.banking.personas import CreditFile

LOWEST, HIGHEST = 300, 850


def score_file(file: CreditFile) -> int:
    """Score a credit file.

    Payments on time weigh 35 %, credit in use 30 %, age 15 %, variety and new applications 10 % each.
    """
    paid = _between(0.0, (file.on_time_share - 0.7) / 0.3, 1.0)
    return _scale(
        0.35 * paid
        + 0.30 * (1 - _between(0.0, file.utilisation, 1.0))
        + 0.15 * min(file.years, 15) / 15
        + 0.10 * min(file.kinds, 4) / 4
        + 0.10 * (1 - min(file.applications, 6) / 6)
    )


def score_history(amounts: Iterable[tuple[str, Decimal]], years_employed: Decimal, housing_cost: Decimal) -> int:
    """Score an account's history: money kept 40 %, steady income 25 %, housing cost 20 %, years of employment 15 %.

    `amounts` are (ISO date, amount): income is positive, spending negative. The estimate never reaches the top fifth
    of the scale, since it rests on less than a credit file does.
    """
    earned: dict[str, Decimal] = {}
    spent = Decimal(0)
    months: set[str] = set()
    for day, amount in amounts:
        months.add(day[:7])
        if amount > 0:
            earned[day[:7]] = earned.get(day[:7], Decimal(0)) + amount
        else:
            spent -= amount
    total = sum(earned.values(), Decimal(0))
    if not months or total <= 0:
        return LOWEST
    kept = float((total - spent) / total)
    steady = len(earned) / len(months)
    housing = float(housing_cost * len(months) / total)
    return _scale(
        0.8
        * (
            0.40 * _between(0.0, kept / 0.3, 1.0)
            + 0.25 * steady
            + 0.20 * (1 - _between(0.0, housing / 0.6, 1.0))
            + 0.15 * min(float(years_employed), 10.0) / 10
        )
    )


def _scale(share: float) -> int:
    return round(LOWEST + (HIGHEST - LOWEST) * share)


def _between(low: float, value: float, high: float) -> float:
    return max(low, min(value, high))
