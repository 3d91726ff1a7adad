"""Work out what a mortgage costs a month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

LONGEST_YEARS, SHORTEST_YEARS, PAID_BY_AGE = 30, 5, 70
TIMES_INCOME = Decimal("4.5")
"""So many times a year's income may be lent at most."""
RATE, RATE_ABOVE_80 = Decimal("4.2"), Decimal("5.0")
"""Percent a year: up to 80 % of the property's value, and above."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What a mortgage would cost."""

    monthly: Decimal
    years: int
    rate: Decimal

    def __str__(self) -> str:
        return f"${self.monthly:,.2f} a month for {self.years} years at {self.rate} %"


def quote(income: Decimal, born: date, price: Decimal, deposit: Decimal, as_of: date) -> Quote | None:
    """Return the monthly instalment (an annuity), or None when the bank does not lend that much to this person."""
    loan = price - deposit
    age = as_of.year - born.year - ((as_of.month, as_of.day) < (born.month, born.day))
    years = min(LONGEST_YEARS, PAID_BY_AGE - age)
    if years < SHORTEST_YEARS or loan > TIMES_INCOME * income:
        return None
    rate = RATE if loan <= price * 8 / 10 else RATE_ABOVE_80
    monthly_rate = rate / 1200
    payment = loan * monthly_rate / (1 - (1 + monthly_rate) ** (-12 * years))
    return Quote(payment.quantize(Decimal("0.01")), years, rate)
