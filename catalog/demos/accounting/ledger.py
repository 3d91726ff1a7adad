"""Keep the books: an SQLite file that is made on first use and filled with four invented years. Amounts are cents."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import date, timedelta

from catalog.demos.accounting.business import FIRST_CHARGE, TERMS_DAYS, invent
from catalog.demos.files import DemoDatabase

_SCHEMA = """
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, given_name TEXT NOT NULL COLLATE NOCASE, family_name TEXT NOT NULL COLLATE NOCASE,
    email TEXT NOT NULL, phone TEXT NOT NULL, UNIQUE (given_name, family_name)
);
CREATE TABLE invoices (
    number INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers, issued TEXT NOT NULL, due TEXT NOT NULL,
    detail TEXT NOT NULL, cents INTEGER NOT NULL
);
CREATE INDEX invoices_by_day ON invoices (issued);
CREATE TABLE payments (
    id INTEGER PRIMARY KEY, invoice INTEGER NOT NULL REFERENCES invoices, day TEXT NOT NULL, cents INTEGER NOT NULL
);
CREATE INDEX payments_by_invoice ON payments (invoice);
CREATE TABLE vendors (name TEXT PRIMARY KEY);
CREATE TABLE expenses (
    id INTEGER PRIMARY KEY, day TEXT NOT NULL, vendor TEXT NOT NULL REFERENCES vendors, category TEXT NOT NULL,
    what TEXT NOT NULL, cents INTEGER NOT NULL
);
CREATE INDEX expenses_by_day ON expenses (day);
CREATE TABLE charges (
    number INTEGER PRIMARY KEY, expense INTEGER NOT NULL UNIQUE REFERENCES expenses, card TEXT NOT NULL
);
CREATE TABLE tickets (
    number INTEGER PRIMARY KEY, topic TEXT NOT NULL, channel TEXT NOT NULL, opened TEXT NOT NULL,
    UNIQUE (topic, channel)
);
"""
_KEYS = """
CREATE TABLE IF NOT EXISTS invoice_keys (key TEXT PRIMARY KEY, invoice INTEGER NOT NULL REFERENCES invoices)
"""
"""Idempotency keys; books of an earlier release have no table of them."""
CARD = "4417"
"""The last digits of the firm's card."""
FIRST_TICKET = 501


@dataclass(frozen=True, slots=True)
class VendorSpending:
    """The amount spent with one vendor in one category on one day."""

    day: date
    vendor: str
    category: str
    what: str
    cents: int


@dataclass(frozen=True, slots=True)
class Sale:
    """An invoice as it stands on a day: `paid` is what had come in by then."""

    number: int
    customer: str
    issued: date
    due: date
    detail: str
    cents: int
    paid: int

    @property
    def open(self) -> int:
        return self.cents - self.paid


@dataclass(frozen=True, slots=True)
class Charge:
    """An expense that was paid by card."""

    number: int
    card: str
    spent: VendorSpending


def _fill(connection: sqlite3.Connection) -> None:
    books = invent()
    connection.executescript(_SCHEMA)
    connection.executemany(
        "INSERT INTO customers (given_name, family_name, email, phone) VALUES (?, ?, ?, ?)",
        [(c.given_name, c.family_name, c.email, c.phone) for c in books.customers],
    )
    connection.executemany(
        "INSERT INTO invoices VALUES (?, ?, ?, ?, ?, ?)",
        [(i.number, i.customer, i.issued.isoformat(), i.due.isoformat(), i.detail, i.cents) for i in books.invoices],
    )
    connection.executemany(
        "INSERT INTO payments (invoice, day, cents) VALUES (?, ?, ?)",
        [(i.number, day.isoformat(), cents) for i in books.invoices for day, cents in i.payments],
    )
    connection.executemany("INSERT INTO vendors VALUES (?)", sorted({(e.vendor,) for e in books.expenses}))
    numbered = list(enumerate(books.expenses, start=1))
    connection.executemany(
        "INSERT INTO expenses VALUES (?, ?, ?, ?, ?, ?)",
        [(n, e.day.isoformat(), e.vendor, e.category, e.what, e.cents) for n, e in numbered],
    )
    by_card = [n for n, expense in numbered if expense.card]
    connection.executemany(
        "INSERT INTO charges VALUES (?, ?, ?)",
        [(number, expense, CARD) for number, expense in enumerate(by_card, start=FIRST_CHARGE)],
    )


LEDGER = DemoDatabase("accounting", "ledger.db", _fill)


def extent() -> tuple[date, date]:
    """Return the first and the last day that anything is on the books for."""
    sql = """SELECT min(day) AS first, max(day) AS last
        FROM (SELECT issued AS day FROM invoices UNION ALL SELECT day FROM expenses)"""
    (row,) = LEDGER.rows(sql)
    return date.fromisoformat(row["first"]), date.fromisoformat(row["last"])


def expenses_of(first: date, last: date) -> tuple[VendorSpending, ...]:
    """List what was spent from one day to another, both included."""
    sql = "SELECT * FROM expenses WHERE day BETWEEN ? AND ? ORDER BY day, id"
    return tuple(map(_spent, LEDGER.rows(sql, first.isoformat(), last.isoformat())))


def sales_of(first: date, last: date, known_on: date | None = None) -> tuple[Sale, ...]:
    """List the invoices written from one day to another, both included, as they stand on a day: by default the last."""
    sql = """
        SELECT number, issued, due, detail, invoices.cents AS cents,
            coalesce(given_name || ' ' || family_name, '') AS customer, coalesce(sum(payments.cents), 0) AS paid
        FROM invoices LEFT JOIN customers ON customers.id = customer
            LEFT JOIN payments ON payments.invoice = number AND payments.day <= ?
        WHERE issued BETWEEN ? AND ? GROUP BY number ORDER BY issued, number
    """
    days = (known_on or last, first, last)
    return tuple(map(_sale, LEDGER.rows(sql, *(day.isoformat() for day in days))))


def days_to_pay(first: date, last: date) -> tuple[int, ...]:
    """List, for each invoice that was paid up in a period, how many days that was after it was written."""
    sql = """
        SELECT issued, max(payments.day) AS settled FROM invoices JOIN payments ON payments.invoice = number
        GROUP BY number HAVING sum(payments.cents) >= invoices.cents AND settled BETWEEN ? AND ?
    """
    rows = LEDGER.rows(sql, first.isoformat(), last.isoformat())
    return tuple((date.fromisoformat(r["settled"]) - date.fromisoformat(r["issued"])).days for r in rows)


def find_charge(day: date, cents: int) -> Charge | None:
    sql = """SELECT * FROM charges JOIN expenses ON expenses.id = expense
        WHERE day = ? AND cents = ? ORDER BY number"""
    found = LEDGER.rows(sql, day.isoformat(), cents)
    return Charge(found[0]["number"], found[0]["card"], _spent(found[0])) if found else None


def is_charged(*, day: date | None = None, cents: int | None = None) -> bool:
    sql = "SELECT 1 FROM charges JOIN expenses ON expenses.id = expense WHERE day = ? OR cents = ?"
    return bool(LEDGER.rows(sql, day.isoformat() if day else None, cents))


def write_invoice(detail: str, cents: int, issued: date, key: str | None = None) -> int:
    """Write an invoice, of which the customer is still to be named; return its number.

    Twice is two invoices, but under the same `key` it is the one that is there.
    """
    due = issued + timedelta(days=TERMS_DAYS)
    sql = "INSERT INTO invoices (issued, due, detail, cents) VALUES (?, ?, ?, ?) RETURNING number"
    with LEDGER.open() as connection:
        connection.execute(_KEYS)
        connection.execute("BEGIN IMMEDIATE")
        if key is not None and (there := _invoice_under(connection, key)) is not None:
            return there
        row = connection.execute(sql, (issued.isoformat(), due.isoformat(), detail, cents)).fetchone()
        if key is not None:
            connection.execute("INSERT INTO invoice_keys VALUES (?, ?)", (key, row["number"]))
        return int(row["number"])


def find_invoice(key: str) -> int | None:
    """Return the number of the invoice that was written under a key; None where there is none."""
    with LEDGER.open() as connection:
        connection.execute(_KEYS)
        return _invoice_under(connection, key)


def _invoice_under(connection: sqlite3.Connection, key: str) -> int | None:
    row = connection.execute("SELECT invoice FROM invoice_keys WHERE key = ?", (key,)).fetchone()
    return None if row is None else int(row["invoice"])


def put_customer(given_name: str, family_name: str, email: str, phone: str) -> tuple[str, bool]:
    """Write how a customer is reached; return the name on the books (in whatever case), and whether it was there."""
    known = "SELECT 1 FROM customers WHERE given_name = ? AND family_name = ?"
    sql = """
        INSERT INTO customers (given_name, family_name, email, phone) VALUES (?, ?, ?, ?)
        ON CONFLICT (given_name, family_name) DO UPDATE SET email = excluded.email, phone = excluded.phone
        RETURNING given_name || ' ' || family_name AS name
    """
    with LEDGER.open() as connection:
        was_known = connection.execute(known, (given_name, family_name)).fetchone() is not None
        row = connection.execute(sql, (given_name, family_name, email, phone)).fetchone()
    return str(row["name"]), was_known


def open_ticket(topic: str, channel: str, opened: date) -> int:
    """Open a ticket and return its number: that of the one there is, if it is the same topic and channel."""
    sql = """
        INSERT INTO tickets (number, topic, channel, opened)
        VALUES ((SELECT coalesce(max(number) + 1, ?) FROM tickets), ?, ?, ?)
        ON CONFLICT (topic, channel) DO UPDATE SET topic = excluded.topic RETURNING number
    """
    with LEDGER.open() as connection:
        return int(connection.execute(sql, (FIRST_TICKET, topic, channel, opened.isoformat())).fetchone()["number"])


def _spent(row: sqlite3.Row) -> VendorSpending:
    return VendorSpending(date.fromisoformat(row["day"]), row["vendor"], row["category"], row["what"], row["cents"])


def _sale(row: sqlite3.Row) -> Sale:
    issued, due = (date.fromisoformat(row[day]) for day in ("issued", "due"))
    return Sale(row["number"], row["customer"], issued, due, row["detail"], row["cents"], row["paid"])
