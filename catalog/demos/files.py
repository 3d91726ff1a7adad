"""Keep a demo's database: an SQLite file that is made on first use, under the data directory.

A connection is opened for each call and closed after it, so that any thread or process may call; a caller waits for a
writer up to `WAIT_S`. The file appears whole or not at all: it is filled under another name and then linked in place,
and whoever comes second uses what is there.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

WAIT_S = 10.0


def place(folder: str, name: str) -> Path:
    """Name a demo's database file: below `PLANGLASS_HOME`, by default ~/.planglass."""
    home = os.environ.get("PLANGLASS_HOME")
    return (Path(home).expanduser() if home else Path.home() / ".planglass") / folder / name


def create(path: Path, first_state: Callable[[], bytes]) -> None:
    """Make the file with what it begins with, unless it is there already."""
    if path.exists():
        return
    for folder in (path.parent.parent, path.parent):  # both for their owner only
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=".new")
    os.close(handle)
    new = Path(name)
    try:
        new.write_bytes(first_state())
        _put_in_place(new, path)
    finally:
        new.unlink(missing_ok=True)


@contextmanager
def open_database(path: Path, first_state: Callable[[], bytes]) -> Iterator[sqlite3.Connection]:
    """Open a database for one transaction; commit at the end, or roll back when something is raised.

    Where there is none, it is made first.
    """
    create(path, first_state)
    with closing(sqlite3.connect(path, timeout=WAIT_S)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        with connection:
            yield connection


def filled(fill: Callable[[sqlite3.Connection], None]) -> bytes:
    """Return what a new database file holds once it is filled."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.db"
        with closing(sqlite3.connect(path)) as connection, connection:
            fill(connection)
        return path.read_bytes()


def _put_in_place(new: Path, path: Path) -> None:
    """Rename the finished file to its final name, unless another process was first."""
    try:
        path.hardlink_to(new)
    except FileExistsError:
        return
    except OSError:  # a file system without hard links
        new.replace(path)
