"""Of plans that cost the same, the one is taken that keeps most of an earlier one; and none is dearer for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.planning.generate import Shape, generate
from planning.engines import ENGINES, Engine
from planning.model import Atom, Operator, Plan, Solved, StepKind, Task, known
from planning.plans.alternatives import find_ways
from planning.plans.solve import keep_most, solve, validate
from planning.task.compilation import compile_task
from tests.examples import measured
from tests.planning.counted_watch import CountedWatch
from tests.strategies import Case, cases

PROVING = [ENGINES["native"], ENGINES["optimal"]]
titled = pytest.mark.parametrize("engine", PROVING, ids=lambda engine: engine.name)


def plan_of(task: Task, engine: Engine, earlier: Iterable[str] = ()) -> Plan:
    result = solve(task, engine, earlier=frozenset(earlier))
    assume(isinstance(result, Solved))
    assert isinstance(result, Solved)
    return result.plan


def names(plan: Plan) -> frozenset[str]:
    return frozenset(step.name for step in plan.steps)


def exact_cost(plan: Plan) -> Fraction:
    return sum((Fraction(str(step.cost)) for step in plan.steps), Fraction(0))


def most_kept(task: Task, earlier: frozenset[str]) -> tuple[Fraction, int]:
    """Find the least cost, and the most steps that a plan of that cost keeps, by going through all states in order."""
    best: dict[frozenset[Atom], tuple[Fraction, int]] = {task.initial: (Fraction(0), 0)}
    number = count()
    waiting = [(Fraction(0), 0, next(number), task.initial)]
    while waiting:
        cost, kept, _, state = heappop(waiting)
        if task.goal <= state:
            return cost, -kept
        if (cost, kept) > best[state]:
            continue
        for operator in task.operators:
            if operator.needs <= state and not operator.adds <= state:
                then = (cost + Fraction(str(operator.cost)), kept - (operator.name in earlier))
                after = state | operator.adds
                if after not in best or then < best[after]:
                    best[after] = then
                    heappush(waiting, (*then, next(number), after))
    raise AssertionError("there is a plan")


@st.composite
def tangles(draw: st.DrawFn) -> tuple[Task, frozenset[str]]:
    """Draw a task in which much can be got in several ways for the same, and operators of an earlier plan."""
    size = draw(st.integers(4, 8))
    unit = draw(st.sampled_from((1.0, 0.1, 0.7, 3.0)))
    atoms = [known(f"a{number}") for number in range(size)]
    operators = []
    for number in range(draw(st.integers(size, 2 * size + 4))):
        place = number % size
        needs = draw(st.sets(st.integers(0, max(place - 1, 0)), max_size=2)) - {place}
        adds = {place, *draw(st.sets(st.integers(0, size - 1), max_size=1))}
        operators.append(
            Operator(
                kind=StepKind.SKILL,
                subject=f"s{number}",
                needs=frozenset(atoms[need] for need in needs),
                adds=frozenset(atoms[added] for added in adds),
                cost=unit * draw(st.sampled_from((1, 1, 2))),
                mode="m",
                outcome="o",
            )
        )
    goal = draw(st.sets(st.sampled_from(atoms), min_size=1, max_size=4))
    task = Task(frozenset(), frozenset(goal), tuple(operators))
    names = [*(operator.name for operator in operators), "gone"]
    return task, frozenset(draw(st.sets(st.sampled_from(names), max_size=size)))


def some_names(task: Task, data: st.DataObject) -> frozenset[str]:
    """Name some operators, and maybe one that there is not."""
    known = [*sorted(operator.name for operator in task.operators), "gone"]
    return frozenset(data.draw(st.sets(st.sampled_from(known), max_size=8)))


@titled
@measured(150)
@given(tangle=tangles())
def test_a_cheapest_plan_keeps_as_many_earlier_steps_as_any_plan_of_that_cost(
    engine: Engine, tangle: tuple[Task, frozenset[str]]
) -> None:
    """An independent walk through all states says how many that are."""
    task, earlier = tangle
    plan = plan_of(task, engine, earlier)
    assert (exact_cost(plan), len(names(plan) & earlier)) == most_kept(task, earlier)


@measured()
@given(case=cases(), data=st.data(), engine=st.sampled_from(list(ENGINES)))
def test_keeping_makes_no_plan_dearer_and_keeps_no_fewer_steps_whatever_engine_plans(
    case: Case, data: st.DataObject, engine: str
) -> None:
    """Also where steps cost nothing, and where an engine counts steps instead of costs."""
    assume(ENGINES[engine].package.is_installed and ENGINES[engine].name not in {"kstar", "fast-downward"})
    task, earlier = case.task, some_names(case.task, data)
    before, after = plan_of(task, ENGINES[engine]), plan_of(task, ENGINES[engine], earlier)
    assert exact_cost(after) <= exact_cost(before)
    assert len(names(after) & earlier) >= len(names(before) & earlier)
    if ENGINES[engine].ignores_costs:
        assert len(after.actions) <= len(before.actions)


@titled
@measured()
@given(tangle=tangles(), data=st.data())
def test_an_earlier_plan_that_is_still_cheapest_is_kept_wholly(
    engine: Engine, tangle: tuple[Task, frozenset[str]], data: st.DataObject
) -> None:
    task, _ = tangle
    cheapest = exact_cost(plan_of(task, engine))
    ways = [way.plan for way in find_ways(task, engine, 8).ways if exact_cost(way.plan) == cheapest]
    earlier = data.draw(st.sampled_from(ways))
    assert names(plan_of(task, engine, names(earlier))) == names(earlier)


@titled
@given(
    seed=st.integers(0, 10_000),
    skills=st.integers(10, 80),
    redundancy=st.sampled_from((0.4, 0.9)),
    left=st.integers(0, 5),
)
def test_plans_of_larger_catalogs_stay_what_they_were(
    engine: Engine, seed: int, skills: int, redundancy: float, left: int
) -> None:
    """What is left of a plan after some of its steps is the plan from there; so it is whoever made the plan."""
    question = generate(Shape(skills=skills, alternatives=3, redundancy=redundancy, cycles=0.5), seed)
    task = compile_task(question.catalog, question.situation, question.goal)
    first = plan_of(task, engine)
    done, rest = first.steps[:left], first.steps[left:]
    now = replace(task, initial=task.initial.union(*(step.adds for step in done)))
    again = plan_of(now, engine, [step.name for step in rest])
    assert exact_cost(again) <= sum((Fraction(str(step.cost)) for step in rest), Fraction(0))
    if exact_cost(again) == exact_cost(Plan(rest)):
        assert names(again) == names(Plan(rest))


@measured()
@given(case=cases(), data=st.data())
def test_no_plan_goes_over_its_budget_to_keep_steps(case: Case, data: st.DataObject) -> None:
    money = data.draw(st.lists(st.integers(0, 3), min_size=len(case.task.operators), max_size=len(case.task.operators)))
    operators = tuple(
        replace(one, cost=1.0, amounts=one.amounts._replace(money=spent))
        for one, spent in zip(case.task.operators, money, strict=True)
    )
    task = replace(case.task, operators=operators, budget=data.draw(st.integers(0, 6)))
    earlier = some_names(task, data)
    before, after = plan_of(task, ENGINES["optimal"]), plan_of(task, ENGINES["optimal"], earlier)
    assert task.budget is not None
    assert after.amounts.money <= task.budget
    assert exact_cost(after) == exact_cost(before)
    assert len(names(after) & earlier) >= len(names(before) & earlier)


@measured()
@given(tangle=tangles())
def test_keeping_may_be_interrupted_at_any_time(tangle: tuple[Task, frozenset[str]]) -> None:
    """After any amount of work there is a plan that is as cheap, and keeps no fewer steps than there were."""
    task, earlier = tangle
    plan = plan_of(task, ENGINES["optimal"])
    for ticks in (0, 1, 2, 5, 20):
        after = keep_most(task, plan, earlier, CountedWatch(ticks))
        validate(task, after)
        assert exact_cost(after) == exact_cost(plan)
        assert len(names(after) & earlier) >= len(names(plan) & earlier)
