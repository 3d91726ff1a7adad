"""Calibrated confidences: how often an agent was really of use when it was so sure."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.agents.feedback import Feedback
from dialogue.agents.model import AgentEvent, Answers, Preview, ProposedAction, Reaction, Stage
from dialogue.agents.orchestrators import ORCHESTRATORS, Orchestrator, OrchestratorOptions
from dialogue.agents.orchestrators.calibration import LEAST, RECENT, CalibratedOrchestrator, Case, calibrate, fit
from tests.dialogue.agents.made_up import MadeUp

SAID = AgentEvent(text="clean")
both = pytest.mark.parametrize("method", ["platt", "isotonic"])
each_orchestrator = pytest.mark.parametrize("name", ORCHESTRATORS)
METHODS = st.sampled_from(["platt", "isotonic"])
CASES = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=LEAST, max_size=60)


@settings(max_examples=60)
@given(METHODS, CASES)
def test_a_curve_never_falls_and_stays_between_nought_and_one(method: Any, cases: list[Case]) -> None:
    curve = fit(method, cases)
    values = [calibrate(curve, step / 40) for step in range(41)]
    assert all(before <= after + 1e-9 for before, after in pairwise(values))
    assert all(0 <= value <= 1 for value in values)


@both
def test_with_few_cases_confidences_stay_as_they_are(method: Any) -> None:
    cases = [(0.9, False)] * (LEAST - 1)
    assert fit(method, cases) == []
    assert calibrate([], 0.37) == 0.37
    assert fit("none", cases * 9) == []
    assert calibrate(fit(method, [*cases, (0.9, False)]), 0.9) < 0.1


@both
@pytest.mark.parametrize("seed", range(3))
def test_a_boastful_agent_comes_to_be_taken_for_what_it_is(method: Any, seed: int) -> None:
    """Its confidence is the square root of how often it is of use."""
    rng = Random(seed)
    cases = [(sure, rng.random() < sure**2) for sure in (rng.random() for _ in range(RECENT))]
    curve = fit(method, cases)
    off = [abs(calibrate(curve, step / 20) - (step / 20) ** 2) for step in range(2, 19)]
    assert sum(off) / len(off) < 0.08


def test_where_being_sure_means_to_be_wrong_confidence_says_nothing() -> None:
    cases = [(0.9, False)] * 20 + [(0.1, True)] * 20
    curve = fit("platt", cases)
    assert calibrate(curve, 0.1) == calibrate(curve, 0.9) == pytest.approx(0.5)


def calibrated(name: str, method: Literal["platt", "isotonic"]) -> Orchestrator:
    return ORCHESTRATORS[name](OrchestratorOptions(calibration=method))


@each_orchestrator
@both
def test_any_orchestrator_can_choose_on_calibrated_confidences_and_what_it_learns_is_json(
    name: str, method: Any
) -> None:
    orchestrator = calibrated(name, method)
    plain = ORCHESTRATORS[name](OrchestratorOptions())
    assert (orchestrator.name, orchestrator.description) == (plain.name, plain.description)
    lived = MadeUp(orchestrator, 5, 60)
    for state in lived.states[::10]:
        assert orchestrator.check(json.loads(json.dumps(state))) == state
    with pytest.raises(ValueError, match=name):
        orchestrator.check(plain.begin())
    with pytest.raises(ValueError, match="another calibration"):
        orchestrator.check({**orchestrator.begin(), "calibration": "none"})
    with pytest.raises(ValueError, match=name):
        orchestrator.check({**orchestrator.begin(), "orchestrator": {}})


@both
def test_max_stops_listening_to_an_agent_that_is_sure_and_never_of_use(method: Any) -> None:
    orchestrator = calibrated("max", method)
    previews = [
        Preview(agent=agent, confidence=sure, actions=(ProposedAction(text=agent),))
        for agent, sure in {"boastful": 0.95, "honest": 0.6}.items()
    ]
    came = Answers.of(["boastful", "honest"], previews)
    state = orchestrator.begin()
    assert orchestrator.choose(state, SAID, came, None, 1).agents == ("boastful",)
    for turn in range(LEAST):
        agent = ("boastful", "honest")[turn % 2]
        for _ in range(2):
            reaction = Reaction.FOLLOWED if agent == "honest" else Reaction.IGNORED
            sure = {"boastful": 0.95, "honest": 0.6}
            feedback = Feedback(stage=Stage.BEFORE, confidences=sure, agents=(agent,), reaction=reaction)
            state = orchestrator.observe(state, feedback)
    choice = orchestrator.choose(state, SAID, came, None, 1)
    assert choice.agents == ("honest",)
    assert isinstance(orchestrator, CalibratedOrchestrator)
    assert [one.score for one in choice.verdicts] == [
        orchestrator.confidence(state, Stage.BEFORE, one.agent, one.confidence) for one in previews
    ]
    after = SAID.model_copy(update={"stage": Stage.AFTER})
    assert orchestrator.choose(state, after, came, None, 1).agents == ("boastful",)


def test_only_the_newest_cases_are_kept() -> None:
    orchestrator = calibrated("max", "isotonic")
    state: Any = orchestrator.begin()
    state["agents"]["before"]["find"] = {"cases": [[0.5, True]] * RECENT, "curve": []}
    feedback = Feedback(stage=Stage.BEFORE, confidences={"find": 0.25}, agents=("find",), reaction=Reaction.IGNORED)
    cases: Any = orchestrator.observe(state, feedback)["agents"]
    assert len(cases["before"]["find"]["cases"]) == RECENT
    assert cases["before"]["find"]["cases"][-1] == [0.25, False]
