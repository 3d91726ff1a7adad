"""Transitions: the live code runs from a state, after one move, until the environment must move again.

Traces are retold with all their words, and written as stories that tests can play.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from datetime import date

import yaml

from catalog.model import Catalog
from dialogue.context import TurnContext
from dialogue.exploration import scripted_environment
from dialogue.exploration.report import Trace
from dialogue.exploration.state_key import Relevance
from dialogue.forked import ForeseenCall, Fork, ScriptedUnderstander
from dialogue.log.events import Entry, Established, Log, Replied, SessionStarted
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
    examples: scripted_environment.ValueExamples
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

    def play(self, before: Played, move: scripted_environment.EnvironmentMove) -> Played:
        """Play one move from where another led, if it can be made there."""
        fork = Fork(before.log, before.conversation)
        call = self.play_on(fork, move)
        return Played(fork.state, fork.log, tuple(fork.entries), call)

    def play_on(self, fork: Fork, move: scripted_environment.EnvironmentMove) -> ForeseenCall | None:
        """Play one move on a journal; return the call that is made next, if one is."""
        understander = _NOTHING_SAID
        if not move.of_skill:
            said = scripted_environment.utter(self.examples, move)
            understander = ScriptedUnderstander(said.meaning)
            fork.add(said.heard(fork.state.messages.turn + 1))
        turn = TurnContext(
            catalog=self.catalog,
            digest=self.digest,
            journal=fork,
            policy=self.policy,
            understander=understander,
            caller=scripted_environment.ScriptedCaller(self.examples, (move,) if move.of_skill else ()),
            load_input=lambda value: value,
            today=self.today,
            language=ENGLISH,
            imagined=not self.aloud,
        )
        return work_on_fork(turn, fork)


@dataclass(frozen=True, slots=True)
class Retold:
    """A trace with all its words: a log like any other, and after how many entries of it each move is done."""

    log: Log
    done: tuple[int, ...]


def retell(stage: TransitionContext, known: tuple[str, ...], trace: Trace) -> Retold:
    """Replay a trace from the beginning with all its messages; pages show its log like that of a conversation."""
    aloud = replace(stage, aloud=True)
    fork = Fork.of(aloud.begin(known).entries)
    done = []
    for move in trace:
        aloud.play_on(fork, move)
        done.append(len(fork.entries))
    return Retold(tuple(fork.entries), tuple(done))


def last_words(stage: TransitionContext, known: tuple[str, ...], trace: Trace) -> str:
    log = retell(stage, known, trace).log
    return next((entry.event.text for entry in reversed(log) if isinstance(entry.event, Replied)), "")


def write_story(stage: TransitionContext, catalog: str, trace: Trace, title: str) -> str:
    """Write a trace as a story in YAML: what is said, what calls come back with, and what is asked after each turn.

    It is played with calls that come back as they are told to: the values are examples, and no skill is called.
    """
    turns: list[dict[str, object]] = []
    aloud = replace(stage, aloud=True)
    fork = Fork.of(aloud.begin(()).entries)
    moves = deque(trace)
    while moves:
        move = moves.popleft()
        call = aloud.play_on(fork, move)
        if call is not None and not moves:  # a turn is told to its end
            moves.append(scripted_environment.moves_of_skill(stage.catalog, call, failures=False)[0])
        if move.of_skill:
            calls = turns[-1].setdefault("calls", [])
            assert isinstance(calls, list)
            calls.append(_call(move))
        else:
            turns.append(_said(stage, move))
        turns[-1]["expect"] = _expect(fork)
    head = "".join(f"# {line}\n" for line in title.splitlines())
    told = {"catalog": catalog, "turns": turns}
    return head + yaml.safe_dump(told, allow_unicode=True, sort_keys=False, width=110)


def _said(stage: TransitionContext, move: scripted_environment.EnvironmentMove) -> dict[str, object]:
    said = scripted_environment.utter(stage.examples, move)
    return {"upload": said.attachments[0].name} if said.attachments else {"say": said.text}


def _call(move: scripted_environment.EnvironmentMove) -> dict[str, object]:
    came = {"outcome": move.outcome} if move.kind is scripted_environment.EnvironmentMoveKind.COMES else {"fails": True}
    return {"skill": move.subject, "mode": move.mode, **came}


def _expect(fork: Fork) -> dict[str, object]:
    """Describe the state after a turn: the open question, if any, and the goals."""
    pending = fork.state.questions.pending
    asked = pending.asked if pending else None
    return {
        "about": asked.about if asked else None,
        "asks": asked.subject if asked else None,
        "goals": [goal.goal for goal in fork.state.goals.stack],
    }
