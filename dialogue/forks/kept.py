"""Kept forks: what is supposed of which conversation, under a name. Opened, a fork is played again.

Each is a stream of its own, so that keeping one changes no conversation. It holds no outcome: the record that it leaves
is read up to the entry that was its last when the fork was kept, and so gives the same fork.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from catalog.model import Catalog
from dialogue.forks.changes import Change, ConsentAnswer, Say, SupposedOutcome, Withhold, outcomes_of
from dialogue.log.sensitive import FreeText, ValuesByFact
from dialogue.log.stores.protocol import DamagedStream, Store, StreamId, StreamRow, UnknownStream
from dialogue.log.streams import Clock, Entry, Event, Fold, StoredJournal, StreamKind
from language.content import usually

MOST_LETTERS = 100
"""Letters of a name that are kept."""


class ForkKept(Event, kind="fork_kept", sensitive=(FreeText("name"), ValuesByFact("said"), ValuesByFact("given"))):
    """A fork of a conversation was kept, whose record had so many `entries`.

    `given` are the facts with which the supposed `outcomes` come.
    """

    conversation: str
    name: str
    entries: int
    goal: int
    at: int | None = None
    said: dict[str, JsonValue] = usually({})
    withheld: tuple[str, ...] = usually(())
    consents: dict[str, bool] = usually({})
    outcomes: dict[str, str] = usually({})
    given: dict[str, JsonValue] = usually({})


class ForkNamed(Event, kind="fork_named", sensitive=(FreeText("name"),)):
    """A kept fork got another name."""

    name: str


FORK: StreamKind[Event] = StreamKind("fork", ForkKept, ForkNamed)


@dataclass(frozen=True, slots=True)
class KeptFork:
    """A fork that is kept; of one that cannot be read, `damage` says why, and what is not known is empty."""

    fork_id: str
    name: str
    kept: ForkKept
    started: datetime
    updated: datetime
    damage: str = ""

    def changes(self, catalog: Catalog) -> tuple[Change, ...]:
        """Return what is supposed. Raises LookupError where the catalog lacks a skill of it."""
        kept = self.kept
        ends = ((skill, name, outcomes_of(catalog, skill).get(name)) for skill, name in kept.outcomes.items())
        return (
            *(Say(fact, value) for fact, value in kept.said.items()),
            *map(Withhold, kept.withheld),
            *(ConsentAnswer(subject, given) for subject, given in kept.consents.items()),
            *(
                SupposedOutcome(
                    skill, name, {f: v for f, v in kept.given.items() if end is not None and f in end.facts}
                )
                for skill, name, end in ends
            ),
        )


def _advance(before: KeptFork | None, entry: Entry) -> KeptFork | None:
    match entry.event:
        case ForkKept() as kept:
            return KeptFork("", kept.name, kept, entry.at, entry.at)
        case ForkNamed(name=name) if before is not None:
            return replace(before, name=name, updated=entry.at)
    return before


def to_keep(name: str, changes: Iterable[Change], **where: Any) -> ForkKept:
    """Return what is kept of a fork; `where` are its conversation, entries, goal and `at`. Raises ValueError."""
    every = tuple(changes)
    outcomes = [one for one in every if isinstance(one, SupposedOutcome)]
    return ForkKept(
        name=_tidy(name),
        said={one.fact: one.value for one in every if isinstance(one, Say)},
        withheld=tuple(one.fact for one in every if isinstance(one, Withhold)),
        consents={one.subject: one.given for one in every if isinstance(one, ConsentAnswer)},
        outcomes={one.skill: one.outcome for one in outcomes},
        given={fact: value for one in outcomes for fact, value in one.facts.items()},
        **where,
    )


def _tidy(name: str) -> str:
    if not (tidy := " ".join("".join(filter(str.isprintable, " ".join(name.split()))).split())[:MOST_LETTERS]):
        raise ValueError("A fork is kept under a name, and this one is empty.")
    return tidy


@dataclass(frozen=True, slots=True)
class KeptForks:
    store: Store
    clock: Clock

    def keep(self, kept: ForkKept) -> str:
        """Keep a fork; return its id."""
        fork_id = uuid.uuid4().hex
        StoredJournal(fork_id, self.store, self.clock, FORK, _FOLD).append(kept)
        return fork_id

    def find(self, fork_id: str) -> KeptFork:
        """Return a kept fork. Raises UnknownStream and DamagedStream."""
        found = self._open(fork_id).state
        if found is None:
            raise UnknownStream(f"There is no fork {fork_id!r:.40}.")
        return replace(found, fork_id=fork_id)

    def of(self, conversation: str | None = None) -> tuple[KeptFork, ...]:
        """List the forks that are kept, of one conversation or of all, the last used first; damaged ones as such."""
        return tuple(one for one in self._every() if conversation in (None, one.kept.conversation))

    def _every(self) -> Iterator[KeptFork]:
        for row in self.store.streams(FORK.name):
            with suppress(UnknownStream):  # deleted in the meantime
                try:
                    yield self.find(row.stream_id)
                except DamagedStream as trouble:
                    yield _tell_damaged(row, str(trouble))

    def rename(self, fork_id: str, name: str) -> None:
        """Give a fork another name. Raises UnknownStream, DamagedStream, and ValueError for an empty one."""
        self._open(fork_id).append(ForkNamed(name=_tidy(name)))

    def _open(self, fork_id: str) -> StoredJournal[Event, KeptFork | None]:
        return StoredJournal.open(fork_id, self.store, self.clock, FORK, _FOLD)

    def delete(self, fork_id: str) -> None:
        """Delete a fork for good; one that is gone already is none the worse."""
        with suppress(UnknownStream):
            self.store.delete(StreamId(FORK.name, fork_id))


def _tell_damaged(row: StreamRow, damage: str) -> KeptFork:
    """Tell of a fork that cannot be read what its first entry, valid or not, still says as JSON."""
    conversation = name = ""
    with suppress(ValueError, LookupError, TypeError):
        told = json.loads(row.opening)["event"]
        conversation, name = str(told["conversation"]), str(told["name"])
    kept = ForkKept(conversation=conversation, name=name, entries=0, goal=0)
    return KeptFork(row.stream_id, name, kept, row.started, row.updated, damage)


_FOLD: Fold[Event, KeptFork | None] = Fold(None, _advance)
