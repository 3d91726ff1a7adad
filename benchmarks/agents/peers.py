"""Contextual bandits of others, in the same turns: Vowpal Wabbit and river, where they are installed.

Each is given the same confidences, doing nothing as an arm, and the reward of the choice. What users type instead of
taking a suggestion they have no place for.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from benchmarks.agents.world import Turn
from dialogue.agents.feedback import REWARDS
from dialogue.agents.model import NOBODY, AgentEvent, AgentName, Reaction


class VowpalWabbit:
    """`cb_explore_adf`: an arm is described by its name, its confidence, and the two together."""

    def __init__(self, seed: int, options: str) -> None:
        from vowpalwabbit import Workspace

        self._vw: Any = Workspace(f"--cb_explore_adf {options} -q nc --quiet --random_seed {seed + 1}")
        self._chance = np.random.default_rng(seed)
        self._arm, self._likely = 0, 1.0

    def choose(self, turn: Turn) -> tuple[AgentName, ...]:
        """Draw an arm with the likelihood that it is to be explored with."""
        likely = np.array(self._vw.predict(_lines(turn)))
        self._arm = int(self._chance.choice(len(likely), p=likely / likely.sum()))
        self._likely = float(likely[self._arm])
        return _acting(turn, self._arm)

    def learn(self, turn: Turn, reaction: Reaction | None, following: AgentEvent) -> None:
        """Learn from the cost of the arm that was drawn."""
        cost = 0.0 if reaction is None else -REWARDS[reaction]
        lines = _lines(turn)
        lines[self._arm] = f"0:{cost:.3f}:{self._likely:.5f} {lines[self._arm]}"
        self._vw.learn(lines)


class River:
    """`LinUCBDisjoint`: each arm's reward is linear in the confidences of all agents."""

    def __init__(self, seed: int, **options: float) -> None:
        from river.bandit import LinUCBDisjoint

        self._policy: Any = LinUCBDisjoint(seed=seed, **options)
        self._arm = 0

    def choose(self, turn: Turn) -> tuple[AgentName, ...]:
        """Pull an arm."""
        self._arm = self._policy.pull(list(range(len(turn.answers.declared) + 1)), context=_context(turn))
        return _acting(turn, self._arm)

    def learn(self, turn: Turn, reaction: Reaction | None, following: AgentEvent) -> None:
        """Learn from the reward of the arm that was pulled."""
        reward = 0.0 if reaction is None else REWARDS[reaction]
        self._policy.update(self._arm, _context(turn), reward)


def _lines(turn: Turn) -> list[str]:
    """Describe the arms as Vowpal Wabbit reads them."""
    sure = [(f"a{place}", one.confidence) for place, one in enumerate(turn.answers.previews)]
    return [f"|n {name} |c sure:{confidence:.4f} one:1" for name, confidence in (*sure, (NOBODY, 0.0))]


def _context(turn: Turn) -> dict[str, float]:
    return {"one": 1.0} | {one.agent: one.confidence for one in turn.answers.previews}


def _acting(turn: Turn, arm: int) -> tuple[AgentName, ...]:
    return () if arm == len(turn.answers.declared) else (turn.answers.declared[arm],)


VW = "--squarecb --power_t 0 -l 1"
RIVER = {"alpha": 0.1, "beta": 10.0}
"""Of nineteen settings of Vowpal Wabbit (greedy, SquareCB, RegCB, cover; steps of 0.03 to 4) and twelve of river, the
ones that lost least, or as good as that, with two users that the table does not have."""

_PEERS: Mapping[str, tuple[str, Callable[[int], Any]]] = {
    "Vowpal Wabbit, SquareCB": ("vowpalwabbit", lambda seed: VowpalWabbit(seed, VW)),
    "river, LinUCBDisjoint": ("river", lambda seed: River(seed, **RIVER)),
}


def list_peers() -> tuple[dict[str, Callable[[int], Any]], dict[str, str]]:
    """Return the peers that are installed, by name, and the packages of those that are not."""
    here = {name: importlib.util.find_spec(package) is not None for name, (package, _) in _PEERS.items()}
    found = {name: make for name, (_, make) in _PEERS.items() if here[name]}
    return found, {name: package for name, (package, _) in _PEERS.items() if not here[name]}
