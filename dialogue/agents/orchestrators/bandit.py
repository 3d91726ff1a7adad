"""`bandit`: learn from what people do with suggestions, as a contextual bandit (Upadhyay et al. 2018).

Each agent is an arm, and so is doing nothing. Of an arm in its context four things are seen: a constant, the agent's
confidence, how far that is above the best of the others, and whether the profile that it starts from would choose it.
The expected reward is linear in these, with a Gaussian posterior for each arm and stage (Agrawal and Goyal 2013 for
Thompson sampling; Li et al. 2010 for LinUCB). What was learned fades slowly, because people change (Russac et al.
2019).

CLAI drew training points for its four starting profiles; here a profile is the mean of the prior, so it holds from the
first turn on, and as much as the prior's weight says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from dialogue.agents.feedback import Feedback
from dialogue.agents.model import (
    NOBODY,
    AgentEvent,
    AgentName,
    Answers,
    Choice,
    Forced,
    Stage,
    Verdict,
    Why,
)
from dialogue.agents.orchestrators.protocol import State
from dialogue.agents.orchestrators.ranking import VERSION, choose_forced, conclude
from language.interpretation import Frozen

Array = NDArray[np.float64]
_SEEN = 4
"""How many things are seen of an arm."""
_NEAR_ZERO = 1e-9

_Number = Annotated[float, Field(allow_inf_nan=False)]


class _Arm(TypedDict):
    precision: Annotated[
        list[Annotated[list[_Number], Field(min_length=_SEEN, max_length=_SEEN)]],
        Field(min_length=_SEEN, max_length=_SEEN),
    ]
    moment: Annotated[list[_Number], Field(min_length=_SEEN, max_length=_SEEN)]


class _Learned(TypedDict):
    version: Literal[1]
    arms: dict[Stage, dict[AgentName, _Arm]]


_LEARNED = TypeAdapter(_Learned)


class Profile(Frozen):
    """What a bandit starts from: one of the four of CLAI (row C14).

    `quiet` says nothing; `ignore` leaves `agent` out; `max` is the most confident at or above 0.4; `prefer` is `max`,
    but without `other` wherever `agent` has something to offer.
    """

    kind: Literal["quiet", "ignore", "max", "prefer"] = "max"
    agent: AgentName | None = None
    other: AgentName | None = None

    def choice(self, confidences: Mapping[AgentName, float], threshold: float) -> AgentName:
        """Return whom the profile would choose; of equally confident agents the one declared first."""
        able = [agent for agent, confidence in confidences.items() if confidence >= threshold]
        if self.kind == "quiet":
            able = []
        elif self.kind == "ignore":
            able = [agent for agent in able if agent != self.agent]
        elif self.kind == "prefer" and self.agent in able:
            able = [agent for agent in able if agent != self.other]
        return max(able, key=lambda agent: confidences[agent], default=NOBODY)


@dataclass(frozen=True)
class Posterior:
    """What is believed about the reward of an arm in its context: the mean, and the standard deviation."""

    arm: AgentName
    mean: float
    deviation: float


@dataclass(frozen=True)
class BanditOrchestrator:
    """Chooses by what is believed about each arm's reward: drawn from the posterior, or its upper bound."""

    profile: Profile = field(default_factory=Profile)
    explore: Literal["thompson", "ucb"] = "thompson"
    threshold: float = 0.4
    weight: float = 4.0
    """How many observations the profile counts for."""
    width: float = 0.25
    """How far estimates are spread for exploring, in standard deviations of one reward."""
    memory: float = 0.995
    """What is left of an observation's weight one turn later."""
    name: str = "bandit"
    description: str = "Learns from your reactions which agent helps when; doing nothing is one of its choices."

    def begin(self) -> State:
        """Return that nothing was observed."""
        return {"version": VERSION, "arms": {stage.value: {} for stage in Stage}}

    def check(self, state: State) -> State:
        """Return a state that was kept. Raises ValueError where it is not one of this version."""
        try:
            return _LEARNED.dump_python(_LEARNED.validate_python(state), mode="json")  # type: ignore[no-any-return]
        except ValidationError as error:
            raise ValueError(
                f"This is no state of a bandit of version {VERSION}: {error.errors()[0]['msg']}."
            ) from None

    def posteriors(self, state: State, stage: Stage, answers: Answers) -> tuple[Posterior, ...]:
        """Return what is believed about each arm in this context, by name."""
        arms, seen = self._context(_confidences(answers))
        mean, deviation = _estimate(*self._beliefs(state, stage, arms), seen)
        return tuple(map(Posterior, arms, mean.tolist(), deviation.tolist()))

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose the arm with the highest estimate; of equal ones the one declared first, doing nothing last."""
        if forced is not None and (choice := choose_forced(answers, forced)) is not None:
            return choice
        if not answers.previews:
            return conclude(answers, (), ())
        arms, seen = self._context(_confidences(answers))
        precision, moment = self._beliefs(state, event.stage, arms)
        if self.explore == "ucb":
            mean, deviation = _estimate(precision, moment, seen)
            estimates = mean + self.width * deviation
        else:
            estimates = _draw(precision, moment, seen, self.width, seed)
        scores = dict(zip(arms, estimates.tolist(), strict=True))
        order = [*answers.declared, NOBODY]
        best = max(arms, key=lambda arm: (scores[arm], -order.index(arm)))
        verdicts = [
            Verdict(
                agent=arm,
                chosen=arm == best,
                why=Why.DREW_MOST if arm == best else Why.DREW_LESS,
                score=scores[arm],
                against=None if arm == best else scores[best],
                other=None if arm == best else best,
            )
            for arm in arms
        ]
        drawn = seed if self.explore == "thompson" else None
        return conclude(answers, () if best == NOBODY else (best,), verdicts).model_copy(update={"seed": drawn})

    def observe(self, state: State, feedback: Feedback) -> State:
        """Learn what a choice was worth, that of doing nothing included (row C15)."""
        return self._learn(state, feedback, feedback.agent or NOBODY)

    def _learn(self, state: State, feedback: Feedback, chosen: AgentName) -> State:
        stage = feedback.stage
        learned = _LEARNED.validate_python(state)["arms"]
        known = learned.get(stage, {})
        arms, seen = self._context(feedback.confidences)
        if chosen not in arms:
            return state
        names = sorted({*known, *arms})
        precision, moment = self._beliefs(state, stage, names)
        prior_precision, prior_moment = self._prior(len(names))
        precision = self.memory * precision + (1 - self.memory) * prior_precision
        moment = self.memory * moment + (1 - self.memory) * prior_moment
        place, x = names.index(chosen), seen[arms.index(chosen)]
        precision[place] += np.outer(x, x)
        moment[place] += feedback.reward * x
        found = {
            name: {"precision": np.round(precision[at], 9).tolist(), "moment": np.round(moment[at], 9).tolist()}
            for at, name in enumerate(names)
        }
        others = {kept.value: dict(arms_of) for kept, arms_of in learned.items() if kept is not stage}
        return {"version": VERSION, "arms": {**others, stage.value: found}}  # type: ignore[dict-item]

    def _context(self, confidences: Mapping[AgentName, float]) -> tuple[list[AgentName], Array]:
        """Return the arms by name, and what is seen of each: (arms, 4)."""
        advised = self.profile.choice(confidences, self.threshold)
        sure = {**confidences, NOBODY: 0.0}
        arms = sorted(sure)
        best = sorted(sure.values(), reverse=True)[:2]

        def margin(arm: AgentName) -> float:
            others = best[1] if sure[arm] == best[0] else best[0]
            return sure[arm] - others

        return arms, np.array([(1.0, sure[arm], margin(arm), float(arm == advised)) for arm in arms])

    def _prior(self, count: int) -> tuple[Array, Array]:
        """Return precision and moment of arms that nothing is known of: what the profile advises is worth 1."""
        mean = np.array((0.0, 0.0, 0.0, 1.0))
        return np.tile(self.weight * np.eye(_SEEN), (count, 1, 1)), np.tile(self.weight * mean, (count, 1))

    def _beliefs(self, state: State, stage: Stage, arms: Sequence[AgentName]) -> tuple[Array, Array]:
        found: Mapping[str, _Arm] = _LEARNED.validate_python(state)["arms"].get(stage, {})
        precision, moment = self._prior(len(arms))
        for place, arm in enumerate(arms):
            if arm in found:
                precision[place], moment[place] = found[arm]["precision"], found[arm]["moment"]
        return precision, moment


def _confidences(answers: Answers) -> dict[AgentName, float]:
    return {preview.agent: preview.confidence for preview in answers.previews}


def _estimate(precision: Array, moment: Array, seen: Array) -> tuple[Array, Array]:
    """Return mean and standard deviation of each arm's reward: (arms,) and (arms,)."""
    covariance = np.linalg.inv(precision)
    weights = np.einsum("aij,aj->ai", covariance, moment)
    variance = np.einsum("ai,aij,aj->a", seen, covariance, seen)
    return np.einsum("ai,ai->a", weights, seen), np.sqrt(np.maximum(variance, _NEAR_ZERO))


def _draw(precision: Array, moment: Array, seen: Array, width: float, seed: int) -> Array:
    """Draw each arm's reward from its posterior. Arms are in the order of their names, whoever answered first."""
    mean, deviation = _estimate(precision, moment, seen)
    return mean + width * deviation * np.random.default_rng(seed).standard_normal(len(mean))
