"""Sessions at a terminal: their events, where they are written, and those that are read, listed and deleted.

A dozen sessions come with the product, recorded from real shells, one event a line.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files

from catalog.skills.failures import describe_trouble
from dialogue.agents.events import AGENT_EVENTS
from dialogue.agents.model import AgentName
from dialogue.log.stores.protocol import Store, StreamId
from dialogue.log.streams import Clock, Entry, Event, Fold, StoredJournal, StreamKind
from language.content import usually


class ShellStarted(Event, kind="session_started", sensitive=()):
    """A shell was started, with these agents and this orchestrator."""

    shell: str
    orchestrator: str
    agents: tuple[AgentName, ...]
    title: str = usually("")


class SessionEnded(Event, kind="session_ended", sensitive=()):
    """The shell ended with an exit code."""

    exit_code: int


TERMINAL: StreamKind[Event] = StreamKind("terminal", ShellStarted, SessionEnded, *AGENT_EVENTS)
"""A session at a terminal."""


_log = logging.getLogger(__name__)
_FOLDER = "recorded"
_COUNTED: Fold[Event, int] = Fold(0, lambda count, _: count + 1)


@dataclass(frozen=True, slots=True)
class ShellSessionRow:
    id: str
    started: datetime
    updated: datetime
    entries: int
    shell: str
    orchestrator: str


class KeptSession:
    """Writes a session into a store; when that fails, the rest of the session is not kept, and it says so once."""

    def __init__(self, session_id: str, store: Store | None, clock: Clock) -> None:
        self.id = session_id
        self._journal = None if store is None else StoredJournal(session_id, store, clock, TERMINAL, _COUNTED)
        self._count = 0

    def add(self, event: Event) -> int:
        self._count += 1
        if self._journal is not None:
            self._journal.add(event)
        return self._count

    def flush(self) -> None:
        if self._journal is not None:
            try:
                self._journal.flush()
            except Exception as error:  # the shell goes on
                self._journal = None
                _log.warning("the rest of this session is not kept: %s", describe_trouble(error))


def list_sessions(store: Store) -> tuple[ShellSessionRow, ...]:
    """List the sessions that are kept, last used first."""
    rows = []
    for row in store.streams(TERMINAL.name):
        event = TERMINAL.opening_of(row)
        shell, orchestrator = (event.shell, event.orchestrator) if isinstance(event, ShellStarted) else ("", "")
        rows.append(ShellSessionRow(row.stream_id, row.started, row.updated, row.entries, shell, orchestrator))
    return tuple(rows)


def read_session(store: Store, session_id: str) -> tuple[Entry[Event], ...]:
    """Read a session. Raises UnknownStream or DamagedStream."""
    return TERMINAL.decode_all(store.read(StreamId(TERMINAL.name, session_id)))


def delete_session(store: Store, session_id: str) -> None:
    """Delete a session for good. Raises UnknownStream."""
    store.delete(StreamId(TERMINAL.name, session_id))


def recorded_sessions() -> Mapping[str, tuple[Entry[Event], ...]]:
    folder = files(__package__) / _FOLDER
    return {
        one.name.removesuffix(".jsonl"): read_lines(one.read_text(encoding="utf-8").splitlines())
        for one in sorted(folder.iterdir(), key=lambda one: one.name)
        if one.name.endswith(".jsonl")
    }


def read_lines(lines: Iterable[str]) -> tuple[Entry[Event], ...]:
    """Read a session from lines of JSON. Raises ValueError where one is no event of a session."""
    return tuple(TERMINAL.decode(line) for line in lines if line.strip())


def write_lines(log: Iterable[Entry[Event]]) -> str:
    return "".join(f"{TERMINAL.encode(entry).text}\n" for entry in log)
