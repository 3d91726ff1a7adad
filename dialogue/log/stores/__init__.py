"""Where streams are kept: one module a store, one registry, one conformance suite. A store is opened by its URL."""

from collections.abc import Callable, Mapping
from pathlib import Path

import sqlalchemy as sa

from dialogue.log.stores.postgresql import PostgresStore
from dialogue.log.stores.protocol import (
    Conflict,
    DamagedStream,
    Store,
    StoreFailed,
    StreamRow,
    UnknownStream,
    UnusableStore,
)
from dialogue.log.stores.sqlite import SqliteStore

STORES: Mapping[str, Callable[[str], Store]] = {
    "sqlite": lambda url: SqliteStore(Path(sa.make_url(url).database or "")),
    "postgresql": PostgresStore,
}
"""Each opens a store by a URL; the key is how its URLs begin."""


def open_store(url: str) -> Store:
    """Open the store at a URL, its tables brought up to date. Raises UnusableStore."""
    scheme = url.partition(":")[0].partition("+")[0]
    if scheme not in STORES or "://" not in url:
        raise UnusableStore(f"There is no store {url!r}. Known are: {', '.join(f'{name}://…' for name in STORES)}.")
    return STORES[scheme](url)


def embedded_url(home: Path) -> str:
    return sa.URL.create("sqlite", database=str(home / "sessions.db")).render_as_string(hide_password=False)
