"""What every engine keeps to, shown for each one in the registry."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from itertools import count
from random import Random

import psutil
import pytest
from hypothesis import given

from planning.compile import compile_task
from planning.engines import ENGINES, Engine
from planning.engines.pyperplan import IGNORES_COSTS, SMALL, PyperplanEngine
from planning.model import GaveUp, Limits, Plan, PlanningResult, Situation, Solved, Task, Unsolvable
from planning.reachability import is_solvable
from planning.solve import never, solve
from planning.validate import validate
from tests.planning.declare import BANK, asks, declare, declare_fact, declare_skill, titles
from tests.strategies import Case, cases, layered_case, layered_cases

every_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)


def explosive_task(facts: int = 60, skills: int = 90) -> Task:
    """Build a task of covering many facts by skills that establish a few each: hard for every optimal search."""
    rng = Random(7)
    names = [f"fact_{number}" for number in range(facts)]
    made = [
        declare_skill(f"skill_{number}", {"only": ([], {"done": rng.sample(names, min(5, facts))})})
        for number in range(skills)
    ]
    catalog = declare(*(declare_fact(name, askable=False) for name in names), *made)
    covered = {fact for skill in made for fact in skill.modes["only"].outcomes["done"].facts}
    return compile_task(catalog, Situation(), [name for name in names if name in covered])


def shortest(task: Task) -> int:
    """Find the length of a shortest plan by breadth-first search over whole states."""
    states = {task.initial}
    for steps in count():
        if any(task.goal <= state for state in states):
            return steps
        states = {state | step.adds for state in states for step in task.operators if step.needs <= state}
    raise AssertionError


@every_engine
@given(case=cases() | layered_cases())
def test_an_engine_finds_a_valid_plan_exactly_where_there_is_one(engine: Engine, case: Case) -> None:
    result = engine.solve(case.task, Limits(), never)
    assert isinstance(result, Solved if is_solvable(case.task) else Unsolvable)
    if isinstance(result, Solved):
        validate(case.task, result.plan)
    assert result.engine == engine.name
    assert result.seconds["search"] >= 0


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


@every_engine
def test_an_engine_gives_the_same_plans_in_every_process(engine: Engine) -> None:
    program = (
        "from planning.engines import ENGINES\n"
        "from planning.solve import solve\n"
        "from tests.strategies import layered_case\n"
        "for seed in range(6):\n"
        f"    print([s.name for s in solve(layered_case(seed, 30).task, ENGINES[{engine.name!r}]).plan.steps])\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(printed) == 1
    assert b"skill" in printed.pop()


@every_engine
def test_a_goal_that_holds_already_has_the_empty_plan(engine: Engine) -> None:
    result = engine.solve(compile_task(BANK, Situation(known=frozenset({"name"})), ["name"]), Limits(), never)
    assert isinstance(result, Solved)
    assert result.plan == Plan(())


@every_engine
def test_a_search_without_time_gives_up_and_says_so(engine: Engine) -> None:
    result = engine.solve(layered_case(1, 30).task, Limits(time_s=0), never)
    assert isinstance(result, GaveUp)
    assert "0 seconds" in result.reason


@every_engine
def test_a_search_that_is_cancelled_gives_up_and_says_so(engine: Engine) -> None:
    result = engine.solve(layered_case(1, 30).task, Limits(), lambda: True)
    assert isinstance(result, GaveUp)
    assert "cancelled" in result.reason


@every_engine
def test_a_search_that_runs_out_of_memory_gives_up_and_says_so(engine: Engine) -> None:
    def exhausted() -> bool:
        raise MemoryError

    result = engine.solve(layered_case(1, 30).task, Limits(), exhausted)
    assert isinstance(result, GaveUp)
    assert "out of memory" in result.reason


def test_an_explosive_search_is_stopped_at_the_time_limit_and_the_next_one_works() -> None:
    result = solve(explosive_task(), PyperplanEngine(effort=None), Limits(time_s=0.5))
    assert isinstance(result, GaveUp)
    assert result.reason == "The search took longer than the 0.5 seconds it may take."
    assert isinstance(solve(explosive_task(3, 5), PyperplanEngine(effort=None)), Solved)


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
    result = solve(explosive_task(), PyperplanEngine(effort=None), Limits(time_s=300, memory_mib=0.5))
    assert isinstance(result, GaveUp)
    assert "MiB of memory" in result.reason


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


@every_engine
def test_cyclic_requirements_are_proved_to_have_no_plan(engine: Engine) -> None:
    catalog = declare(
        declare_fact("a", askable=False),
        declare_fact("b", askable=False),
        declare_skill("one", {"only": (["a"], {"done": ["b"]})}),
        declare_skill("two", {"only": (["b"], {"done": ["a"]})}),
    )
    assert isinstance(engine.solve(compile_task(catalog, Situation(), ["a"]), Limits(), never), Unsolvable)


@pytest.mark.row("V3")
def test_the_first_plan_asks_for_the_goal_itself_and_later_plans_gather_what_it_takes() -> None:
    pruned: frozenset[str] = frozenset()
    plans = []
    for fact in ("loan_result", "credit_score", ""):
        result = solve(compile_task(BANK, Situation(pruned=pruned), ["loan_result"]), ENGINES["pyperplan"])
        assert isinstance(result, Solved)
        plans.append(titles(result.plan))
        pruned |= asks(BANK, fact) if fact else frozenset()
    assert plans[0] == ["ask loan_result"]
    assert "ask credit_score" in plans[1]
    assert {"authorize score", "ask ssn", "skill score", "skill decide"} <= set(plans[2])


@pytest.mark.row("V4")
def test_a_pie_chart_satisfies_a_request_for_a_plot() -> None:
    catalog = declare(
        declare_fact("plot", askable=False),
        declare_fact("pie_chart", is_a="plot", askable=False),
        declare_skill("draw", {"only": (["transactions"], {"pie": ["pie_chart"]})}),
        plain="transactions",
    )
    result = solve(compile_task(catalog, Situation(), ["plot"]), ENGINES["pyperplan"])
    assert isinstance(result, Solved)
    assert titles(result.plan) == ["ask transactions", "skill draw"]


@pytest.mark.row("V5")
@pytest.mark.parametrize(("fact", "mode"), [("email", "by_email"), ("account", "by_account")])
def test_the_mode_that_fits_what_is_known_is_planned(fact: str, mode: str) -> None:
    situation = Situation(known=frozenset({fact}), pruned=asks(BANK, "name"))
    result = solve(compile_task(BANK, situation, ["name"]), ENGINES["pyperplan"])
    assert isinstance(result, Solved)
    assert [(step.subject, step.mode) for step in result.plan.steps] == [("lookup", mode)]


@pytest.mark.row("V6")
def test_a_refused_consent_changes_the_plan() -> None:
    catalog = declare(
        declare_fact("score", askable=False),
        declare_fact("ssn", sensitive=True),
        declare_skill("bureau", {"only": (["ssn"], {"done": ["score"]})}),
        declare_skill("estimate", {"only": (["job", "rent", "years"], {"done": ["score"]})}),
        plain="job rent years",
    )
    consented = Situation()
    first = solve(compile_task(catalog, consented, ["score"]), ENGINES["pyperplan"])
    assert isinstance(first, Solved)
    refusal = next(step.name for step in first.plan.steps if step.subject == "bureau")
    then = solve(
        compile_task(catalog, replace(consented, pruned=frozenset({refusal})), ["score"]), ENGINES["pyperplan"]
    )
    assert isinstance(then, Solved)
    assert titles(first.plan) == ["authorize bureau", "ask ssn", "skill bureau"]
    assert titles(then.plan) == ["ask job", "ask rent", "ask years", "skill estimate"]


@pytest.mark.row("V7")
def test_a_mode_whose_tries_are_used_up_is_not_planned_again() -> None:
    used_up = frozenset({("lookup", "by_email", "name")})
    situation = Situation(known=frozenset({"email"}), cannot_establish=used_up, pruned=asks(BANK, "name"))
    result = solve(compile_task(BANK, situation, ["name"]), ENGINES["pyperplan"])
    assert isinstance(result, Solved)
    assert [(step.subject, step.mode) for step in result.plan.steps] == [("account", None), ("lookup", "by_account")]


@pytest.mark.row("V13")
def test_a_conjunctive_goal_is_reached_as_a_whole() -> None:
    result = solve(compile_task(BANK, Situation(), ["name", "amount"]), ENGINES["pyperplan"])
    assert isinstance(result, Solved)
    assert validate(compile_task(BANK, Situation(), ["name", "amount"]), result.plan)[-1] >= result.plan.steps[-1].adds
    assert titles(result.plan) == ["ask name", "ask amount"]


class Liar:
    """An engine that returns whatever it was given."""

    name = "liar"
    ignores_costs = True

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def solve(self, task: Task, limits: Limits, cancelled: object) -> PlanningResult:
        return Solved(self.plan, self.name, {"search": 0.0})


def test_a_plan_that_does_not_hold_is_never_handed_out() -> None:
    task = compile_task(BANK, Situation(), ["name"])
    decide = next(operator for operator in task.operators if operator.subject == "decide")
    result = solve(task, Liar(Plan((decide,))))
    assert isinstance(result, GaveUp)
    assert "liar returned a plan that does not hold: Step 1" in result.reason


def test_a_result_without_a_plan_is_handed_on_as_it_is() -> None:
    task = compile_task(BANK, Situation(pruned=asks(BANK, "amount")), ["amount"])
    assert isinstance(solve(task, ENGINES["pyperplan"]), Unsolvable)


@given(cases() | layered_cases(most_skills=15))
def test_solving_hands_out_tidy_plans_with_the_seconds_each_part_took(case: Case) -> None:
    result = solve(case.task, ENGINES["pyperplan"])
    if isinstance(result, Solved):
        validate(case.task, result.plan)
        assert result.seconds.keys() == {"search", "order"}


@every_engine
def test_a_skill_that_needs_something_else_is_not_left_out_for_one_that_needs_less(engine: Engine) -> None:
    catalog = declare(
        declare_fact("rare", askable=False),
        declare_fact("prize", askable=False),
        declare_skill("finder", {"only": (["a", "b", "c", "d"], {"found": ["rare"]})}),
        declare_skill("by_rare", {"only": (["rare"], {"done": ["prize"]})}),
        declare_skill("by_two", {"only": (["e", "f"], {"done": ["prize"]})}),
        plain="a b c d e f",
    )
    result = solve(compile_task(catalog, Situation(), ["prize"]), engine)
    assert isinstance(result, Solved)
    assert titles(result.plan) == ["ask e", "ask f", "skill by_two"]
