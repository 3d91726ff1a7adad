"""`bandit`: learn from what people do with suggestions, as a contextual bandit (Upadhyay et al. 2018).

Each agent is an arm, and so is doing nothing. What is expected of an arm is linear in its confidence, with a Gaussian
posterior for each arm and stage: so each agent's confidence is put on the scale of rewards, and how agents report it
is of no account. An estimate is drawn from the posterior (Thompson sampling: Agrawal and Goyal 2013), or is its upper
bound (LinUCB: Li et al. 2010). The arm that was chosen is learned about from the reaction; where another agent's
suggestion was typed next, it is known of all of them what would have come of it. What was learned of an arm fades as
more is learned, because people change (Russac et al. 2019).

CLAI drew training points for its four starting profiles. Here a profile says what is believed of each arm at first, and
speaks for the arm that it would choose: decisively at first, half as much after each observation of that arm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, TypeAdapter, model_validator
from typing_extensions import TypedDict

from dialogue.agents.feedback import REWARDS, Feedback
from dialogue.agents.model import NOBODY, AgentEvent, AgentName, Answers, Choice, Forced, Reaction, Stage, Verdict, Why
from dialogue.agents.orchestrators.protocol import VERSION, State, check_form
from dialogue.agents.orchestrators.ranking import choose_forced, conclude
from language.interpretation import Frozen

Array = NDArray[np.float64]
_SEEN = 2
"""What is seen of an arm: a constant, and the confidence."""
_ADVICE = 4.0
"""What a profile's advice adds to an arm of which nothing was learned: more than confidences and draws can differ."""
_SPREAD = 3.0
"""Draws stay within so many standard deviations."""
_RELUCTANCE = 4.0
"""How many observations it counts for that a profile turns an agent down."""
_NOT_TYPED = 0.3
"""How much of an observation it is that another suggestion was typed, and not this agent's."""

_Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]


class _Arm(TypedDict):
    precision: Annotated[
        list[Annotated[list[_Number], Field(min_length=_SEEN, max_length=_SEEN)]],
        Field(min_length=_SEEN, max_length=_SEEN),
    ]
    moment: Annotated[list[_Number], Field(min_length=_SEEN, max_length=_SEEN)]


class _Stages(TypedDict):
    before: dict[AgentName, _Arm]
    after: dict[AgentName, _Arm]


class Profile(Frozen):
    """What a bandit starts from: one of the four of CLAI (row C14).

    `quiet` says nothing; `ignore` leaves `agent` out; `max` is the most confident at or above 0.4; `prefer` is `max`,
    but without `other` wherever `agent` has something to offer.
    """

    kind: Literal["quiet", "ignore", "max", "prefer"] = "max"
    agent: AgentName | None = None
    other: AgentName | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        named = {"ignore": (self.agent,), "prefer": (self.agent, self.other)}.get(self.kind, ())
        if None in named or len(set(named)) < len(named):
            wanted = "the agent to ignore" if self.kind == "ignore" else "two agents, the preferred one first"
            raise ValueError(f"The profile {self.kind!r} has to name {wanted}.")
        return self

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

    def turns_down(self, agent: AgentName) -> bool:
        return self.kind == "quiet" or (self.kind == "ignore" and agent == self.agent)


class _Learned(TypedDict):
    version: Literal[1]
    profile: Profile
    arms: _Stages


_LEARNED = TypeAdapter(_Learned)


@dataclass(frozen=True)
class Posterior:
    """What is believed about the reward of an arm in its context.

    `mean` and `deviation` are those of the estimate, without exploration; `advice` is what the profile adds to it.
    """

    arm: AgentName
    mean: float
    deviation: float
    advice: float


@dataclass(frozen=True)
class BanditOrchestrator:
    """Chooses by what is believed about each arm's reward: drawn from the posterior, or its upper bound."""

    profile: Profile = field(default_factory=Profile)
    explore: Literal["thompson", "ucb"] = "thompson"
    threshold: float = 0.4
    weight: float = 1.0
    """How many observations it counts for what is believed of an arm at first."""
    width: float = 0.2
    """How far estimates are spread for exploring, in standard deviations of one reward."""
    memory: float = 0.997
    """What is left of an observation's weight after another one of the same arm."""
    name: str = "bandit"
    description: str = "Learns from your reactions which agent helps when; doing nothing is one of its choices."

    def begin(self) -> State:
        arms: State = {stage.value: {} for stage in Stage}
        return {"version": VERSION, "profile": self.profile.model_dump(mode="json"), "arms": arms}

    def check(self, state: State) -> State:
        """Return a state that was kept. Raises ValueError where it is not one of this version and profile."""
        checked = check_form(_LEARNED, state, self.name)
        if checked["profile"] != self.begin()["profile"]:
            raise ValueError(f"This state of {self.name!r} began with another profile. Learn it anew.")
        for stage in Stage:
            for name, arm in _arms(checked, stage).items():
                (first, above), (under, last) = arm["precision"]
                if above != under or first <= 0 or first * last - above * under <= 0:
                    raise ValueError(f"This is no state of {self.name!r}: the precision of {name!r} is none.")
        return checked

    def posteriors(self, state: State, stage: Stage, answers: Answers) -> tuple[Posterior, ...]:
        """Return what is believed about each arm in this context, by name."""
        arms, *estimates = self._estimate(state, stage, _confidences(answers))
        return tuple(map(Posterior, arms, *(estimate.tolist() for estimate in estimates)))

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose the arm with the highest estimate; of equal ones the one declared first, doing nothing last."""
        if forced is not None and (choice := choose_forced(answers, forced)) is not None:
            return choice
        if not answers.previews:
            return conclude(answers, (), ())
        arms, mean, deviation, advice = self._estimate(state, event.stage, _confidences(answers))
        drawn = self.explore == "thompson"
        spread = np.random.default_rng(seed).standard_normal(len(arms)).clip(-_SPREAD, _SPREAD) if drawn else 1.0
        scores = dict(zip(arms, (mean + advice + self.width * deviation * spread).tolist(), strict=True))
        order = {name: place for place, name in enumerate((*answers.declared, NOBODY))}
        best = max(arms, key=lambda arm: (scores[arm], -order[arm]))
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
        return conclude(answers, () if best == NOBODY else (best,), verdicts, seed if drawn else None)

    def observe(self, state: State, feedback: Feedback) -> State:
        """Learn what a choice was worth, that of doing nothing included (row C15)."""
        arms = {stage.value: dict(_arms(state, stage)) for stage in Stage}
        learned = arms[feedback.stage.value]
        for arm, reward, weight in _lessons(feedback):
            precision, moment = self._beliefs(learned, [arm])
            prior_precision, prior_moment = self._beliefs({}, [arm])
            kept = self.memory**weight
            seen = np.array((1.0, feedback.confidences.get(arm, 0.0)))
            precision = kept * precision + (1 - kept) * prior_precision + weight * np.outer(seen, seen)
            moment = kept * moment + (1 - kept) * prior_moment + weight * reward * seen
            learned[arm] = {"precision": precision[0].round(9).tolist(), "moment": moment[0].round(9).tolist()}
        return {**state, "arms": cast(Any, arms)}

    def _estimate(
        self, state: State, stage: Stage, confidences: Mapping[AgentName, float]
    ) -> tuple[list[AgentName], Array, Array, Array]:
        """Return the arms by name, in any order of answers, and of each mean, standard deviation and advice."""
        sure = {**confidences, NOBODY: 0.0}
        arms = sorted(sure)
        precision, moment = self._beliefs(_arms(state, stage), arms)
        seen = np.array([(1.0, sure[arm]) for arm in arms])
        covariance = np.linalg.inv(precision)
        mean = np.einsum("ai,aij,aj->a", seen, covariance, moment)
        deviation = np.sqrt(np.einsum("ai,aij,aj->a", seen, covariance, seen))
        advised = arms.index(self.profile.choice(confidences, self.threshold))
        observed = precision[advised, 0, 0] - self._weight(arms[advised])
        advice = np.zeros(len(arms))
        advice[advised] = _ADVICE * 0.5**observed
        return arms, mean, deviation, advice

    def _beliefs(self, learned: Mapping[AgentName, _Arm], arms: Sequence[AgentName]) -> tuple[Array, Array]:
        """Return precision and moment of each arm: (arms, 2, 2) and (arms, 2)."""
        beliefs = [learned.get(arm) or self._begun(arm) for arm in arms]
        return np.array([one["precision"] for one in beliefs]), np.array([one["moment"] for one in beliefs])

    def _weight(self, arm: AgentName) -> float:
        return _RELUCTANCE if arm != NOBODY and self.profile.turns_down(arm) else self.weight

    def _begun(self, arm: AgentName) -> _Arm:
        """Return that doing nothing is worth nothing, and another arm as much as it is above the threshold.

        What the profile turns down is worth what people think of what they turn down.
        """
        weight = self._weight(arm)
        moment = [-weight * self.threshold, weight]
        if arm == NOBODY:
            moment = [0.0, 0.0]
        elif self.profile.turns_down(arm):
            moment = [weight * REWARDS[Reaction.DISMISSED], 0.0]
        return {"precision": [[weight, 0.0], [0.0, weight]], "moment": moment}


def _lessons(feedback: Feedback) -> Iterator[tuple[AgentName, float, float]]:
    """Yield of each arm that something was learned about what it was worth, and how much of an observation that is."""
    if not feedback.agents and feedback.confidences:
        yield NOBODY, feedback.reward, 1.0
    for agent, reward in feedback.rewards.items():
        yield agent, reward, 1.0
    for agent in feedback.confidences if feedback.wanted else ():
        if agent in feedback.wanted:
            yield agent, REWARDS[Reaction.FOLLOWED], 1.0
        elif agent not in feedback.agents:
            yield agent, REWARDS[Reaction.IGNORED], _NOT_TYPED


def _arms(state: State, stage: Stage) -> Mapping[AgentName, _Arm]:
    return cast(_Learned, state)["arms"][stage.value]


def _confidences(answers: Answers) -> dict[AgentName, float]:
    return {preview.agent: preview.confidence for preview in answers.previews}
