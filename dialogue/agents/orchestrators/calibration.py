"""Calibration of an agent's confidences: how often it was really of use when it was so sure.

Orchestrators compare confidences of agents that were not tuned to each other, which is fair only where they are
calibrated (Verdi §2; the documentation of CLAI's orchestrators). A curve is fitted to what people did, by Platt's
logistic regression (Platt 1999) or by isotonic regression (Zadrozny and Elkan 2002). It never falls: who is more sure
is never taken to be less. With few cases a confidence stays as it is. Any orchestrator can choose on calibrated
confidences; what it sees then is how often each agent was of use when it was so sure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

import numpy as np
from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

from dialogue.agents.feedback import Feedback
from dialogue.agents.model import AgentEvent, AgentName, Answers, Choice, Confidence, Forced, Stage
from dialogue.agents.orchestrators.protocol import VERSION, Orchestrator, State, check_form

Method = Literal["none", "platt", "isotonic"]
LEAST = 30
"""With fewer cases than this an agent's confidences stay as they are."""
RECENT = 300
"""The newest cases count, so many of them: people change."""
_STEPS = 21
"""Points of a curve that is drawn from a formula."""

Case = tuple[Confidence, bool]
"""How sure an agent was, and whether it was of use."""
Point = Annotated[list[Confidence], Field(min_length=2, max_length=2)]
"""A confidence, and how often the agent was of use that was so sure."""
Curve = list[Point]
"""Points between which lines are drawn, from left to right; none: confidences stay as they are."""


def fit(method: Method, cases: Sequence[Case]) -> Curve:
    if method == "none" or len(cases) < LEAST:
        return []
    sure = np.array([confidence for confidence, _ in cases])
    of_use = np.array([float(followed) for _, followed in cases])
    x, y = _isotonic(sure, of_use) if method == "isotonic" else _platt(sure, of_use)
    points = np.stack([x, np.clip(y, 0.0, 1.0)], axis=1)
    return cast(Curve, points.round(6).tolist())


def calibrate(curve: Curve, confidence: Confidence) -> Confidence:
    """Return how often an agent is of use that is so sure; beyond the ends of a curve, as at its ends."""
    if not curve:
        return confidence
    x, y = zip(*curve, strict=True)
    return float(np.interp(confidence, x, y))


def _isotonic(sure: np.ndarray, of_use: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression(y_min=0.0, y_max=1.0).fit(sure, of_use)
    return fitted.X_thresholds_, fitted.y_thresholds_


def _platt(sure: np.ndarray, of_use: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fit a logistic curve to Platt's targets: each case is a little of the other kind, so a few never say "always"."""
    from sklearn.linear_model import LogisticRegression

    many = of_use.sum()
    target = np.where(of_use > 0, (many + 1) / (many + 2), 1 / (len(of_use) - many + 2))
    kinds = np.repeat([1, 0], len(sure))
    fitted = LogisticRegression(C=1e3, solver="newton-cholesky").fit(
        np.tile(sure, 2).reshape(-1, 1), kinds, sample_weight=np.concatenate([target, 1 - target])
    )
    x = np.linspace(0.0, 1.0, _STEPS)
    if fitted.coef_[0, 0] < 0:  # the surer the worse: then its confidence says nothing
        return x, np.full(_STEPS, target.mean())
    return x, fitted.predict_proba(x.reshape(-1, 1))[:, 1]


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
        return self.orchestrator.name

    @property
    def description(self) -> str:
        return self.orchestrator.description

    def begin(self) -> State:
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
