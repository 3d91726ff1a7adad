"""Streams in SQL databases: tables, their versions, reading and writing in SQLAlchemy Core.

`SqlStore` is for any database: a store for one adds how to connect, and its durable settings. A new database gets the
newest version of the tables at once, an older one is migrated by Alembic. A change of a table needs a script in
`migrations/versions`. A migration runs in the transaction of the connection that is handed in: if it fails, the
caller's rollback leaves the database as it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from dialogue.log.stores import damage, protocol

TABLES = sa.MetaData()
ENTRIES = sa.Table(
    "stream_entries",
    TABLES,
    sa.Column("stream_kind", sa.String, primary_key=True),
    sa.Column("stream_id", sa.String, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.String, nullable=False),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
)
_FILES = sa.Table(
    "stream_files",
    TABLES,
    sa.Column("stream_kind", sa.String, primary_key=True),
    sa.Column("stream_id", sa.String, primary_key=True),
    sa.Column("sha256", sa.String, primary_key=True),
    sa.Column("data", sa.LargeBinary, nullable=False),
)


_LAST = sa.select(sa.func.coalesce(sa.func.max(ENTRIES.c.seq), 0)).where(
    ENTRIES.c.stream_kind == sa.bindparam("kind"), ENTRIES.c.stream_id == sa.bindparam("id")
)
_INSERT = ENTRIES.insert()
_DELETED = -1
"""Stands for the last entry of a stream that is gone."""


def of_stream(table: sa.Table, stream: protocol.StreamId) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.stream_kind == stream.kind, table.c.stream_id == stream.id)


class SqlStore:
    """A store over an engine whose tables are up to date; it is worked with under a lock, where there is one."""

    def __init__(self, engine: sa.Engine, lock: AbstractContextManager[object] | None = None) -> None:
        self._engine = engine
        self._lock = nullcontext() if lock is None else lock
        self._closed = False
        self._last: dict[protocol.StreamId, int] = {}

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        """Work with the database. Raises StoreFailed, which quotes nothing: what the database says may hold values."""
        try:
            with self._lock:
                if self._closed:
                    raise protocol.StoreFailed("The store is closed. Nothing was written.")
                with self._engine.begin() as db:
                    yield db
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise self._failure(error) from None

    def _failure(self, error: DBAPIError) -> protocol.StoreFailed:
        called = getattr(error.orig, "sqlite_errorname", type(error.orig).__name__)
        if called.startswith(damage.DAMAGE):
            return damage.DamagedStore(
                f"A part of the database is damaged ({called}). Nothing was written; restore a copy of it."
            )
        return protocol.StoreFailed(damage.say_failed(called))

    def append(self, stream: protocol.StreamId, entries: Sequence[protocol.StoredEntry]) -> None:
        """Append entries, all or none, durably. Raises Conflict if their sequence numbers do not follow on."""
        rows = [
            {
                "stream_kind": stream.kind,
                "stream_id": stream.id,
                "seq": entry.seq,
                "at": entry.at.isoformat(),
                "kind": entry.kind,
                "entry": entry.text,
            }
            for entry in entries
        ]
        try:
            with self._transaction() as db:
                if db.execute(_LAST, {"kind": stream.kind, "id": stream.id}).scalar_one() != entries[0].seq - 1:
                    raise protocol.Conflict(f"{stream.kind} {stream.id} has moved on since entry {entries[0].seq - 1}")
                self._appending(db, stream)
                db.execute(_INSERT, rows)
            self._last[stream] = entries[-1].seq
        except IntegrityError as error:
            raise protocol.Conflict(f"{stream.kind} {stream.id}: entry {entries[0].seq} is there already") from error

    def _appending(self, db: sa.Connection, stream: protocol.StreamId) -> None:
        """Do what belongs to an append, in its transaction. Raises Conflict, and nothing is written."""

    def read(self, stream: protocol.StreamId, since: int = 1) -> tuple[protocol.StoredEntry, ...]:
        """Read a stream, from an entry on. Raises UnknownStream where there is nothing, and DamagedStream."""
        columns = (ENTRIES.c.seq, ENTRIES.c.at, ENTRIES.c.kind, ENTRIES.c.entry)
        wanted = sa.and_(of_stream(ENTRIES, stream), ENTRIES.c.seq >= since)
        query = sa.select(*columns).where(wanted).order_by(ENTRIES.c.seq)
        try:
            with self._transaction() as db:
                rows = db.execute(query).all()
            entries = tuple(
                protocol.StoredEntry(seq, damage.read_moment(at), kind, text) for seq, at, kind, text in rows
            )
        except (damage.DamagedStore, ValueError):
            raise protocol.DamagedStream(
                f"The {stream.kind} is damaged, and cannot be read. Nothing else is concerned."
            ) from None
        if not rows:
            raise protocol.UnknownStream(f"There is no {stream.kind} {stream.id}.")
        return entries

    def standing(self, stream: protocol.StreamId) -> protocol.StoreMark | None:
        """Return how far a stream is known to be, without reading it; None: other processes are not known of."""
        return None

    def streams(self, kind: str) -> tuple[protocol.StreamRow, ...]:
        """List the streams of a kind, last used first; one that is damaged hides no other."""
        return self._list(ENTRIES.c.stream_kind == kind)

    def _list(self, wanted: sa.ColumnElement[bool]) -> tuple[protocol.StreamRow, ...]:
        first = sa.select(ENTRIES.c.stream_id, ENTRIES.c.entry).where(wanted, ENTRIES.c.seq == 1).subquery()
        query = (
            sa.select(
                ENTRIES.c.stream_id,
                sa.func.min(ENTRIES.c.at),
                sa.func.max(ENTRIES.c.at).label("updated"),
                sa.func.count(),
                first.c.entry,
            )
            .outerjoin(first, first.c.stream_id == ENTRIES.c.stream_id)
            .where(wanted)
            .group_by(ENTRIES.c.stream_id, first.c.entry)
            .order_by(sa.desc("updated"))
        )
        with self._transaction() as db:
            rows = db.execute(query).all()
        return tuple(damage.read_row(*row) for row in rows)

    def delete(self, stream: protocol.StreamId) -> None:
        with self._transaction() as db:
            gone = db.execute(ENTRIES.delete().where(of_stream(ENTRIES, stream))).rowcount
            db.execute(_FILES.delete().where(of_stream(_FILES, stream)))
        self._last[stream] = _DELETED
        if not gone:
            raise protocol.UnknownStream(f"There is no {stream.kind} {stream.id}.")

    def put_file(self, stream: protocol.StreamId, data: bytes) -> str:
        """Keep an uploaded file; return its SHA-256 in hexadecimal digits. Raises UnknownStream."""
        sha256 = hashlib.sha256(data).hexdigest()
        with self._transaction() as db:
            if db.execute(sa.select(ENTRIES.c.seq).where(of_stream(ENTRIES, stream)).limit(1)).first() is None:
                raise protocol.UnknownStream(f"There is no {stream.kind} {stream.id}.")
            there = sa.select(_FILES.c.sha256).where(of_stream(_FILES, stream), _FILES.c.sha256 == sha256)
            if db.execute(there).first() is None:
                row = {"stream_kind": stream.kind, "stream_id": stream.id, "sha256": sha256, "data": data}
                db.execute(_FILES.insert(), row)
        return sha256

    def get_file(self, stream: protocol.StreamId, sha256: str) -> bytes:
        """Return an uploaded file. Raises UnknownStream if that stream has no such file."""
        query = sa.select(_FILES.c.data).where(of_stream(_FILES, stream), _FILES.c.sha256 == sha256)
        with self._transaction() as db:
            found = db.execute(query).scalar_one_or_none()
        if found is None:
            raise protocol.UnknownStream(f"{stream.kind} {stream.id} has no file {sha256}.")
        return bytes(found)

    def close(self) -> None:
        """Release what the store holds, once what is under way is done; nothing can be done with it afterwards."""
        with self._lock:
            self._closed = True
            self._engine.dispose()


NEWEST = "0002"
"""The newest version of the tables."""
SCRIPTS = Path(__file__).parent / "migrations"
_VERSION = sa.table("alembic_version", sa.column("version_num", sa.String))
_UNVERSIONED = "0001"
"""The version of a database that records none: that of release 0.1.0."""


def bring_up_to_date(db: sa.Connection, name: str, besides: Collection[str] = ()) -> bool:
    """Create the tables, or migrate them; return whether any were migrated. Raises UnusableStore.

    `name` is how the database is called in messages, `besides` are tables of a store's own.
    """
    there = [table for table in sa.inspect(db).get_table_names() if table not in besides]
    if not there:
        TABLES.create_all(db)
        _record(db)
        return False
    if not any(_has(db, there, *table) for table in _OURS):
        raise protocol.UnusableStore(
            f"{name} is not a database of conversations: it has the tables {', '.join(there)}. Move it away, or choose "
            "another data directory."
        )
    found = db.execute(sa.select(_VERSION.c.version_num)).scalar() if _VERSION.name in there else _UNVERSIONED
    if found == NEWEST:
        return False
    _migrate(db, name, found or _UNVERSIONED, stamped=_VERSION.name in there)
    return True


_OURS = (
    (ENTRIES.name, {column.name for column in ENTRIES.columns}),
    ("entries", {"session_id", "seq", "at", "kind", "entry"}),
)
"""A table that each version of a database has, and its columns."""


def _has(db: sa.Connection, there: Sequence[str], table: str, columns: set[str]) -> bool:
    return table in there and columns <= {column["name"] for column in sa.inspect(db).get_columns(table)}


def _record(db: sa.Connection) -> None:
    """Record the newest version the way Alembic does."""
    metadata = sa.MetaData()
    sa.Table(_VERSION.name, metadata, sa.Column("version_num", sa.String(32), primary_key=True, nullable=False))
    metadata.create_all(db)
    db.execute(_VERSION.insert().values(version_num=NEWEST))


def _migrate(db: sa.Connection, name: str, found: str, stamped: bool) -> None:
    from alembic import command  # half a second that only a migration needs
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = db
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found not in known:
        raise protocol.UnusableStore(
            f"{name} was written by a newer release: its tables have version {found}, and this release knows versions "
            f"up to {NEWEST}. Update this installation, or choose another data directory."
        )
    try:
        if not stamped:
            command.stamp(config, found)
        command.upgrade(config, "head")
    except Exception as error:
        raise protocol.UnusableStore(
            f"{name} could not be migrated from version {found} to {NEWEST}, and is as it was: {error}"
        ) from error
