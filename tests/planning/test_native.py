"""The engine of our own: its plans against a naive reference, what they cost, and what is kept between turns."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, count, repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.planning.generate import Shape, generate
from benchmarks.planning.optimum import find_optimum
from benchmarks.planning.shapes import layered
from planning.engines import ENGINES
from planning.engines.native import FIRST, NativeEngine
from planning.model import (
    GaveUp,
    Limits,
    Operator,
    PlanningResult,
    Situation,
    Solved,
    StepKind,
    Task,
    Unsolvable,
    known,
)
from planning.plans.solve import never, solve, validate
from planning.task.compilation import compile_operators, compile_task
from planning.task.index import Operators
from tests.examples import examples
from tests.planning.declare import BANK, declare, declare_fact, declare_skill, titles
from tests.planning.reference import find_cheapest_cost, is_ruled_out
from tests.strategies import Case, cases, layered_case, layered_cases

FAST = NativeEngine(budget_ms=0)
GOOD = NativeEngine(budget_ms=60_000)
NO_CHEAPER = "Proved cheapest"

shapes = st.builds(
    Shape,
    skills=st.integers(3, 60),
    alternatives=st.integers(1, 3),
    redundancy=st.sampled_from((0.0, 0.4, 0.9)),
    authorization=st.sampled_from((0.0, 0.2, 1.0)),
    asking=st.sampled_from((0.0, 0.3)),
    cycles=st.sampled_from((0.0, 0.5)),
)


def plan_with(engine: NativeEngine, task: Task) -> Solved:
    result = engine.solve(task, Limits(), never)
    assert isinstance(result, Solved)
    validate(task, result.plan)
    return result


def shared_task() -> Task:
    """Build a task that h_add gets wrong: one costly fact serves both halves of the goal, but is counted for each."""
    names = ("left", "right", "base", "one", "two")
    catalog = declare(
        *(declare_fact(name, askable=False) for name in names),
        declare_skill("found", {"only": ([], {"done": ["base"]})}, cost=5),
        declare_skill("build_left", {"only": (["base"], {"done": ["left"]})}, cost=1),
        declare_skill("build_right", {"only": (["base"], {"done": ["right"]})}, cost=1),
        declare_skill("prepare_one", {"only": ([], {"done": ["one"]})}, cost=4),
        declare_skill("prepare_two", {"only": ([], {"done": ["two"]})}, cost=4),
        declare_skill("left_alone", {"only": (["one"], {"done": ["left"]})}, cost=1.5),
        declare_skill("right_alone", {"only": (["two"], {"done": ["right"]})}, cost=1.5),
    )
    return compile_task(catalog, Situation(), ["left", "right"])


@given(cases(most_facts=6, most_skills=5))
def test_plans_are_valid_and_found_exactly_where_the_reference_finds_one_and_cost_no_less(case: Case) -> None:
    cheapest = find_cheapest_cost(case.task)
    fast, good = (engine.solve(case.task, Limits(), never) for engine in (FAST, GOOD))
    if cheapest is None:
        assert isinstance(fast, Unsolvable)
        assert isinstance(good, Unsolvable)
        return
    assert isinstance(fast, Solved)
    assert isinstance(good, Solved)
    validate(case.task, fast.plan)
    validate(case.task, good.plan)
    assert cheapest <= good.plan.cost <= fast.plan.cost
    if NO_CHEAPER in good.note:
        assert good.plan.cost == cheapest


@given(layered_cases())
def test_improving_long_plans_never_makes_them_dearer(case: Case) -> None:
    assert plan_with(GOOD, case.task).plan.cost <= plan_with(FAST, case.task).plan.cost


@given(shapes, st.integers(0, 1_000))
def test_what_is_claimed_of_generated_tasks_is_true_by_mathematical_programming(shape: Shape, seed: int) -> None:
    question = generate(shape, seed)
    task = compile_task(question.catalog, question.situation, question.goal)
    optimum = find_optimum(task)
    good = plan_with(GOOD, task)
    assert optimum is not None
    assert optimum <= good.plan.cost + 1e-6
    if NO_CHEAPER in good.note:
        assert good.plan.cost == pytest.approx(optimum)


@given(cases(most_facts=6, most_skills=5))
def test_mathematical_programming_agrees_with_the_reference(case: Case) -> None:
    assert find_optimum(case.task) == pytest.approx(find_cheapest_cost(case.task))


@given(shapes, st.integers(0, 1_000))
def test_the_same_shape_and_seed_generate_the_same_question(shape: Shape, seed: int) -> None:
    assert generate(shape, seed) == generate(shape, seed)


def test_what_two_steps_share_is_paid_once_after_improving() -> None:
    fast, good = plan_with(FAST, shared_task()), plan_with(GOOD, shared_task())
    assert fast.plan.cost == 11
    assert "a cheaper plan may exist" in fast.note
    assert titles(good.plan) == ["skill found", "skill build_left", "skill build_right"]


def test_costs_decide_between_a_question_and_a_call() -> None:
    for ask_cost, expected in ((9, ["ask b", "skill cheap"]), (1, ["ask a"])):
        skill = declare_skill("cheap", {"only": (["b"], {"done": ["a"]})}, cost=0)
        catalog = declare(skill, plain="a b", ask_cost=ask_cost)
        task = compile_task(catalog, Situation(pruned=frozenset()), ["a"])
        result = solve(task, ENGINES["native"])
        assert isinstance(result, Solved)
        assert result.plan.cost <= ask_cost
        if ask_cost == 1:
            assert titles(result.plan) == expected
    assert not ENGINES["native"].ignores_costs


def test_steps_that_cost_nothing_and_need_each_other_do_not_support_themselves() -> None:
    catalog = declare(
        *(declare_fact(name, askable=False) for name in "abc"),
        declare_skill("one", {"only": (["a"], {"done": ["b"]})}, cost=0),
        declare_skill("two", {"only": (["b"], {"done": ["a", "c"]})}, cost=0),
        declare_skill("entry", {"only": (["d"], {"done": ["a"]})}, cost=0),
        plain="d",
    )
    result = plan_with(GOOD, compile_task(catalog, Situation(), ["c", "a"]))
    assert titles(result.plan) == ["ask d", "skill entry", "skill one", "skill two"]
    assert NO_CHEAPER in result.note


def test_a_plan_each_step_of_which_is_unavoidable_is_proved_cheapest() -> None:
    catalog = declare(
        *(declare_fact(name, askable=False) for name in "ab"),
        declare_skill("both", {"only": ([], {"done": ["a", "b"]})}, cost=2),
        declare_skill("one", {"only": ([], {"done": ["a"]})}, cost=1),
    )
    result = plan_with(GOOD, compile_task(catalog, Situation(), ["a", "b"]))
    assert titles(result.plan) == ["skill both"]
    assert result.note == "Proved cheapest: nothing else can be part of a cheaper one."


def test_a_goal_that_no_operator_speaks_of_is_proved_to_have_no_plan() -> None:
    task = compile_task(declare(declare_fact("a", askable=False)), Situation(), ["a"])
    assert isinstance(GOOD.solve(task, Limits(), never), Unsolvable)


def _doubling(length: int, *goal: str) -> Task:
    """Build a chain of pairs, of which each needs both of the last one: estimates double with every pair."""
    operators = [Operator(StepKind.ASK, f"{name}0", frozenset(), frozenset((known(f"{name}0"),)), 1.0) for name in "ab"]
    for number in range(length):
        needs = frozenset((known(f"a{number}"), known(f"b{number}")))
        operators += [
            Operator(
                StepKind.SKILL, f"{name}{number}", needs, frozenset((known(f"{name}{number + 1}"),)), 1.0, "m", "o"
            )
            for name in "ab"
        ]
    return Task(frozenset(), frozenset(map(known, goal)), (*operators, *_OUT_OF_REACH))


_OUT_OF_REACH = (Operator(StepKind.SKILL, "no", frozenset((known("x"),)), frozenset((known("y"),)), 1.0, "m", "o"),)


@pytest.mark.parametrize("engine", [FAST, NativeEngine(budget_ms=20)])
def test_a_plan_is_found_also_where_estimates_come_to_more_than_a_number_can_hold(engine: NativeEngine) -> None:
    result = solve(_doubling(1_100, "a1100"), engine)
    assert isinstance(result, Solved)
    assert result.plan.cost == 2 * 1_100 + 1
    assert isinstance(solve(_doubling(1_100, "a1100", "y"), engine), Unsolvable)


def test_improving_ends_with_its_budget_and_hands_out_what_it_has() -> None:
    result = plan_with(NativeEngine(budget_ms=1e-9), layered_case(1, 30).task)
    assert result.note == "The best plan in the time: how much dearer it is than the cheapest one is not known."
    assert result.gap is None


def test_improving_ends_at_once_when_nobody_waits_any_more() -> None:
    calls = chain((False,), repeat(True))
    result: PlanningResult = GOOD.solve(layered_case(1, 30).task, Limits(), lambda: next(calls))
    assert isinstance(result, GaveUp)
    assert "cancelled" in result.reason


@settings(max_examples=examples(6))
@given(st.integers(0, 1_000), st.integers(1, 400), st.sampled_from((10, 4_000)))
def test_whenever_the_time_is_up_the_best_plan_comes_with_a_bound_that_holds(seed: int, ticks: int, many: int) -> None:
    task = layered(40, seed)
    optimum = find_optimum(task)
    assert optimum is not None
    clock = count()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("planning.engines.native.MANY", many)
        patched.setattr("planning.engines.search.thread_time", lambda: next(clock))
        result = plan_with(NativeEngine(budget_ms=1_000 * ticks), task)
    assert optimum <= result.plan.cost + 1e-6
    assert result.plan.cost <= plan_with(FAST, task).plan.cost
    if result.gap is not None:
        assert result.plan.cost * (1 - result.gap) <= optimum + 1e-6
        assert (NO_CHEAPER in result.note) == (result.gap == 0)


@settings(max_examples=examples(8))
@given(st.integers(0, 1_000), st.integers(0, 60))
def test_a_pause_while_a_plan_is_made_changes_no_plan(seed: int, when: int) -> None:
    """Garbage is collected in the middle, for as long as one likes: that is no work on the task."""
    engine, task = NativeEngine(budget_ms=60_000), layered(40, seed)
    looks = count()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("planning.engines.search.thread_time", lambda: 0.0)
        steady = plan_with(engine, task)
        patched.setattr("planning.engines.search.thread_time", lambda: 1e6 if next(looks) > when else 0.0)
        paused = plan_with(engine, task)
    assert (paused.plan, paused.note, paused.gap) == (steady.plan, steady.note, steady.gap)


def test_where_the_memory_is_used_up_the_first_plan_is_handed_out() -> None:
    task = layered(100, 1)
    result = GOOD.solve(task, Limits(memory_mib=-1.0), never)
    assert isinstance(result, Solved)
    assert result.note == FIRST


def test_the_arrays_of_a_catalog_are_made_once_and_what_is_ruled_out_is_left_out_of_them() -> None:
    operators = compile_operators(BANK)
    pruned = frozenset(operator.name for operator in operators if operator.subject in {"name", "email"})
    used_up = frozenset({("lookup", "by_account", "name"), ("lookup", "nowhere", "nothing")})
    situation = Situation(pruned=pruned | {"gone"}, cannot_establish=used_up)
    task = compile_task(BANK, situation, ["name"], operators)
    assert compile_task(BANK, Situation(), ["name"], operators).operators is operators
    assert task.operators == tuple(operator for operator in operators if not is_ruled_out(operator, situation))
    assert isinstance(task.operators, Operators)
    assert task.operators.arrays is operators.arrays
    assert compile_task(BANK, Situation(), ["name"], task.operators).operators == task.operators
    assert isinstance(GOOD.solve(task, Limits(), never), Unsolvable)


def test_a_catalog_is_compiled_once_and_another_one_anew_also_if_it_is_equal() -> None:
    first, equal = declare(plain="a b"), declare(plain="a b")
    tasks = [compile_task(catalog, Situation(), [goal]) for catalog in (first, equal) for goal in "ab"]
    assert tasks[0].operators is tasks[1].operators
    assert tasks[0].operators is not tasks[2].operators
    assert tasks[0] == tasks[2]


@given(cases() | layered_cases())
def test_a_task_of_plain_tuples_gets_the_same_plan_as_one_whose_operators_remember(case: Case) -> None:
    plain = replace(case.task, operators=tuple(case.task.operators))
    remembered, fresh = (GOOD.solve(task, Limits(), never) for task in (case.task, plain))
    assert isinstance(fresh, type(remembered))
    if isinstance(fresh, Solved) and isinstance(remembered, Solved):
        assert fresh.plan.cost == pytest.approx(remembered.plan.cost)


def test_a_machine_that_stands_still_in_between_gets_the_same_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is what improving is limited by, so other programs make no difference."""
    task = layered_case(1, 30).task
    undisturbed = GOOD.solve(task, Limits(time_s=1e9), never)
    assert isinstance(undisturbed, Solved)
    ticks = count(0, 1_000)
    monkeypatch.setattr("planning.engines.search.monotonic", lambda: next(ticks))
    held_up = GOOD.solve(task, Limits(time_s=1e9), never)
    assert isinstance(held_up, Solved)
    assert (held_up.plan, held_up.note) == (undisturbed.plan, undisturbed.note)
    assert "until the time for it was up" not in held_up.note
