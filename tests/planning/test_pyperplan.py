"""The embedded engine pyperplan: shortest plans of small tasks, short ones of large tasks, and its limits."""

from __future__ import annotations

import logging
import subprocess
import sys
from dataclasses import dataclass
from itertools import count

import psutil
import pytest
from hypothesis import given

from planning.engines import ENGINES
from planning.engines.pyperplan import IGNORES_COSTS, SMALL, PyperplanEngine
from planning.model import GaveUp, Limits, Situation, Solved, Task
from planning.plans.solve import never, solve, validate
from planning.task.compilation import compile_task
from tests.planning.declare import declare, declare_fact, declare_skill, titles
from tests.planning.hard import explosive_task
from tests.strategies import Case, cases, layered_case, layered_cases


def shortest(task: Task) -> int:
    """Find the length of a shortest plan by breadth-first search over whole states."""
    states = {task.initial}
    for steps in count():
        if any(task.goal <= state for state in states):
            return steps
        states = {state | step.adds for state in states for step in task.operators if step.needs <= state}
    raise AssertionError


@given(case=cases(most_facts=5, most_skills=3))
def test_pyperplan_finds_shortest_plans_of_small_tasks(case: Case) -> None:
    result = ENGINES["pyperplan"].solve(case.task, Limits(), never)
    if isinstance(result, Solved):
        assert "no plan is shorter" in result.note
        assert len(result.plan.steps) == shortest(case.task)


@given(case=layered_cases(most_skills=15))
def test_greedy_search_finds_valid_plans_that_are_not_shorter_than_the_shortest(case: Case) -> None:
    greedy = PyperplanEngine(effort=0).solve(case.task, Limits(), never)
    proved = PyperplanEngine(effort=None).solve(case.task, Limits(), never)
    assert isinstance(greedy, Solved)
    assert isinstance(proved, Solved)
    validate(case.task, greedy.plan)
    assert len(greedy.plan.steps) >= len(proved.plan.steps)


def test_an_explosive_search_is_stopped_at_the_time_limit() -> None:
    result = solve(explosive_task(), PyperplanEngine(effort=None), Limits(time_s=0.5))
    assert isinstance(result, GaveUp)
    assert result.reason == "The search took longer than the 0.5 seconds it may take."


def test_an_explosive_search_is_stopped_at_the_memory_limit_and_the_next_one_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    growth = iter(range(0, 1_000_000, 100))

    @dataclass
    class Memory:
        rss: int

    monkeypatch.setattr(psutil.Process, "memory_info", lambda _: Memory(next(growth) * 2**20))
    result = solve(explosive_task(), PyperplanEngine(effort=None), Limits(memory_mib=1024))
    assert isinstance(result, GaveUp)
    assert result.reason == "The search took more than the 1024 MiB of memory it may take."
    monkeypatch.undo()
    assert isinstance(solve(explosive_task(3, 5), PyperplanEngine(effort=None)), Solved)


def test_a_search_that_really_fills_memory_is_stopped() -> None:
    program = (  # in a process of its own, which has no memory to spare from what went before
        "from planning.engines.pyperplan import PyperplanEngine\n"
        "from planning.model import Limits\n"
        "from planning.plans.solve import solve\n"
        "from tests.planning.hard import explosive_task\n"
        "print(solve(explosive_task(), PyperplanEngine(effort=None), Limits(time_s=300, memory_mib=0.5)).reason)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout
    assert "MiB of memory" in said


def test_an_optimal_search_that_explodes_gives_way_to_a_greedy_one_which_says_so() -> None:
    result = solve(explosive_task(), ENGINES["pyperplan"])
    assert isinstance(result, Solved)
    assert "a shorter plan may exist" in result.note


def test_a_large_task_goes_to_the_greedy_search_at_once() -> None:
    result = solve(explosive_task(skills=SMALL + 100), ENGINES["pyperplan"])
    assert isinstance(result, Solved)
    assert "a shorter plan may exist" in result.note


def test_pyperplan_says_that_it_ignores_costs() -> None:
    catalog = declare(declare_skill("cheap", {"only": (["b"], {"done": ["a"]})}, cost=0), plain="a b", ask_cost=9)
    result = ENGINES["pyperplan"].solve(compile_task(catalog, Situation(), ["a"]), Limits(), never)
    assert isinstance(result, Solved)
    assert (titles(result.plan), result.plan.cost) == (["ask a"], 9)
    assert ENGINES["pyperplan"].ignores_costs
    assert IGNORES_COSTS in result.note


def test_of_operators_that_do_the_same_the_cheapest_is_planned_then_the_first() -> None:
    outcomes = {"first": ["a"], "second": ["a"]}
    catalog = declare(
        declare_fact("a", askable=False),
        declare_skill("dear", {"only": ([], outcomes)}, cost=2),
        declare_skill("cheap", {"only": ([], outcomes)}, cost=1),
    )
    result = solve(compile_task(catalog, Situation(), ["a"]), ENGINES["pyperplan"])
    assert isinstance(result, Solved)
    assert [(step.subject, step.outcome) for step in result.plan.steps] == [("cheap", "first")]


def test_pyperplan_leaves_the_logging_of_the_process_alone(capfd: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    root.handlers.clear()
    try:
        solve(layered_case(1, 30).task, ENGINES["pyperplan"])
        solve(layered_case(1, 30).task, PyperplanEngine(effort=0))
        assert root.handlers == []
    finally:
        root.handlers[:] = before[0]
    assert capfd.readouterr() == ("", "")
