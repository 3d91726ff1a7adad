"""One consistent view of a conversation, with all that is masked masked: what every panel of a run is drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from catalog.model import Catalog
from dialogue.log.events import Entry, Understood
from dialogue.services import Snapshot
from dialogue.state.conversation import Conversation
from dialogue.state.masking import mask, secrets_of, show_value
from language.interpretation import Interpretation
from pages.shell import address
from pages.shell.address import Selection
from pages.shell.sheet import shorten
from pages.views import plans as planview


@dataclass(frozen=True)
class Seen:
    """A snapshot, and what the viewer has selected. All text for the screen goes through `text`."""

    snapshot: Snapshot
    chosen: Selection | None
    view: address.View
    full: bool = False

    @property
    def catalog(self) -> Catalog:
        """The catalog of the conversation."""
        return self.snapshot.catalog

    @property
    def conversation(self) -> Conversation:
        """The state of the conversation."""
        return self.snapshot.conversation

    @cached_property
    def secrets(self) -> frozenset[str]:
        """Every text that would give away a sensitive value that its owner has not revealed."""
        return secrets_of(self.catalog, self.snapshot.log, self.conversation.facts.revealed, to_author=True)

    @cached_property
    def entries(self) -> dict[int, Entry]:
        """The log by sequence number."""
        return {entry.seq: entry for entry in self.snapshot.log}

    @cached_property
    def meanings(self) -> dict[int, Interpretation]:
        """The interpretation of each utterance, by the log entry of the utterance."""
        return {
            entry.event.heard: entry.event.meaning for entry in self.snapshot.log if isinstance(entry.event, Understood)
        }

    def text(self, text: str) -> str:
        """Make a text fit for the screen: secrets masked, and not too long."""
        return shorten(mask(text, self.secrets))

    def value(self, fact: str) -> str:
        """Show a known value, masked if it is sensitive and not revealed."""
        return shorten(show_value(self.catalog, self.conversation, fact))

    def fact(self, fact: str) -> str:
        """Return the words for a fact."""
        return planview.fact_label(self.catalog, fact)

    def skill(self, skill: str) -> str:
        """Return the words for a skill."""
        return planview.skill_label(self.catalog, skill)
