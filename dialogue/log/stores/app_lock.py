"""One dashboard at a time on an embedded store: a lock of the operating system beside the database.

A second one would keep settings of its own for the same data directory. Commands work beside one, and take turns.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from dialogue.log.stores.damage import say_unwritable
from dialogue.log.stores.protocol import UnusableStore

_SHARED = (
    "Use that one, or end it. To run another one, choose another data directory (PLANGLASS_HOME=FOLDER); to run "
    "several on the same conversations, keep them in PostgreSQL (PLANGLASS_STORE=postgresql://…)."
)


@contextmanager
def only_app(store_url: str, told: str) -> Iterator[None]:
    """Hold the right to be the dashboard of a store, where that is for one alone; `told` says where to find this one.

    It is given back with the process, however that ends. Raises UnusableStore where another one has it.
    """
    url = sa.make_url(store_url)
    if url.get_backend_name() != "sqlite":
        yield
        return
    path = Path(f"{url.database}-app")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UnusableStore(say_unwritable(path.parent, error.strerror or type(error).__name__)) from error
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = os.read(number, 500).decode("utf-8", "replace").strip()
            who = f" ({other})" if other else ""
            raise UnusableStore(f"A dashboard runs on {url.database} already{who}. {_SHARED}") from None
        os.ftruncate(number, 0)
        os.pwrite(number, f"{told}, process {os.getpid()}".encode(), 0)
        yield
    finally:
        os.close(number)  # the file stays: who removed it could remove another one's
