"""Sessions that the page can look at: conversations with agents, terminals, and those that come with the product."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from catalog.wording.grammar import capitalize, clean
from dialogue.agents.terminal.calls import TERMINAL_LEARNER
from dialogue.agents.terminal.events import ShellStarted
from dialogue.agents.terminal.sessions import recorded_sessions
from dialogue.log.streams import Log
from dialogue.services import SessionRow, UnknownCatalog, UnknownSession
from pages.orchestrators.recordings import Recording
from pages.shell.root import catalog_labels, services
from pages.views.seen import SnapshotView

_SESSION, _TERMINAL, _SHIPPED = "session", "terminal", "recorded"
_MOST = 50
"""Terminal sessions that are listed, the last used first."""


def sources(rows: Iterable[SessionRow], opened: str | None) -> dict[str, str]:
    """Return what each session is called, by its name in the address; the conversation that is open comes first."""
    labels = catalog_labels()
    found = {row.session_id: f"{labels.get(row.catalog, row.catalog)}, {row.session_id[:4]}" for row in rows}
    if opened is not None and (recording := recording_of(f"{_SESSION}:{opened}")) is not None:
        found = {opened: f"{recording.title}, {opened[:4]}", **found}
    named = {f"{_SESSION}:{session}": label for session, label in found.items()}
    for row in services().agents.terminal_sessions()[:_MOST]:
        named[f"{_TERMINAL}:{row.id}"] = f"Terminal ({clean(row.shell)}), {row.started.astimezone():%d %b %H:%M}"
    return named | {f"{_SHIPPED}:{name}": f"Recorded: {_title(name, log)}" for name, log in _shipped().items()}


def recording_of(source: str) -> Recording | None:
    """Return a session by its name in the address; None where there is none."""
    kind, _, name = source.partition(":")
    if kind == _SHIPPED and (log := _shipped().get(name)) is not None:
        return Recording(source, _title(name, log), log)
    try:
        if kind == _TERMINAL:
            return Recording(source, "Terminal", services().agents.terminal_session(name), learner=TERMINAL_LEARNER)
        if kind == _SESSION:
            seen = SnapshotView(services().snapshot(name), None, "how")
            setup = seen.conversation.setup
            log, learner = seen.snapshot.log, setup.learner or name
            return Recording(source, setup.title, log, seen.text, seen.fact, session=name, learner=learner)
    except (UnknownSession, UnknownCatalog):
        pass
    return None


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Log]:
    """Return the sessions that come with the product; they are read once."""
    return dict(recorded_sessions())


def _title(name: str, log: Log) -> str:
    begun = log[0].event if log else None
    given = begun.title if isinstance(begun, ShellStarted) else ""
    return clean(given) or capitalize(name.replace("-", " "))
