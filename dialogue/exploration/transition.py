"""Transitions: the live code runs from a state, after one move, until the environment must move again."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, date, datetime

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.skills import SkillInput
from dialogue.context import TurnContext
from dialogue.execution.calls import resume_call
from dialogue.exploration.environment_moves import EnvironmentMove, ForeseenCall
from dialogue.exploration.scripted_environment import (
    AboutToCall,
    ScriptedCaller,
    ScriptedUnderstander,
    ValueExamples,
    utter,
)
from dialogue.exploration.state_key import Relevance
from dialogue.log.events import Calling, Entry, Established, Event, Log, SessionStarted, TurnEnded
from dialogue.policy import Policy
from dialogue.state.conversation import Conversation, advance
from dialogue.turn import carry_on
from language.interpretation import Interpretation
from language.languages import ENGLISH
from planning.model import Situation
from planning.task.compilation import compile_task, want

_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""The time of all explored events; no decision depends on it."""


class Fork:
    """Entries that are added to a conversation in memory alone: `entries` are those of this fork, `log` is all of them.

    A call that was begun can be taken back: the state before it is where its outcomes part. That of a call for each
    item of a list is not, once an item is done: it is gone on with.
    """

    def __init__(self, conversation: Conversation, log: Log = ()) -> None:
        self.lock: AbstractContextManager[object] = nullcontext()
        self.entries: list[Entry] = []
        self._log = log
        self._conversation = conversation
        self._before_call: tuple[int, Conversation] | None = None

    @classmethod
    def of(cls, log: Iterable[Entry]) -> Fork:
        """Go on from a whole log, which stays part of it."""
        fork = cls(Conversation())
        for entry in log:
            fork.add(entry.event)
        return fork

    @property
    def state(self) -> Conversation:
        return self._conversation

    @property
    def shown(self) -> tuple[Log, Conversation]:
        """What a reader would see; nothing here is kept from one."""
        return self.log, self._conversation

    @property
    def log(self) -> Log:
        """All entries, from the beginning of the conversation."""
        return (*self._log, *self.entries)

    def entry(self, seq: int) -> Entry:
        return self._log[seq - 1] if seq <= len(self._log) else self.entries[seq - len(self._log) - 1]

    def add(self, event: Event) -> int:
        """Append an event; return its sequence number."""
        if isinstance(event, Calling):
            self._before_call = len(self.entries), self._conversation
        entry = Entry.model_construct(seq=self._conversation.seq + 1, at=_NO_TIME, event=event)
        self._conversation = advance(self._conversation, entry)
        self.entries.append(entry)
        return entry.seq

    def flush(self) -> None:
        """Do nothing: there is nothing to write to."""

    def take_call_back(self) -> None:
        """Go back to the state before the last call was begun, unless an item of a list is done in it."""
        if self._conversation.calls.open_items:
            return
        assert self._before_call is not None
        count, self._conversation = self._before_call
        del self.entries[count:]


_DIGEST = "explored"
_NOTHING_SAID = ScriptedUnderstander(Interpretation())


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a move: the log so far, and what the move added; `call` is the call that is made next, if any."""

    conversation: Conversation
    log: Log
    entries: tuple[Entry, ...]
    call: ForeseenCall | None


@dataclass(frozen=True)
class TransitionContext:
    """Everything but the move itself: the catalog, who decides, and the examples that values are.

    Only what is played `aloud` has all the words in it.
    """

    catalog: Catalog
    policy: Policy
    examples: ValueExamples
    aloud: bool = False

    @property
    def today(self) -> date:
        return self.examples.today

    def relevance(self, goal: str) -> Relevance:
        return Relevance(self.catalog, compile_task(self.catalog, Situation(), want(self.catalog.goals[goal])).goal)

    def begin(self, known: tuple[str, ...]) -> Played:
        fork = Fork(Conversation())
        fork.add(SessionStarted(catalog=self.catalog.name, digest=_DIGEST, title=self.catalog.label))
        for fact in known:
            fork.add(Established(fact=fact, value=self.examples.value(fact), source="start", by=1))
        return Played(fork.state, fork.log, fork.log, None)

    def play(self, before: Played, move: EnvironmentMove) -> Played:
        """Play one move from where another led, if it can be made there."""
        fork = Fork(before.conversation, before.log)
        call = self.play_on(fork, move)
        return Played(fork.state, fork.log, tuple(fork.entries), call)

    def play_on(self, fork: Fork, move: EnvironmentMove) -> ForeseenCall | None:
        """Play one move on a journal; return the call that is made next, if one is."""
        understander = _NOTHING_SAID
        if not move.of_skill:
            said = utter(self.examples, move)
            understander = ScriptedUnderstander(said.meaning)
            fork.add(said.heard(fork.state.messages.turn + 1))
        turn = TurnContext(
            catalog=self.catalog,
            digest=_DIGEST,
            journal=fork,
            policy=self.policy,
            understander=understander,
            caller=ScriptedCaller(self.examples, (move,) if move.of_skill else ()),
            load_input=_as_it_is,
            today=self.today,
            language=ENGLISH,
            imagined=not self.aloud,
        )
        try:
            calling = turn.conversation.calls.open
            if calling is not None:  # not after a crash: the call that an item belongs to is just being made
                resume_call(turn, calling)
            carry_on(turn)
        except AboutToCall as about:
            fork.take_call_back()
            return about.call
        fork.add(TurnEnded(turn=fork.state.messages.turn))
        return None


def _as_it_is(value: JsonValue) -> SkillInput:
    return value
