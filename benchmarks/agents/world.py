"""Users who are simulated: what they want, what agents say about it, and what users make of suggestions.

Every agent is of use in a quarter of the turns. It notices by a signal that is seldom wrong and never sure, and reports
it as a confidence on a scale of its own: boastful or modest, bent, and off by a constant. A user takes a suggestion
that is of use with a likelihood that belongs to the agent, and changes every 500 turns for one or two of eight agents.
Who turns a suggestion down, or gets none, types in half of the turns what another agent would have suggested, where
that would have been taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dialogue.agents.feedback import REWARDS
from dialogue.agents.model import AgentName, Answers, Preview, ProposedAction, Reaction

AGENTS = 8
DRIFT = 500
"""Turns until preferences change."""
USEFUL = 0.25
"""How often an agent is of use."""
TYPED = 0.5
"""How often users type what they wanted and did not get."""


@dataclass(frozen=True)
class Turn:
    """One turn: what agents answer, and what the user would make of each, were it chosen."""

    answers: Answers
    likelihood: NDArray[np.float64]
    """How likely each agent's suggestion is taken, by place of declaration."""
    taken: NDArray[np.bool_]
    """Whether it would be."""
    typed: AgentName | None
    """The agent whose suggestion the user would type, if no suggestion was taken."""
    seed: int
    """What an orchestrator may draw with."""

    @property
    def best(self) -> float:
        """The expected reward of who knows what users want: no less than that of doing nothing."""
        return max(0.0, *(self.worth_of([place]) for place in range(len(self.likelihood))))

    def worth_of(self, places: Iterable[int]) -> float:
        """Return the expected reward of agents that act in this order.

        The user takes the first suggestion that they would take, and each other one is in the way.
        """
        worth, open_ = 0.0, 1.0
        for place in places:
            taken = open_ * self.likelihood[place]
            worth += taken * REWARDS[Reaction.FOLLOWED] + (1 - taken) * REWARDS[Reaction.IGNORED]
            open_ *= 1 - self.likelihood[place]
        return float(worth)


@dataclass(frozen=True)
class Traits:
    """How agents report what they notice, and how much a user likes each of them at first."""

    scale: NDArray[np.float64]
    bend: NDArray[np.float64]
    offset: NDArray[np.float64]
    liked: NDArray[np.float64]

    @classmethod
    def drawn(cls, chance: np.random.Generator, agents: int) -> Traits:
        """Draw them."""
        spans = ((0.3, 1.3), (0.4, 2.5), (-0.1, 0.3), (0.2, 1.0))
        return cls(*(chance.uniform(low, high, agents) for low, high in spans))


def names_of(agents: int) -> list[AgentName]:
    """Name agents by their places."""
    return [f"agent {number + 1}" for number in range(agents)]


def stated_preferences(seed: int, agents: int) -> tuple[tuple[AgentName, AgentName], ...]:
    """Return what a user would say at first: whom they like at least twice as much as whom."""
    liked = dict(zip(names_of(agents), Traits.drawn(np.random.default_rng(seed), agents).liked, strict=True))
    return tuple((one, other) for one in liked for other in liked if liked[one] >= 2 * liked[other])


def simulate(seed: int, turns: int, agents: int, typed: float = TYPED) -> Iterator[Turn]:
    """Yield the turns of one user."""
    chance = np.random.default_rng(seed)
    names, traits = names_of(agents), Traits.drawn(chance, agents)
    liked = traits.liked.copy()
    for number in range(turns):
        if number and number % DRIFT == 0:
            changed = chance.integers(agents, size=max(1, agents // 3))
            liked[changed] = chance.uniform(0.0, 1.0, len(changed))
        useful = chance.random(agents) < USEFUL
        signal = np.where(useful, chance.beta(5, 2, agents), chance.beta(2, 6, agents))
        confidences = np.clip(traits.scale * signal**traits.bend + traits.offset, 0.0, 1.0).tolist()
        likelihood = useful * liked
        taken = chance.random(agents) < likelihood
        wanted = chance.permutation(agents)
        typing = chance.random() < typed
        yield Turn(
            answers=Answers.of(names, [_preview(*one) for one in zip(names, confidences, strict=True)]),
            likelihood=likelihood,
            taken=taken,
            typed=next((names[place] for place in wanted if taken[place]), None) if typing else None,
            seed=int(chance.integers(2**31)),
        )


def _preview(name: AgentName, confidence: float) -> Preview:
    return Preview(agent=name, confidence=confidence, actions=(ProposedAction(text=f"what {name} suggests"),))
