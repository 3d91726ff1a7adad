"""A conversation that is gone on with in memory alone: the journal of a fork."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime

from dialogue.log.events import Calling, Entry, Event, Log
from dialogue.state.conversation import Conversation, advance, project
from language.interpretation import Analysis, Context, Interpretation

_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""The time of all entries that are added; no decision depends on it."""


@dataclass(frozen=True, slots=True)
class ForeseenCall:
    """A call that is about to be made: what the plan's next step says."""

    skill: str
    mode: str


class AboutToCall(BaseException):
    """A call whose outcome is not known is about to be made: what may come of it are several ways to go on.

    Not an error, and so never taken for one by code that goes on after errors.
    """

    def __init__(self, call: ForeseenCall) -> None:
        super().__init__(f"{call.skill} is about to be called")
        self.call = call


@dataclass(frozen=True, slots=True)
class ScriptedUnderstander:
    """An understander that knows what was meant."""

    meaning: Interpretation

    def understand(self, text: str, context: Context) -> Interpretation:
        return self.meaning

    def analyse(self, text: str, context: Context) -> Analysis:
        return Analysis(text, self.meaning)

    def warm(self) -> None:
        """Load nothing."""


class Fork:
    """The journal of a fork: a prefix of a log by reference, and `entries` of its own, in memory.

    A call that was begun can be taken back: the state before it is where its outcomes part. That of a call for each
    item of a list is not, once an item is done: it is gone on with.
    """

    def __init__(self, prefix: Log = (), conversation: Conversation | None = None) -> None:
        """`conversation` is the state after the prefix, where it is known."""
        self.lock: AbstractContextManager[object] = nullcontext()
        self.entries: list[Entry] = []
        self._prefix = prefix
        self._state = project(prefix) if conversation is None else conversation
        self._before_call: tuple[int, Conversation] | None = None

    @classmethod
    def of(cls, log: Iterable[Entry]) -> Fork:
        """Go on from a whole log, whose entries become the fork's own."""
        fork = cls()
        for entry in log:
            fork.add(entry.event)
        return fork

    @property
    def at(self) -> int:
        """The last entry of the prefix."""
        return len(self._prefix)

    @property
    def state(self) -> Conversation:
        return self._state

    @property
    def shown(self) -> tuple[Log, Conversation]:
        """What a reader would see; nothing here is kept from one."""
        return self.log, self._state

    @property
    def log(self) -> Log:
        return (*self._prefix, *self.entries)

    def entry(self, seq: int) -> Entry:
        return self._prefix[seq - 1] if seq <= self.at else self.entries[seq - self.at - 1]

    def add(self, event: Event) -> int:
        if isinstance(event, Calling):
            self._before_call = len(self.entries), self._state
        entry = Entry.model_construct(seq=self.at + len(self.entries) + 1, at=_NO_TIME, event=event)
        self._state = advance(self._state, entry)
        self.entries.append(entry)
        return entry.seq

    def flush(self) -> None:
        """Do nothing: there is nothing to write to."""

    def take_call_back(self) -> None:
        """Go back to the state before the last call was begun, unless an item of a list is done in it."""
        if self._state.calls.open_items:
            return
        assert self._before_call is not None
        kept, self._state = self._before_call
        del self.entries[kept:]
