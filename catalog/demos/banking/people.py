"""Invent the bank's customers: about two hundred, the same each time.

The personas come first and are as `personas` says; the others are drawn with a fixed seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from catalog.demos.banking.personas import PERSONAS, CreditFile, Customer

SEED = 20200821
"""Drives everything that is invented here."""
CUSTOMERS = 200
YEAR = 2025
"""Of the transactions: one whole calendar year, fixed so that demos and tests always see the same."""
_WITHOUT_FILE = 0.05
_WITH_OVERDUE = 0.1


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


_FIRST = _listed(
    "Ada, Adam, Aisha, Alan, Alice, Amir, Anna, Arjun, Bella, Boris, Carla, Carlos, Cecil, Clara, Cyrus, "
    "Daisy, Dana, David, Diego, Elena, Elif, Emma, Ethan, Faye, Felix, Fiona, Grace, Hana, Hassan, Helen, "
    "Hugo, Ines, Isaac, Ivy, Jack, Jamal, Jane, Jonas, Julia, Kai, Karen, Kofi, Lara, Leo, Lily, Lucas, Maya, "
    "Mei, Milan, Mona, Nadia, Nina, Noah, Nora, Oscar, Pavel, Priya, Ravi, Rosa, Ruth, Sara, Simon, Sofia, "
    "Tara, Theo, Tom, Uma, Vera, Victor, Wanda, Yusuf, Zoe"
)
_LAST = _listed(
    "Abbott, Ahmed, Archer, Baker, Banks, Becker, Bennett, Blake, Bose, Brandt, Brooks, Castro, Chen, Clark, "
    "Cole, Costa, Cruz, Dahl, Dean, Doyle, Duran, Ellis, Evans, Fischer, Ford, Foster, Garcia, Ghosh, Grant, "
    "Greene, Haas, Hale, Hansen, Hayes, Hughes, Ito, Jensen, Kaya, Keller, Khan, Kim, Klein, Lam, Lang, "
    "Larsen, Lopez, Marsh, Mason, Mendes, Meyer, Moore, Nash, Novak, Okafor, Olsen, Osei, Park, Patel, Perez, "
    "Quinn, Rao, Reed, Rossi, Sato, Silva, Singh, Stone, Tan, Torres, Turner, Vance, Vogel, Walsh, Weber, "
    "West, Young, Zhang"
)
_STREETS = _listed(
    "Harbour Street, Mill Lane, Orchard Road, Chapel Hill, Station Road, Quay Street, Lighthouse Way, "
    "Elm Avenue, Market Square, Rope Walk, Cedar Drive, Bridge Street, Park Terrace, Fisher Row, "
    "Meadow Close, Church Lane"
)
_TOWNS = (
    ("Port Ellis", "048"),
    ("Northquay", "052"),
    ("Weston Bay", "049"),
    ("Elmford", "061"),
    ("Harrow Point", "055"),
    ("Lower Tarn", "058"),
)
_SHOPS: dict[str, tuple[tuple[str, ...], int, tuple[int, int]]] = {
    "groceries": (("Corner Market", "Green Basket", "Harbour Foods"), 5, (18, 95)),
    "transport": (("Coast Rail", "City Bus", "Quay Fuel"), 3, (4, 60)),
    "eating out": (("The Anchor", "Noodle Bar", "Café Lumen"), 3, (9, 70)),
    "leisure": (("Cinema Nova", "Bay Gym", "Book Nook"), 2, (8, 65)),
    "shopping": (("Tide Outfitters", "Home & Hearth", "Gadget Dock"), 2, (15, 180)),
    "health": (("Pier Pharmacy", "Dental Care"), 1, (8, 90)),
}
"""For each category: who is paid, about how often a month, and between how many dollars."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """Money that came in (positive) or went out (negative)."""

    account_number: str
    day: str
    payee: str
    category: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Population:
    """Everything the database begins with. `files` are by social security number, with the name they are under."""

    customers: tuple[Customer, ...]
    files: tuple[tuple[str, str, CreditFile], ...]
    transactions: tuple[Transaction, ...]
    overdue: tuple[tuple[str, str, str], ...]


def invent() -> Population:
    draw = random.Random(SEED)  # noqa: S311 - nothing secret is drawn
    personas = PERSONAS.values()
    customers = [persona.customer for persona in personas if persona.is_customer]
    files = [(p.ssn, p.customer.name, p.credit_file) for p in personas if p.credit_file is not None]
    overdue = [(p.customer.account_number, *p.overdue) for p in personas if p.overdue is not None]
    taken = {persona.customer.name for persona in personas}
    while len(customers) < CUSTOMERS:
        customer = _customer(draw, len(customers), taken)
        taken.add(customer.name)
        customers.append(customer)
        if draw.random() >= _WITHOUT_FILE:
            files.append(
                (
                    f"9{len(customers) % 98 + 1:02d}-{draw.randint(1, 49):02d}-{len(customers):04d}",
                    customer.name,
                    _file(draw),
                )
            )
        if draw.random() < _WITH_OVERDUE:
            due = date(YEAR + 1, 1, 5) + timedelta(days=draw.randrange(20))
            overdue.append((customer.account_number, f"{draw.randint(4000, 60000) / 100:.2f}", due.isoformat()))
    return Population(
        tuple(customers),
        tuple(files),
        tuple(transaction for customer in customers for transaction in spend(customer)),
        tuple(overdue),
    )


def spend(customer: Customer) -> Iterator[Transaction]:
    """Invent a year of transactions; they depend on the customer alone."""
    draw = random.Random(f"{SEED} {customer.account_number}")  # noqa: S311
    salary = (Decimal(customer.income) * Decimal("0.75") / 12).quantize(Decimal("0.01"))
    rent = (salary * Decimal(draw.randint(24, 36)) / 100).quantize(Decimal(1))
    thrift = draw.uniform(0.6, 1.3) * min(2.0, float(salary) / 2800)
    for month in range(1, 13):
        yield Transaction(customer.account_number, f"{YEAR}-{month:02d}-01", "Housing", "housing", -rent)
        utilities = Decimal(draw.randint(6000, 16000)) / 100
        yield Transaction(customer.account_number, f"{YEAR}-{month:02d}-05", "Coast Energy", "utilities", -utilities)
        for category, (payees, about, (low, high)) in _SHOPS.items():
            for _ in range(max(0, about + draw.choice((-1, 0, 0, 1)))):
                amount = Decimal(max(100, round(draw.randint(low * 100, high * 100) * thrift))) / 100
                day = f"{YEAR}-{month:02d}-{draw.randint(2, 27):02d}"
                yield Transaction(customer.account_number, day, draw.choice(payees), category, -amount)
        yield Transaction(customer.account_number, f"{YEAR}-{month:02d}-28", "Salary", "income", salary)


def _customer(draw: random.Random, number: int, taken: set[str]) -> Customer:
    name = f"{draw.choice(_FIRST)} {draw.choice(_LAST)}"
    while name in taken:
        name = f"{draw.choice(_FIRST)} {draw.choice(_LAST)}"
    town, zone = draw.choice(_TOWNS)
    born = date(1950, 1, 1) + timedelta(days=draw.randrange(365 * 54))
    income = min(180_000, max(14_000, round(draw.lognormvariate(10.65, 0.42), -2)))
    return Customer(
        account_number=f"HB-{600_000 + number * 1_013 + draw.randrange(1_000):06d}",
        name=name,
        email=f"{name.lower().replace(' ', '.')}@example.{draw.choice(('org', 'com'))}",
        address=f"{draw.randint(1, 140)} {draw.choice(_STREETS)}, {town} {zone}{draw.randint(10, 99)}",
        date_of_birth=born.isoformat(),
        income=f"{income:.2f}",
    )


def _file(draw: random.Random) -> CreditFile:
    return CreditFile(
        on_time_share=round(1 - min(0.3, draw.expovariate(18)), 3),
        utilisation=round(draw.betavariate(2, 4), 2),
        years=draw.randint(1, 25),
        kinds=draw.randint(1, 4),
        applications=min(6, int(draw.expovariate(0.8))),
    )
