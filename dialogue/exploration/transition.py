"""Transitions: the live code runs from a state, after one move, until the environment must move again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.skills import SkillInput
from dialogue.context import TurnContext
from dialogue.exploration.environment_moves import EnvironmentMove
from dialogue.exploration.scripted_environment import ScriptedCaller, ValueExamples, utter
from dialogue.exploration.state_key import Relevance
from dialogue.forked import ForeseenCall, Fork, ScriptedUnderstander
from dialogue.log.events import Entry, Established, Log, SessionStarted
from dialogue.policy import Policy
from dialogue.state.conversation import Conversation
from dialogue.turn import work_on_fork
from language.interpretation import Interpretation
from language.languages import ENGLISH
from planning.model import Situation
from planning.task.compilation import compile_task, want

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
    digest: str = _DIGEST
    """Of the catalog; that of a conversation that is gone on with, since it would be moved to another catalog else."""

    @property
    def today(self) -> date:
        return self.examples.today

    def relevance(self, goal: str) -> Relevance:
        return Relevance(self.catalog, compile_task(self.catalog, Situation(), want(self.catalog.goals[goal])).goal)

    def begin(self, known: tuple[str, ...]) -> Played:
        fork = Fork()
        fork.add(SessionStarted(catalog=self.catalog.name, digest=_DIGEST, title=self.catalog.label))
        for fact in known:
            fork.add(Established(fact=fact, value=self.examples.value(fact), source="start", by=1))
        return Played(fork.state, fork.log, fork.log, None)

    def play(self, before: Played, move: EnvironmentMove) -> Played:
        """Play one move from where another led, if it can be made there."""
        fork = Fork(before.log, before.conversation)
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
            digest=self.digest,
            journal=fork,
            policy=self.policy,
            understander=understander,
            caller=ScriptedCaller(self.examples, (move,) if move.of_skill else ()),
            load_input=_as_it_is,
            today=self.today,
            language=ENGLISH,
            imagined=not self.aloud,
        )
        return work_on_fork(turn, fork)


def _as_it_is(value: JsonValue) -> SkillInput:
    return value
