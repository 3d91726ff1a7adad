"""Forecasts: how many questions are to come in a conversation, and how likely it is that its goal is reached.

The user is taken to answer what is asked, and to agree; calls end as likely as the likelihoods say that count, and
alike where none does. What can happen is then an absorbing Markov chain, on the explored graph: expected questions and
the probability of each end are solutions of linear equations (Kemeny and Snell, Finite Markov Chains, 1960, ch. 3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dialogue.exploration.state_space import QUESTIONS, Edge, Graph, NodeKind, walk_on
from dialogue.exploration.transition import Played, TransitionContext
from language.responses.exploration import say_forecast
from planning.likelihoods import SharesByMode, complete
from planning.state_space.paths import WalkBounds

BOUNDS = WalkBounds(1_000, 5.0)
_NEGLIGIBLE = 1e-9


@dataclass(frozen=True, slots=True)
class Forecast:
    """Expected questions after the open one, and the probability that the goal is reached.

    `unexplored` is the probability of coming to a state of which it is not known how it goes on: so much more likely
    may it be that the goal is reached, and so many questions are the least. `assumed`: outcomes without a declared
    likelihood count alike.
    """

    questions: float
    reached: float
    unexplored: float
    assumed: bool
    states: int

    @property
    def exact(self) -> bool:
        """Whether everything that can happen was explored."""
        return self.unexplored < _NEGLIGIBLE


def tell_forecast(found: Forecast) -> str:
    bounds = found.questions, found.reached, found.unexplored
    return say_forecast(*bounds, exact=found.exact, assumed=found.assumed)


def forecast(stage: TransitionContext, now: Played, bounds: WalkBounds = BOUNDS) -> Forecast | None:
    """Return the forecast of a conversation that waits for an answer; None where no question of a goal is open.

    With several open goals there is none either: states are merged by what bears on one goal.
    """
    stack = now.conversation.goals.stack
    if len(stack) != 1 or stack[0].goal not in stage.catalog.goals:
        return None
    graph = walk_on(stage, now, stack[0].goal, bounds=bounds)
    likely = Likely(stage, now)
    weights = [likely.of(edge) for edge in graph.edges]
    found = _solve(graph, weights)
    if found is None:
        return None
    questions, reached, unexplored = found
    return Forecast(questions, reached, unexplored, likely.assumed, len(graph.nodes))


class Likely:
    """The probabilities of moves, by the likelihoods that count in a conversation."""

    def __init__(self, stage: TransitionContext, now: Played) -> None:
        self._shares = SharesByMode(stage.catalog, now.conversation.plans.likelihoods)
        self.assumed = False

    def of(self, edge: Edge) -> float:
        move = edge.move
        if move.mode is None or move.outcome is None:
            return 1.0  # the user answers what is asked
        shares = self._shares[move.subject, move.mode].of
        self.assumed = self.assumed or list(shares.values()).count(None) > 1
        given = complete(shares)
        return given[move.outcome] / sum(given.values())


def _solve(graph: Graph, weights: list[float]) -> tuple[float, float, float] | None:
    """Return what is expected in state 0: questions, and the probabilities of reaching the goal and of what is open."""
    size = len(graph.nodes)
    onward, gains = np.zeros((size, size)), np.zeros((size, 3))
    for edge, weight in zip(graph.edges, weights, strict=True):
        onward[edge.source, edge.target] += weight
        gains[edge.source, 0] += weight * sum(one.what in QUESTIONS for one in edge.happenings)
    left = {edge.source for edge in graph.edges}
    if 0 not in left:
        return None
    for number, node in enumerate(graph.nodes):
        if node.kind is NodeKind.REACHED:
            gains[number, 1] = 1.0
        elif node.kind is not NodeKind.DROPPED and number not in left:
            gains[number, 2] = 1.0
    try:
        solved = np.linalg.solve(np.eye(size) - onward, gains)
    except np.linalg.LinAlgError:  # it may go round for ever
        return None
    return float(solved[0, 0]), float(solved[0, 1]), float(solved[0, 2])
