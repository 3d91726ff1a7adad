"""A recorded session, replayed: what another orchestrator would have done, and what was learned on the way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.agents.feedback import REWARDS, Feedback
from dialogue.agents.learning.replay import feedback_of, progress_of, reliability, replay_session, turns_of
from dialogue.agents.model import (
    AgentEvent,
    Answers,
    Choice,
    Forced,
    Moment,
    Preview,
    ProposedAction,
    Reaction,
    Stage,
    Verdict,
    Why,
)
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.orchestrators.planner import MaxOrchestrator
from dialogue.agents.orchestrators.threshold import START, ThresholdOrchestrator
from tests.dialogue.agents.made_up import MadeUp, choices

OPTIONS = OrchestratorOptions(preferences=(("find", "guess"), ("fix", "find")))
SEEDS = st.integers(0, 2**32)
NAMES = st.sampled_from(sorted(ORCHESTRATORS))


@settings(max_examples=60)
@given(NAMES, SEEDS)
def test_a_session_replayed_under_the_orchestrator_that_it_had_is_as_it_was_lived(name: str, seed: int) -> None:
    lived = MadeUp(ORCHESTRATORS[name](OPTIONS), seed, 12)
    found = replay_session(lived.moments, lived.orchestrator, lived.forced)
    assert [one.choice.agents for one in found] == [one.agents for one in choices(lived.moments)]
    assert [one.choice.verdicts for one in found] == [one.verdicts for one in choices(lived.moments)]
    assert [one.state for one in found] == lived.states
    assert all(one.same for one in found)


@settings(max_examples=60)
@given(NAMES, NAMES, SEEDS)
def test_what_another_orchestrator_learns_comes_only_from_turns_in_which_it_would_have_chosen_the_same(
    name: str, other: str, seed: int
) -> None:
    """Reactions to what it would not have done are of no account: whatever they are, it chooses alike."""
    lived = MadeUp(ORCHESTRATORS[name](OPTIONS), seed, 10)
    tried = ORCHESTRATORS[other](OPTIONS)
    found = replay_session(lived.moments, tried, lived.forced)
    changed = [
        moment if one.same or not moment.choice.agents else moment.model_copy(update={"reaction": Reaction.THUMBS_DOWN})
        for moment, one in zip(lived.moments, found, strict=True)
    ]
    assert replay_session(changed, tried, lived.forced) == found
    assert [one.same for one in found] == [
        one.choice.agents == moment.choice.agents for one, moment in zip(found, lived.moments, strict=True)
    ]


def moment(text: str, chosen: str | None, reaction: Reaction | None = None, stage: Stage = Stage.BEFORE) -> Moment:
    """Two agents answer: fix, sure of `git status`, and guess, less sure of `ls`."""
    came = (
        Preview(agent="fix", confidence=0.9, actions=(ProposedAction(text="git status"),)),
        Preview(agent="guess", confidence=0.3, actions=(ProposedAction(text="ls"),)),
    )
    verdicts = tuple(
        Verdict(agent=one.agent, chosen=one.agent == chosen, why=Why.BEST, score=one.confidence) for one in came
    )
    return Moment(
        event=AgentEvent(text=text, stage=stage),
        answers=Answers.of(("fix", "guess"), came),
        choice=Choice(agents=(chosen,) if chosen else (), verdicts=verdicts),
        reaction=reaction,
    )


def test_the_stage_after_belongs_to_the_turn_before_it() -> None:
    before, after = moment("gti", "fix"), moment("gti", None, stage=Stage.AFTER)
    assert turns_of([before, after, before, before, after, after]) == ((0, 1), (2,), (3, 4), (5,))
    assert turns_of([after]) == ((0,),)
    assert turns_of([]) == ()


def test_a_suggestion_that_is_typed_next_was_followed_and_the_last_turn_teaches_nothing_yet() -> None:
    told = feedback_of([moment("gti status", "fix"), moment("git  status", "fix"), moment("ls", "fix")])
    assert [one.reaction for one in told] == [Reaction.FOLLOWED, Reaction.IGNORED]
    assert [one.wanted for one in told] == [(), ("guess",)]
    assert feedback_of([moment("gti", "fix")]) == ()


def test_a_forced_answer_stays_forced_in_the_replay() -> None:
    asked = moment("gti", "guess")
    found = replay_session([asked, asked], MaxOrchestrator(), [Forced(agent="guess"), None])
    assert [one.choice.agents for one in found] == [("guess",), ("fix",)]
    assert [one.same for one in found] == [True, False]


def test_progress_shows_how_thresholds_beliefs_and_reward_came_about() -> None:
    told = feedback_of([
        moment("gti", "fix", Reaction.THUMBS_DOWN),
        moment("gti", "fix", Reaction.FOLLOWED),
        moment("gti", "fix", Reaction.EDITED, Stage.AFTER),
        moment("gti", None),
    ])  # fmt: skip
    found = progress_of(told)
    assert [one.thresholds["fix"] for one in found] == pytest.approx([0.25, 0.23, START - 0.02])
    assert [one.thresholds["guess"] for one in found] == [START] * 3
    assert [one.reward for one in found] == pytest.approx([-1, 0, REWARDS[Reaction.EDITED]])
    assert [{belief.arm for belief in one.beliefs} for one in found] == [{"fix", "guess", "nobody"}] * 3
    expected = [next(b.mean for b in one.beliefs if b.arm == "fix") for one in found]
    assert expected[1] < expected[0], "after a thumbs down less is expected of it"
    assert progress_of(()) == ()


def test_reliability_counts_only_where_people_could_judge() -> None:
    def feedback(sure: float, *, acted: bool, reaction: Reaction | None = None, wanted: bool = False) -> Feedback:
        return Feedback(
            stage=Stage.BEFORE,
            confidences={"fix": sure, "guess": 0.5},
            agents=("fix",) if acted else (),
            reaction=reaction if acted else None,
            wanted=("guess",) if wanted else (),
        )

    told = [
        feedback(1.0, acted=True, reaction=Reaction.FOLLOWED),
        feedback(0.81, acted=True, reaction=Reaction.IGNORED),
        feedback(0.2, acted=True, reaction=Reaction.EDITED),
        feedback(0.9, acted=False),
        feedback(0.1, acted=False, wanted=True),
    ]
    found = reliability(told)
    assert [(one.low, one.high, one.count, one.followed) for one in found["fix"]] == [
        (0.2, 0.4, 1, 1.0),
        (0.8, 1.0, 2, 0.5),
    ]
    assert found["fix"][1].confidence == pytest.approx(0.905)
    assert [(one.count, one.confidence, one.followed) for one in found["guess"]] == [(1, 0.5, 1.0)]


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 12))
def test_every_case_is_in_one_bin_whose_edges_hold_it(seed: int, bins: int) -> None:
    told = feedback_of(MadeUp(ThresholdOrchestrator(), seed, 15).moments)
    found = reliability(told, bins)
    judged = sum(len({*one.agents, *one.wanted} & set(one.confidences)) for one in told)
    assert sum(one.count for bins_of in found.values() for one in bins_of) == judged
    for bins_of in found.values():
        assert all(one.low - 1e-9 <= one.confidence <= one.high + 1e-9 for one in bins_of)
        assert all(0 <= one.followed <= 1 for one in bins_of)


def test_an_orchestrator_that_fails_is_not_replaced_by_another_in_a_replay() -> None:
    class Broken(MaxOrchestrator):
        def choose(self, *_: object) -> Choice:
            raise ZeroDivisionError

    lived = MadeUp(MaxOrchestrator(), 3, 3)
    with pytest.raises(ZeroDivisionError):
        replay_session(lived.moments, Broken(), lived.forced)
