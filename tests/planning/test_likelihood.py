"""How likely an outcome is counts in what hoping for it costs, where the catalog says so."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.expand.instance_copies import change
from catalog.load import loads
from catalog.model import Catalog
from catalog.model.settings import LikelihoodPolicy, Metric
from catalog.problems import CatalogError
from dialogue.cli.main import main
from planning.engines import ENGINES
from planning.likelihoods import Likelihoods, LikelihoodSource
from planning.model import GaveUp, Plan, Situation, Solved, StepKind, operator_name
from planning.plans.solve import solve
from planning.requests import PlanningRequest, plan_request, result_json
from planning.task.compilation import compile_operators, compile_task
from tests.planning.reference import find_cheapest_cost
from tests.strategies import Case, cases

GUESS_OR_ASK = """
name: guessing
facts:
  answer: {askable: false}
skills:
  guess:
    endpoint: python:nowhere:guess
    money: 1
    cost: 2
    modes:
      only: {outcomes: {right: {facts: [answer], likelihood: 0.2}, wrong: {likelihood: 0.8}}}
  look_up:
    endpoint: python:nowhere:look_up
    money: 4
    cost: 5
    modes:
      only: {outcomes: {found: [answer]}}
goals:
  know: {facts: [answer], examples: [what is it]}
settings: {minimize: METRIC, likelihoods: POLICY}
"""


def guessing(policy: str = "declared", metric: str = "cost") -> Catalog:
    return loads(GUESS_OR_ASK.replace("POLICY", policy).replace("METRIC", metric)).catalog


def plan_for(catalog: Catalog) -> Solved:
    result = solve(compile_task(catalog, Situation(), ["answer"]), ENGINES["native"])
    assert isinstance(result, Solved)
    return result


def with_likelihoods(catalog: Catalog, seed: int) -> Catalog:
    """Declare a likelihood for about two of three outcomes."""
    rng = Random(seed)
    skills = {}
    for name, skill in catalog.skills.items():
        modes = {}
        for mode_name, mode in skill.modes.items():
            count = len(mode.outcomes)
            shares = [rng.choice([None, 1 / count, 0.5 / count]) for _ in range(count)]
            outcomes = {
                key: change(outcome, likelihood=share)
                for (key, outcome), share in zip(mode.outcomes.items(), shares, strict=True)
            }
            modes[mode_name] = change(mode, outcomes=outcomes)
        skills[name] = change(skill, modes=modes)
    return change(catalog, skills=skills)


def test_an_unlikely_outcome_costs_as_many_calls_as_it_takes_on_average_unless_likelihoods_are_ignored() -> None:
    assert [step.subject for step in plan_for(guessing()).plan.steps] == ["look_up"]
    assert [step.subject for step in plan_for(guessing("ignored")).plan.steps] == ["guess"]
    assert [step.subject for step in plan_for(guessing("declared", "money")).plan.steps] == ["look_up"]
    assert [step.subject for step in plan_for(guessing("declared", "quality")).plan.steps] == ["guess"]


def test_a_plan_says_that_likelihoods_counted_and_what_it_costs_with_and_without() -> None:
    without_other = guessing()
    without_other = change(without_other, skills={"guess": without_other.skills["guess"]})
    result = plan_for(without_other)
    assert result.note.endswith("Likelihoods of outcomes count: cost 10 with them, 2 without.")
    assert (result.plan.cost, result.plan.hopeful_cost, result.plan.amounts.cost) == (10.0, 2.0, 2.0)
    answer = plan_request(without_other, PlanningRequest(goal=["answer"]), ENGINES["native"])
    written = result_json(answer)
    assert (written["cost"], written["cost_with_likelihoods"]) == (2.0, 10.0)
    assert written["cost_without_likelihoods"] == 2.0
    certain = plan_for(guessing())
    assert [step.subject for step in certain.plan.steps] == ["look_up"]
    assert certain.note.endswith("Likelihoods of outcomes count: cost 5 with them, 5 without."), "they decided"


def test_likelihoods_of_what_cannot_lead_to_the_goal_any_more_are_not_said_to_count() -> None:
    catalog = guessing()
    for situation in (
        Situation(known=frozenset({"answer"})),
        Situation(pruned=frozenset({operator_name(StepKind.SKILL, "guess", "only", "right")})),
        Situation(cannot_establish=frozenset({("guess", "only", "answer")})),
    ):
        for operators in (compile_operators(catalog), tuple(compile_operators(catalog))):
            result = solve(compile_task(catalog, situation, ["answer"], operators), ENGINES["native"])
            assert isinstance(result, Solved)
            assert "Likelihoods" not in result.note
    assert "Likelihoods" not in plan_for(guessing("ignored")).note
    assert "Likelihoods" not in plan_for(guessing("declared", "quality")).note


@pytest.mark.parametrize("policy", ["declared", "ignored"])
def test_each_of_several_ways_says_its_cost_with_likelihoods_and_without(
    policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "guessing.yaml"
    file.write_text(GUESS_OR_ASK.replace("METRIC", "cost").replace("POLICY", policy), encoding="utf-8")
    command = ["plan", str(file), "--goal", "answer", "--k", "3"]
    assert main([*command, "--json"]) == 0
    ways = json.loads(capsys.readouterr().out)["ways"]
    told = [(way["calls"][0]["skill"], way.get("cost_with_likelihoods"), way.get("cost_without_likelihoods"))
            for way in ways]  # fmt: skip
    assert main(command) == 0
    said = [line.strip() for line in capsys.readouterr().out.splitlines() if "with them" in line]
    if policy == "ignored":
        assert told == [("guess", None, None), ("look_up", None, None)]
        assert said == []
    else:
        assert told == [("look_up", 5.0, 5.0), ("guess", 10.0, 2.0)]
        assert said == [
            "Likelihoods of outcomes count: cost 5 with them, 5 without.",
            "Likelihoods of outcomes count: cost 10 with them, 2 without.",
        ]


def test_a_plan_says_from_how_many_calls_its_likelihoods_were_counted() -> None:
    catalog = guessing()
    catalog = change(catalog, skills={"guess": catalog.skills["guess"]})
    calls = (("guess", "only", "right", 3), ("guess", "only", "wrong", 7))
    counted = Likelihoods(LikelihoodSource.COUNTED, prior_calls=10.0, calls=calls)
    answer = plan_request(catalog, PlanningRequest(goal=["answer"]), ENGINES["native"], likelihoods=counted)
    written = result_json(answer)
    assert written["counted_from_calls"] == 10
    assert written["cost"] == 2.0
    assert written["cost_with_likelihoods"] == pytest.approx(2.0 / 0.25)
    declared = result_json(plan_request(catalog, PlanningRequest(goal=["answer"]), ENGINES["native"]))
    assert "counted_from_calls" not in declared


def test_what_several_outcomes_bring_is_as_likely_as_all_of_them_together() -> None:
    text = GUESS_OR_ASK.replace("POLICY", "declared").replace("METRIC", "cost")
    both = loads(text.replace("wrong: {likelihood: 0.8}", "nearly: {facts: [answer], likelihood: 0.6}, wrong: "))
    plan = plan_for(both.catalog).plan
    assert [(step.subject, step.likelihood, step.cost) for step in plan.steps] == [("guess", 0.8, 2.5)]


@given(cases(), st.integers(0, 1_000), st.sampled_from([Metric.COST, Metric.MONEY, Metric.TIME, Metric.QUALITY]))
def test_the_cost_of_each_call_is_divided_by_its_likelihood_and_nothing_else_is(
    case: Case, seed: int, metric: Metric
) -> None:
    catalog = with_likelihoods(case.catalog, seed)
    ignoring = change(catalog, settings=change(catalog.settings, likelihoods=LikelihoodPolicy.IGNORED))
    plain = compile_operators(case.catalog, metric)
    counted = compile_operators(catalog, metric)
    assert [o.cost for o in compile_operators(ignoring, metric)] == [o.cost for o in plain]
    for before, after in zip(plain, counted, strict=True):
        likelihood = 1.0
        if before.kind is StepKind.SKILL and metric is not Metric.QUALITY:
            assert before.mode is not None
            assert before.outcome is not None
            outcomes = catalog.skills[before.subject].modes[before.mode].outcomes
            same = [o for o in plain if (o.kind, o.subject, o.mode) == (before.kind, before.subject, before.mode)]
            as_good = [o.outcome for o in same if o.adds >= before.adds and o.outcome]
            if outcomes[before.outcome].likelihood is not None:
                likelihood = sum(outcomes[name].likelihood or 0.0 for name in as_good)
        assert after.cost == pytest.approx(before.cost / likelihood)
        assert after.likelihood == pytest.approx(likelihood)
        assert after.amounts == before.amounts
        assert Plan((after,)).hopeful_cost == pytest.approx(before.cost)


@given(cases(most_facts=6, most_skills=4), st.integers(0, 1_000))
def test_plans_are_cheapest_with_likelihoods_counted(case: Case, seed: int) -> None:
    task = compile_task(with_likelihoods(case.catalog, seed), case.situation, case.wanted)
    result, cheapest = solve(task, ENGINES["optimal"]), find_cheapest_cost(task)
    assert not isinstance(result, GaveUp)
    assert (result.plan.cost if isinstance(result, Solved) else None) == (
        None if cheapest is None else pytest.approx(cheapest)
    )


@pytest.mark.parametrize(
    ("likelihoods", "said"),
    [
        (("0.2", "0.9"), "The likelihoods of the outcomes add up to 1.1, and a call ends in only one of them."),
        (("0", "0.9"), "more than 0"),
        (("0.2", "1.5"), "1"),
        (("0.2", "often"), "often"),
    ],
)
def test_likelihoods_that_cannot_be_are_refused_with_their_line(likelihoods: tuple[str, str], said: str) -> None:
    text = GUESS_OR_ASK.replace("POLICY", "declared").replace("METRIC", "cost")
    text = text.replace("0.2", likelihoods[0]).replace("0.8", likelihoods[1])
    with pytest.raises(CatalogError) as refused:
        loads(text)
    assert {problem.line for problem in refused.value.problems} == {11}
    assert said in str(refused.value)
