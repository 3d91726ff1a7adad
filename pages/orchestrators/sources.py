"""Sessions that the page can look at: conversations with agents."""

from __future__ import annotations

from collections.abc import Iterable

from dialogue.services import SessionRow, UnknownCatalog, UnknownSession
from pages.orchestrators.recordings import Recording
from pages.shell.root import catalog_labels, services
from pages.views.seen import Seen

_SESSION = "session"


def sources(rows: Iterable[SessionRow], opened: str | None) -> dict[str, str]:
    """Return what each session is called, by its name in the address; the one that is open comes first."""
    labels = catalog_labels()
    found = {row.session_id: f"{labels.get(row.catalog, row.catalog)}, {row.session_id[:4]}" for row in rows}
    if opened is not None and (recording := recording_of(f"{_SESSION}:{opened}")) is not None:
        found = {opened: f"{recording.title}, {opened[:4]}", **found}
    return {f"{_SESSION}:{session}": label for session, label in found.items()}


def recording_of(source: str) -> Recording | None:
    """Return a session by its name in the address; None where there is none."""
    kind, _, name = source.partition(":")
    if kind == _SESSION:
        try:
            seen = Seen(services().snapshot(name), None, "how")
        except (UnknownSession, UnknownCatalog):
            return None
        return Recording(source, seen.conversation.setup.title, seen.snapshot.log, seen.text, session=name)
    return None
