"""Work out what an investment is worth after some time: pure functions over `Decimal`, in reais.

A year has 252 business days (the convention of the Brazilian interbank and bond markets), so 21 a month; taxes go by
calendar days, a twelfth of 365 a month. The rates stay as they are in the parameters the whole time: a simulation, not
a forecast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

from catalog.demos.finch.parameters import Parameters

DAYS_A_YEAR, MONTHS_A_YEAR, BUSINESS_DAYS_A_YEAR = 365, 12, 252
LONGEST_MONTHS = 600
LARGEST = Decimal(1_000_000_000)
"""Limits of what is simulated: 50 years, and a thousand million reais."""
_CENT, _NOTHING, _WHOLE = Decimal("0.01"), Decimal(0), Decimal(100)
_DIGITS = 40


@dataclass(frozen=True, slots=True)
class InvestmentPeriod:
    """How long money is invested: in calendar days, in full months, and in business days."""

    days: int
    months: int
    business_days: int

    @classmethod
    def of_months(cls, months: int) -> InvestmentPeriod:
        days = months * DAYS_A_YEAR // MONTHS_A_YEAR
        return cls(days, months, months * BUSINESS_DAYS_A_YEAR // MONTHS_A_YEAR)

    @classmethod
    def of_days(cls, days: int) -> InvestmentPeriod:
        return cls(days, (days * MONTHS_A_YEAR + 11) // DAYS_A_YEAR, days * BUSINESS_DAYS_A_YEAR // DAYS_A_YEAR)

    @property
    def in_months(self) -> bool:
        return self == InvestmentPeriod.of_months(self.months)

    def times(self, factor: Fraction) -> InvestmentPeriod:
        """Return a period that is so many times as long, in full days where there are no full months."""
        months = self.months * factor
        if self.in_months and months.denominator == 1:
            return InvestmentPeriod.of_months(int(months))
        return InvestmentPeriod.of_days(round(self.days * factor))


@dataclass(frozen=True, slots=True)
class InvestmentOutcome:
    """What becomes of an amount: its value before anything is taken off, what is taken off, and what is left."""

    amount: Decimal
    gross: Decimal
    iof: Decimal
    income_tax: Decimal
    fee: Decimal

    @property
    def gain(self) -> Decimal:
        """Return the interest before taxes and fees."""
        return self.gross - self.amount

    @property
    def net(self) -> Decimal:
        return self.gross - self.iof - self.income_tax - self.fee


def in_cents(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, ROUND_HALF_UP)


def savings_rate(parameters: Parameters) -> Decimal:
    """Return the interest of savings in per cent a month, with the reference rate (TR).

    Law 12,703 of 2012: with a basic rate above 8.5 % 0.5 % a month, else the monthly part of 70 % of the basic rate;
    both are paid on the balance that the reference rate has already been added to.
    """
    with localcontext() as context:
        context.prec = _DIGITS
        selic = parameters.selic.value
        if selic > parameters.savings_threshold.value:
            addition = parameters.savings_fixed.value / _WHOLE
        else:
            yearly = selic * parameters.savings_share.value / _WHOLE / _WHOLE
            addition = (1 + yearly) ** (Decimal(1) / MONTHS_A_YEAR) - 1
        return ((1 + parameters.tr.value / _WHOLE) * (1 + addition) - 1) * _WHOLE


def save(amount: Decimal, period: InvestmentPeriod, parameters: Parameters) -> InvestmentOutcome:
    """Simulate a savings account: credited once a month, in cents; nothing for a month that is not full; no taxes."""
    balance, rate = amount, savings_rate(parameters) / _WHOLE
    for _ in range(period.months):
        balance += in_cents(balance * rate)
    return InvestmentOutcome(amount, balance, _NOTHING, _NOTHING, _NOTHING)


def deposit(amount: Decimal, period: InvestmentPeriod, parameters: Parameters) -> InvestmentOutcome:
    """Simulate a certificate of deposit (CDB): a share of the daily interbank rate, each business day.

    The share is taken of the rate of one day, as banks do: not of the rate of a year.
    """
    with localcontext() as context:
        context.prec = _DIGITS
        daily = _daily(parameters.cdi.value) * parameters.cd_share.value / _WHOLE
        gross = in_cents(amount * (1 + daily) ** period.business_days)
    return _taxed(amount, gross, period, parameters)


def lend(amount: Decimal, period: InvestmentPeriod, parameters: Parameters) -> InvestmentOutcome:
    """Simulate a treasury bond at the basic rate (Tesouro Selic); the custody fee spares the exempt part."""
    rate = parameters.selic.value + parameters.bond_spread.value
    return _bond(amount, rate, period, parameters, parameters.custody_exemption.value)


def lend_fixed(amount: Decimal, period: InvestmentPeriod, parameters: Parameters) -> InvestmentOutcome:
    """Simulate a treasury bond at a fixed rate (Tesouro Prefixado), held to maturity."""
    return _bond(amount, parameters.fixed_bond_rate.value, period, parameters, _NOTHING)


SIMULATIONS: Mapping[str, Callable[[Decimal, InvestmentPeriod, Parameters], InvestmentOutcome]] = {
    "savings": save,
    "cd": deposit,
    "bonds": lend,
}
RESTS_ON: Mapping[str, tuple[str, ...]] = {
    "savings": ("selic", "savings_threshold", "savings_fixed", "savings_share", "tr"),
    "cd": ("cdi", "cd_share", "income_tax", "iof"),
    "bonds": ("selic", "bond_spread", "custody_fee", "custody_exemption", "income_tax", "iof", "fixed_bond_rate"),
}
"""The parameters that a simulation of each product rests on, by their names."""
"""The simulation of each product."""


def income_tax_rate(days: int, parameters: Parameters) -> Decimal:
    """Return the income tax on a gain, in per cent, after so many calendar days."""
    return next(
        bracket.rate for bracket in parameters.income_tax.brackets if bracket.days is None or days <= bracket.days
    )


def iof_rate(days: int, parameters: Parameters) -> Decimal:
    """Return the tax on taking money back after so many days, in per cent of the gain; on the day itself it is all."""
    rates = parameters.iof.rates
    if days <= 0:
        return _WHOLE
    return rates[days - 1] if days <= len(rates) else _NOTHING


def _taxed(
    amount: Decimal, gross: Decimal, period: InvestmentPeriod, parameters: Parameters, fee: Decimal = _NOTHING
) -> InvestmentOutcome:
    """Take taxes off the gain: first the IOF, then the income tax on what is left of the gain."""
    gain = gross - amount
    iof = in_cents(gain * iof_rate(period.days, parameters) / _WHOLE)
    tax = in_cents((gain - iof) * income_tax_rate(period.days, parameters) / _WHOLE)
    return InvestmentOutcome(amount, gross, iof, tax, fee)


def _bond(
    amount: Decimal, rate: Decimal, period: InvestmentPeriod, parameters: Parameters, exempt: Decimal
) -> InvestmentOutcome:
    with localcontext() as context:
        context.prec = _DIGITS
        growth = 1 + _daily(rate)
        gross = in_cents(amount * growth**period.business_days)
        fee = in_cents(
            parameters.custody_fee.value
            / _WHOLE
            / BUSINESS_DAYS_A_YEAR
            * _sum_above(amount, growth, period.business_days, exempt)
        )
    return _taxed(amount, gross, period, parameters, fee)


def _daily(rate: Decimal) -> Decimal:
    """Return the rate of a business day, as a fraction, from a yearly one in per cent."""
    return (1 + rate / _WHOLE) ** (Decimal(1) / BUSINESS_DAYS_A_YEAR) - 1


def _sum_above(amount: Decimal, growth: Decimal, days: int, exempt: Decimal) -> Decimal:
    """Sum what each day's closing balance is above the exempt part: a geometric series from the first such day on."""
    if days == 0 or amount <= 0:
        return _NOTHING
    if growth == 1:
        return max(_NOTHING, amount - exempt) * days
    first = 1
    if exempt > amount * growth:
        first = int((exempt / amount).ln() / growth.ln())
        while first <= days and amount * growth**first <= exempt:
            first += 1
    if first > days:
        return _NOTHING
    series = amount * growth**first * (growth ** (days - first + 1) - 1) / (growth - 1)
    return series - exempt * (days - first + 1)


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
    return spell(figure) if isinstance(figure, InvestmentPeriod) else money(figure)
