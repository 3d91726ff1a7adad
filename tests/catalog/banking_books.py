"""What stands in the books of the demo bank: its database, as it was written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from catalog.demos.banking import database


def read_books(sql: str, *given: str) -> tuple[tuple[Any, ...], ...]:
    with closing(sqlite3.connect(database.BANK.path)) as connection:
        return tuple(connection.execute(sql, given))


def payments_of(account_number: str) -> tuple[tuple[Any, ...], ...]:
    """List the payments arranged for an account, as (amount, day), in the order in which they were arranged."""
    return read_books("SELECT amount, day FROM payments WHERE account_number = ? ORDER BY id", account_number)
