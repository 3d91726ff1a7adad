"""The journal of a fork: a prefix of a stream by reference, and entries of its own, in memory."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from functools import reduce
from typing import Generic

from typing_extensions import TypeVar

from dialogue.log.streams import Clock, E, Entry, Fold

S = TypeVar("S")

NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""The time of imagined entries; no decision depends on it."""


def no_time() -> datetime:
    return NO_TIME


class ForkedJournal(Generic[E, S]):
    """A journal that nothing is written to: `entries` are those of the fork, `log` is all of them."""

    def __init__(
        self,
        prefix: tuple[Entry[E], ...],
        fold: Fold[E, S],
        *,
        state: S | None = None,
        clock: Clock = no_time,
    ) -> None:
        """`state` is that after the prefix, where it is known."""
        self.lock: AbstractContextManager[object] = nullcontext()
        self.entries: list[Entry[E]] = []
        self._prefix = prefix
        self._advance = fold.advance
        self._clock = clock
        self._state = reduce(fold.advance, prefix, fold.initial) if state is None else state

    @property
    def at(self) -> int:
        """The last entry of the prefix."""
        return len(self._prefix)

    @property
    def state(self) -> S:
        return self._state

    @property
    def shown(self) -> tuple[tuple[Entry[E], ...], S]:
        """What a reader would see; nothing here is kept from one."""
        return self.log, self._state

    @property
    def log(self) -> tuple[Entry[E], ...]:
        return (*self._prefix, *self.entries)

    def entry(self, seq: int) -> Entry[E]:
        return self._prefix[seq - 1] if seq <= self.at else self.entries[seq - self.at - 1]

    def add(self, event: E) -> int:
        """Append an event; return its sequence number."""
        entry = Entry.model_construct(seq=self.at + len(self.entries) + 1, at=self._clock(), event=event)
        self._state = self._advance(self._state, entry)
        self.entries.append(entry)
        return entry.seq

    def flush(self) -> None:
        """Do nothing: there is nothing to write to."""

    def go_back(self, kept: int, state: S) -> None:
        """Keep so many entries of its own; `state` is that after them."""
        del self.entries[kept:]
        self._state = state
