"""Playing one move: the code that runs live goes on from a state until the world has to move again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.skills import SkillInput
from dialogue.conversation import Conversation
from dialogue.events import Entry, Established, Log, SessionStarted, TurnEnded
from dialogue.explore.fork import Fork
from dialogue.explore.moves import Call, Move
from dialogue.explore.relevance import Relevance
from dialogue.explore.script import AboutToCall, Examples, ScriptedCaller, Understood, utter
from dialogue.invocation import resume_call
from dialogue.meaning import Meaning
from dialogue.orchestrators import Orchestrator
from dialogue.session import carry_on
from dialogue.turn import Turn
from planning.compile import compile_task, want
from planning.model import Situation

_DIGEST = "explored"
_NOTHING_SAID = Understood(Meaning())


@dataclass(frozen=True, slots=True)
class Played:
    """Where a move led, with the log so far, and what it wrote; `call` is the call that is made next, if one is."""

    conversation: Conversation
    log: Log
    entries: tuple[Entry, ...]
    call: Call | None


@dataclass(frozen=True)
class Stage:
    """Everything but the move itself: the catalog, who decides, and the examples that values are.

    Only what is played `aloud` has all the words in it.
    """

    catalog: Catalog
    orchestrator: Orchestrator
    examples: Examples
    aloud: bool = False

    @property
    def today(self) -> date:
        """The day on which all of it happens."""
        return self.examples.today

    def relevance(self, goal: str) -> Relevance:
        """Find what matters for a goal of the catalog."""
        return Relevance(self.catalog, compile_task(self.catalog, Situation(), want(self.catalog.goals[goal])).goal)

    def begin(self, known: tuple[str, ...]) -> Played:
        """Begin a conversation in which some facts are known from the start."""
        fork = Fork(Conversation())
        fork.add(SessionStarted(catalog=self.catalog.name, digest=_DIGEST, title=self.catalog.label))
        for fact in known:
            fork.add(Established(fact=fact, value=self.examples.value(fact), source="start", by=1))
        return Played(fork.conversation, fork.log, fork.log, None)

    def play(self, before: Played, move: Move) -> Played:
        """Play one move from where another led, if it can be made there."""
        fork = Fork(before.conversation, before.log)
        call = self.play_on(fork, move)
        return Played(fork.conversation, fork.log, tuple(fork.entries), call)

    def play_on(self, fork: Fork, move: Move) -> Call | None:
        """Play one move on a journal; return the call that is made next, if one is."""
        understander = _NOTHING_SAID
        if not move.of_skill:
            said = utter(self.examples, move)
            understander = Understood(said.meaning)
            fork.add(said.heard(fork.conversation.turn + 1))
        turn = Turn(
            catalog=self.catalog,
            digest=_DIGEST,
            journal=fork,
            orchestrator=self.orchestrator,
            understander=understander,
            caller=ScriptedCaller(self.examples, (move,) if move.of_skill else ()),
            load_input=_as_it_is,
            today=self.today,
            imagined=not self.aloud,
        )
        try:
            resume_call(turn)  # not as after a crash: the call that an item belongs to is just being made
            carry_on(turn)
        except AboutToCall as about:
            fork.take_call_back()
            return about.call
        fork.add(TurnEnded(turn=fork.conversation.turn))
        return None


def _as_it_is(value: JsonValue) -> SkillInput:
    return value
