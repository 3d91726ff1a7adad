"""Streams in one SQLite file: the embedded default.

One connection does all the writing, under a lock (SQLite before 3.51.3 can corrupt a WAL that two connections write at
once), with a full sync at each commit: what was acknowledged survives a crash.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from dialogue.log.entry import StreamId
from dialogue.log.stores.protocol import UnusableStore
from dialogue.log.stores.tables import SqlStore, bring_up_to_date


def _prepare(connection: Any, _record: object) -> None:
    with closing(connection.cursor()) as cursor:
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA busy_timeout=5000")
        cursor.execute("PRAGMA secure_delete=ON")


class SqliteStore(SqlStore):
    """A store in the file `path`; the folder is made if need be, readable by its owner only."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600, exist_ok=True)
        url = sa.URL.create("sqlite", database=str(path))
        engine = sa.create_engine(url, poolclass=sa.StaticPool, connect_args={"check_same_thread": False})
        sa.event.listen(engine, "connect", _prepare)
        super().__init__(engine)
        try:
            with self._engine.begin() as db:
                db.exec_driver_sql("BEGIN IMMEDIATE")  # changes of tables are part of the transaction, and one writer's
                migrated = bring_up_to_date(db, str(path))
            if migrated:
                self._empty_the_journal()
        except DatabaseError as error:
            self.close()
            raise UnusableStore(
                f"{path} cannot be used to keep conversations: {error.orig}. End what else uses it, or move it away."
            ) from error
        except UnusableStore:
            self.close()
            raise

    def delete(self, stream: StreamId) -> None:
        """Delete a stream with its files, for good. Raises UnknownStream."""
        super().delete(stream)
        self._empty_the_journal()

    def _empty_the_journal(self) -> None:
        with self._lock, self._engine.connect() as db:
            db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")  # what was deleted is not left in the WAL either
