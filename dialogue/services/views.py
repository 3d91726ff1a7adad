"""Views of conversations: one as it is at a moment, and one as a row in a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from catalog.model import Catalog
from dialogue.log.events import CONVERSATION, Log
from dialogue.log.stores import StreamRow
from dialogue.state.conversation import Conversation, Phase
from language.content import Reason
from language.languages import ENGLISH, Language


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One entry in a list of conversations."""

    session_id: str
    catalog: str
    started: datetime
    updated: datetime
    entries: int
    readable: bool = True
    """Whether its beginning can be read; one that cannot is listed, and can be deleted."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A consistent view of a conversation, from which a page computes everything it shows."""

    session_id: str
    catalog: Catalog
    log: Log
    conversation: Conversation
    phase: Phase | None = None
    """What the assistant is doing just now, which may not be on record yet."""
    trouble: str = ""
    """Why its work waits for the store, where it does; it is taken up again as soon as that is possible."""

    preparing: str = ""
    """What has to be made ready first, the first time that anything is said to this catalog, and how far that is."""
    language: Language = ENGLISH
    digest: str = ""
    """The digest of the catalog as it is loaded; what is on record is the one of the last turn."""

    def words_of(self, reason: Reason) -> str:
        return self.language.reasons.say(self.catalog, reason)

    @property
    def busy(self) -> bool:
        return self.conversation.busy


def row_of(stream: StreamRow) -> SessionRow:
    event = CONVERSATION.opening_of(stream)
    catalog = getattr(event, "catalog", "")
    return SessionRow(stream.stream_id, catalog, stream.started, stream.updated, stream.entries, event is not None)
