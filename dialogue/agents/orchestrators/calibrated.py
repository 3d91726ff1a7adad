"""Any orchestrator, on calibrated confidences: it sees how often each agent was of use when it was so sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

from dialogue.agents.calibration import RECENT, Case, Curve, Method, calibrate, fit
from dialogue.agents.feedback import Feedback
from dialogue.agents.model import AgentEvent, AgentName, Answers, Choice, Confidence, Forced, Stage
from dialogue.agents.orchestrators.protocol import VERSION, Orchestrator, State, check_form


class _Agent(TypedDict):
    cases: Annotated[list[Case], Field(max_length=RECENT)]
    curve: Curve


class _Stages(TypedDict):
    before: dict[AgentName, _Agent]
    after: dict[AgentName, _Agent]


class _Learned(TypedDict):
    version: Literal[1]
    calibration: Method
    agents: _Stages
    orchestrator: dict[str, Any]


_LEARNED = TypeAdapter(_Learned)


@dataclass(frozen=True)
class CalibratedOrchestrator:
    """Chooses as another orchestrator does, and learns what confidences are worth besides."""

    orchestrator: Orchestrator
    method: Method

    @property
    def name(self) -> str:
        """The name that it is chosen by."""
        return self.orchestrator.name

    @property
    def description(self) -> str:
        """What it does, in one sentence."""
        return self.orchestrator.description

    def begin(self) -> State:
        """Return that nothing is known of any agent."""
        agents: State = {stage.value: {} for stage in Stage}
        begun = self.orchestrator.begin()
        return {"version": VERSION, "calibration": self.method, "agents": agents, "orchestrator": begun}

    def check(self, state: State) -> State:
        """Return a state that was kept. Raises ValueError where it is not one of this version and method."""
        checked = check_form(_LEARNED, state, self.name)
        if checked["calibration"] != self.method:
            raise ValueError(f"This state of {self.name!r} is of another calibration. Learn it anew.")
        return {**checked, "orchestrator": self.orchestrator.check(_inner(checked))}

    def confidence(self, state: State, stage: Stage, agent: AgentName, confidence: Confidence) -> Confidence:
        """Return what a confidence of an agent is worth at a stage."""
        found = _agents(state, stage).get(agent)
        return confidence if found is None else calibrate(found["curve"], confidence)

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose among the agents that answered, as sure as they proved to be."""
        previews = tuple(
            one.model_copy(update={"confidence": self.confidence(state, event.stage, one.agent, one.confidence)})
            for one in answers.previews
        )
        calibrated = answers.model_copy(update={"previews": previews})
        return self.orchestrator.choose(_inner(state), event, calibrated, forced, seed)

    def observe(self, state: State, feedback: Feedback) -> State:
        """Learn what the confidences were worth, after the orchestrator has learned from them as it saw them."""
        stage, sure = feedback.stage, feedback.confidences
        seen = {agent: self.confidence(state, stage, agent, confidence) for agent, confidence in sure.items()}
        learned = self.orchestrator.observe(_inner(state), feedback.model_copy(update={"confidences": seen}))
        agents: dict[str, dict[AgentName, Any]] = {each.value: dict(_agents(state, each)) for each in Stage}
        for agent, followed in feedback.judged.items():
            if agent in sure:
                before = agents[stage.value].get(agent)
                cases = [*(before["cases"] if before else ()), [round(sure[agent], 6), followed]][-RECENT:]
                agents[stage.value][agent] = {"cases": cases, "curve": fit(self.method, cases)}
        return {**state, "agents": cast(Any, agents), "orchestrator": learned}


def calibrated(orchestrator: Orchestrator, method: Method) -> Orchestrator:
    """Return an orchestrator that chooses on calibrated confidences, if there is a method for it."""
    return orchestrator if method == "none" else CalibratedOrchestrator(orchestrator, method)


def _agents(state: State, stage: Stage) -> Mapping[AgentName, _Agent]:
    return cast(_Learned, state)["agents"][stage.value]


def _inner(state: State) -> State:
    return cast(State, state["orchestrator"])
