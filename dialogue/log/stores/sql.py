"""Streams in SQL databases: tables, their versions, reading and writing in SQLAlchemy Core; and SQLite.

`SqlStore` is for any database: a store for one adds how to connect, and its durable settings. A new database gets the
newest version of the tables at once, an older one is migrated by Alembic. A change of a table needs a script in
`migrations/versions`. A migration runs in the transaction of the connection that is handed in: if it fails, the
caller's rollback leaves the database as it was.
"""

from __future__ import annotations

import errno
import hashlib
import sqlite3
import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError

from dialogue.log.stores.damage import (
    DAMAGE,
    RESTORE,
    SMALLEST_BYTES,
    DamagedStore,
    read_moment,
    read_row,
    say_failed,
    say_unusable,
    say_unwritable,
)
from dialogue.log.stores.one_at_a_time import OneAtATime
from dialogue.log.stores.protocol import (
    NEVER,
    Conflict,
    DamagedStream,
    Follower,
    StoredEntry,
    StoreFailed,
    StreamId,
    StreamRow,
    UnknownStream,
    UnusableStore,
)

TABLES = sa.MetaData()
_ENTRIES = sa.Table(
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


def of_stream(table: sa.Table, stream: StreamId) -> sa.ColumnElement[bool]:
    """Return the condition that a row belongs to a stream."""
    return sa.and_(table.c.stream_kind == stream.kind, table.c.stream_id == stream.id)


class SqlStore:
    """A store over an engine whose tables are up to date; it is worked with under a lock, where there is one."""

    def __init__(self, engine: sa.Engine, lock: AbstractContextManager[object] | None = None) -> None:
        self._engine = engine
        self._lock = nullcontext() if lock is None else lock
        self._closed = False

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        """Work with the database. Raises StoreFailed, which quotes nothing: what the database says may hold values."""
        try:
            with self._lock:
                if self._closed:
                    raise StoreFailed("The store is closed. Nothing was written.")
                with self._engine.begin() as db:
                    yield db
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise self._failure(error) from None

    def _failure(self, error: DBAPIError) -> StoreFailed:
        called = getattr(error.orig, "sqlite_errorname", type(error.orig).__name__)
        if called.startswith(DAMAGE):
            return DamagedStore(
                f"A part of the database is damaged ({called}). Nothing was written; restore a copy of it."
            )
        return StoreFailed(say_failed(called))

    def append(self, stream: StreamId, entries: Sequence[StoredEntry]) -> None:
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
        last = sa.select(sa.func.coalesce(sa.func.max(_ENTRIES.c.seq), 0)).where(of_stream(_ENTRIES, stream))
        try:
            with self._transaction() as db:
                if db.execute(last).scalar_one() != entries[0].seq - 1:
                    raise Conflict(f"{stream.kind} {stream.id} has moved on since entry {entries[0].seq - 1}")
                self._appending(db, stream)
                db.execute(_ENTRIES.insert(), rows)
        except IntegrityError as error:
            raise Conflict(f"{stream.kind} {stream.id}: entry {entries[0].seq} is there already") from error

    def _appending(self, db: sa.Connection, stream: StreamId) -> None:
        """Do what belongs to an append, in its transaction. Raises Conflict, and nothing is written."""

    def read(self, stream: StreamId, since: int = 1) -> tuple[StoredEntry, ...]:
        """Read a stream, from an entry on. Raises UnknownStream where there is nothing, and DamagedStream."""
        columns = (_ENTRIES.c.seq, _ENTRIES.c.at, _ENTRIES.c.kind, _ENTRIES.c.entry)
        wanted = sa.and_(of_stream(_ENTRIES, stream), _ENTRIES.c.seq >= since)
        query = sa.select(*columns).where(wanted).order_by(_ENTRIES.c.seq)
        try:
            with self._transaction() as db:
                rows = db.execute(query).all()
            entries = tuple(StoredEntry(seq, read_moment(at), kind, text) for seq, at, kind, text in rows)
        except (DamagedStore, ValueError):
            raise DamagedStream(
                f"The {stream.kind} is damaged, and cannot be read. Nothing else is concerned."
            ) from None
        if not rows:
            raise UnknownStream(f"There is no {stream.kind} {stream.id}.")
        return entries

    def streams(self, kind: str) -> tuple[StreamRow, ...]:
        """List the streams of a kind, last used first; one that is damaged hides no other."""
        return self._list(_ENTRIES.c.stream_kind == kind)

    def _list(self, wanted: sa.ColumnElement[bool]) -> tuple[StreamRow, ...]:
        first = sa.select(_ENTRIES.c.stream_id, _ENTRIES.c.entry).where(wanted, _ENTRIES.c.seq == 1).subquery()
        query = (
            sa.select(
                _ENTRIES.c.stream_id,
                sa.func.min(_ENTRIES.c.at),
                sa.func.max(_ENTRIES.c.at).label("updated"),
                sa.func.count(),
                first.c.entry,
            )
            .outerjoin(first, first.c.stream_id == _ENTRIES.c.stream_id)
            .where(wanted)
            .group_by(_ENTRIES.c.stream_id, first.c.entry)
            .order_by(sa.desc("updated"))
        )
        with self._transaction() as db:
            rows = db.execute(query).all()
        return tuple(read_row(*row) for row in rows)

    def delete(self, stream: StreamId) -> None:
        """Delete a stream with its files, for good. Raises UnknownStream."""
        with self._transaction() as db:
            gone = db.execute(_ENTRIES.delete().where(of_stream(_ENTRIES, stream))).rowcount
            db.execute(_FILES.delete().where(of_stream(_FILES, stream)))
        if not gone:
            raise UnknownStream(f"There is no {stream.kind} {stream.id}.")

    def put_file(self, stream: StreamId, data: bytes) -> str:
        """Keep an uploaded file; return its SHA-256 in hexadecimal digits. Raises UnknownStream."""
        sha256 = hashlib.sha256(data).hexdigest()
        with self._transaction() as db:
            if db.execute(sa.select(_ENTRIES.c.seq).where(of_stream(_ENTRIES, stream)).limit(1)).first() is None:
                raise UnknownStream(f"There is no {stream.kind} {stream.id}.")
            there = sa.select(_FILES.c.sha256).where(of_stream(_FILES, stream), _FILES.c.sha256 == sha256)
            if db.execute(there).first() is None:
                row = {"stream_kind": stream.kind, "stream_id": stream.id, "sha256": sha256, "data": data}
                db.execute(_FILES.insert(), row)
        return sha256

    def get_file(self, stream: StreamId, sha256: str) -> bytes:
        """Return an uploaded file. Raises UnknownStream if that stream has no such file."""
        query = sa.select(_FILES.c.data).where(of_stream(_FILES, stream), _FILES.c.sha256 == sha256)
        with self._transaction() as db:
            found = db.execute(query).scalar_one_or_none()
        if found is None:
            raise UnknownStream(f"{stream.kind} {stream.id} has no file {sha256}.")
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
        raise UnusableStore(
            f"{name} is not a database of conversations: it has the tables {', '.join(there)}. Move it away, or choose "
            "another data directory."
        )
    found = db.execute(sa.select(_VERSION.c.version_num)).scalar() if _VERSION.name in there else _UNVERSIONED
    if found == NEWEST:
        return False
    _migrate(db, name, found or _UNVERSIONED, stamped=_VERSION.name in there)
    return True


_OURS = (
    (_ENTRIES.name, {column.name for column in _ENTRIES.columns}),
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
        raise UnusableStore(
            f"{name} was written by a newer release: its tables have version {found}, and this release knows versions "
            f"up to {NEWEST}. Update this installation, or choose another data directory."
        )
    try:
        if not stamped:
            command.stamp(config, found)
        command.upgrade(config, "head")
    except Exception as error:
        raise UnusableStore(
            f"{name} could not be migrated from version {found} to {NEWEST}, and is as it was: {error}"
        ) from error


def _prepare(connection: Any, _record: object) -> None:
    """Set what lasts as long as the connection: so a file that turns out to be none of ours is left as it was."""
    with closing(connection.cursor()) as cursor:
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA busy_timeout=5000")
        cursor.execute("PRAGMA secure_delete=ON")


LOOK_S = 0.2
"""Seconds between two looks at what other processes have done."""
_HELD = ".held"
"""Ends the name of the mark beside a claim, which says of which stream it is: whoever holds the claim makes it, and
takes it away. One beside a claim that can be had was left by a process that has died."""


class SqliteStore(SqlStore):
    """The embedded default: one file at `path`; its folder is made if need be, readable by its owner only.

    There is one connection in a process, and one process at a time works with the file (`OneAtATime`), with a full sync
    at each commit: what was acknowledged survives a crash.
    """

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600, exist_ok=True)
            size = path.stat().st_size
            turns = OneAtATime(path.with_name(f"{path.name}-turn"))
        except OSError as error:
            raise UnusableStore(say_unwritable(path.parent, error.strerror or type(error).__name__)) from error
        self._turns = turns
        if 0 < size < SMALLEST_BYTES:  # SQLite would take it for a new one
            turns.close()
            raise UnusableStore(f"{path} cannot be used to keep conversations: it is cut off. {RESTORE}")
        url = sa.URL.create("sqlite", database=str(path))
        engine = sa.create_engine(
            url, poolclass=sa.StaticPool, hide_parameters=True, connect_args={"check_same_thread": False}
        )
        sa.event.listen(engine, "connect", _prepare)
        super().__init__(engine, turns)
        self._claims = path.with_name(f"{path.name}-claims")
        self._ending = threading.Event()
        self._followers: list[threading.Thread] = []
        try:
            with turns, self._engine.begin() as db:
                db.exec_driver_sql("BEGIN IMMEDIATE")  # changes of tables are part of the transaction, and one writer's
                migrated = bring_up_to_date(db, str(path))
            with turns, self._engine.connect() as db:
                db.exec_driver_sql("PRAGMA journal_mode=WAL")
            if migrated:
                self._empty_the_journal()
        except DatabaseError as error:
            self.close()
            raise UnusableStore(say_unusable(path, error)) from error
        except StoreFailed as error:
            self.close()
            raise UnusableStore(f"{path} cannot be used to keep conversations just now. {error}") from error
        except UnusableStore:
            self.close()
            raise

    def streams(self, kind: str) -> tuple[StreamRow, ...]:
        """List the streams of a kind, last used first; where a part of the file is lost, each is read by itself."""
        try:
            return super().streams(kind)
        except DamagedStore:
            found = self._salvage_ids(kind)
            if not found:
                raise
            rows = (self._list_one(StreamId(kind, one)) for one in found)
            return tuple(sorted(rows, key=lambda row: row.updated, reverse=True))

    def _salvage_ids(self, kind: str) -> tuple[str, ...]:
        """Collect the ids of streams by the index, and up and down the table, each as far as it can be read."""
        found: dict[str, None] = {}
        ids = sa.select(_ENTRIES.c.stream_id)
        scan = ids.where(sa.literal_column(f"+{_ENTRIES.c.stream_kind.name}") == kind)  # the plus keeps off the index
        ids = ids.where(_ENTRIES.c.stream_kind == kind)
        for way in (ids, scan.order_by(sa.text("rowid")), scan.order_by(sa.text("rowid DESC"))):
            with suppress(StoreFailed), self._transaction() as db:
                found.update((one, None) for one in db.execute(way).scalars())
        return tuple(found)

    def _list_one(self, stream: StreamId) -> StreamRow:
        with suppress(DamagedStore):
            rows = self._list(of_stream(_ENTRIES, stream))
            if rows:
                return rows[0]
        return StreamRow(stream.id, NEVER, NEVER, 0, "")

    def delete(self, stream: StreamId) -> None:
        """Delete a stream with its files, for good. Raises UnknownStream."""
        super().delete(stream)
        self._empty_the_journal()
        self._claim_of(stream).unlink(missing_ok=True)

    def claim(self, stream: StreamId) -> AbstractContextManager[object] | None:
        """Take the right to work on a stream alone, among all programs; None where another one has it.

        It is a lock on a file of its own, which the operating system gives back with the program. Raises StoreFailed.
        """
        path = self._claim_of(stream)
        try:
            self._claims.mkdir(mode=0o700, exist_ok=True)
            file = _lock(path)
            if file is not None:
                path.with_suffix(_HELD).write_text(f"{stream.kind} {stream.id}", encoding="utf-8")
        except (OSError, sqlite3.Error) as error:
            raise _not_claimed(error) from None
        return None if file is None else _held(file, path)

    def _claim_of(self, stream: StreamId) -> Path:
        return self._claims / hashlib.sha256(f"{stream.kind} {stream.id}".encode()).hexdigest()[:32]

    def follow(self, follower: Follower) -> None:
        """Tell a follower what is appended, and which streams a process left that has died since.

        Claims that were left before are not told: what was begun is finished when the stream is opened.
        """
        with suppress(OSError, sqlite3.Error):
            self._take_left()
        thread = threading.Thread(target=self._follow, args=(follower,), name="follow other processes", daemon=True)
        self._followers.append(thread)
        thread.start()

    def _follow(self, follower: Follower) -> None:
        version, newest = 0, sys.maxsize
        while True:
            with suppress(OSError, sqlite3.Error):  # StoreFailed is one; there is a next look
                now = self._version()
                if now != version:
                    moved, last = self._moved_on(newest)
                    if last < newest:  # it is the first look, or something was deleted
                        follower.missed()
                    for stream in moved:
                        follower.moved_on(stream)
                    version, newest = now, last
                for stream in self._take_left():
                    follower.abandoned(stream)
            if self._ending.wait(LOOK_S):
                return

    def _version(self) -> int:
        """Return a number that changes with each commit of another process."""
        with self._lock, closing(self._engine.raw_connection()) as db, closing(db.cursor()) as cursor:
            cursor.execute("PRAGMA data_version")
            ((version,),) = cursor.fetchall()
            return int(version)

    def _moved_on(self, newest: int) -> tuple[tuple[StreamId, ...], int]:
        """Return the streams of the entries after the one in row `newest`, and the last row that there is."""
        row: sa.ColumnElement[int] = sa.literal_column("rowid", sa.Integer)
        after = sa.select(_ENTRIES.c.stream_kind, _ENTRIES.c.stream_id).where(row > newest).distinct()
        with self._transaction() as db:
            last = db.execute(sa.select(sa.func.coalesce(sa.func.max(row), 0)).select_from(_ENTRIES)).scalar_one()
            return tuple(StreamId(kind, stream_id) for kind, stream_id in db.execute(after)), last

    def _take_left(self) -> list[StreamId]:
        """Return the streams whose claims were held by processes that have died, and take their marks away."""
        left = []
        for held in self._claims.glob(f"*{_HELD}"):
            file = _lock(held.with_suffix(""))
            if file is not None:
                with closing(file), suppress(FileNotFoundError):  # it was given back meanwhile
                    kind, _, stream_id = held.read_text(encoding="utf-8").partition(" ")
                    held.unlink()
                    left.append(StreamId(kind, stream_id))
        return left

    def close(self) -> None:
        """Release what the store holds, once what is under way is done; nothing can be done with it afterwards."""
        self._ending.set()
        for thread in self._followers:
            thread.join()
        try:
            super().close()
        except StoreFailed:  # a suspended program holds the file: what is written here is written
            self._engine.dispose()
        self._turns.close()

    def _empty_the_journal(self) -> None:
        with self._lock, self._engine.connect() as db:
            db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")  # what was deleted is not left in the WAL either


def _lock(path: Path) -> sqlite3.Connection | None:
    """Lock a file among all programs and threads, until it is closed; None where another one has it locked."""
    file = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        file.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        file.close()
        if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return None
        raise
    return file


@contextmanager
def _held(file: sqlite3.Connection, path: Path) -> Iterator[None]:
    with closing(file):
        try:
            yield
        finally:
            path.with_suffix(_HELD).unlink(missing_ok=True)


def _not_claimed(error: OSError | sqlite3.Error) -> StoreFailed:
    """Say why work cannot be claimed: for want of room, as a rule."""
    full = isinstance(error, OSError) and error.errno == errno.ENOSPC
    return StoreFailed(say_failed("SQLITE_FULL" if full else getattr(error, "sqlite_errorname", type(error).__name__)))
