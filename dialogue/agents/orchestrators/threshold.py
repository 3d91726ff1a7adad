"""`threshold`: as `max`, with a threshold for each agent and stage that follows what people do (CLAI,
threshold_orchestrator)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from dialogue.agents.feedback import Feedback
from dialogue.agents.model import AgentEvent, AgentName, Answers, Choice, Forced, Stage
from dialogue.agents.orchestrators.protocol import State
from dialogue.agents.orchestrators.ranking import VERSION, below, choose_best, choose_forced, ranked

START, FOLLOWED, NOT_FOLLOWED = 0.2, -0.02, 0.05
"""Where a threshold begins, and what it goes by after a suggestion was followed, or was not."""
LOWEST, HIGHEST = 0.02, 0.95
"""Thresholds stay between these: CLAI's drifted to -0.17, and to 1.33, which no confidence ever passes (row C6)."""

_Threshold = Annotated[float, Field(ge=LOWEST, le=HIGHEST, allow_inf_nan=False)]


class _Learned(TypedDict):
    version: Literal[1]
    thresholds: dict[Stage, dict[AgentName, _Threshold]]


_LEARNED = TypeAdapter(_Learned)


@dataclass(frozen=True)
class ThresholdOrchestrator:
    """Chooses the most confident of the agents that are above their own thresholds."""

    name: str = "threshold"
    description: str = (
        "Each agent has a threshold of its own, which falls when it is followed and rises when it is not."
    )

    def begin(self) -> State:
        """Return that all thresholds are where they begin."""
        return {"version": VERSION, "thresholds": {stage.value: {} for stage in Stage}}

    def check(self, state: State) -> State:
        """Return a state that was kept. Raises ValueError where it is not one of this version."""
        try:
            return _LEARNED.dump_python(_LEARNED.validate_python(state), mode="json")  # type: ignore[no-any-return]
        except ValidationError as error:
            raise ValueError(f"These are no thresholds of version {VERSION}: {error.errors()[0]['msg']}.") from None

    def threshold(self, state: State, stage: Stage, agent: AgentName) -> float:
        """Return the threshold of an agent at a stage."""
        return _thresholds(state, stage).get(agent, START)

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
        """Move the threshold of the agent that acted, for the stage at which it did (row C8)."""
        learned = {stage: dict(_thresholds(state, stage)) for stage in Stage}
        if feedback.agent is not None:
            moved = learned[feedback.stage].get(feedback.agent, START) + (
                FOLLOWED if feedback.followed else NOT_FOLLOWED
            )
            learned[feedback.stage][feedback.agent] = round(min(HIGHEST, max(LOWEST, moved)), 6)
        return {"version": VERSION, "thresholds": {stage.value: dict(found) for stage, found in learned.items()}}


def _thresholds(state: State, stage: Stage) -> dict[AgentName, float]:
    found = _LEARNED.validate_python(state)["thresholds"]
    return found.get(stage, {})
