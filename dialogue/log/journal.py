"""The journal of a stream: the only place where it grows.

Events are numbered, folded into the state, and written to the store. The journal is generic in its events and in the
state that they are folded into.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import Generic, Protocol, TypeVar

from dialogue.log.entry import E, Entry, StreamId, StreamKind
from dialogue.log.stores import Store

Clock = Callable[[], datetime]
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


@dataclass(frozen=True)
class Fold(Generic[E, S]):
    """How a stream becomes a state: the state before the first entry, and the step from one entry to the next."""

    initial: S
    advance: Callable[[S, Entry[E]], S]


class Journal(Protocol[E, S_co]):
    """What a turn writes into: the state reflects each event as soon as it is added."""

    @property
    def lock(self) -> AbstractContextManager[object]:
        """Hold this to add several entries that belong together."""
        ...

    @property
    def state(self) -> S_co:
        """The state, including what is not written yet."""
        ...

    @property
    def shown(self) -> tuple[tuple[Entry[E], ...], S_co]:
        """The entries that are written, and their state."""
        ...

    def entry(self, seq: int) -> Entry[E]:
        """Return an entry by its sequence number, written or not."""
        ...

    def add(self, event: E) -> int:
        """Append an event; return its sequence number."""
        ...

    def flush(self) -> None:
        """Write what was added."""
        ...


class StoredJournal(Generic[E, S]):
    """A stream held in memory and written to a store; it begins with the entries in `log`.

    Entries added since the last `flush` are written together, in one transaction, and are shown to nobody before: what
    a reader sees is durable. Hold `lock` to add several entries that belong together.
    """

    def __init__(
        self,
        stream_id: str,
        store: Store,
        clock: Clock,
        kind: StreamKind[E],
        fold: Fold[E, S],
        *,
        log: tuple[Entry[E], ...] = (),
    ) -> None:
        self.stream = StreamId(kind.name, stream_id)
        self.lock: AbstractContextManager[object] = threading.RLock()
        self._store = store
        self._clock = clock
        self._kind = kind
        self._advance = fold.advance
        self._log = log
        self._state = reduce(fold.advance, log, fold.initial)
        self._unwritten: list[Entry[E]] = []
        self._shown = (self._log, self._state)

    @classmethod
    def open(
        cls, stream_id: str, store: Store, clock: Clock, kind: StreamKind[E], fold: Fold[E, S]
    ) -> StoredJournal[E, S]:
        """Go on with a stream that is in the store. Raises UnknownStream."""
        log = tuple(kind.decode(stored.text) for stored in store.read(StreamId(kind.name, stream_id)))
        return cls(stream_id, store, clock, kind, fold, log=log)

    @property
    def state(self) -> S:
        """The state, including what is not written yet."""
        return self._state

    @property
    def shown(self) -> tuple[tuple[Entry[E], ...], S]:
        """The entries that are written, and their state."""
        return self._shown

    def entry(self, seq: int) -> Entry[E]:
        """Return an entry by its sequence number, written or not."""
        return self._log[seq - 1] if seq <= len(self._log) else self._unwritten[seq - len(self._log) - 1]

    def add(self, event: E) -> int:
        """Append an event; return its sequence number."""
        with self.lock:
            entry: Entry[E] = Entry(seq=len(self._log) + len(self._unwritten) + 1, at=self._clock(), event=event)
            self._state = self._advance(self._state, entry)
            self._unwritten.append(entry)
            return entry.seq

    def flush(self) -> None:
        """Write what was added. If that fails, what was added is dropped, and the error is raised."""
        with self.lock:
            if not self._unwritten:
                return
            entries = tuple(self._unwritten)
            self._unwritten.clear()
            try:
                self._store.append(self.stream, tuple(map(self._kind.encode, entries)))
            except Exception:
                self._state = self._shown[1]
                raise
            self._log = (*self._log, *entries)
            self._shown = (self._log, self._state)
