"""What any store of sessions must do. Entries are appended in order, and nothing is ever changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from dialogue.log.events import Entry, Log


class UnknownSession(LookupError):
    """There is no session of that id (or it was deleted)."""


class Conflict(RuntimeError):
    """Someone else has appended to the session since it was read; nothing was written."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """What a list of sessions shows of one."""

    session_id: str
    catalog: str
    started: datetime
    updated: datetime
    entries: int


class Store(Protocol):
    """Keeps the logs of sessions, and the files that were uploaded in them."""

    def append(self, session_id: str, entries: Sequence[Entry]) -> None:
        """Append entries, all or none, durably. Raises Conflict if their sequence numbers do not follow on."""
        ...

    def read(self, session_id: str) -> Log:
        """Read a whole log. Raises UnknownSession."""
        ...

    def sessions(self) -> tuple[SessionRow, ...]:
        """List the sessions, last used first."""
        ...

    def delete(self, session_id: str) -> None:
        """Delete a session with its uploads. Raises UnknownSession."""
        ...

    def put_file(self, session_id: str, data: bytes) -> str:
        """Keep an uploaded file; return its SHA-256 in hexadecimal digits. Raises UnknownSession."""
        ...

    def get_file(self, session_id: str, sha256: str) -> bytes:
        """Return an uploaded file. Raises UnknownSession if that session has no such file."""
        ...

    def close(self) -> None:
        """Release what the store holds."""
        ...
