"""Make the files of the demo: what the firm Larch Mill booked, planned, paid and sold in the third quarter of 2025.

The firm is invented, and so are all figures and people. `python -m scripts.make_report_data` writes the files; they are
kept with the demo.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from pathlib import Path

DATA = Path(__file__).parents[1] / "catalog" / "demos" / "reports" / "data"
SEED = 2025
MONTHS = ((7, "July"), (8, "August"), (9, "September"))
REVENUE = {"Tents": 9_400, "Bags": 5_200, "Repairs": 900}
COSTS = {"Material": 4_100, "Freight": 950, "Rent": 2_400, "Marketing": 1_100}
BRANCHES = (
    "Aldbrook", "Bexford", "Carrow", "Dunmere", "Eastleigh", "Fernham", "Garston", "Holm", "Ivybridge", "Kelby",
    "Larkhill", "Marlow",
)  # fmt: skip
BAD_BRANCH = "Garston"
PRODUCTS = {"Two-man tent": 189.0, "Family tent": 349.0, "Day bag": 64.5, "Trail bag": 119.0}
STAFF = (
    ("Ada Brandt", "Workshop", "2019-03-01", 38, 3_150), ("Bo Lindgren", "Workshop", "2021-06-15", 38, 2_980),
    ("Cora Hale", "Workshop", "2025-08-01", 30, 2_240), ("Dev Anand", "Shop", "2020-01-07", 38, 2_760),
    ("Elsa Moretti", "Shop", "2023-05-02", 20, 1_490), ("Finn Okoro", "Office", "2018-09-01", 38, 3_640),
    ("Gwen Pryce", "Office", "2025-09-15", 38, 3_020),
)  # fmt: skip
PAGE = """<!DOCTYPE html>
<html><head><title>Your session has expired</title></head>
<body><p>Please sign in again to download the sales of Garston.</p></body></html>
"""


def main() -> None:
    chance = random.Random(SEED)  # noqa: S311 - made-up figures
    DATA.mkdir(exist_ok=True)
    (DATA / "branches").mkdir(exist_ok=True)
    for month, name in MONTHS:
        _write_csv(DATA / f"ledger_2025_{month:02}.csv", _ledger(chance, month, name))
    _write_book(DATA / "orders_2025.xlsx", [(name, _orders(chance, month)) for month, name in ((6, "June"), *MONTHS)])
    budget = [("category", "budget"), *((name, round(3 * monthly * 1.02, -1)) for name, monthly in COSTS.items())]
    _write_book(DATA / "budget_2025_q3.xlsx", [("Q3", budget)])
    _write_csv(DATA / "staff_2025_q3.csv", [("name", "team", "starts", "hours", "monthly pay"), *STAFF])
    for branch in BRANCHES:
        path = DATA / "branches" / f"{branch.casefold()}.csv"
        if branch == BAD_BRANCH:
            path.write_text(PAGE, encoding="utf-8")
        else:
            _write_csv(path, _sales(chance))


def _ledger(chance: random.Random, month: int, name: str) -> Iterable[Sequence[object]]:
    yield "date", "entry", "kind", "category", "amount", "status"
    number = 100 * month
    for kind, monthly in (("revenue", REVENUE), ("cost", COSTS)):
        for category, usual in monthly.items():
            for part in (0.55, 0.45):
                number += 1
                amount = round(usual * part * chance.uniform(0.9, 1.15), 2)
                day = date(2025, month, chance.randint(1, 28))
                yield day.isoformat(), f"L{number}", kind, category, f"{amount:.2f}", "booked"
    yield f"2025-{month:02}-28", f"L{number + 1}", "cost", "Marketing", "780.00", "void"


def _orders(chance: random.Random, month: int) -> Iterable[Sequence[object]]:
    yield "date", "order", "product", "units", "amount"
    day = date(2025, month, 1)
    for number in range(1, 13):
        product, price = chance.choice(list(PRODUCTS.items()))
        units = chance.randint(1, 6)
        day = min(day + timedelta(days=chance.randint(1, 3)), date(2025, month, 28))
        yield day, f"O{month}{number:02}", product, units, round(units * price, 2)


def _sales(chance: random.Random) -> Iterable[Sequence[object]]:
    yield "week", "product", "units", "amount"
    for week in range(27, 40, 3):
        for product, price in list(PRODUCTS.items())[:: chance.choice((1, 2))]:
            units = chance.randint(0, 9)
            yield f"2025-W{week}", product, units, f"{units * price:.2f}"


def _write_csv(path: Path, rows: Iterable[Sequence[object]]) -> None:
    made = io.StringIO(newline="")
    csv.writer(made, lineterminator="\n").writerows(rows)
    path.write_text(made.getvalue(), encoding="utf-8")


def _write_book(path: Path, sheets: Iterable[tuple[str, Iterable[Sequence[object]]]]) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    book.save(path)


if __name__ == "__main__":
    main()
