"""Bounds that are proved by cuts: each cut is one, no operator is counted beyond its cost, and nothing costs less."""

from __future__ import annotations

from dataclasses import replace
from math import fsum

import pytest
from hypothesis import assume, given

from catalog.load import load
from planning.bounds import prove_bound
from planning.engines import ENGINES
from planning.model import Limits, PlanGoal, Situation, Solved, StepKind, Task, operator_name
from planning.plans.solve import solve
from planning.task.compilation import compile_task
from planning.task.index import index_task, is_solvable, keep_operators, reduce_task
from tests.planning.hard import explosive_task
from tests.strategies import Case, priced_cases


def prove(task: Task) -> dict[tuple[int, ...], float]:
    """Return the cuts of a task, by the places of its operators, with their weights."""
    indexed = index_task(task)
    part = None if indexed is None else reduce_task(indexed)
    assert part is not None
    cuts = prove_bound(part)
    return {tuple(part.origin[place] for place in cut): weight for cut, weight in cuts.items()}


def cost_of(task: Task) -> float:
    result = solve(task, ENGINES["optimal"], Limits(time_s=60))
    assert isinstance(result, Solved)
    return result.plan.cost


@given(priced_cases(most_facts=8, most_skills=7))
def test_every_plan_costs_at_least_what_the_cuts_weigh(case: Case) -> None:
    task = replace(compile_task(case.catalog, case.situation, case.wanted), budget=None)
    assume(is_solvable(task) and not task.goal <= task.initial)
    cuts, operators = prove(task), keep_operators(task.operators)
    for cut, weight in cuts.items():
        assert weight > 0
        assert not is_solvable(replace(task, operators=operators.whole.without(operators.ruled_out.union(cut))))
    for place, cost in enumerate(operators.arrays.costs):
        assert fsum(weight for cut, weight in cuts.items() if place in cut) <= cost + 1e-6
    assert fsum(cuts.values()) <= cost_of(task) + 1e-6


def test_the_bound_reaches_the_cost_of_a_plan_of_the_demo() -> None:
    catalog = load("banking").catalog
    situation = Situation(pruned=frozenset((operator_name(StepKind.ASK, "loan_result"),)))
    task = compile_task(catalog, situation, PlanGoal(("loan_result",)))
    assert abs(fsum(prove(task).values()) - cost_of(task)) < 1e-6 and cost_of(task) > 3


def test_a_bound_comes_to_an_end_on_a_task_with_very_many_ways() -> None:
    task = explosive_task(30, 45)
    assert 0 < fsum(prove(task).values()) <= cost_of(task) + 1e-6


def test_a_bound_that_is_given_up_early_is_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planning.bounds.MOST_CUTS", 1)
    task = explosive_task(6, 8)
    assert 0 < fsum(prove(task).values()) <= cost_of(task) + 1e-6
