"""The protocol of a store of streams. Entries are appended in order, and nothing is ever changed.

A store knows nothing of events: an entry is a number, a time, the kind of its event, and JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol


class UnknownStream(LookupError):
    """There is no stream of that kind and id (or it was deleted)."""


class DamagedStream(LookupError):
    """A stream is there and cannot be read; the message quotes nothing of it. Others are not concerned."""


class Conflict(RuntimeError):
    """Someone else has appended to the stream since it was read; nothing was written."""


class UnusableStore(OSError):
    """The store cannot be opened; the message says why, and what to do. What it holds is as it was."""


class StoreFailed(OSError):
    """The store could not do what was asked just now; nothing was written, and it may work later."""


NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands for times that cannot be read."""


@dataclass(frozen=True, slots=True)
class StreamId:
    """The address of a stream: its kind, and its id among those of that kind."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry as a store keeps it: `kind` is that of the event, `text` the whole entry as JSON."""

    seq: int
    at: datetime
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class StoreMark:
    """How often other processes have had the store so far, and the last entry that this one has appended (0: none)."""

    others: int
    last: int


@dataclass(frozen=True, slots=True)
class StreamRow:
    """What a list of streams says of one; `opening` is its first entry, as JSON: empty where that cannot be read.

    The times of one that cannot be read at all are `NEVER`.
    """

    stream_id: str
    started: datetime
    updated: datetime
    entries: int
    opening: str


class Follower(Protocol):
    """Is told what other processes do, on a thread of the store. It must not take long, nor raise anything."""

    def moved_on(self, stream: StreamId) -> None: ...

    def abandoned(self, stream: StreamId) -> None:
        """A process that had claimed a stream has died: what it had begun is for others to finish."""
        ...

    def missed(self) -> None:
        """Anything may have been appended: nothing was heard for a while."""
        ...


class Store(Protocol):
    """Keeps streams, and the files that were uploaded to them."""

    def append(self, stream: StreamId, entries: Sequence[StoredEntry]) -> None:
        """Append entries, all or none, durably. Raises Conflict if their sequence numbers do not follow on."""
        ...

    def read(self, stream: StreamId, since: int = 1) -> tuple[StoredEntry, ...]:
        """Read a stream, from an entry on. Raises UnknownStream where there is nothing, and DamagedStream."""
        ...

    def standing(self, stream: StreamId) -> StoreMark | None:
        """Return how far a stream is known to be; equal ones mean that nothing was appended in between, nor deleted.

        None where only reading tells: another process may have written to it.
        """
        ...

    def streams(self, kind: str) -> tuple[StreamRow, ...]:
        """List the streams of a kind, last used first; one that is damaged hides no other."""
        ...

    def delete(self, stream: StreamId) -> None:
        """Delete a stream with its files, for good. Raises UnknownStream."""
        ...

    def put_file(self, stream: StreamId, data: bytes) -> str:
        """Keep an uploaded file; return its SHA-256 in hexadecimal digits. Raises UnknownStream."""
        ...

    def get_file(self, stream: StreamId, sha256: str) -> bytes:
        """Return an uploaded file. Raises UnknownStream if that stream has no such file."""
        ...

    def claim(self, stream: StreamId) -> AbstractContextManager[object] | None:
        """Take the right to work on a stream alone, among all programs; None where another one has it.

        It is given back at the end of the context, or with the program, however that ends.
        """
        ...

    def follow(self, follower: Follower) -> None:
        """Tell a follower from now on what other processes do."""
        ...

    def close(self) -> None: ...
