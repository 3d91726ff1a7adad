"""PostgreSQL, for several processes on one store: leases with fencing tokens, and notices of what others write.

A process that works on a stream holds a lease on it, a row that counts until a time, by the clock of the database. A
process that lives prolongs its leases; that of a process that died runs out within `LEASE_S`. Each lease has a higher
number (fencing token) than the one before, and an append by a process that holds an older one is refused: one that was
suspended for long cannot write into the work of its successor.

A commit whose answer is lost with the connection may have happened. So an append is tried again when the database is
back, and what turns out to be written already, word for word, counts as written: nothing is lost or written twice.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError, NoSuchModuleError

from dialogue.log.stores import protocol
from dialogue.log.stores.sql import SqlStore, bring_up_to_date, of_stream

LEASE_S = 4.0
"""How long a lease counts without being prolonged."""
_PROLONG_S = 1.0
_LOOK_S = 0.5
_PATIENCE_S = 30.0
"""How long an append or a claim waits for a database that has gone away, such as one that is restarted."""
_CONNECTIONS = 8
_CHANNEL = "planglass"
_LOCK = 0x706C_676C
"""An advisory lock: the first process makes the tables."""

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

_LEASES = sa.Table(
    "stream_leases",
    sa.MetaData(),
    sa.Column("stream_kind", sa.String, primary_key=True),
    sa.Column("stream_id", sa.String, primary_key=True),
    sa.Column("token", sa.BigInteger, nullable=False),
    sa.Column("until", sa.DateTime(timezone=True), nullable=True),
)
"""Leases, of which only the token must last; `until` is NULL where no process works. They are no data: the table is
made where there is none, without a version."""

_NOW = sa.func.clock_timestamp()
_UNTIL = _NOW + sa.text(f"interval '{LEASE_S} seconds'")


class PostgresStore(SqlStore):
    """A database of PostgreSQL at a URL, shared by any number of processes. Raises UnusableStore."""

    def __init__(self, url: str) -> None:
        named = sa.make_url(url).set(drivername="postgresql+psycopg")
        try:
            engine = sa.create_engine(
                named,
                hide_parameters=True,
                pool_pre_ping=True,
                pool_size=_CONNECTIONS,
                max_overflow=0,
                connect_args={"connect_timeout": 5},
            )
        except (ModuleNotFoundError, NoSuchModuleError) as error:
            raise protocol.UnusableStore(
                'PostgreSQL needs the package psycopg. Install it with: pip install "psycopg[binary]"'
            ) from error
        super().__init__(engine)
        self._me = uuid4().hex
        self._held: dict[protocol.StreamId, int] = {}
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self._holding = threading.Lock()
        where = f"The database {named.database!r} at {named.host or 'this machine'}"
        try:
            with engine.begin() as db:
                db.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
                bring_up_to_date(db, where, besides=(_LEASES.name,))
                _LEASES.metadata.create_all(db)
        except DBAPIError as error:
            self.close()
            raise protocol.UnusableStore(
                f"{where} cannot be used to keep conversations ({type(error.orig).__name__}). Check that it runs, that "
                "the user and the password of the setting `store` are right, and that the user may create tables."
            ) from None
        except protocol.UnusableStore:
            self.close()
            raise

    # appending

    def append(self, stream: protocol.StreamId, entries: Sequence[protocol.StoredEntry]) -> None:
        """Append entries, all or none, durably. Raises Conflict, also where the lease on the stream was lost."""

        def attempt(again: bool) -> None:
            if again and self._has(stream, entries):  # what was thought lost was committed
                return
            try:
                super(PostgresStore, self).append(stream, entries)
            except protocol.Conflict:
                if not (again and self._has(stream, entries)):
                    raise

        self._patiently(attempt)

    def read(self, stream: protocol.StreamId, since: int = 1) -> tuple[protocol.StoredEntry, ...]:
        """Read a stream; where the database has gone away, once it is back. See `Store.read`."""
        return self._patiently(lambda _: super(PostgresStore, self).read(stream, since))

    def streams(self, kind: str) -> tuple[protocol.StreamRow, ...]:
        """List the streams of a kind likewise: a listing waits for the database as what is written does."""
        return self._patiently(lambda _: super(PostgresStore, self).streams(kind))

    def _patiently(self, attempt: Callable[[bool], _T]) -> _T:
        """Do something with the database; where it has gone away, again, for as long as there is patience.

        The attempt is told whether it is made again: the one before may have been committed.
        """
        until, again = monotonic() + _PATIENCE_S, False
        while True:
            try:
                return attempt(again)
            except Unreachable:
                if monotonic() > until or self._ending.wait(_LOOK_S / 5):
                    raise
                again = True

    def _has(self, stream: protocol.StreamId, entries: Sequence[protocol.StoredEntry]) -> bool:
        with suppress(LookupError):
            return super().read(stream, entries[0].seq)[: len(entries)] == tuple(entries)
        return False

    def _appending(self, db: sa.Connection, stream: protocol.StreamId) -> None:
        token = self._held.get(stream)
        if token is not None:
            found = sa.select(_LEASES.c.token).where(of_stream(_LEASES, stream)).with_for_update(read=True)
            if db.execute(found).scalar() != token:
                raise protocol.Conflict(f"{stream.kind} {stream.id} is worked on by another process by now")
        db.execute(sa.select(sa.func.pg_notify(_CHANNEL, f"{self._me} {stream.kind} {stream.id}")))

    def _failure(self, error: DBAPIError) -> protocol.StoreFailed:
        if error.connection_invalidated or (getattr(error.orig, "sqlstate", "") or "08")[:2] in {"08", "57"}:
            return Unreachable("The database cannot be reached. Try again when it is back.")
        return super()._failure(error)

    def delete(self, stream: protocol.StreamId) -> None:
        super().delete(stream)
        with self._transaction() as db:
            db.execute(_LEASES.delete().where(of_stream(_LEASES, stream)))

    # working alone

    def claim(self, stream: protocol.StreamId) -> AbstractContextManager[object] | None:
        """Take the lease on a stream; None where another process, or another thread of this one, has it.

        One that was taken as the connection broke has no holder: it runs out.
        """
        row = {"stream_kind": stream.kind, "stream_id": stream.id}
        taken = insert(_LEASES).values(**row, token=1, until=_UNTIL)
        taken = taken.on_conflict_do_update(
            index_elements=[_LEASES.c.stream_kind, _LEASES.c.stream_id],
            set_={"token": _LEASES.c.token + 1, "until": _UNTIL},
            where=sa.or_(_LEASES.c.until.is_(None), _LEASES.c.until <= _NOW),
        )

        def attempt(_again: bool) -> int | None:
            with self._transaction() as db:
                token: int | None = db.execute(taken.returning(_LEASES.c.token)).scalar()
                return token

        token = self._patiently(attempt)
        if token is None:
            return None
        with self._holding:
            self._held[stream] = token
        self._keep_going("prolong leases", self._prolong)
        return self._lease(stream, token)

    @contextmanager
    def _lease(self, stream: protocol.StreamId, token: int) -> Iterator[None]:
        try:
            yield
        finally:
            with self._holding:
                self._held.pop(stream, None)
            ours = sa.and_(of_stream(_LEASES, stream), _LEASES.c.token == token)
            with suppress(protocol.StoreFailed), self._transaction() as db:  # or it runs out by itself
                db.execute(_LEASES.update().where(ours).values(until=None))

    def _prolong(self) -> None:
        while not self._ending.wait(_PROLONG_S):
            with self._holding:
                held = list(self._held.items())
            with suppress(protocol.StoreFailed):
                for stream, token in held:
                    ours = sa.and_(of_stream(_LEASES, stream), _LEASES.c.token == token, _LEASES.c.until.is_not(None))
                    with self._transaction() as db:
                        db.execute(_LEASES.update().where(ours).values(until=_UNTIL))

    # what others do

    def follow(self, follower: protocol.Follower) -> None:
        """Tell a follower what other processes append, and which streams a process left that has died."""
        self._keep_going("follow other processes", lambda: self._follow(follower))

    def _follow(self, follower: protocol.Follower) -> None:
        told: dict[protocol.StreamId, int] = {}
        while not self._ending.is_set():
            try:
                with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
                    db.exec_driver_sql(f"LISTEN {_CHANNEL}")
                    follower.missed()
                    calm = monotonic() + 2 * _PROLONG_S  # who lives can prolong first, where the database was away
                    while not self._ending.is_set():
                        self._listen(db, follower)
                        if monotonic() > calm:
                            self._look(db, follower, told)
            except DBAPIError:
                self._ending.wait(_LOOK_S)
            except Exception as error:
                if not self._ending.is_set():
                    _log.error("what other processes write cannot be followed: %s", type(error).__name__)
                self._ending.wait(_LOOK_S)

    def _listen(self, db: sa.Connection, follower: protocol.Follower) -> None:
        listening: Any = db.connection.driver_connection
        for notice in listening.notifies(timeout=_LOOK_S, stop_after=1):
            who, kind, stream_id = notice.payload.split(" ", 2)
            if who != self._me:
                follower.moved_on(protocol.StreamId(kind, stream_id))

    @staticmethod
    def _look(db: sa.Connection, follower: protocol.Follower, told: dict[protocol.StreamId, int]) -> None:
        left = sa.select(_LEASES.c.stream_kind, _LEASES.c.stream_id, _LEASES.c.token).where(_LEASES.c.until <= _NOW)
        for kind, stream_id, token in db.execute(left).all():
            stream = protocol.StreamId(kind, stream_id)
            if told.get(stream) != token:
                told[stream] = token
                follower.abandoned(stream)

    def _keep_going(self, name: str, work: Any) -> None:
        with self._holding:
            if not self._ending.is_set() and all(thread.name != name for thread in self._threads):
                thread = threading.Thread(target=work, name=name, daemon=True)
                self._threads.append(thread)
                thread.start()

    def close(self) -> None:
        """Release what the store holds; nothing can be done with it afterwards."""
        self._ending.set()
        with self._holding:
            threads = list(self._threads)
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(timeout=2 * LEASE_S)
        super().close()


class Unreachable(protocol.StoreFailed):
    """The connection to the database is lost, or cannot be had."""
