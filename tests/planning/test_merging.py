"""Plans that share what they need, and plans that are merged: both are plans, and merging never makes one dearer."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.planning.shapes import SHAPES
from planning.engines.delete_free import find_tidy
from planning.engines.merging import merge
from planning.engines.mip_program import IntegerProgram
from planning.engines.search import Watch
from planning.engines.set_additive import find_sharing
from planning.model import Limits
from planning.plans.solve import never
from planning.task.index import TaskPart
from tests.examples import measured
from tests.planning.counted_watch import CountedWatch
from tests.planning.test_requirements import GENERATORS, narrowed

DRAWN = {"name": st.sampled_from(sorted(GENERATORS)), "skills": st.integers(6, 80), "seed": st.integers(0, 10_000)}


def is_plan(task: TaskPart, steps: list[int]) -> bool:
    state: set[int] = set()
    for step in steps:
        if not state.issuperset(task.arrays.needs[step]):
            return False
        state.update(task.arrays.adds[step])
    return state.issuperset(task.goal)


def cost(task: TaskPart, steps: list[int]) -> float:
    return sum(task.arrays.costs[step] for step in steps)


@measured()
@given(**DRAWN)
def test_what_shares_its_needs_is_a_plan_whatever_steps_cost(name: str, skills: int, seed: int) -> None:
    task, rng = narrowed(GENERATORS[name](skills, seed)), Random(seed)
    for costs in (task.arrays.costs, [rng.random() for _ in task.arrays.costs], [0.0] * len(task.arrays.costs)):
        found = find_sharing(task.arrays, costs, (), task.goal)
        assert found is not None
        assert is_plan(task, found)
    assert find_sharing(task.arrays, task.arrays.costs, (), task.goal, range(len(task.arrays.costs))) is None


def test_on_a_long_plan_sharing_is_cheaper_than_counting_twice() -> None:
    for seed in range(5):
        task = narrowed(SHAPES["deep"](300, seed))
        costs = task.arrays.costs
        shared, added = find_sharing(task.arrays, costs, (), task.goal), find_tidy(task.arrays, costs, (), task.goal)
        assert shared is not None
        assert added is not None
        assert cost(task, shared) < cost(task, added)


@measured()
@given(**DRAWN)
def test_a_merged_plan_is_a_plan_and_no_dearer(name: str, skills: int, seed: int) -> None:
    task = narrowed(GENERATORS[name](skills, seed))
    assume(task.goal)
    watch = Watch(Limits(), never)
    first = find_tidy(task.arrays, [1.0] * len(task.arrays.costs), (), task.goal)
    assert first is not None
    relaxed = IntegerProgram(task.arrays, task.goal, watch).relax()
    merged = merge(task, first, relaxed, 1.0, watch)
    assert is_plan(task, merged)
    assert relaxed.bound - 1e-6 <= cost(task, merged) <= cost(task, first)
    assert merged == merge(task, first, relaxed, 1.0, watch)


@given(skills=st.integers(6, 80), seed=st.integers(0, 10_000), data=st.data())
def test_merging_may_be_interrupted_at_any_time(skills: int, seed: int, data: st.DataObject) -> None:
    task = narrowed(SHAPES["deep"](skills, seed))
    first = find_tidy(task.arrays, [1.0] * len(task.arrays.costs), (), task.goal)
    assert first is not None
    relaxed = IntegerProgram(task.arrays, task.goal, Watch(Limits(), never)).relax()
    whole = CountedWatch(10_000)
    best = merge(task, first, relaxed, 1.0, whole)
    merged = merge(task, first, relaxed, 1.0, CountedWatch(data.draw(st.integers(0, 10_000 - whole.ticks))))
    assert is_plan(task, merged)
    assert cost(task, best) <= cost(task, merged) <= cost(task, first)


@pytest.mark.parametrize("name", ["deep", "layered"])
def test_merging_that_is_interrupted_early_or_late_gives_a_plan(name: str) -> None:
    task = narrowed(SHAPES[name](80, 1))
    first = find_tidy(task.arrays, [1.0] * len(task.arrays.costs), (), task.goal)
    assert first is not None
    relaxed = IntegerProgram(task.arrays, task.goal, Watch(Limits(), never)).relax()
    costs = []
    for ticks in range(0, 120, 3):
        merged = merge(task, first, relaxed, 1.0, CountedWatch(ticks))
        assert is_plan(task, merged)
        costs.append(cost(task, merged))
    assert costs[0] == cost(task, first)
    assert costs == sorted(costs, reverse=True), "more work never made a plan dearer"
