"""The rows of the mathematical program: every plan without a step to spare keeps to them."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.planning.generate import Shape, generate
from benchmarks.planning.shapes import SHAPES
from planning.engines.delete_free import find_first, find_tidy, narrow
from planning.engines.mip_program import list_requirements
from planning.model import Task
from planning.task.compilation import compile_task
from planning.task.index import TaskPart, index_task


def generated(skills: int, seed: int) -> Task:
    question = generate(Shape(skills, alternatives=1 + seed % 3, cycles=0.5), seed)
    return compile_task(question.catalog, question.situation, question.goal)


GENERATORS = {"ours": generated, **SHAPES}


def narrowed(task: Task) -> TaskPart:
    indexed = index_task(task)
    assert indexed is not None
    first = find_first(indexed)
    assert first is not None
    return narrow(indexed.arrays, indexed.initial, indexed.goal, indexed.ruled_out, first)


@given(name=st.sampled_from(sorted(GENERATORS)), skills=st.integers(6, 60), seed=st.integers(0, 10_000))
def test_a_plan_without_steps_to_spare_has_what_is_required_and_no_two_of_a_group(
    name: str, skills: int, seed: int
) -> None:
    task = narrowed(GENERATORS[name](skills, seed))
    arrays, rng = task.arrays, Random(seed)
    for _ in range(5):
        plan = find_tidy(arrays, [rng.random() for _ in arrays.costs], (), task.goal)
        assert plan is not None
        for atom, operators in list_requirements(arrays, task.goal):
            chosen = set(plan).intersection(operators)
            assert len(chosen) <= 1
            if chosen or not operators:
                assert not set(plan).isdisjoint(arrays.achievers[atom])


def test_what_all_ways_lead_through_is_required_whatever_comes_between() -> None:
    task = narrowed(SHAPES["deep"](60, 3))
    near = {
        (atom, operators)
        for atom, operators in list_requirements(task.arrays, task.goal)
        if operators and all(atom not in task.arrays.needs[operator] for operator in operators)
    }
    assert near
