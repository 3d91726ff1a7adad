"""Invent the books of Fern & Field Studio for four years, the same each time: sales, payments, expenses and charges.

The firm designs, photographs and markets for small businesses. Everything is drawn with a fixed seed; `TOLD` charges
are pinned, so that demos and tests can name them. Amounts are whole cents.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

SEED = 20241128
"""Drives everything that is invented here."""
FIRST_DAY, LAST_DAY = date(2023, 1, 1), date(2026, 12, 31)
"""The range of the books. Whole years, so that any day in them, and the months before it, can be played as today."""
CLOSED_YEAR = 2025
"""The latest year that advice is drawn from."""
TERMS_DAYS = 30
"""Days that customers have to pay."""
FIRST_INVOICE, FIRST_CHARGE = 1001, 101
"""The numbers that invoices and charges begin with."""


@dataclass(frozen=True, slots=True)
class BusinessCustomer:
    """A customer, who gets invoices. `pays_after` are the days that it usually takes them to pay."""

    given_name: str
    family_name: str
    email: str
    phone: str
    pays_after: int


@dataclass(frozen=True, slots=True)
class Vendor:
    """A supplier, who sends bills: about `monthly` of them, each of `low` to `high` cents, growing by `growth` a year.

    Bills of vendors without `card` are paid by bank transfer and are no charges. `months` has a bill only then.
    """

    name: str
    category: str
    what: str
    low: int
    high: int
    monthly: int = 1
    growth: float = 1.03
    card: bool = True
    months: tuple[int, ...] = tuple(range(1, 13))


@dataclass(frozen=True, slots=True)
class Invoice:
    """An invoice to a customer; `payments` are the amounts received for it, by day."""

    number: int
    customer: int
    issued: date
    detail: str
    cents: int
    payments: tuple[tuple[date, int], ...]

    @property
    def due(self) -> date:
        return self.issued + timedelta(days=TERMS_DAYS)


@dataclass(frozen=True, slots=True)
class Expense:
    """A payment to a vendor; `card` says whether by card, which makes it a charge."""

    day: date
    vendor: str
    category: str
    what: str
    cents: int
    card: bool


@dataclass(frozen=True, slots=True)
class Books:
    """Everything that the ledger begins with. A customer's number is the place in the list, from 1."""

    customers: tuple[BusinessCustomer, ...]
    invoices: tuple[Invoice, ...]
    expenses: tuple[Expense, ...] = field(repr=False)


def _customers() -> tuple[BusinessCustomer, ...]:
    people = (
        "Maria Keller 18, Tom Baker 24, Priya Shah 12, Hannah Weber 27, John Reed 21, Nina Olsen 33, Lucas Meyer 15, "
        "Elena Rossi 26, Omar Haddad 41, Grace Hill 9, Karl Jensen 29, Sofia Costa 38, Ben Novak 20, Zoe Lang 14, "
        "Ruth Quinn 47, David Kim 22, Aisha Khan 17, Carlos Mendes 35, Ivy Chen 11, Peter Dalton 55, Laura Dalton 25, "
        "Kevin Marsh 30, Emma Fischer 19, Noah Okafor 23"
    )
    found = []
    for number, person in enumerate(people.split(", ")):
        given, family, days = person.split()
        email = f"{given}.{family}@example.{('com', 'org', 'net')[number % 3]}".lower()
        found.append(BusinessCustomer(given, family, email, f"202555{101 + number * 4:04d}", int(days)))
    return tuple(found)


CUSTOMERS = _customers()
"""Their e-mail addresses and phone numbers are of ranges that are never given out."""

_OFFERED: dict[str, tuple[int, int, int]] = {
    "website design": (180_000, 420_000, 2),
    "web development work": (120_000, 380_000, 2),
    "graphic design": (40_000, 160_000, 3),
    "photography service": (30_000, 110_000, 2),
    "marketing campaign": (150_000, 360_000, 1),
    "seo services": (50_000, 140_000, 2),
    "business consultation": (25_000, 90_000, 2),
}
"""What the firm sells: from and to how many cents, and how often among its invoices."""
_SEASON = (0.8, 0.9, 1.1, 1.05, 1.1, 1.0, 0.75, 0.7, 1.1, 1.2, 1.25, 1.0)
"""How good each month is."""

VENDORS = (
    Vendor("Old Mill Estates", "rent", "office rent", 285_000, 285_000, growth=1.04, card=False),
    Vendor("Staff", "wages", "wages", 1_450_000, 1_560_000, growth=1.06, card=False),
    Vendor("City Power", "utilities", "electricity and heating", 21_000, 46_000, card=False),
    Vendor("Fibreline", "utilities", "internet and phone", 8_990, 8_990),
    Vendor("Pixelworks", "software", "design software", 23_900, 23_900, growth=1.12),
    Vendor("Cloudloft", "software", "web hosting", 18_000, 46_000, growth=1.45),
    Vendor("Harbour Books", "software", "accounting software", 4_900, 4_900),
    Vendor("Adverra", "marketing", "online advertising", 60_000, 190_000, monthly=2, growth=1.1),
    Vendor("Print & Paper Co", "marketing", "flyers and posters", 9_000, 52_000, months=(2, 4, 9, 11)),
    Vendor("Coast Rail", "travel", "train tickets", 3_500, 18_500, monthly=3),
    Vendor("Hotel Lumen", "travel", "hotel", 13_500, 64_000),
    Vendor("Desk Depot", "office supplies", "office supplies", 2_200, 24_000, monthly=2),
    Vendor("Lens & Light", "equipment", "camera equipment", 45_000, 280_000, months=(3, 8, 11)),
    Vendor("Noodle Bar", "meals", "business meals", 2_800, 14_500, monthly=3),
    Vendor("Anchor Mutual", "insurance", "liability insurance", 118_000, 118_000, months=(1, 4, 7, 10), card=False),
    Vendor("Grant & Vogel", "professional fees", "legal advice", 70_000, 185_000, card=False, months=(2, 5, 8, 11)),
    Vendor("Harbour Bank", "bank fees", "account fees", 2_500, 6_800, card=False),
)  # fmt: skip

TOLD = (
    Expense(date(2023, 4, 12), "Pixelworks", "software", "font licence", 4_999, True),
    Expense(date(2024, 5, 3), "Cloudloft", "software", "domain renewals", 7_500, True),
    Expense(date(2024, 10, 9), "Adverra", "marketing", "newsletter campaign", 12_000, True),
    Expense(date(2025, 3, 18), "Desk Depot", "office supplies", "standing desk", 41_000, True),
    Expense(date(2025, 11, 3), "Noodle Bar", "meals", "team lunch", 6_410, True),
    Expense(date(2026, 9, 1), "Coast Rail", "travel", "yearly rail card", 32_000, True),
)
"""Charges to ask for in demos. No other charge is of the same amount, or on the same day."""


def invent() -> Books:
    draw = random.Random(SEED)  # noqa: S311 - nothing secret is drawn
    told_days = {told.day for told in TOLD}
    told_cents = {told.cents for told in TOLD}
    drawn = (expense for year in range(FIRST_DAY.year, LAST_DAY.year + 1) for expense in _spend(draw, year))
    kept = [e for e in drawn if not (e.card and (e.day in told_days or e.cents in told_cents))]
    expenses = sorted((*kept, *TOLD), key=lambda e: (e.day, e.vendor, e.cents))
    return Books(CUSTOMERS, tuple(_sell(draw)), tuple(expenses))


def _sell(draw: random.Random) -> Iterator[Invoice]:
    """Write about a dozen invoices a month, a few more each year."""
    number = FIRST_INVOICE
    services = list(_OFFERED)
    weights = [often for _, _, often in _OFFERED.values()]
    for year in range(FIRST_DAY.year, LAST_DAY.year + 1):
        growth = 1.07 ** (year - FIRST_DAY.year)
        for month, season in enumerate(_SEASON, start=1):
            count = round(draw.randint(15, 20) * season)
            for day in sorted(draw.randint(1, 28) for _ in range(count)):
                detail = draw.choices(services, weights)[0]
                low, high, _ = _OFFERED[detail]
                cents = _to_dollars(draw.randint(low, high) * growth)
                who = draw.randrange(len(CUSTOMERS))
                issued = date(year, month, day)
                paid = tuple(_pay(draw, CUSTOMERS[who], issued, cents))
                yield Invoice(number, who + 1, issued, detail, cents, paid)
                number += 1


def _pay(draw: random.Random, customer: BusinessCustomer, issued: date, cents: int) -> Iterator[tuple[date, int]]:
    """Have an invoice paid: mostly at once, sometimes in two parts, now and then never."""
    after = max(1, round(draw.gauss(customer.pays_after, 7)))
    how = draw.random()
    if how < 0.03:
        return
    first = _to_dollars(cents * draw.uniform(0.3, 0.6)) if how < 0.1 else cents
    parts = [(after, first), (after + draw.randint(15, 60), cents - first)] if first < cents else [(after, cents)]
    for days, part in parts:
        if issued + timedelta(days=days) <= LAST_DAY:
            yield issued + timedelta(days=days), part


def _spend(draw: random.Random, year: int) -> Iterator[Expense]:
    """Let every vendor send their bills of a year."""
    for vendor in VENDORS:
        factor = vendor.growth ** (year - FIRST_DAY.year)
        for month in vendor.months:
            for _ in range(vendor.monthly):
                cents = round(draw.randint(vendor.low, vendor.high) * factor)
                day = date(year, month, draw.randint(1, 28))
                yield Expense(day, vendor.name, vendor.category, vendor.what, cents, vendor.card)


def _to_dollars(cents: float) -> int:
    return round(cents / 100) * 100
