"""Where sessions are kept: one module a store, one registry, one conformance suite."""

from collections.abc import Callable, Mapping
from pathlib import Path

from dialogue.log.stores.protocol import Conflict, SessionRow, Store, UnknownSession
from dialogue.log.stores.sqlite import SqliteStore

STORES: Mapping[str, Callable[[Path], Store]] = {
    "sqlite": lambda home: SqliteStore(home / "sessions.db"),
}
"""Each opens its store in a data directory."""

__all__ = ["STORES", "Conflict", "SessionRow", "SqliteStore", "Store", "UnknownSession"]
