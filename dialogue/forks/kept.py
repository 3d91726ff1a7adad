"""Forks that are kept: a stream of their own, which holds what was supposed and the fork's own entries.

The prefix is not copied. It is read from the stream that the fork was made from, which may be a kept fork itself.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import Field, JsonValue

from catalog.model import Catalog
from dialogue.forked import ForeseenCall
from dialogue.forks.answers import ValueSource
from dialogue.forks.changes import Change, ConsentAnswer, Say, SupposedOutcome, Withhold
from dialogue.forks.rerun import ForkRun, ForkStop
from dialogue.log.events import CONVERSATION, Entry, Log
from dialogue.log.sensitive import FreeText, ValuesByFact
from dialogue.log.stores import Store, UnknownStream
from dialogue.log.stores.protocol import StreamId
from dialogue.log.streams import Clock, Event, StreamKind
from dialogue.state.conversation import project


class ForkOpened(Event):
    """A fork was kept: it leaves the stream `origin` after the entry `at`, with what is supposed in it."""

    kind: Literal["fork_opened"] = "fork_opened"
    sensitive = (FreeText("name"), ValuesByFact("said"), ValuesByFact("given"))
    origin: str
    """The id of the conversation, or of the fork."""
    at: int
    name: str
    goal: int | None = None
    said: dict[str, JsonValue] = Field(default_factory=dict)
    withheld: tuple[str, ...] = ()
    consents: dict[str, bool] = Field(default_factory=dict)
    outcomes: dict[str, str] = Field(default_factory=dict)
    given: dict[str, JsonValue] = Field(default_factory=dict)
    """Values of facts that the supposed outcomes give."""
    sources: dict[str, ValueSource] = Field(default_factory=dict)
    """By the id of a call of the fork, where its outcome comes from."""
    awaits: tuple[str, str] | None = None
    """The skill and mode of the call that it stopped before, as its outcome is not known."""

    def changes(self, catalog: Catalog) -> tuple[Change, ...]:
        found: list[Change] = [Say(fact, value) for fact, value in self.said.items()]
        found += map(Withhold, self.withheld)
        found += [ConsentAnswer(subject, given) for subject, given in self.consents.items()]
        for skill, outcome in self.outcomes.items():
            modes = catalog.skills[skill].modes.values() if skill in catalog.skills else ()
            gives = {fact for mode in modes if outcome in mode.outcomes for fact in mode.outcomes[outcome].facts}
            found.append(
                SupposedOutcome(skill, outcome, {fact: one for fact, one in self.given.items() if fact in gives})
            )
        return tuple(found)


FORK: StreamKind[Event] = StreamKind("fork", ForkOpened, *CONVERSATION.events)


class LostOrigin(LookupError):
    """The stream that a fork was made from is gone, or shorter than it was."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"What the fork {name!r:.60} was made from was deleted, so its beginning is lost and it cannot be shown. "
            "`planglass forks --delete` takes it away."
        )


@dataclass(frozen=True, slots=True)
class ForkRow:
    """A kept fork in a list."""

    fork_id: str
    name: str
    origin: str
    at: int
    kept: datetime
    entries: int


@dataclass(frozen=True, slots=True)
class KeptForks:
    """The kept forks of a store; `log_of` reads the log of a conversation by its id, or raises UnknownStream."""

    store: Store
    clock: Clock
    log_of: Callable[[str], Log]

    def keep(self, run: ForkRun, origin: str, name: str, goal: int | None = None) -> str:
        """Write a fork down; return its id."""
        call = run.stopped.call if run.stopped is not None else None
        opened = ForkOpened(
            origin=origin,
            at=run.at,
            name=name,
            goal=goal,
            said={one.fact: one.value for one in run.changes if isinstance(one, Say)},
            withheld=tuple(one.fact for one in run.changes if isinstance(one, Withhold)),
            consents={one.subject: one.given for one in run.changes if isinstance(one, ConsentAnswer)},
            outcomes={one.skill: one.outcome for one in run.changes if isinstance(one, SupposedOutcome)},
            given={
                f: value for one in run.changes if isinstance(one, SupposedOutcome) for f, value in one.facts.items()
            },
            sources=dict(run.calls),
            awaits=None if call is None else (call.skill, call.mode),
        )
        fork_id = uuid.uuid4().hex
        events = (opened, *(entry.event for entry in run.log[run.at :]))
        entries = (Entry(seq=seq, at=self.clock(), event=event) for seq, event in enumerate(events, start=1))
        self.store.append(StreamId(FORK.name, fork_id), tuple(map(FORK.encode, entries)))
        return fork_id

    def rows(self, origin: str | None = None) -> tuple[ForkRow, ...]:
        """List the kept forks, of one stream or of all; those that cannot be read are left out."""
        found = []
        for row in self.store.streams(FORK.name):
            opened = FORK.opening_of(row)
            if isinstance(opened, ForkOpened) and origin in (None, opened.origin):
                found.append(
                    ForkRow(row.stream_id, opened.name, opened.origin, opened.at, row.started, row.entries - 1)
                )
        return tuple(found)

    def load(self, catalog_of: Callable[[Log], Catalog], fork_id: str) -> ForkRun:
        """Read a fork back. Raises UnknownStream, DamagedStream, or LostOrigin where its beginning is gone."""
        opened, own = self._read(fork_id)
        log = self._log(opened, own)
        catalog = catalog_of(log)
        state = project(log)
        pending = state.questions.pending
        awaits = None if opened.awaits is None else ForeseenCall(*opened.awaits)
        goals = (*state.goals.stack, *reversed(state.goals.past))
        goal = next((one for one in goals if opened.goal in (None, one.goal_id)), None)
        waits = ForkStop(call=awaits) if awaits else ForkStop(question=pending.asked) if pending else None
        over = goal is not None and goal.ending is not None
        return ForkRun(
            catalog, opened.changes(catalog), opened.at, log, state, goal, opened.sources, None if over else waits
        )

    def _read(self, fork_id: str) -> tuple[ForkOpened, tuple[Entry[Event], ...]]:
        opening, *own = FORK.decode_all(self.store.read(StreamId(FORK.name, fork_id)))
        assert isinstance(opening.event, ForkOpened)
        return opening.event, tuple(own)

    def _log(self, opened: ForkOpened, own: Iterable[Entry[Event]]) -> Log:
        try:
            before = self.log_of(opened.origin)
        except UnknownStream:
            try:
                before = self._log(*self._read(opened.origin))
            except UnknownStream:
                raise LostOrigin(opened.name) from None
        if len(before) < opened.at:
            raise LostOrigin(opened.name)
        moved = (one.model_copy(update={"seq": one.seq - 1 + opened.at}) for one in own)
        return (*before[: opened.at], *moved)

    def delete_of(self, origin: str) -> None:
        """Delete all forks of a stream that is deleted, and the forks of these."""
        for row in self.rows(origin):
            self.delete_of(row.fork_id)
            self.delete(row.fork_id)

    def delete(self, fork_id: str) -> None:
        """Delete a fork for good; what it was made from stays. Raises UnknownStream."""
        self.store.delete(StreamId(FORK.name, fork_id))
