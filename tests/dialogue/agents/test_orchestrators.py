"""Who acts: all orchestrators keep to one protocol, and each chooses as it is described."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from dialogue.agents.feedback import Feedback, feedback_from
from dialogue.agents.model import (
    ASSISTANT,
    NOBODY,
    AgentEvent,
    Answers,
    Choice,
    Forced,
    Moment,
    Preview,
    ProposedAction,
    Reaction,
    Silence,
    SilenceReason,
    Stage,
    Why,
)
from dialogue.agents.orchestrators import ORCHESTRATORS, Orchestrator, OrchestratorOptions
from dialogue.agents.orchestrators.bandit import BanditOrchestrator, Profile
from dialogue.agents.orchestrators.s3 import S3Orchestrator, TopK
from dialogue.agents.orchestrators.threshold import HIGHEST, LOWEST
from tests.dialogue.agents.made_up import NAMES, MadeUp, answers

SAID = AgentEvent(text="clean")
AFTER = AgentEvent(text="clean", stage=Stage.AFTER, output="not found", exit_code=127)
NEXT = AgentEvent(text="something else")
OPTIONS = OrchestratorOptions(preferences=(("find", "guess"), ("fix", "find")))
SEEDS = st.integers(0, 2**32)
each_orchestrator = pytest.mark.parametrize("name", ORCHESTRATORS)


def asked(**confidences: float) -> Answers:
    """Answers of agents in the order in which they are named."""
    return Answers.of(confidences, [_preview(agent, sure) for agent, sure in confidences.items()])


def _preview(agent: str, sure: float) -> Preview:
    return Preview(agent=agent, confidence=sure, actions=(ProposedAction(text=f"{agent} does it"),))


def chosen(name: str, came: Answers, *, forced: Forced | None = None, **options: Any) -> tuple[str, ...]:
    orchestrator = ORCHESTRATORS[name](OrchestratorOptions(**options))
    return orchestrator.choose(orchestrator.begin(), SAID, came, forced, 1).agents


def learned(orchestrator: Orchestrator, *feedback: Feedback) -> dict[str, Any]:
    state = orchestrator.begin()
    for one in feedback:
        state = orchestrator.observe(state, one)
    return state


def verdict(choice: Choice, agent: str) -> tuple[Why, float | None, float | None, str | None]:
    found = next(one for one in choice.verdicts if one.agent == agent)
    return found.why, found.score, found.against, found.other


# what all of them keep to


@each_orchestrator
def test_an_orchestrator_is_known_by_its_name_and_described_in_a_sentence(name: str) -> None:
    orchestrator = ORCHESTRATORS[name](OPTIONS)
    assert orchestrator.name == name
    assert orchestrator.description.endswith(".")


@each_orchestrator
@settings(max_examples=40)
@given(seed=SEEDS)
def test_there_is_one_verdict_for_each_agent_and_the_chosen_ones_are_those_that_act(name: str, seed: int) -> None:
    for moment in MadeUp(ORCHESTRATORS[name](OPTIONS), seed, 4).moments:
        choice, told = moment.choice, [one.agent for one in moment.choice.verdicts if one.agent != NOBODY]
        assert told == [agent for agent in moment.answers.declared if agent in told]
        answered, silent = moment.answers.previews, moment.answers.silent
        assert set(told) == {one.agent for one in answered} | {one.agent for one in silent}
        assert set(choice.agents) == {one.agent for one in choice.verdicts if one.chosen} - {NOBODY}
        assert set(choice.agents) <= {one.agent for one in moment.answers.previews}


@pytest.mark.row("C9")
@each_orchestrator
@settings(max_examples=40)
@given(seed=SEEDS)
def test_the_order_in_which_answers_arrive_changes_nothing(name: str, seed: int) -> None:
    lived = MadeUp(ORCHESTRATORS[name](OPTIONS), seed, 5)
    for moment, forced, state in zip(lived.moments, lived.forced, lived.states, strict=True):
        came: list[Preview | Silence] = [*moment.answers.previews, *moment.answers.silent]
        Random(seed).shuffle(came)
        again = Answers.of(moment.answers.declared, came)
        args = (moment.event, again, forced, seed)
        assert lived.orchestrator.choose(state, *args) == lived.orchestrator.choose(
            state, moment.event, moment.answers, forced, seed
        )


@each_orchestrator
@settings(max_examples=40)
@given(seed=SEEDS)
def test_who_is_chosen_does_not_hang_on_the_order_of_declaration_but_for_ties(name: str, seed: int) -> None:
    rng = Random(seed)
    names = rng.sample(NAMES, 4)
    scores = rng.sample([round(0.01 * step, 2) for step in range(101)], 4)
    first = asked(**dict(zip(names, scores, strict=True)))
    mixed = Answers.of(rng.sample(names, 4), first.previews)
    orchestrator = ORCHESTRATORS[name](OPTIONS)
    state = orchestrator.begin()
    one, other = (orchestrator.choose(state, SAID, came, None, seed) for came in (first, mixed))
    assert one.agents == other.agents
    assert {v.agent: v for v in one.verdicts} == {v.agent: v for v in other.verdicts}


@each_orchestrator
@settings(max_examples=40)
@given(seed=SEEDS)
def test_what_is_learned_can_be_kept_as_json_and_folded_again_to_the_same(name: str, seed: int) -> None:
    lived = MadeUp(ORCHESTRATORS[name](OPTIONS), seed, 8)
    for state in lived.states:
        assert lived.orchestrator.check(json.loads(json.dumps(state))) == state
    again = ORCHESTRATORS[name](OPTIONS)
    state = again.check(json.loads(json.dumps(lived.states[len(lived.states) // 2])))
    moment = lived.moments[-1]
    feedback = feedback_from(moment, None, NEXT)
    for one in feedback:
        half = lived.orchestrator.observe(lived.states[len(lived.states) // 2], one)
        assert again.observe(state, one) == half


@each_orchestrator
@settings(max_examples=20)
@given(seed=SEEDS)
def test_observing_leaves_the_state_that_was_handed_in_as_it_was(name: str, seed: int) -> None:
    lived = MadeUp(ORCHESTRATORS[name](OPTIONS), seed, 6)
    before = json.dumps(lived.states[-1])
    for one in feedback_from(lived.moments[-1], None, NEXT):
        lived.orchestrator.observe(lived.states[-1], one)
    assert json.dumps(lived.states[-1]) == before


@each_orchestrator
@pytest.mark.parametrize("broken", ["version", "empty", "truncated", "text"])
def test_a_state_of_another_version_or_a_truncated_one_is_refused_in_one_line(name: str, broken: str) -> None:
    orchestrator = ORCHESTRATORS[name](OPTIONS)
    good = learned(orchestrator, Feedback(stage=Stage.BEFORE, confidences={"find": 0.5}, agents=("find",)))
    bad: Any = {
        "version": {**good, "version": 2},
        "empty": {},
        "truncated": {key: value for key, value in good.items() if key == "version"} if len(good) > 1 else {},
        "text": "pickled",
    }[broken]
    with pytest.raises(ValueError, match=name) as refused:
        orchestrator.check(bad)
    assert not isinstance(refused.value, ValidationError)
    assert "\n" not in str(refused.value)


@pytest.mark.row("C17")
@each_orchestrator
def test_a_turn_in_which_no_agent_answered_teaches_nothing(name: str) -> None:
    orchestrator = ORCHESTRATORS[name](OPTIONS)
    came = Answers.of(["find"], [Silence(agent="find", reason=SilenceReason.TIMED_OUT)])
    choice = orchestrator.choose(orchestrator.begin(), SAID, came, None, 3)
    assert choice.agents == ()
    assert [one.why for one in choice.verdicts] == [Why.SILENT]
    moment = Moment(event=SAID, answers=came, choice=choice, reaction=Reaction.THUMBS_DOWN)
    assert feedback_from(moment, moment, NEXT) == ()
    nobody = Answers(declared=("find",))
    assert orchestrator.choose(orchestrator.begin(), SAID, nobody, Forced(), 3).agents == ()


@pytest.mark.row("C18")
@each_orchestrator
def test_an_agent_may_propose_several_actions_and_each_of_them_counts_when_it_is_typed(name: str) -> None:
    several = Preview(
        agent="find", confidence=0.9, actions=tuple(ProposedAction(text=text) for text in ("a", "b", "c"))
    )
    came = Answers.of(["find", "guess"], [several, _preview("guess", 0.3)])
    orchestrator = ORCHESTRATORS[name](OPTIONS)
    choice = orchestrator.choose(orchestrator.begin(), SAID, came, None, 1)
    assert choice.agents == ("find",)
    for typed in "abc":
        (one,) = feedback_from(Moment(event=SAID, answers=came, choice=choice), None, AgentEvent(text=typed))
        assert one.followed


@pytest.mark.row("C2")
@each_orchestrator
@settings(max_examples=40)
@given(seed=SEEDS)
def test_a_forced_answer_is_the_best_whatever_the_thresholds(name: str, seed: int) -> None:
    rng = Random(seed)
    came = answers(rng)
    orchestrator = ORCHESTRATORS[name](OPTIONS)
    best = max(came.previews, key=lambda one: one.confidence, default=None)
    choice = orchestrator.choose(orchestrator.begin(), SAID, came, Forced(), seed)
    assert choice.agents == (() if best is None else (best.agent,))
    for one in came.previews:
        choice = orchestrator.choose(orchestrator.begin(), SAID, came, Forced(agent=one.agent), seed)
        assert choice.agents == (one.agent,)
        assert verdict(choice, one.agent)[0] is Why.FORCED
        others = [v.why for v in choice.verdicts if v.agent != one.agent and v.why is not Why.SILENT]
        assert set(others) <= {Why.NOT_CALLED_FOR}


@pytest.mark.row("C2")
@each_orchestrator
def test_a_confidence_of_nought_is_taken_where_an_answer_is_forced(name: str) -> None:
    assert chosen(name, asked(find=0.0, guess=0.0), forced=Forced()) == ("find",)


@pytest.mark.parametrize("sure", [float("nan"), float("inf"), 7.3, -0.1])
def test_a_confidence_that_is_none_is_refused(sure: float) -> None:
    with pytest.raises(ValidationError, match="confidence"):
        Preview(agent="find", confidence=sure)


def test_no_agent_may_be_named_as_doing_nothing_is_or_be_declared_twice() -> None:
    with pytest.raises(ValidationError, match="nobody"):
        Answers(declared=(NOBODY,))
    with pytest.raises(ValidationError, match="twice"):
        Answers(declared=("find", "find"))


# max and planner


@pytest.mark.row("C1")
def test_max_takes_a_confidence_of_forty_percent_and_not_one_of_thirty_nine() -> None:
    assert chosen("max", asked(find=0.40)) == ("find",)
    assert chosen("max", asked(find=0.39)) == ()


@pytest.mark.row("C1")
@given(st.floats(0.4, 1.0), st.permutations(["fix", "find", "guess"]))
def test_of_equal_confidences_max_takes_the_first_declared(sure: float, names: list[str]) -> None:
    came = asked(**dict.fromkeys(names, sure))
    orchestrator = ORCHESTRATORS["max"](OPTIONS)
    choice = orchestrator.choose(orchestrator.begin(), SAID, came, None, 1)
    assert choice.agents == (names[0],)
    assert [verdict(choice, name) for name in names[1:]] == [(Why.TIE, sure, sure, names[0])] * 2


def test_the_assistant_that_plans_comes_first_wherever_it_answers_and_else_the_most_confident_does() -> None:
    assert chosen("planner", asked(find=0.9, assistant=0.1)) == (ASSISTANT,)
    assert chosen("planner", asked(find=0.9, guess=0.95)) == ("guess",)
    assert chosen("planner", asked(find=0.9, assistant=0.1), forced=Forced(agent="find")) == ("find",)


# preference


@pytest.mark.row("C3")
@given(st.floats(0.1, 1.0), st.floats(0.0, 1.0))
def test_who_is_preferred_and_able_goes_before_the_other_at_any_confidence(able: float, other: float) -> None:
    preferences = (("find", "guess"),)
    assert chosen("preference", asked(guess=other, find=able), preferences=preferences) == ("find",)


@pytest.mark.row("C3")
@given(st.floats(0.0, 0.1, exclude_max=True), st.floats(0.1, 1.0))
def test_who_is_preferred_and_not_sure_enough_blocks_nobody(unsure: float, able: float) -> None:
    preferences = (("find", "guess"),)
    assert chosen("preference", asked(guess=able, find=unsure), preferences=preferences) == ("guess",)


@pytest.mark.row("C4")
def test_preferences_are_transitive_even_through_an_agent_that_cannot_act() -> None:
    preferences = (("fix", "find"), ("find", "guess"))
    assert chosen("preference", asked(guess=1.0, fix=0.2), preferences=preferences) == ("fix",)
    assert chosen("preference", asked(guess=1.0, find=0.05, fix=0.2), preferences=preferences) == ("fix",)


@pytest.mark.row("C4")
@given(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=5, unique=True), st.randoms())
def test_a_circle_of_preferences_is_refused_and_named(circle: list[str], rng: Any) -> None:
    pairs = [*zip(circle, [*circle[1:], circle[0]], strict=True), ("x", "y"), ("y", circle[0])]
    rng.shuffle(pairs)
    with pytest.raises(ValueError, match="circle") as refused:
        ORCHESTRATORS["preference"](OrchestratorOptions(preferences=tuple(pairs)))
    named = str(refused.value).split(": ")[1].split(".")[0].split(" before ")
    assert named[0] == named[-1]
    assert set(named) == set(circle)
    assert all(pair in pairs for pair in pairwise(named))


@pytest.mark.row("C4")
@given(st.permutations("abcdefg"), st.data())
def test_without_a_circle_the_one_that_acts_is_outranked_by_no_other_able_one(order: list[str], data: Any) -> None:
    pairs = data.draw(st.lists(st.sampled_from([(a, b) for i, a in enumerate(order) for b in order[i + 1 :]])))
    confidences = {name: data.draw(st.floats(0, 1)) for name in sorted(order)}
    found = chosen("preference", asked(**confidences), preferences=tuple(pairs))
    above = {name: {a for a, b in pairs if b == name} for name in order}
    for name in order:  # the better ones come first, so theirs are closed already
        above[name] |= {more for better in above[name] for more in above[better]}
    able = {name for name, sure in confidences.items() if sure >= 0.1}
    free = [name for name in sorted(able) if not above[name] & able]
    assert found == ((max(free, key=lambda name: confidences[name]),) if free else ())


# threshold


@pytest.mark.row("C5")
def test_a_threshold_begins_at_a_fifth_and_has_to_be_passed() -> None:
    assert chosen("threshold", asked(find=0.2)) == ()
    assert chosen("threshold", asked(find=0.2001)) == ("find",)


def acted(agent: str, reaction: Reaction, stage: Stage = Stage.BEFORE, **confidences: float) -> Feedback:
    return Feedback(stage=stage, confidences=confidences or {agent: 0.9}, agents=(agent,), reaction=reaction)


@pytest.mark.row("C6")
def test_a_threshold_falls_a_little_when_followed_and_rises_more_when_not() -> None:
    threshold = ORCHESTRATORS["threshold"](OPTIONS)
    thresholds: Any = learned(threshold, acted("find", Reaction.FOLLOWED), acted("guess", Reaction.IGNORED))
    assert thresholds["thresholds"]["before"] == {"find": 0.18, "guess": 0.25}


@pytest.mark.row("C6")
@given(st.lists(st.sampled_from([Reaction.FOLLOWED, Reaction.DISMISSED]), max_size=120))
def test_a_threshold_stays_within_its_bounds_whatever_people_do(reactions: list[Reaction]) -> None:
    orchestrator = ORCHESTRATORS["threshold"](OPTIONS)
    state = orchestrator.begin()
    for reaction in reactions:
        state = orchestrator.observe(state, acted("find", reaction))
        found: Any = state
        assert LOWEST <= found["thresholds"]["before"]["find"] <= HIGHEST
    assert orchestrator.choose(state, SAID, asked(find=1.0), None, 1).agents == ("find",)
    assert orchestrator.choose(state, SAID, asked(find=0.0), None, 1).agents == ()


@pytest.mark.row("C5", "C8")
def test_the_stages_have_thresholds_of_their_own_and_learn_apart() -> None:
    orchestrator = ORCHESTRATORS["threshold"](OPTIONS)
    state = learned(orchestrator, *[acted("find", Reaction.DISMISSED, Stage.AFTER)] * 4)
    assert orchestrator.choose(state, SAID, asked(find=0.3), None, 1).agents == ("find",)
    choice = orchestrator.choose(state, AFTER, asked(find=0.3), None, 1)
    assert choice.agents == ()
    assert verdict(choice, "find") == (Why.BELOW_THRESHOLD, 0.3, 0.4, None)


@pytest.mark.row("C8")
def test_a_bandit_learns_apart_for_the_two_stages() -> None:
    orchestrator = ORCHESTRATORS["bandit"](OPTIONS)
    state = learned(orchestrator, *[acted("find", Reaction.THUMBS_DOWN, Stage.AFTER)] * 15)
    for seed in range(20):
        assert orchestrator.choose(state, SAID, asked(find=0.9), None, seed).agents == ("find",)
        assert orchestrator.choose(state, AFTER, asked(find=0.9), None, seed).agents == ()


@pytest.mark.row("C6")
@pytest.mark.parametrize("threshold", [-0.17, 1.33, float("nan")])
def test_a_threshold_out_of_bounds_is_refused_with_its_place(threshold: float) -> None:
    orchestrator = ORCHESTRATORS["threshold"](OPTIONS)
    state: Any = orchestrator.begin()
    state["thresholds"]["before"]["find"] = threshold
    with pytest.raises(ValueError, match="thresholds → before → find"):
        orchestrator.check(state)


# s3


@pytest.mark.row("V22")
@each_orchestrator
def test_an_agent_that_a_filter_left_out_does_not_act_even_where_it_is_asked_for_by_name(name: str) -> None:
    left_out = Silence(agent="find", reason=SilenceReason.NOT_ASKED)
    came = Answers.of(["find", "guess"], [left_out, _preview("guess", 0.9)])
    orchestrator = ORCHESTRATORS[name](OPTIONS)
    for forced in (None, Forced(), Forced(agent="find")):
        choice = orchestrator.choose(orchestrator.begin(), SAID, came, forced, 1)
        assert choice.agents == ("guess",)
        assert verdict(choice, "find")[0] is Why.SILENT


@pytest.mark.row("V21")
@given(st.lists(st.integers(0, 20).map(lambda step: step / 20), min_size=1, max_size=6), st.integers(1, 4))
def test_s3_lets_the_best_few_at_or_above_the_threshold_act_in_order(scores: list[float], count: int) -> None:
    names = list(NAMES[: len(scores)])
    orchestrator = S3Orchestrator(selector=TopK(count=count))
    choice = orchestrator.choose(orchestrator.begin(), SAID, asked(**dict(zip(names, scores, strict=True))), None, 1)
    order = sorted(zip(names, scores, strict=True), key=lambda one: -one[1])
    assert choice.agents == tuple(name for name, score in order if score >= 0.4)[:count]
    taken = [score for name, score in order if name in choice.agents]
    for name, score in order:
        if name not in choice.agents:
            expected = Why.BELOW_THRESHOLD if score < 0.4 else Why.BEYOND_COUNT
            assert verdict(choice, name)[:3] == (expected, score, 0.4 if score < 0.4 else taken[-1])


@pytest.mark.row("V21")
def test_each_part_of_s3_can_be_replaced() -> None:
    came = asked(find=0.9, guess=0.5, fix=0.45)
    modest = S3Orchestrator(scorer=lambda event, one: one.confidence * (0.5 if one.agent == "find" else 1))
    assert modest.choose(modest.begin(), SAID, came, None, 1).agents == ("guess", "find", "fix")
    single = S3Orchestrator(selector=TopK(count=1))
    assert single.choose(single.begin(), SAID, came, None, 1).agents == ("find",)
    turned = S3Orchestrator(sequencer=lambda event, some: ([one.agent for one in reversed(some)], None))
    assert turned.choose(turned.begin(), SAID, came, None, 1).agents == ("fix", "guess", "find")


@pytest.mark.row("V21")
def test_an_agent_without_a_preview_is_scored_as_it_was_declared() -> None:
    assumed = Preview(agent="score", confidence=0.5, assumed=True)
    came = Answers.of(["score", "find"], [assumed, _preview("find", 0.45)])
    assert chosen("s3", came) == ("score", "find")


# bandit


@pytest.mark.row("C14")
@pytest.mark.parametrize("explore", ["thompson", "ucb"])
@pytest.mark.parametrize(
    "profile",
    [
        Profile(kind="quiet"),
        Profile(kind="ignore", agent="find"),
        Profile(kind="max"),
        Profile(kind="prefer", agent="guess", other="find"),
    ],
    ids=lambda profile: profile.kind,
)
@settings(max_examples=60)
@given(seed=SEEDS)
def test_a_bandit_behaves_as_its_profile_from_the_first_turn_on(profile: Profile, explore: Any, seed: int) -> None:
    rng = Random(seed)
    confidences = {name: rng.choice((rng.random(), rng.randint(0, 10) / 10)) for name in ("find", "guess", "fix")}
    able = {name: sure for name, sure in confidences.items() if sure >= 0.4}
    if profile.kind == "quiet":
        able = {}
    elif profile.kind == "ignore" or (profile.kind == "prefer" and "guess" in able):
        able.pop("find", None)
    best = (max(able, key=lambda name: able[name]),) if able else ()
    bandit = ORCHESTRATORS["bandit"](OrchestratorOptions(profile=profile, explore=explore))
    assert bandit.choose(bandit.begin(), SAID, asked(**confidences), None, seed).agents == best


@pytest.mark.row("C15")
@pytest.mark.parametrize("explore", ["thompson", "ucb"])
@pytest.mark.parametrize("seed", range(5))
def test_a_bandit_comes_to_prefer_the_agent_that_is_rewarded(explore: Any, seed: int) -> None:
    """The boastful agent is never of use; the modest one is. The one that is of use acts in most later turns."""
    bandit = ORCHESTRATORS["bandit"](OrchestratorOptions(explore=explore))
    state, rng, acts = bandit.begin(), Random(seed), []
    for turn in range(120):
        came = asked(boastful=0.7 + 0.3 * rng.random(), modest=0.45 + 0.1 * rng.random())
        choice = bandit.choose(state, SAID, came, None, turn + 1000 * seed)
        reaction = Reaction.FOLLOWED if choice.agents == ("modest",) else Reaction.IGNORED if choice.agents else None
        moment = Moment(event=SAID, answers=came, choice=choice, reaction=reaction)
        for one in feedback_from(moment, None, NEXT):
            state = bandit.observe(state, one)
        acts.append(choice.agents)
    assert acts[0] == ("boastful",)
    assert acts[60:].count(("modest",)) > 55


@pytest.mark.row("C15")
@pytest.mark.parametrize("explore", ["thompson", "ucb"])
def test_a_bandit_learns_to_do_nothing_where_nothing_is_of_use_and_says_so(explore: Any) -> None:
    bandit = ORCHESTRATORS["bandit"](OrchestratorOptions(explore=explore))
    state, acts = bandit.begin(), []
    for turn in range(100):
        came = asked(find=0.9, guess=0.8)
        choice = bandit.choose(state, SAID, came, None, turn)
        reaction = Reaction.IGNORED if choice.agents else None
        moment = Moment(event=SAID, answers=came, choice=choice, reaction=reaction)
        for one in feedback_from(moment, None, NEXT):
            state = bandit.observe(state, one)
        acts.append(choice.agents)
    assert acts[0] == ("find",)
    assert acts[50:].count(()) > 45
    quiet = next(turn for turn in range(200) if not bandit.choose(state, SAID, came, None, turn).agents)
    choice = bandit.choose(state, SAID, came, None, quiet)
    why, score, against, other = verdict(choice, NOBODY)
    assert (why, against, other) == (Why.DREW_MOST, None, None)
    assert verdict(choice, "find")[0] is Why.DREW_LESS
    assert verdict(choice, "find")[2:] == (score, NOBODY)


@settings(max_examples=40)
@given(SEEDS)
def test_a_draw_is_the_same_for_the_same_seed_and_cites_what_it_came_to(seed: int) -> None:
    lived = MadeUp(ORCHESTRATORS["bandit"](OPTIONS), seed, 6, forcing=0)
    for moment, state in zip(lived.moments, lived.states, strict=True):
        if not moment.answers.previews:
            continue
        choice = moment.choice
        assert choice.seed is not None
        again = lived.orchestrator.choose(state, moment.event, moment.answers, None, choice.seed)
        assert again == choice
        scores = {one.agent: one.score for one in choice.verdicts if one.why is not Why.SILENT}
        best = next(one for one in choice.verdicts if one.chosen)
        assert best.score == max(score for score in scores.values() if score is not None)
        assert all(one.against == best.score for one in choice.verdicts if one.why is Why.DREW_LESS)


def test_what_was_typed_instead_speaks_for_the_agent_that_would_have_suggested_it() -> None:
    """A quiet bandit begins to speak when what it kept to itself was typed."""
    bandit = ORCHESTRATORS["bandit"](OrchestratorOptions(profile=Profile(kind="quiet"), explore="ucb"))
    state, came = bandit.begin(), asked(find=0.8, guess=0.9)
    for _ in range(8):
        choice = bandit.choose(state, SAID, came, None, 1)
        moment = Moment(event=SAID, answers=came, choice=choice)
        for one in feedback_from(moment, None, AgentEvent(text="find  does it")):
            state = bandit.observe(state, one)
    assert bandit.choose(state, SAID, came, None, 1).agents == ("find",)


@pytest.mark.parametrize(
    "named", [{"kind": "ignore"}, {"kind": "prefer", "agent": "a"}, {"kind": "prefer", "agent": "a", "other": "a"}]
)
def test_a_profile_that_does_not_name_its_agents_is_refused(named: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="has to name"):
        Profile.model_validate(named)


def test_a_state_that_began_with_another_profile_is_refused() -> None:
    one = ORCHESTRATORS["bandit"](OrchestratorOptions(profile=Profile(kind="quiet")))
    with pytest.raises(ValueError, match="another profile"):
        ORCHESTRATORS["bandit"](OPTIONS).check(one.begin())


def believed(state: Any, agent: str, came: Answers) -> tuple[float, float]:
    """Return mean and deviation of what the usual bandit believes about an agent."""
    found = next(one for one in BanditOrchestrator().posteriors(state, Stage.BEFORE, came) if one.arm == agent)
    return found.mean, found.deviation


def test_what_was_not_typed_where_something_else_was_speaks_a_little_against_its_agent() -> None:
    came = asked(find=0.8, guess=0.8, fix=0.8)
    sure = {"find": 0.8, "guess": 0.8, "fix": 0.8}
    bandit = BanditOrchestrator()
    first = believed(bandit.begin(), "fix", came)
    typed = Feedback(
        stage=Stage.BEFORE, confidences=sure, agents=("find",), reaction=Reaction.IGNORED, wanted=("guess",)
    )
    state = learned(bandit, typed)
    assert believed(state, "guess", came)[0] > first[0] > believed(state, "fix", came)[0]
    assert believed(state, "fix", came)[0] > believed(state, "find", came)[0]
    unknown = learned(bandit, typed.model_copy(update={"wanted": ()}))
    assert believed(unknown, "fix", came) == first


def test_what_was_learned_long_ago_fades_so_that_a_change_is_noticed() -> None:
    bandit, came = BanditOrchestrator(), asked(find=0.8)
    state = learned(bandit, *[acted("find", Reaction.FOLLOWED, find=0.8)] * 1500)
    assert believed(state, "find", came)[1] > 1 / 30
    for _ in range(330):
        state = bandit.observe(state, acted("find", Reaction.IGNORED, find=0.8))
    assert believed(state, "find", came)[0] < 0.25


def test_an_agent_that_is_to_be_ignored_has_to_be_of_use_more_than_once_before_it_acts() -> None:
    bandit = BanditOrchestrator(profile=Profile(kind="ignore", agent="find"), explore="ucb")
    came, state = asked(find=0.9), bandit.begin()
    nobody = Feedback(stage=Stage.BEFORE, confidences={"find": 0.9})
    for _ in range(8):
        state = bandit.observe(state, nobody)
    once = bandit.observe(state, acted("find", Reaction.FOLLOWED))
    assert bandit.choose(once, SAID, came, None, 1).agents == ()
    for _ in range(8):
        state = bandit.observe(state, acted("find", Reaction.FOLLOWED))
    assert bandit.choose(state, SAID, came, None, 1).agents == ("find",)


def test_no_draw_lies_further_out_than_three_deviations() -> None:
    bandit, came = BanditOrchestrator(), asked(find=0.9)
    state = learned(bandit, acted("find", Reaction.FOLLOWED))
    beliefs = {one.arm: one for one in bandit.posteriors(state, Stage.BEFORE, came)}
    far = 0.0
    for seed in range(3000):
        for one in bandit.choose(state, SAID, came, None, seed).verdicts:
            arm = beliefs[one.agent]
            assert one.score is not None
            far = max(far, abs(one.score - arm.mean - arm.advice) / (bandit.width * arm.deviation))
    assert far == pytest.approx(3.0)


@pytest.mark.parametrize("precision", [[[1.0, 2.0], [2.0, 1.0]], [[0.0, 0.0], [0.0, 1.0]], [[1.0, 0.1], [0.0, 1.0]]])
def test_a_precision_that_is_none_is_refused_before_it_is_reckoned_with(precision: list[list[float]]) -> None:
    bandit = ORCHESTRATORS["bandit"](OPTIONS)
    state: Any = bandit.begin()
    state["arms"]["before"]["find"] = {"precision": precision, "moment": [0.0, 0.0]}
    with pytest.raises(ValueError, match="precision of 'find'"):
        bandit.check(state)
