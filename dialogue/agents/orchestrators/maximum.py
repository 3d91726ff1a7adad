"""`max`: the most confident agent acts, if it is sure enough (CLAI, max_orchestrator)."""

from __future__ import annotations

from dataclasses import dataclass

from dialogue.agents.model import AgentEvent, Answers, Choice, Forced
from dialogue.agents.orchestrators.protocol import State
from dialogue.agents.orchestrators.ranking import LearnsNothing, below, choose_best, choose_forced, ranked


@dataclass(frozen=True)
class MaxOrchestrator(LearnsNothing):
    """Chooses the agent with the highest confidence at or above the threshold."""

    threshold: float = 0.4
    name: str = "max"
    description: str = "The most confident agent acts, if its confidence is at or above a threshold."

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose the most confident agent; a forced answer knows no threshold."""
        if forced is not None and (choice := choose_forced(answers, forced)) is not None:
            return choice
        candidates = ranked(answers)
        able = [one for one in candidates if one.confidence >= self.threshold]
        unsure = {one.agent: below(one, self.threshold) for one in candidates if one.confidence < self.threshold}
        return choose_best(answers, able, unsure)
