"""One consistent view of a conversation, with all that is masked masked: what every panel of a run is drawn from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from catalog.model import Catalog
from dialogue.agents.record import Recorded, recorded
from dialogue.log.events import Entry, Established, Log
from dialogue.services import Snapshot
from dialogue.state.conversation import Conversation, state_after
from dialogue.state.masking import mask, secrets_of, show_value
from language.content import Reason
from language.interpretation import Interpretation
from pages.shell import address
from pages.shell.address import Selection, SelectionKind
from pages.shell.sheet import shorten
from pages.views import plans as planview


@dataclass(frozen=True)
class SnapshotView:
    """A snapshot, and what the viewer has selected. All text for the screen goes through `text`.

    `later` are the entries after the moment that is looked at: none, unless that is one of the past.
    """

    snapshot: Snapshot
    chosen: Selection | None
    view: address.View
    full: bool = False
    later: Log = ()

    def as_of(self, at: int | None) -> SnapshotView:
        """Return the view as of an entry of the log; what is masked or revealed stays as it is now."""
        log = self.snapshot.log
        if at is None or not 0 < at < len(log):
            return self
        then = state_after(log[:at])
        then = replace(then, facts=replace(then.facts, revealed=self.conversation.facts.revealed))
        snapshot = replace(self.snapshot, log=log[:at], conversation=then)
        return replace(self, snapshot=snapshot, later=(*log[at:], *self.later))

    @property
    def at(self) -> int | None:
        """The entry as of which the conversation is seen; None stands for now."""
        return self.conversation.seq if self.later else None

    @property
    def catalog(self) -> Catalog:
        return self.snapshot.catalog

    @property
    def conversation(self) -> Conversation:
        return self.snapshot.conversation

    @cached_property
    def secrets(self) -> frozenset[str]:
        """Every text that would give away a sensitive value that its owner has not revealed."""
        whole = _Whole(self.catalog, (*self.snapshot.log, *self.later))
        return _secrets_of(whole, self.conversation.facts.revealed)

    @cached_property
    def pictured(self) -> Mapping[str, frozenset[str]]:
        """The facts that each uploaded file has ever stood for, by the digest of the file."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for entry in (*self.snapshot.log, *self.later):
            if not isinstance(entry.event, Established):
                continue
            value = entry.event.value
            for one in value if isinstance(value, list) else (value,):
                file = one.get("attachment") if isinstance(one, dict) else None
                if isinstance(file, str):
                    found[file].add(entry.event.fact)
        return {file: frozenset(facts) for file, facts in found.items()}

    def entry(self, seq: int | None) -> Entry | None:
        """Return an entry of the log; None where there is no such one yet."""
        return self.snapshot.log[seq - 1] if seq and 0 < seq <= len(self.snapshot.log) else None

    @property
    def meanings(self) -> Mapping[int, Interpretation]:
        """The interpretation of each utterance, by the log entry of the utterance."""
        return self.conversation.messages.meanings

    @cached_property
    def choices(self) -> tuple[Recorded, ...]:
        """Who was chosen to act, in order; none is chosen where the assistant is alone."""
        return recorded(self.snapshot.log) if self.conversation.agents.choices else ()

    @cached_property
    def goal_labels(self) -> Mapping[int, str]:
        goals = (*self.conversation.goals.stack, *self.conversation.goals.past)
        return {goal.goal_id: goal.label for goal in goals}

    @cached_property
    def has_several_goals(self) -> bool:
        """Whether plans were made for more than one goal."""
        return len({goal for plan in self.conversation.plans.all for goal in plan.goals}) > 1

    def of(self, kind: SelectionKind, name: str) -> str:
        return str(Selection(kind, name, self.at))

    def text(self, text: str) -> str:
        """Make a text fit for the screen: secrets masked, and not too long."""
        return shorten(mask(text, self.secrets))

    def reason(self, reason: Reason) -> str:
        return self.text(self.snapshot.words_of(reason))

    def value(self, fact: str) -> str:
        """Show a known value, masked if it is sensitive and not revealed."""
        return shorten(show_value(self.catalog, self.conversation, fact))

    def fact(self, fact: str) -> str:
        return planview.fact_label(self.catalog, fact)

    def skill(self, skill: str) -> str:
        return planview.skill_label(self.catalog, skill)


class _Whole:
    """A whole log and its catalog, the log known by its last entry: what stands before that never changes."""

    def __init__(self, catalog: Catalog, log: Log) -> None:
        self.catalog = catalog
        self.log = log

    def __hash__(self) -> int:
        return hash((id(self.catalog), id(self.log[-1]) if self.log else 0))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Whole) or self.catalog is not other.catalog or len(self.log) != len(other.log):
            return False
        return not self.log or self.log[-1] is other.log[-1]


@lru_cache(maxsize=16)
def _secrets_of(whole: _Whole, revealed: frozenset[str]) -> frozenset[str]:
    """Collect what is masked, once for all that is drawn until something is said."""
    return secrets_of(whole.catalog, whole.log, revealed, to_author=True)
