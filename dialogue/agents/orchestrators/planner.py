"""`max`: the surest agent acts (CLAI, max_orchestrator); `planner`: the assistant does, and for the rest as `max`."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from catalog.skills.failures import describe_trouble
from dialogue.agents.model import ASSISTANT, AgentEvent, Answers, Choice, Forced, Verdict, Why
from dialogue.agents.orchestrators import ranking
from dialogue.agents.orchestrators.protocol import Orchestrator, State


@dataclass(frozen=True)
class MaxOrchestrator(ranking.LearnsNothing):
    """Chooses the agent with the highest confidence at or above the threshold."""

    threshold: float = 0.4
    name: str = "max"
    description: str = "The most confident agent acts, if its confidence is at or above a threshold."

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose the most confident agent; a forced answer knows no threshold."""
        if forced is not None and (choice := ranking.choose_forced(answers, forced)) is not None:
            return choice
        candidates = ranking.ranked(answers)
        able = [one for one in candidates if one.confidence >= self.threshold]
        unsure = {
            one.agent: ranking.below(one, self.threshold) for one in candidates if one.confidence < self.threshold
        }
        return ranking.choose_best(answers, able, unsure)


_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PlannerOrchestrator(MaxOrchestrator):
    """Chooses the assistant wherever it can do something."""

    name: str = "planner"
    description: str = "The assistant that plans acts; other agents do where it has nothing to offer, or are asked for."

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose the assistant, if it answered; else the most confident agent."""
        if forced is not None and (choice := ranking.choose_forced(answers, forced)) is not None:
            return choice
        own = next((one for one in answers.previews if one.agent == ASSISTANT), None)
        if own is None:
            return super().choose(state, event, answers, None, seed)
        first = Verdict(agent=ASSISTANT, chosen=True, why=Why.PLANS, score=own.confidence)
        rest = [ranking.verdict_against(one, own, Why.PLANNER_FIRST) for one in answers.previews if one is not own]
        return ranking.conclude(answers, (ASSISTANT,), [first, *rest])


def choose_or_plan(
    orchestrator: Orchestrator, state: State, event: AgentEvent, answers: Answers, *, forced: Forced | None, seed: int
) -> tuple[Choice, str]:
    """Let an orchestrator choose, or the planner where that fails; return with it the name of who chose."""
    try:
        choice = orchestrator.choose(state, event, answers, forced, seed)
        able = {one.agent for one in answers.previews}
        if not able.issuperset(choice.agents) or len(set(choice.agents)) < len(choice.agents):
            raise ValueError("An agent was chosen that gave no preview, or twice.")  # noqa: TRY301 - told as its own
    except Exception as error:  # an orchestrator may be a user's
        _log.warning("the orchestrator %s could not choose: %s", orchestrator.name, describe_trouble(error))
        planner = PlannerOrchestrator()
        return planner.choose(planner.begin(), event, answers, forced, seed), planner.name
    return choice, orchestrator.name
