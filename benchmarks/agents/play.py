"""Play simulated users with one system that chooses: what it loses, turn by turn."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.agents.world import Turn, simulate
from dialogue.agents.feedback import feedback_from
from dialogue.agents.model import AgentEvent, AgentName, Choice, Moment, Reaction
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions

ASKED = AgentEvent(text="what the user says")


class System(Protocol):
    """Chooses, and learns from what came of it."""

    def choose(self, turn: Turn) -> tuple[AgentName, ...]:
        """Return who acts."""
        ...

    def learn(self, turn: Turn, reaction: Reaction | None, following: AgentEvent) -> None:
        """Take in how the user reacted to the last choice, and what they typed next."""
        ...


class Ours(System):
    """One of the product's orchestrators, as it runs there."""

    def __init__(self, name: str, options: OrchestratorOptions) -> None:
        self._orchestrator = ORCHESTRATORS[name](options)
        self._state = self._orchestrator.begin()
        self._choice = Choice(agents=(), verdicts=())

    def choose(self, turn: Turn) -> tuple[AgentName, ...]:
        """Choose by the orchestrator."""
        self._choice = self._orchestrator.choose(self._state, ASKED, turn.answers, None, turn.seed)
        return self._choice.agents

    def learn(self, turn: Turn, reaction: Reaction | None, following: AgentEvent) -> None:
        """Let the orchestrator observe what the reaction teaches."""
        moment = Moment(event=ASKED, answers=turn.answers, choice=self._choice, reaction=reaction)
        for feedback in feedback_from(moment, None, following):
            self._state = self._orchestrator.observe(self._state, feedback)


def play(system: System, seed: int, turns: int, agents: int, typed: float) -> NDArray[np.float64]:
    """Return the expected regret of each turn: what knowing the user would have brought beyond the choice."""
    lost = np.empty(turns)
    for number, turn in enumerate(simulate(seed, turns, agents, typed)):
        acting = system.choose(turn)
        places = [turn.answers.declared.index(agent) for agent in acting]
        taken = any(turn.taken[place] for place in places)
        lost[number] = turn.best - turn.worth_of(places)
        reaction = (Reaction.FOLLOWED if taken else Reaction.IGNORED) if acting else None
        typed_next = f"what {turn.typed} suggests" if turn.typed and not taken else "something else"
        system.learn(turn, reaction, AgentEvent(text=typed_next))
    return lost
