"""Bounds that are proved by cuts: each cut is one, no operator is counted beyond its cost, and nothing costs less."""

from __future__ import annotations

from dataclasses import replace
from math import fsum

from hypothesis import assume, given

from catalog.load import load
from planning.bounds import WeighedCut, prove_bound
from planning.engines import ENGINES
from planning.model import Limits, PlanGoal, Situation, Solved, StepKind, Task, operator_name
from planning.plans.solve import solve
from planning.task.compilation import compile_task
from planning.task.index import IndexedTask, index_task, is_solvable, keep_operators
from tests.planning.hard import explosive_task
from tests.strategies import Case, priced_cases


def prove(task: Task) -> tuple[IndexedTask, tuple[WeighedCut, ...], float]:
    indexed = index_task(task)
    assert indexed is not None
    cuts = prove_bound(indexed, indexed.arrays.costs)
    return indexed, cuts, fsum(cut.weight for cut in cuts)


def cost_of(task: Task) -> float:
    result = solve(task, ENGINES["optimal"], Limits(time_s=60))
    assert isinstance(result, Solved) and result.gap == 0
    return result.plan.cost


@given(priced_cases(most_facts=8, most_skills=7))
def test_every_plan_costs_at_least_what_the_cuts_weigh(case: Case) -> None:
    task = replace(compile_task(case.catalog, case.situation, case.wanted), budget=None)
    assume(is_solvable(task) and not task.goal <= task.initial)
    indexed, cuts, bound = prove(task)
    operators = keep_operators(task.operators)
    for cut in cuts:
        assert cut.weight > 0
        assert not is_solvable(replace(task, operators=operators.whole.without(indexed.ruled_out.union(cut.operators))))
    for place, cost in enumerate(indexed.arrays.costs):
        assert fsum(cut.weight for cut in cuts if place in cut.operators) <= cost + 1e-6
    assert bound <= cost_of(task) + 1e-6


def test_the_bound_reaches_the_cost_of_a_plan_of_the_demo() -> None:
    catalog = load("banking").catalog
    situation = Situation(pruned=frozenset((operator_name(StepKind.ASK, "loan_result"),)))
    task = compile_task(catalog, situation, PlanGoal(("loan_result",)))
    assert abs(prove(task)[2] - cost_of(task)) < 1e-6 and cost_of(task) > 3


def test_a_bound_comes_to_an_end_on_a_task_with_very_many_ways() -> None:
    task = explosive_task(30, 45)
    assert 0 < prove(task)[2] <= cost_of(task) + 1e-6
