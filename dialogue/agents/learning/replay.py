"""A recorded session under another orchestrator, and what was learned from it, step by step.

Both are pure folds over what is on record. People reacted to what really acted: so an orchestrator that is tried out
learns only from turns in which it would have chosen the same agents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import cast

from dialogue.agents.feedback import Feedback, feedback_from
from dialogue.agents.model import (
    ASSISTANT,
    AgentEvent,
    AgentName,
    Answers,
    Choice,
    Forced,
    Moment,
    Preview,
    Stage,
)
from dialogue.agents.orchestrators.bandit import BanditOrchestrator, Posterior
from dialogue.agents.orchestrators.calibration import CalibratedOrchestrator, Case
from dialogue.agents.orchestrators.planner import MaxOrchestrator, PlannerOrchestrator
from dialogue.agents.orchestrators.preference import PreferenceOrchestrator
from dialogue.agents.orchestrators.protocol import Orchestrator, State
from dialogue.agents.orchestrators.s3 import S3Orchestrator, TopK
from dialogue.agents.orchestrators.threshold import ThresholdOrchestrator

BINS = 5
"""How many ranges of confidence a reliability table has."""


@dataclass(frozen=True)
class ReplayedChoice:
    """What an orchestrator would have chosen at one moment, and what it knew before that."""

    choice: Choice
    state: State = field(repr=False)
    same: bool
    """Whether the same agents act, in the same order."""


@dataclass(frozen=True)
class FeedbackMoment:
    """One feedback, and how things stood when it came.

    `thresholds` are those after it, for its stage; `beliefs` are what a bandit expected of each arm before it, and
    `reward` is the sum so far.
    """

    feedback: Feedback
    thresholds: Mapping[AgentName, float]
    beliefs: tuple[Posterior, ...]
    reward: float


@dataclass(frozen=True)
class Bin:
    """How often an agent was of use when its confidence was between `low` and `high`; `confidence` is the mean."""

    low: float
    high: float
    count: int
    confidence: float
    followed: float


def thresholds_of(orchestrator: Orchestrator, state: State, moment: Moment) -> dict[AgentName, float]:
    """Return the figure that each agent that answered was held against, where the orchestrator has such a thing."""
    if isinstance(orchestrator, CalibratedOrchestrator):
        return thresholds_of(orchestrator.orchestrator, cast(State, state["orchestrator"]), moment)
    answered = [preview.agent for preview in moment.answers.previews]
    match orchestrator:
        case ThresholdOrchestrator():
            return {agent: orchestrator.threshold(state, moment.event.stage, agent) for agent in answered}
        case PlannerOrchestrator() if ASSISTANT in answered:
            return {}
        case MaxOrchestrator(threshold=threshold) | PreferenceOrchestrator(threshold=threshold):
            return dict.fromkeys(answered, threshold)
        case S3Orchestrator(selector=TopK(threshold=threshold)):
            return dict.fromkeys(answered, threshold)
    return {}


def turns_of(moments: Sequence[Moment]) -> tuple[tuple[int, ...], ...]:
    """Return the places of the moments of each turn: a stage before, or one after, or both."""
    turns: list[tuple[int, ...]] = []
    stage: Stage | None = None
    for place, moment in enumerate(moments):
        if moment.event.stage is Stage.AFTER and stage is Stage.BEFORE:
            turns[-1] = (*turns[-1], place)
        else:
            turns.append((place,))
        stage = moment.event.stage
    return tuple(turns)


def feedback_of(moments: Sequence[Moment]) -> tuple[Feedback, ...]:
    """Return what the turns of a session teach. The last one does not yet: what follows it is not known."""
    return tuple(
        feedback
        for turn, following in _followed(moments)
        for place in turn
        for feedback in feedback_from(moments[place], None, following)
    )


def replay_session(
    moments: Sequence[Moment], orchestrator: Orchestrator, forced: Sequence[Forced | None] = ()
) -> tuple[ReplayedChoice, ...]:
    """Let an orchestrator that knows nothing choose at each moment of a session, and learn as the session goes on.

    Chance is drawn with the seed on record, or where there is none, with the place of the moment. Raises whatever the
    orchestrator raises: what another would have chosen in its place is no answer.
    """
    asked = dict(enumerate(forced))
    state = orchestrator.begin()
    found: list[ReplayedChoice] = []
    following = dict(_followed(moments))
    for turn in turns_of(moments):
        for place in turn:
            moment = moments[place]
            seed = place if moment.choice.seed is None else moment.choice.seed
            one = asked.get(place)
            choice = orchestrator.choose(state, moment.event, moment.answers, one, seed)
            found.append(ReplayedChoice(choice, state, choice.agents == moment.choice.agents))
        for place in turn:
            if turn in following and found[place].same:
                for feedback in feedback_from(moments[place], None, following[turn]):
                    state = orchestrator.observe(state, feedback)
    return tuple(found)


def progress_of(
    feedback: Sequence[Feedback],
    bandit: BanditOrchestrator | None = None,
    threshold: ThresholdOrchestrator | None = None,
) -> tuple[FeedbackMoment, ...]:
    bandit, threshold = bandit or BanditOrchestrator(), threshold or ThresholdOrchestrator()
    known, believed = threshold.begin(), bandit.begin()
    names = {
        stage: dict.fromkeys(n for one in feedback if one.stage is stage for n in one.confidences) for stage in Stage
    }
    rewards = accumulate(one.reward for one in feedback)
    found = []
    for one, reward in zip(feedback, rewards, strict=True):
        beliefs = bandit.posteriors(believed, one.stage, _answers(one))
        known, believed = threshold.observe(known, one), bandit.observe(believed, one)
        thresholds = {name: threshold.threshold(known, one.stage, name) for name in names[one.stage]}
        found.append(FeedbackMoment(one, thresholds, beliefs, reward))
    return tuple(found)


def reliability(feedback: Sequence[Feedback], bins: int = BINS) -> dict[AgentName, tuple[Bin, ...]]:
    """Return for each agent how often it was of use, by its confidence; ranges without a case are left out.

    Only cases count in which people could judge: the agent acted, or what it would have done was typed next.
    """
    cases: dict[AgentName, list[Case]] = {}
    for one in feedback:
        for agent, followed in one.judged.items():
            cases.setdefault(agent, []).append((one.confidences[agent], followed))
    edges = [place / bins for place in range(bins + 1)]
    return {
        agent: tuple(
            Bin(
                low, high, len(inside), sum(c for c, _ in inside) / len(inside), sum(f for _, f in inside) / len(inside)
            )
            for low, high in pairwise(edges)
            if (inside := [case for case in seen if min(int(case[0] * bins), bins - 1) == round(low * bins)])
        )
        for agent, seen in cases.items()
    }


def _followed(moments: Sequence[Moment]) -> Iterator[tuple[tuple[int, ...], AgentEvent]]:
    for turn, then in pairwise(turns_of(moments)):
        yield turn, moments[then[0]].event


def _answers(feedback: Feedback) -> Answers:
    previews = [Preview(agent=agent, confidence=sure) for agent, sure in feedback.confidences.items()]
    return Answers.of(feedback.confidences, previews)
