"""Keep the bank's books: a database file that is made on first use, filled with invented customers."""

from __future__ import annotations

import hashlib
import sqlite3
from decimal import Decimal

from catalog.demos.banking.people import Transaction, invent
from catalog.demos.banking.personas import CreditFile, Customer
from catalog.demos.files import DemoDatabase

_SCHEMA = """
CREATE TABLE customers (
    account_number TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE COLLATE NOCASE,
    address TEXT NOT NULL, date_of_birth TEXT NOT NULL, income TEXT NOT NULL
);
CREATE TABLE credit_files (
    ssn TEXT PRIMARY KEY, name TEXT NOT NULL, on_time_share REAL NOT NULL, utilisation REAL NOT NULL,
    years INTEGER NOT NULL, kinds INTEGER NOT NULL, applications INTEGER NOT NULL
);
CREATE TABLE transactions (
    account_number TEXT NOT NULL REFERENCES customers, day TEXT NOT NULL, payee TEXT NOT NULL, category TEXT NOT NULL,
    amount TEXT NOT NULL
);
CREATE INDEX transactions_of_account ON transactions (account_number, day);
CREATE TABLE overdue (
    account_number TEXT PRIMARY KEY REFERENCES customers, amount TEXT NOT NULL, due_date TEXT NOT NULL
);
CREATE TABLE enquiries (
    id INTEGER PRIMARY KEY, ssn TEXT NOT NULL, made_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE payments (
    id INTEGER PRIMARY KEY, account_number TEXT NOT NULL REFERENCES customers, amount TEXT NOT NULL, day TEXT NOT NULL
);
CREATE TABLE applications (
    id TEXT PRIMARY KEY, product TEXT NOT NULL, name TEXT NOT NULL, address TEXT NOT NULL, date_of_birth TEXT NOT NULL,
    amount TEXT, purpose TEXT, result TEXT NOT NULL
);
"""


def _fill(connection: sqlite3.Connection) -> None:
    people = invent()
    connection.executescript(_SCHEMA)
    connection.executemany(
        "INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?)",
        [(c.account_number, c.name, c.email, c.address, c.date_of_birth, c.income) for c in people.customers],
    )
    connection.executemany(
        "INSERT INTO credit_files VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(s, n, f.on_time_share, f.utilisation, f.years, f.kinds, f.applications) for s, n, f in people.files],
    )
    connection.executemany(
        "INSERT INTO transactions VALUES (?, ?, ?, ?, ?)",
        [(t.account_number, t.day, t.payee, t.category, f"{t.amount:.2f}") for t in people.transactions],
    )
    connection.executemany("INSERT INTO overdue VALUES (?, ?, ?)", people.overdue)


BANK = DemoDatabase("banking", "bank.db", _fill)


def find_by_email(email: str) -> Customer | None:
    """Look a customer up by e-mail address; upper and lower case are the same."""
    return _find_customer("SELECT * FROM customers WHERE email = ?", email.strip())


def find_by_account(account_number: str) -> Customer | None:
    return _find_customer("SELECT * FROM customers WHERE account_number = ?", _account(account_number))


def find_file(ssn: str) -> tuple[str, CreditFile] | None:
    """Return the name and the credit file under a social security number; the file keeps a mark of the enquiry."""
    digits = "".join(c for c in ssn if c in "0123456789")
    key = f"{digits[:3]}-{digits[3:5]}-{digits[5:]}"
    with BANK.open() as connection:
        row = connection.execute("SELECT * FROM credit_files WHERE ssn = ?", (key,)).fetchone()
        if row is None:
            return None
        connection.execute("INSERT INTO enquiries (ssn) VALUES (?)", (key,))
    parts = dict(row)
    return parts.pop("name"), CreditFile(**{name: part for name, part in parts.items() if name != "ssn"})


def transactions_of(account_number: str) -> tuple[Transaction, ...]:
    sql = "SELECT * FROM transactions WHERE account_number = ? ORDER BY day, payee, amount"
    rows = BANK.rows(sql, _account(account_number))
    return tuple(
        Transaction(r["account_number"], r["day"], r["payee"], r["category"], Decimal(r["amount"])) for r in rows
    )


def has_account(account_number: str) -> bool:
    return bool(BANK.rows("SELECT 1 FROM customers WHERE account_number = ?", _account(account_number)))


def find_overdue(account_number: str) -> tuple[str, str] | None:
    """Return the amount that an account is overdue with and the day it was due, or None."""
    sql = "SELECT amount, due_date FROM overdue WHERE account_number = ?"
    found = BANK.rows(sql, _account(account_number))
    return (found[0]["amount"], found[0]["due_date"]) if found else None


def register_address(account_number: str, address: str) -> bool:
    """Put a new address on file; return whether there is such an account."""
    sql = "UPDATE customers SET address = ? WHERE account_number = ?"
    with BANK.open() as connection:
        return connection.execute(sql, (address, _account(account_number))).rowcount == 1


def arrange_payment(account_number: str, amount: str, day: str) -> int | None:
    """Write a payment down and return its number; None when there is no such account. Twice is two payments."""
    sql = "INSERT INTO payments (account_number, amount, day) VALUES (?, ?, ?)"
    if not has_account(account_number):
        return None
    with BANK.open() as connection:
        return connection.execute(sql, (_account(account_number), amount, day)).lastrowid


def file_application(
    product: str,
    name: str,
    address: str,
    date_of_birth: str,
    result: str,
    *,
    amount: str | None = None,
    purpose: str | None = None,
) -> None:
    """Keep an application with its result. The same application is kept once, however often it is filed."""
    row = (product, name, address, date_of_birth, amount, purpose, result)
    key = hashlib.sha256(repr(row).encode()).hexdigest()
    with BANK.open() as connection:
        connection.execute("INSERT OR IGNORE INTO applications VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (key, *row))


def _find_customer(sql: str, key: str) -> Customer | None:
    found = BANK.rows(sql, key)
    return Customer(**dict(found[0])) if found else None


def _account(text: str) -> str:
    """Write an account number as the books do, however it was typed: HB-123456."""
    plain = "".join(c for c in text.upper() if c.isalnum())
    return f"{plain[:2]}-{plain[2:]}"
