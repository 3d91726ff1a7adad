"""The one place where a session's log grows: entries are numbered, folded into the state, and written down."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from dialogue.log.events import Entry, Event, Log
from dialogue.log.stores import Store
from dialogue.state.conversation import Conversation
from dialogue.state.fold import advance, project

Clock = Callable[[], datetime]


class Journal(Protocol):
    """What a turn writes into: each event that is added is taken into account at once."""

    @property
    def lock(self) -> AbstractContextManager[object]:
        """Hold this to add several entries that belong together."""
        ...

    @property
    def conversation(self) -> Conversation:
        """The state, with what is not written yet."""
        ...

    @property
    def shown(self) -> tuple[Log, Conversation]:
        """What is written: a log and the state that follows from it."""
        ...

    def entry(self, seq: int) -> Entry:
        """Return an entry by its sequence number, written or not."""
        ...

    def add(self, event: Event) -> int:
        """Append an event; return its sequence number."""
        ...

    def flush(self) -> None:
        """Write what was added."""
        ...


class StoredJournal:
    """The log of one session, held in memory and written to a store.

    Entries added since the last `flush` are written together, in one transaction, and are shown to nobody before: what
    a reader sees is durable. Hold `lock` to add several entries that belong together.
    """

    def __init__(self, session_id: str, store: Store, clock: Clock, log: Log = ()) -> None:
        self.session_id = session_id
        self.lock: AbstractContextManager[object] = threading.RLock()
        self._store = store
        self._clock = clock
        self._log = log
        self._conversation = project(log)
        self._unwritten: list[Entry] = []
        self._shown: tuple[Log, Conversation] = (self._log, self._conversation)

    @property
    def conversation(self) -> Conversation:
        """The state, with what is not written yet."""
        return self._conversation

    @property
    def shown(self) -> tuple[Log, Conversation]:
        """What is written: a log and the state that follows from it."""
        return self._shown

    def entry(self, seq: int) -> Entry:
        """Return an entry by its sequence number, written or not."""
        return self._log[seq - 1] if seq <= len(self._log) else self._unwritten[seq - len(self._log) - 1]

    def add(self, event: Event) -> int:
        """Append an event; return its sequence number."""
        with self.lock:
            entry = Entry(seq=self._conversation.seq + 1, at=self._clock(), event=event)
            self._conversation = advance(self._conversation, entry)
            self._unwritten.append(entry)
            return entry.seq

    def flush(self) -> None:
        """Write what was added. If that fails, what was added is forgotten again, and the error is the caller's."""
        with self.lock:
            if not self._unwritten:
                return
            entries = tuple(self._unwritten)
            self._unwritten.clear()
            try:
                self._store.append(self.session_id, entries)
            except Exception:
                self._conversation = self._shown[1]
                raise
            self._log = (*self._log, *entries)
            self._shown = (self._log, self._conversation)
