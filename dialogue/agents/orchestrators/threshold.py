"""`threshold`: as `max`, with a threshold for each agent and stage that follows what people do (CLAI,
threshold_orchestrator)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

from dialogue.agents.feedback import Feedback
from dialogue.agents.model import AgentEvent, AgentName, Answers, Choice, Forced, Stage
from dialogue.agents.orchestrators.protocol import VERSION, State, check_form
from dialogue.agents.orchestrators.ranking import below, choose_best, choose_forced, ranked

START, FOLLOWED, NOT_FOLLOWED = 0.2, -0.02, 0.05
"""Where a threshold begins, and what it goes by after a suggestion was followed, or was not."""
LOWEST, HIGHEST = 0.02, 0.95
"""Thresholds stay between these: CLAI's drifted to -0.17, and to 1.33, which no confidence ever passes (row C6)."""

_Threshold = Annotated[float, Field(ge=LOWEST, le=HIGHEST, allow_inf_nan=False)]


class _Stages(TypedDict):
    before: dict[AgentName, _Threshold]
    after: dict[AgentName, _Threshold]


class _Learned(TypedDict):
    version: Literal[1]
    thresholds: _Stages


_LEARNED = TypeAdapter(_Learned)


@dataclass(frozen=True)
class ThresholdOrchestrator:
    """Chooses the most confident of the agents that are above their own thresholds."""

    name: str = "threshold"
    description: str = (
        "Each agent has a threshold of its own, which falls when it is followed and rises when it is not."
    )
    start: float = START
    followed: float = FOLLOWED
    not_followed: float = NOT_FOLLOWED

    def begin(self) -> State:
        return {"version": VERSION, "thresholds": {stage.value: {} for stage in Stage}}

    def check(self, state: State) -> State:
        return check_form(_LEARNED, state, self.name)

    def threshold(self, state: State, stage: Stage, agent: AgentName) -> float:
        return _thresholds(state, stage).get(agent, self.start)

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose the most confident agent that is strictly above its own threshold (row C5)."""
        if forced is not None and (choice := choose_forced(answers, forced)) is not None:
            return choice
        able, others = [], {}
        for one in ranked(answers):
            threshold = self.threshold(state, event.stage, one.agent)
            if one.confidence > threshold:
                able.append(one)
            else:
                others[one.agent] = below(one, threshold)
        return choose_best(answers, able, others)

    def observe(self, state: State, feedback: Feedback) -> State:
        """Move the thresholds of the agents that acted, for the stage at which they did (row C8)."""
        moved = dict(_thresholds(state, feedback.stage))
        for agent, reward in feedback.rewards.items():
            threshold = moved.get(agent, self.start) + (self.followed if reward > 0 else self.not_followed)
            moved[agent] = round(min(HIGHEST, max(LOWEST, threshold)), 6)
        stages = {stage.value: dict(_thresholds(state, stage)) for stage in Stage} | {feedback.stage.value: moved}
        return {"version": VERSION, "thresholds": cast(Any, stages)}


def _thresholds(state: State, stage: Stage) -> dict[AgentName, float]:
    return cast(_Learned, state)["thresholds"][stage.value]
