"""Keep a demo's database: an SQLite file that is made on first use, under the data directory.

A connection is opened for each call and closed after it, so that any thread or process may call; a caller waits for a
writer up to `WAIT_S`. The file appears whole or not at all: it is filled under another name and then linked in place,
and the second process uses what is there.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path

from catalog.data_directory import default_home

WAIT_S = 10.0


class DemoDatabase:
    """A database below the data directory; `fill` writes what it begins with, worked out once for the process."""

    def __init__(self, folder: str, name: str, fill: Callable[[sqlite3.Connection], None]) -> None:
        self._folder = folder
        self._name = name
        self._fill = fill

    @property
    def path(self) -> Path:
        """Name the file: below `PLANGLASS_HOME`, by default ~/.planglass."""
        return default_home() / self._folder / self._name

    def create(self) -> Path:
        """Make the file, unless it is there already."""
        path = self.path
        if path.exists():
            return path
        for folder in (path.parent.parent, path.parent):  # both for their owner only
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=".new")
        os.close(handle)
        new = Path(name)
        try:
            new.write_bytes(self._first_state)
            _put_in_place(new, path)
        finally:
            new.unlink(missing_ok=True)
        return path

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """Open the database for one transaction; commit at the end, or roll back when something is raised."""
        with closing(sqlite3.connect(self.create(), timeout=WAIT_S)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            with connection:
                yield connection

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Read rows, in a transaction of their own."""
        with self.open() as connection:
            return connection.execute(sql, values).fetchall()

    @cached_property
    def _first_state(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "new.db"
            with closing(sqlite3.connect(path)) as connection, connection:
                self._fill(connection)
            return path.read_bytes()


def _put_in_place(new: Path, path: Path) -> None:
    """Rename the finished file to its final name, unless another process was first."""
    try:
        path.hardlink_to(new)
    except FileExistsError:
        return
    except OSError:  # a file system without hard links
        new.replace(path)
