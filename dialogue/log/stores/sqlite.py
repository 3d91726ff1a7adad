"""SQLite, the embedded default: one file, at which processes take turns, and a lock on a file for each claim.

What other processes do is looked at: who has a turn marks it, and a claim leaves a mark beside its lock.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from dialogue.log.stores.damage import RESTORE, SMALLEST_BYTES, DamagedStore, say_failed, say_unusable, say_unwritable
from dialogue.log.stores.protocol import NEVER, Follower, StoreFailed, StoreMark, StreamId, StreamRow, UnusableStore
from dialogue.log.stores.sql import ENTRIES, SqlStore, bring_up_to_date, of_stream

PATIENCE_S = 5.0
"""So long a turn is waited for. One takes milliseconds: only a program that was suspended takes longer."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.0005, 0.005


class OneAtATime:
    """A lock of the threads of this process, and within it locks on files, which end with the process.

    There are two: a process that waits for its turn holds the place of the next one. So one that just had a turn waits.
    """

    def __init__(self, path: Path) -> None:
        """Open the files, readable by their owner only. Raises OSError."""
        self._threads = threading.Lock()
        self._name = path.name
        self._mine = os.urandom(16)
        self._others = 0
        self._turn: int | None = _open(path)
        try:
            self._next = _open(path.with_name(f"{path.name}-next"))
        except OSError:
            os.close(self._turn)
            raise

    def __enter__(self) -> None:
        """Wait for a turn. Raises StoreFailed where that takes too long."""
        self._threads.acquire()
        try:
            if self._turn is not None:
                until = monotonic() + PATIENCE_S
                self._lock(self._next, until)
                try:
                    self._lock(self._turn, until)
                finally:
                    fcntl.flock(self._next, fcntl.LOCK_UN)
                if os.pread(self._turn, len(self._mine), 0) != self._mine:
                    os.pwrite(self._turn, self._mine, 0)
                    self._others += 1
        except BaseException:
            self._threads.release()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back; explicitly, as a process that was forked meanwhile holds the file, too."""
        if self._turn is not None:
            fcntl.flock(self._turn, fcntl.LOCK_UN)
        self._threads.release()

    @property
    def others(self) -> int | None:
        """How often others have had a turn so far; None where the last turn was not this process's.

        A process that gets a turn writes its mark into the file first. So while the mark is this process's own, no
        other one can have written to the database since its last turn.
        """
        turn = self._turn
        with suppress(OSError):  # it is being closed
            return self._others if turn is not None and os.pread(turn, len(self._mine), 0) == self._mine else None
        return None

    def _lock(self, file: int, until: float) -> None:
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() > until:
                    raise StoreFailed(
                        f"Another program has been using {self._name} for {PATIENCE_S:g} s: it may be suspended. "
                        "Nothing was written; let it go on, or end it."
                    ) from None
                sleep(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
            else:
                return

    def close(self) -> None:
        """Close the files; threads take turns all the same."""
        with self._threads:
            if self._turn is not None:
                os.close(self._turn)
                os.close(self._next)
                self._turn = None


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _prepare(connection: Any, _record: object) -> None:
    """Set what lasts as long as the connection: so a file that turns out to be none of ours is left as it was."""
    with closing(connection.cursor()) as cursor:
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA busy_timeout=5000")
        cursor.execute("PRAGMA secure_delete=ON")


LOOK_S = 0.2
"""Seconds between two looks at what other processes have done."""
_row: sa.ColumnElement[int] = sa.literal_column("rowid", sa.Integer)
_LAST = sa.select(sa.func.coalesce(sa.func.max(_row), 0)).select_from(ENTRIES)
_MOVED = sa.select(ENTRIES.c.stream_kind, ENTRIES.c.stream_id).distinct()
_HELD = ".held"
"""Ends the name of the mark beside a claim, which says of which stream it is: the holder of the claim makes it, and
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

    def standing(self, stream: StreamId) -> StoreMark | None:
        """Return how far a stream is known to be; None where another process had the last turn at the file."""
        others = self._turns.others
        return None if others is None else StoreMark(others, self._last.get(stream, 0))

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
        ids = sa.select(ENTRIES.c.stream_id)
        scan = ids.where(sa.literal_column(f"+{ENTRIES.c.stream_kind.name}") == kind)  # the plus keeps off the index
        ids = ids.where(ENTRIES.c.stream_kind == kind)
        for way in (ids, scan.order_by(sa.text("rowid")), scan.order_by(sa.text("rowid DESC"))):
            with suppress(StoreFailed), self._transaction() as db:
                found.update((one, None) for one in db.execute(way).scalars())
        return tuple(found)

    def _list_one(self, stream: StreamId) -> StreamRow:
        with suppress(DamagedStore):
            rows = self._list(of_stream(ENTRIES, stream))
            if rows:
                return rows[0]
        return StreamRow(stream.id, NEVER, NEVER, 0, "")

    def delete(self, stream: StreamId) -> None:
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
        others: int | None = -1
        newest = sys.maxsize
        while True:
            with suppress(OSError, sqlite3.Error):  # StoreFailed is one; there is a next look
                if self._turns.others != others:
                    others, moved, last = self._moved_on(newest)
                    if last < newest:  # it is the first look, or something was deleted
                        follower.missed()
                    for stream in moved:
                        follower.moved_on(stream)
                    newest = last
                for stream in self._take_left():
                    follower.abandoned(stream)
            if self._ending.wait(LOOK_S):
                return

    def _moved_on(self, newest: int) -> tuple[int | None, tuple[StreamId, ...], int]:
        """Return the streams of the entries after the one in row `newest`, and the last row that there is.

        The first is how often other processes had had a turn by then.
        """
        with self._transaction() as db:
            last = db.execute(_LAST).scalar_one()
            found = db.execute(_MOVED.where(_row > newest)) if last > newest else ()
            return self._turns.others, tuple(StreamId(kind, stream_id) for kind, stream_id in found), last

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
