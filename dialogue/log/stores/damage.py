"""What is damaged or cannot be used, in words; and what can be read of a row all the same."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from sqlalchemy.exc import DatabaseError

from dialogue.log.stores.protocol import NEVER, StoreFailed, StreamRow

DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""How the names of errors begin that say that a database, or a part of it, is lost."""

SMALLEST_BYTES = 512
"""The size of the smallest database of SQLite."""
RESTORE = "Restore a copy of it, or move it away: a new one is begun then."


class DamagedStore(StoreFailed):
    """A part of the database cannot be read any more."""


def read_moment(text: object) -> datetime:
    """Read a time. Raises ValueError."""
    read = datetime.fromisoformat(str(text))
    if read.tzinfo is None:
        raise ValueError("a time without its zone")
    return read


def read_row(stream_id: str, started: object, updated: object, count: int, opening: object) -> StreamRow:
    try:
        times = read_moment(started), read_moment(updated)
    except ValueError:
        return StreamRow(stream_id, NEVER, NEVER, count, "")
    return StreamRow(stream_id, *times, count, opening if isinstance(opening, str) else "")


def say_unwritable(home: Path, why: str) -> str:
    """Say that a data directory cannot be written to, and what to do."""
    return (
        f"The data directory {home} cannot be written to ({why}). Allow it, or choose another one: "
        "PLANGLASS_HOME=FOLDER, or --set home=FOLDER."
    )


def say_unusable(path: Path, error: DatabaseError) -> str:
    """Say in one line why a database cannot be used, and what to do."""
    called = getattr(error.orig, "sqlite_errorname", "")
    if called.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return say_unwritable(path.parent, f"{path.name}: {error.orig}")
    advice = "End what else uses it, or move it away."
    if called.startswith(DAMAGE):
        advice = RESTORE
    elif called.startswith("SQLITE_FULL"):
        advice = "Make room on the disk."
    return f"{path} cannot be used to keep conversations: {error.orig}. {advice}"


_FAILURES = {
    "SQLITE_FULL": "There is no room left on the disk. Make some",
    "SQLITE_BUSY": "Another program has locked the database. End that, or wait",
    "SQLITE_LOCKED": "Another program has locked the database. End that, or wait",
    "SQLITE_READONLY": "The database cannot be written to. Allow that",
    "SQLITE_CANTOPEN": "The database cannot be opened. Look after the data directory",
    "SQLITE_IOERR": "The disk does not do what it should. Look after it",
}


def say_failed(called: str) -> str:
    """Say by the name of an error what the database did not do, and what to do; nothing that it says is quoted."""
    known = next((words for name, words in _FAILURES.items() if called.startswith(name)), "The database did not do it")
    return f"{known} ({called}). Nothing was written; try again."
