"""Sessions in one SQLite file: the embedded default.

One connection does all the writing, under a lock (SQLite before 3.51.3 can corrupt a WAL that two connections write at
once), with a full sync at each commit: what was acknowledged survives a crash.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from dialogue.log.events import Entry, Log
from dialogue.log.stores.protocol import Conflict, SessionRow, UnknownSession

_SCHEMA = sa.MetaData()
_ENTRIES = sa.Table(
    "entries",
    _SCHEMA,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("at", sa.String, nullable=False),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
)
_FILES = sa.Table(
    "files",
    _SCHEMA,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("sha256", sa.String, primary_key=True),
    sa.Column("data", sa.LargeBinary, nullable=False),
)


def _prepare(connection: Any, _record: object) -> None:
    with closing(connection.cursor()) as cursor:
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA busy_timeout=5000")
        cursor.execute("PRAGMA secure_delete=ON")


class SqliteStore:
    """A store in the file `path`; the folder is made if need be, readable by its owner only."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600, exist_ok=True)
        self._engine = sa.create_engine(
            f"sqlite:///{path}", poolclass=sa.StaticPool, connect_args={"check_same_thread": False}
        )
        sa.event.listen(self._engine, "connect", _prepare)
        self._lock = threading.Lock()
        with self._lock:
            _SCHEMA.create_all(self._engine)

    def append(self, session_id: str, entries: Sequence[Entry]) -> None:
        """Append entries, all or none, durably. Raises Conflict if their sequence numbers do not follow on."""
        rows = [
            {
                "session_id": session_id,
                "seq": entry.seq,
                "at": entry.at.isoformat(),
                "kind": entry.event.kind,
                "entry": entry.model_dump_json(),
            }
            for entry in entries
        ]
        last = sa.select(sa.func.coalesce(sa.func.max(_ENTRIES.c.seq), 0)).where(_ENTRIES.c.session_id == session_id)
        try:
            with self._lock, self._engine.begin() as db:
                if db.execute(last).scalar_one() != entries[0].seq - 1:
                    raise Conflict(f"session {session_id} has moved on since entry {entries[0].seq - 1}")
                db.execute(_ENTRIES.insert(), rows)
        except IntegrityError as error:
            raise Conflict(f"session {session_id}: entry {entries[0].seq} is there already") from error

    def read(self, session_id: str) -> Log:
        """Read a whole log. Raises UnknownSession."""
        query = sa.select(_ENTRIES.c.entry).where(_ENTRIES.c.session_id == session_id).order_by(_ENTRIES.c.seq)
        with self._lock, self._engine.connect() as db:
            rows = db.execute(query).scalars().all()
        if not rows:
            raise UnknownSession(session_id)
        return tuple(Entry.model_validate_json(row) for row in rows)

    def sessions(self) -> tuple[SessionRow, ...]:
        """List the sessions, last used first."""
        first = sa.select(_ENTRIES.c.session_id, _ENTRIES.c.entry).where(_ENTRIES.c.seq == 1).subquery()
        query = (
            sa.select(
                _ENTRIES.c.session_id,
                sa.func.min(_ENTRIES.c.at),
                sa.func.max(_ENTRIES.c.at),
                sa.func.count(),
                first.c.entry,
            )
            .join(first, first.c.session_id == _ENTRIES.c.session_id)
            .group_by(_ENTRIES.c.session_id)
            .order_by(sa.func.max(_ENTRIES.c.at).desc())
        )
        with self._lock, self._engine.connect() as db:
            rows = db.execute(query).all()
        return tuple(
            SessionRow(
                session_id=session_id,
                catalog=getattr(Entry.model_validate_json(opening).event, "catalog", ""),
                started=datetime.fromisoformat(started),
                updated=datetime.fromisoformat(updated),
                entries=count,
            )
            for session_id, started, updated, count, opening in rows
        )

    def delete(self, session_id: str) -> None:
        """Delete a session with its uploads. Raises UnknownSession."""
        with self._lock, self._engine.begin() as db:
            gone = db.execute(_ENTRIES.delete().where(_ENTRIES.c.session_id == session_id)).rowcount
            db.execute(_FILES.delete().where(_FILES.c.session_id == session_id))
        if not gone:
            raise UnknownSession(session_id)
        with self._lock, self._engine.connect() as db:
            db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")  # what was deleted is not left in the journal either

    def put_file(self, session_id: str, data: bytes) -> str:
        """Keep an uploaded file; return its SHA-256 in hexadecimal digits. Raises UnknownSession."""
        sha256 = hashlib.sha256(data).hexdigest()
        with self._lock, self._engine.begin() as db:
            if db.execute(sa.select(_ENTRIES.c.seq).where(_ENTRIES.c.session_id == session_id)).first() is None:
                raise UnknownSession(session_id)
            there = sa.select(_FILES.c.sha256).where(_FILES.c.session_id == session_id, _FILES.c.sha256 == sha256)
            if db.execute(there).first() is None:
                db.execute(_FILES.insert().values(session_id=session_id, sha256=sha256, data=data))
        return sha256

    def get_file(self, session_id: str, sha256: str) -> bytes:
        """Return an uploaded file. Raises UnknownSession if that session has no such file."""
        query = sa.select(_FILES.c.data).where(_FILES.c.session_id == session_id, _FILES.c.sha256 == sha256)
        with self._lock, self._engine.connect() as db:
            found = db.execute(query).scalar_one_or_none()
        if found is None:
            raise UnknownSession(f"{session_id} has no file {sha256}")
        return bytes(found)

    def close(self) -> None:
        """Release what the store holds."""
        self._engine.dispose()
