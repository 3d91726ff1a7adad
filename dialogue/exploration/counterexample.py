"""Counterexamples as readable conversations, and as stories that the tests can play."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import yaml

from dialogue.exploration.environment_moves import EnvironmentMove, EnvironmentMoveKind, moves_of_skill
from dialogue.exploration.report import Trace
from dialogue.exploration.scripted_environment import utter
from dialogue.exploration.transition import TransitionContext
from dialogue.forked import Fork
from dialogue.log.events import Log, Replied


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
            moves.append(moves_of_skill(stage.catalog, call, failures=False)[0])
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


def _said(stage: TransitionContext, move: EnvironmentMove) -> dict[str, object]:
    said = utter(stage.examples, move)
    return {"upload": said.attachments[0].name} if said.attachments else {"say": said.text}


def _call(move: EnvironmentMove) -> dict[str, object]:
    came = {"outcome": move.outcome} if move.kind is EnvironmentMoveKind.COMES else {"fails": True}
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
