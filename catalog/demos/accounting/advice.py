"""Advise from the books: compare the last closed year with the one before, and say what stands out, with the figures.

There are no figures of other businesses on the books, so none are made up: the year before is what is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from catalog.demos.accounting import ledger
from catalog.demos.accounting.business import CLOSED_YEAR, TERMS_DAYS
from catalog.demos.accounting.periods import in_dollars, share
from catalog.demos.accounting.reports import InvoiceTotals, by_category, standing

THIN_MARGIN, FAIR_MARGIN = 0.1, 0.2
"""Shares of income: below the first there is no room for a bad quarter, from the second on there is."""
MUCH_OVERDUE = 0.05
"""The share of what was invoiced that had better not be overdue when the year ends."""
_WORTH_A_WORD = 0.01
"""The share of all expenses from which a category is worth a word."""


@dataclass(frozen=True, slots=True)
class Year:
    """The totals of a year. `days` is how long customers took to pay, on average."""

    year: int
    standing: InvoiceTotals
    costs: dict[str, int]
    days: float
    by_customer: dict[str, int]

    @property
    def income(self) -> int:
        return self.standing.invoiced

    @property
    def profit(self) -> int:
        return self.income - sum(self.costs.values())


def year_of(year: int) -> Year:
    first, last = date(year, 1, 1), date(year, 12, 31)
    sales, days = ledger.sales_of(first, last), ledger.days_to_pay(first, last)
    by_customer: dict[str, int] = {}
    for sale in sales:
        by_customer[sale.customer] = by_customer.get(sale.customer, 0) + sale.cents
    costs = by_category(ledger.expenses_of(first, last))
    return Year(year, standing(sales, last), costs, sum(days) / len(days), by_customer)


def advise() -> str:
    """Write the advice: one point a line."""
    now, before = year_of(CLOSED_YEAR), year_of(CLOSED_YEAR - 1)
    points = (_margin(now, before), *_growth(now, before), _overdue(now), _paying(now), _dependence(now))
    opening = f"This is what your books of {now.year} say, compared with {before.year}:"
    closing = "I have no figures of other businesses to compare yours with."
    return "\n".join((opening, *(f"{number}. {point}" for number, point in enumerate(points, start=1)), closing))


def _margin(now: Year, before: Year) -> str:
    margin = now.profit / now.income
    told = (
        f"Of {in_dollars(now.income)} that you invoiced, {in_dollars(now.profit)} was left: a margin of "
        f"{share(now.profit, now.income)}, after {share(before.profit, before.income)}."
    )
    if margin < THIN_MARGIN:
        return f"{told} That leaves little room for a bad quarter: raise prices, or cut costs, before you grow."
    if margin < FAIR_MARGIN:
        room = in_dollars(round(now.income * 0.05))
        return f"{told} That is fair. Prices that are 5 % higher at the same costs would add {room}."
    return f"{told} That is good: put some of it aside for slow months."


def _growth(now: Year, before: Year) -> Iterator[str]:
    """Name the category of expenses that grew most in money, and the one that grew most in proportion."""
    total = sum(now.costs.values())
    known = {
        category: (before.costs[category], cents)
        for category, cents in now.costs.items()
        if category in before.costs and cents >= total * _WORTH_A_WORD
    }
    most = max(known, key=lambda category: known[category][1] - known[category][0])
    fastest = max(known, key=lambda category: known[category][1] / known[category][0])
    yield f"The expense that grew most is {most}: {_grown(*known[most])}. See that your prices keep up with it."
    if fastest != most:
        yield f"The one that grew fastest is {fastest}: {_grown(*known[fastest])}. Check what of it you still use."


def _grown(before: int, now: int) -> str:
    change = share(now - before, before)
    return f"{in_dollars(now)} after {in_dollars(before)}, {'+' if now >= before else ''}{change}"


def _overdue(now: Year) -> str:
    late = now.standing.overdue
    told = (
        f"At the end of the year, {in_dollars(late)} was overdue: {share(late, now.income)} of what you had invoiced."
    )
    if late > now.income * MUCH_OVERDUE:
        return f"{told} Ask for a part in advance, and remind customers a week before an invoice is due."
    return f"{told} That is little; keep reminding the few who are late."


def _paying(now: Year) -> str:
    told = f"Customers took {now.days:.0f} days to pay on average, and your terms are {TERMS_DAYS} days."
    per_day = in_dollars(round(now.income / 365))
    return f"{told} Each day sooner would put about {per_day} more at your disposal."


def _dependence(now: Year) -> str:
    name, cents = max(now.by_customer.items(), key=lambda item: item[1])
    told = f"Your largest customer is {name}, with {in_dollars(cents)}, {share(cents, now.income)} of your income."
    if cents > now.income / 5:
        return f"{told} Win others, so that you can do without any one of them."
    return f"{told} So you do not depend on any one of them."
