"""What every engine keeps to, shown for each one in the registry."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given

from catalog.model import Catalog
from planning.engines import DEFAULT_ENGINE, ENGINES, Engine
from planning.engines.fast_downward import FastDownwardEngine
from planning.engines.native import NativeEngine
from planning.engines.protocol import Package
from planning.engines.pyperplan import PyperplanEngine
from planning.model import Atom, GaveUp, Limits, Plan, Situation, Solved, Task, Unsolvable
from planning.plans.solve import list_states, never, solve, validate
from planning.task.compilation import compile_task
from planning.task.errors import EngineNotInstalled
from planning.task.index import is_solvable
from tests.planning.declare import BANK, asks, declare, declare_fact, declare_skill, titles
from tests.planning.hard import explosive_task
from tests.planning.hostile import HOSTILE, task_of_names
from tests.planning.reference import find_cheapest_cost
from tests.strategies import Case, cases, layered_case, layered_cases


def ready(engine: Engine, name: str = "") -> Any:
    """Make a parameter of an engine, skipped where its package is not installed."""
    missing = pytest.mark.skipif(not engine.package.is_installed, reason=f"{engine.package.distribution} is missing")
    return pytest.param(engine, id=name or engine.name, marks=missing)


every_engine = pytest.mark.parametrize("engine", [ready(engine) for engine in ENGINES.values()])
every_search = pytest.mark.parametrize(
    "engine",
    [
        *(ready(engine) for engine in ENGINES.values() if engine.name not in {"pyperplan", "fast-downward"}),
        ready(PyperplanEngine(effort=None), "pyperplan, A* only"),
        ready(FastDownwardEngine("astar(lmcut())"), "fast-downward, A*"),
        ready(FastDownwardEngine("astar(blind())"), "fast-downward, blind"),
    ],
)
"""Engines, or searches of theirs, that take long where a task explodes: all but `native`, which never does."""


@every_engine
@given(case=cases() | layered_cases())
def test_an_engine_finds_a_valid_plan_exactly_where_there_is_one(engine: Engine, case: Case) -> None:
    result = engine.solve(case.task, Limits(), never)
    assert result.engine == engine.name
    if isinstance(result, GaveUp):  # to prove a plan cheapest may take longer than there is time
        assert engine.proves_optimality
        assert "longer than" in result.reason
        return
    assert isinstance(result, Solved if is_solvable(case.task) else Unsolvable)
    if isinstance(result, Solved):
        validate(case.task, result.plan)
    assert result.seconds["search"] >= 0


@every_engine
@given(case=cases(most_facts=6, most_skills=5))
def test_a_plan_is_never_said_to_be_cheaper_than_it_can_be(engine: Engine, case: Case) -> None:
    cheapest = find_cheapest_cost(case.task)
    result = engine.solve(case.task, Limits(), never)
    if isinstance(result, Solved):
        assert cheapest is not None
        assert result.plan.cost >= cheapest
        if engine.proves_optimality and not engine.ignores_costs:
            assert result.gap == 0
        if result.gap == 0:
            assert result.plan.cost == pytest.approx(cheapest)


def test_engines_give_the_same_plans_in_every_process() -> None:
    program = (
        "from planning.engines import ENGINES\n"
        "from planning.plans.solve import solve\n"
        "from tests.strategies import layered_case\n"
        "for engine in ENGINES.values():\n"
        "    for seed in range(6 if engine.package.is_installed else 0):\n"
        "        plan = solve(layered_case(seed, 30).task, engine).plan\n"
        "        print(engine.name, seed, [step.name for step in plan.steps])\n"
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
    lines = printed.pop().splitlines()
    assert len(lines) == 6 * sum(engine.package.is_installed for engine in ENGINES.values())
    assert all(b"skill" in line for line in lines)


@every_engine
def test_a_goal_that_holds_already_has_the_empty_plan(engine: Engine) -> None:
    result = engine.solve(compile_task(BANK, Situation(known=frozenset({"name"})), ["name"]), Limits(), never)
    assert isinstance(result, Solved)
    assert result.plan == Plan(())


@every_engine
def test_a_goal_without_facts_has_the_empty_plan(engine: Engine) -> None:
    result = engine.solve(compile_task(BANK, Situation(), []), Limits(), never)
    assert isinstance(result, Solved)
    assert result.plan == Plan(())


@every_engine
def test_a_search_without_time_gives_up_and_says_so(engine: Engine) -> None:
    result = engine.solve(layered_case(1, 30).task, Limits(time_s=0), never)
    assert isinstance(result, GaveUp)
    assert "0 seconds" in result.reason


@every_engine
def test_a_search_that_is_cancelled_before_it_begins_gives_up_and_says_so(engine: Engine) -> None:
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


@every_search
def test_an_explosive_search_ends_at_the_time_limit_and_the_next_one_works(engine: Engine) -> None:
    result = solve(explosive_task(300, 600), engine, Limits(time_s=0.5))
    if isinstance(result, Solved):
        assert result.gap is None or result.gap > 0
    else:
        assert isinstance(result, GaveUp)
        assert result.reason == "The search took longer than the 0.5 seconds it may take."
    assert isinstance(solve(explosive_task(3, 5), engine), Solved)


@every_search
def test_a_search_that_is_cancelled_while_it_runs_gives_up(engine: Engine) -> None:
    if isinstance(engine, NativeEngine):
        engine = replace(engine, budget_ms=60_000)
    asked = count()
    result = engine.solve(explosive_task(300, 600), Limits(time_s=60), lambda: next(asked) > 5)
    assert isinstance(result, GaveUp)
    assert "cancelled" in result.reason


@every_engine
def test_cyclic_requirements_are_proved_to_have_no_plan(engine: Engine) -> None:
    catalog = declare(
        declare_fact("a", askable=False),
        declare_fact("b", askable=False),
        declare_skill("one", {"only": (["a"], {"done": ["b"]})}),
        declare_skill("two", {"only": (["b"], {"done": ["a"]})}),
    )
    assert isinstance(engine.solve(compile_task(catalog, Situation(), ["a"]), Limits(), never), Unsolvable)


@every_engine
@pytest.mark.parametrize("cost", [0, 1])
def test_a_circle_of_skills_is_entered_from_outside_however_cheap_it_is(engine: Engine, cost: int) -> None:
    catalog = declare(
        *(declare_fact(name, askable=False) for name in "ab"),
        declare_skill("one", {"only": (["a"], {"done": ["b"]})}, cost=cost),
        declare_skill("two", {"only": (["b"], {"done": ["a"]})}, cost=cost),
        declare_skill("enter_a", {"only": ([], {"done": ["a"]})}, cost=10),
        declare_skill("enter_b", {"only": ([], {"done": ["b"]})}, cost=10),
    )
    result = solve(compile_task(catalog, Situation(), ["a", "b"]), engine)
    assert isinstance(result, Solved)
    if not engine.ignores_costs:
        assert result.plan.cost == 10 + cost


@every_engine
def test_steps_that_cost_nothing_are_steps_like_others(engine: Engine) -> None:
    catalog = declare(
        *(declare_fact(name, askable=False) for name in "abc"),
        declare_skill("first", {"only": (["d"], {"done": ["a"]})}, cost=0),
        declare_skill("second", {"only": (["a"], {"done": ["b"]})}, cost=0),
        declare_skill("third", {"only": (["a", "b"], {"done": ["c"]})}, cost=0),
        plain="d",
        ask_cost=0,
    )
    result = solve(compile_task(catalog, Situation(), ["c"]), engine)
    assert isinstance(result, Solved)
    assert titles(result.plan) == ["ask d", "skill first", "skill second", "skill third"]
    assert result.plan.cost == 0


@every_engine
def test_costs_that_are_no_whole_numbers_are_told_apart(engine: Engine) -> None:
    catalog = declare(
        declare_fact("a", askable=False),
        declare_skill("dear", {"only": ([], {"done": ["a"]})}, cost=0.1235),
        declare_skill("cheap", {"only": ([], {"done": ["a"]})}, cost=0.1234),
    )
    result = solve(compile_task(catalog, Situation(), ["a"]), engine)
    assert isinstance(result, Solved)
    if engine.proves_optimality or engine.name == DEFAULT_ENGINE:
        assert titles(result.plan) == ["skill cheap"]


@every_engine
@pytest.mark.row("V5")
@pytest.mark.parametrize(("fact", "mode"), [("email", "by_email"), ("account", "by_account")])
def test_the_mode_that_fits_what_is_known_is_planned(engine: Engine, fact: str, mode: str) -> None:
    situation = Situation(known=frozenset({fact}), pruned=asks(BANK, "name"))
    result = solve(compile_task(BANK, situation, ["name"]), engine)
    assert isinstance(result, Solved)
    assert [(step.subject, step.mode) for step in result.plan.steps] == [("lookup", mode)]


@every_engine
@pytest.mark.row("V4")
def test_a_pie_chart_satisfies_a_request_for_a_plot(engine: Engine) -> None:
    catalog = declare(
        declare_fact("plot", askable=False),
        declare_fact("pie_chart", is_a="plot", askable=False),
        declare_skill("draw", {"only": (["transactions"], {"pie": ["pie_chart"]})}),
        plain="transactions",
    )
    result = solve(compile_task(catalog, Situation(), ["plot"]), engine)
    assert isinstance(result, Solved)
    assert titles(result.plan) == ["ask transactions", "skill draw"]


@every_engine
@pytest.mark.row("V13")
def test_a_conjunctive_goal_is_reached_as_a_whole(engine: Engine) -> None:
    result = solve(compile_task(BANK, Situation(), ["name", "amount"]), engine)
    assert isinstance(result, Solved)
    assert (
        list_states(compile_task(BANK, Situation(), ["name", "amount"]), result.plan)[-1] >= result.plan.steps[-1].adds
    )
    assert titles(result.plan) == ["ask name", "ask amount"]


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


def shop(budget: float) -> Catalog:
    """Declare two ways to a fact: one that is quick and takes money, and one that takes none and many steps."""
    return declare(
        *(declare_fact(name, askable=False) for name in ("rare", "half")),
        declare_skill("buy", {"only": ([], {"done": ["rare"]})}, cost=1, money=3),
        declare_skill("begin", {"only": (["e"], {"done": ["half"]})}, cost=2),
        declare_skill("finish", {"only": (["half", "f"], {"done": ["rare"]})}, cost=2, money=1),
        plain="e f",
        budget=budget,
    )


@every_engine
@pytest.mark.parametrize(("budget", "expected"), [(3, ["skill buy"]), (2, ["ask e", "ask f", "skill begin"])])
def test_a_budget_is_heeded_or_what_does_heed_it_is_named(engine: Engine, budget: float, expected: list[str]) -> None:
    catalog = shop(budget)
    result = solve(compile_task(catalog, Situation(), ["rare"]), engine)
    if engine.heeds_budget or budget == 3:
        assert isinstance(result, Solved)
        assert result.plan.amounts.money <= budget
        assert set(expected) <= set(titles(result.plan))
    else:
        assert isinstance(result, GaveUp)
        assert "does not heed budgets" in result.reason
        assert f"“{DEFAULT_ENGINE}”" in result.reason


@pytest.mark.parametrize("engine", [ready(engine) for engine in ENGINES.values() if engine.heeds_budget])
def test_a_budget_that_no_plan_stays_within_is_proved_to_be_too_small(engine: Engine) -> None:
    result = solve(compile_task(shop(0.5), Situation(), ["rare"]), engine)
    assert isinstance(result, Unsolvable)
    assert "0.50 EUR" in result.note
    assert "1.00 EUR" in result.note


@every_engine
def test_hostile_names_are_planned_for_like_any_other(engine: Engine) -> None:
    names = list(dict.fromkeys(one for name in HOSTILE for one in (name, f"{name}!", f"{name}(o1)")))
    result = solve(task_of_names(*names), engine)
    assert isinstance(result, Solved)
    assert [step.subject for step in result.plan.steps] == names


@pytest.mark.parametrize("name", [name for name, engine in ENGINES.items() if engine.package.extra])
def test_an_engine_that_is_not_installed_stays_listed_and_says_what_to_install(name: str) -> None:
    engine: Any = ENGINES[name]
    package = replace(engine.package, module="not_there", distribution="not-there")
    with pytest.raises(EngineNotInstalled) as trouble:
        solve(compile_task(BANK, Situation(), ["name"]), replace(engine, package=package))
    assert f"The engine {name} needs the package not-there, which is not installed" in str(trouble.value)
    assert f"pip install 'planglass[{engine.package.extra}]'" in str(trouble.value)
    assert package.version is None


def test_a_package_that_has_no_wheels_for_every_machine_says_which_it_has_them_for() -> None:
    assert "It exists for the moon; this is Python 3." in Package("a", "b", "c", "the moon").install


def test_the_first_engine_of_the_registry_is_the_default() -> None:
    assert next(iter(ENGINES)) == DEFAULT_ENGINE == "native"
    assert all(name == engine.name for name, engine in ENGINES.items())


@every_engine
def test_a_result_without_a_plan_is_handed_on_as_it_is(engine: Engine) -> None:
    task = compile_task(BANK, Situation(pruned=asks(BANK, "amount")), ["amount"])
    assert isinstance(solve(task, engine), Unsolvable)


@every_engine
@given(case=cases() | layered_cases(most_skills=15))
def test_solving_hands_out_tidy_plans_with_the_seconds_each_part_took(engine: Engine, case: Case) -> None:
    result = solve(case.task, engine)
    if isinstance(result, Solved):
        validate(case.task, result.plan)
        assert result.seconds.keys() == {"search", "order"}
        assert not list(_without_one_step(case.task, result.plan))


def _without_one_step(task: Task, plan: Plan) -> Iterator[Plan]:
    """Yield plans with a step less that still reach the goal."""
    for left_out in plan.steps:
        state: frozenset[Atom] = task.initial
        steps = [step for step in plan.steps if step != left_out]
        for _ in steps:
            state = state.union(*(step.adds for step in steps if step.needs <= state))
        if task.goal <= state:
            yield Plan(tuple(steps))


@pytest.mark.row("V3")
def test_the_first_plan_asks_for_the_goal_itself_and_later_plans_gather_what_it_takes() -> None:
    pruned: frozenset[str] = frozenset()
    plans = []
    for fact in ("loan_result", "credit_score", ""):
        result = solve(compile_task(BANK, Situation(pruned=pruned), ["loan_result"]), ENGINES[DEFAULT_ENGINE])
        assert isinstance(result, Solved)
        plans.append(titles(result.plan))
        pruned |= asks(BANK, fact) if fact else frozenset()
    assert plans[0] == ["ask loan_result"]
    assert "ask credit_score" in plans[1]
    assert {"authorize score", "ask ssn", "skill score", "skill decide"} <= set(plans[2])


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
    first = solve(compile_task(catalog, consented, ["score"]), ENGINES[DEFAULT_ENGINE])
    assert isinstance(first, Solved)
    refusal = next(step.name for step in first.plan.steps if step.subject == "bureau")
    refused = replace(consented, pruned=frozenset({refusal}))
    then = solve(compile_task(catalog, refused, ["score"]), ENGINES[DEFAULT_ENGINE])
    assert isinstance(then, Solved)
    assert titles(first.plan) == ["authorize bureau", "ask ssn", "skill bureau"]
    assert titles(then.plan) == ["ask job", "ask rent", "ask years", "skill estimate"]


@pytest.mark.row("V7")
def test_a_mode_whose_tries_are_used_up_is_not_planned_again() -> None:
    used_up = frozenset({("lookup", "by_email", "name")})
    situation = Situation(known=frozenset({"email"}), cannot_establish=used_up, pruned=asks(BANK, "name"))
    result = solve(compile_task(BANK, situation, ["name"]), ENGINES[DEFAULT_ENGINE])
    assert isinstance(result, Solved)
    assert [(step.subject, step.mode) for step in result.plan.steps] == [("account", None), ("lookup", "by_account")]
