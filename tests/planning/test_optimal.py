"""The engine that proves its plans cheapest: against references, with budgets, and at its limits."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from itertools import count
from math import ceil
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.planning.generate import Shape, generate
from benchmarks.planning.optimum import find_optimum
from planning.engines import ENGINES
from planning.engines.native import NativeEngine, OptimalEngine, find_cheapest
from planning.engines.search import Stopped, Watch
from planning.model import Amounts, GaveUp, Limits, Operator, Situation, Solved, StepKind, Task, Unsolvable, known
from planning.plans.solve import never, solve, validate
from planning.task.compilation import compile_task
from planning.task.index import index_task
from tests.planning.declare import declare, declare_fact, declare_skill, titles
from tests.planning.hard import explosive_task, travel_task
from tests.planning.reference import find_cheapest_cost
from tests.strategies import Case, cases, layered_case

ENGINE = ENGINES["optimal"]


def prove(task: Task) -> Solved:
    result = ENGINE.solve(task, Limits(time_s=60), never)
    assert isinstance(result, Solved)
    validate(task, result.plan)
    assert result.gap == 0
    assert "Proved cheapest" in result.note
    return result


def random_task(shape: Shape, seed: int) -> Task:
    question = generate(shape, seed)
    return compile_task(question.catalog, question.situation, question.goal)


@given(
    shape=st.builds(
        Shape,
        skills=st.integers(3, 80),
        alternatives=st.integers(1, 3),
        redundancy=st.sampled_from((0.0, 0.4, 0.9)),
        authorization=st.sampled_from((0.0, 0.2, 1.0)),
        asking=st.sampled_from((0.0, 0.3)),
        cycles=st.sampled_from((0.0, 0.5, 1.0)),
    ),
    seed=st.integers(0, 10_000),
)
def test_an_independent_program_finds_the_same_optimum(shape: Shape, seed: int) -> None:
    task = random_task(shape, seed)
    assert prove(task).plan.cost == pytest.approx(find_optimum(task))


def _price(case: Case, draw: st.DataObject) -> Task:
    """Make what is cheap take money, by a whole amount or not, and give the task a budget."""
    money = draw.draw(st.lists(st.integers(0, 4), min_size=len(case.task.operators), max_size=len(case.task.operators)))
    unit = draw.draw(st.sampled_from((1, 4, 3)))
    operators = tuple(
        replace(operator, cost=(4 - spent) / unit + 0.25, amounts=operator.amounts._replace(money=spent))
        for operator, spent in zip(case.task.operators, money, strict=True)
    )
    return replace(case.task, operators=operators, budget=draw.draw(st.integers(0, 8)))


def _cheapest_within(task: Task) -> float | None:
    """Find the least cost of a plan within the budget, by going through all sets of operators that can be applied."""
    assert task.budget is not None
    best: float | None = None
    seen: set[tuple[frozenset[Any], float, float]] = set()
    waiting = [(task.initial, 0.0, 0.0)]
    while waiting:
        node = waiting.pop()
        state, cost, money = node
        if node in seen or money > task.budget or (best is not None and cost >= best):
            continue
        seen.add(node)
        if task.goal <= state:
            best = cost
            continue
        waiting += [
            (state | operator.adds, cost + operator.cost, money + operator.amounts.money)
            for operator in task.operators
            if operator.needs <= state and not operator.adds <= state
        ]
    return best


@given(cases(most_facts=5, most_skills=3), st.data())
def test_within_a_budget_the_cheapest_plan_is_found_or_none_is_proved(case: Case, draw: st.DataObject) -> None:
    task = _price(case, draw)
    expected = _cheapest_within(task)
    result = solve(task, ENGINE)
    if expected is None:
        assert isinstance(result, Unsolvable)
    else:
        assert isinstance(result, Solved)
        assert result.plan.cost == pytest.approx(expected)
        assert result.gap == 0


@given(cases(most_facts=6, most_skills=5), st.data())
def test_costs_that_are_no_multiples_of_anything_are_proved_too(case: Case, draw: st.DataObject) -> None:
    task = _price(case, draw)
    task = replace(task, budget=None)
    expected = find_cheapest_cost(task)
    result = ENGINE.solve(task, Limits(), never)
    assert isinstance(result, Unsolvable if expected is None else Solved)
    if isinstance(result, Solved):
        assert result.plan.cost == pytest.approx(expected, rel=1e-5)


def test_what_was_solved_is_not_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from highspy import Highs

    made: list[weakref.ref[object]] = []

    class Seen(Highs):
        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            made.append(weakref.ref(self))

    monkeypatch.setattr("planning.engines.mip_program.Highs", Seen)
    prove(random_task(Shape(100), 1))
    gc.collect()
    assert made
    assert all(ref() is None for ref in made)


def test_a_plan_is_found_that_is_cheaper_than_the_first_one() -> None:
    task = random_task(Shape(100), 1)
    first = NativeEngine(budget_ms=0).solve(task, Limits(), never)
    assert isinstance(first, Solved)
    assert prove(task).plan.cost < first.plan.cost


def test_a_circle_that_supports_itself_is_ruled_out_by_rows_of_its_own() -> None:
    names = "abcdef"
    catalog = declare(
        *(declare_fact(name, askable=False) for name in names),
        *(
            declare_skill(f"{here}_to_{there}", {"only": ([here], {"done": [there]})}, cost=1)
            for here, there in ("ab", "bc", "ca", "de", "ef", "fd", "ad", "da")
        ),
        declare_skill("enter_a", {"only": ([], {"done": ["a"]})}, cost=20),
        declare_skill("enter_e", {"only": ([], {"done": ["e"]})}, cost=20),
    )
    task = compile_task(catalog, Situation(), list(names))
    assert prove(task).plan.cost == find_cheapest_cost(task) == 25


def _by_numbers(rows: dict[tuple[str, str], tuple[float, float]], goal: str) -> Task:
    """Build a task of operators by the letters of what they need and add, with what they cost and take of money."""
    operators = tuple(
        Operator(
            StepKind.SKILL, f"s{number}", frozenset(map(known, needs)), frozenset(map(known, adds)), cost, "m", "o",
            amounts=Amounts(money=money),
        )
        for number, ((needs, adds), (cost, money)) in enumerate(rows.items())
    )  # fmt: skip
    return Task(frozenset(), frozenset(map(known, goal)), operators)


@pytest.mark.parametrize("cost", [1_000.001, 100_000.0001, 1 / 3, 1e-7])
def test_of_costs_with_many_digits_the_program_is_proved_too(cost: float) -> None:
    rows = {("abc", "bcd"): cost, ("", "abe"): cost, ("b", "ad"): cost, (" ", "ac"): cost, ("e", "bad"): cost}
    task = _by_numbers({(needs.strip(), adds): (price, 0.0) for (needs, adds), price in rows.items()}, "bd")
    assert prove(task).plan.cost == pytest.approx(2 * cost)


def test_of_costs_with_many_digits_the_last_one_counts() -> None:
    rows = {("", "a"): 1_000.002, (" ", "b"): 1_000.002, ("a", "bc"): 1_000.002, ("b", "ac"): 1_000.001}
    task = _by_numbers({(needs.strip(), adds): (price, 0.0) for (needs, adds), price in rows.items()}, "abc")
    assert prove(task).plan.cost == pytest.approx(2_000.003, abs=1e-9)


def test_that_every_plan_takes_too_much_money_is_proved() -> None:
    rows = {("", "a"): (1.0, 0.5), (" ", "b"): (1.0, 0.4), ("b", "a"): (1.0, 0.2)}
    task = _by_numbers({(needs.strip(), adds): amounts for (needs, adds), amounts in rows.items()}, "a")
    result = solve(replace(task, budget=0.45, currency="EUR"), ENGINE)
    assert isinstance(result, Unsolvable)
    assert result.note == "The plan that takes least money takes 0.50 EUR, more than the 0.45 EUR that may be spent."


def test_what_costs_next_to_nothing_beside_a_plan_for_nothing_does_no_harm() -> None:
    rows = {("", "ac"): (0.0, 1.0), ("c", "b"): (0.0, 0.0), (" ", "a"): (1e-10, 0.0), ("a", "bc"): (1e-10, 0.0)}
    task = _by_numbers({(needs.strip(), adds): amounts for (needs, adds), amounts in rows.items()}, "ab")
    result = solve(replace(task, budget=0.5), ENGINE)
    assert isinstance(result, Solved)
    assert result.plan.amounts.money == 0


def test_tiny_costs_are_told_apart() -> None:
    rows = {("", "a"): (1e-7, 0.1), ("a", "b"): (2e-7, 0.0), ("a", "ba"): (1e-7, 0.1), ("", "b"): (1e-7, 0.25)}
    result = solve(replace(_by_numbers(rows, "ab"), budget=0.25), ENGINE)
    assert isinstance(result, Solved)
    assert result.plan.cost == pytest.approx(2e-7)
    assert result.gap == 0


def test_at_the_time_limit_the_best_plan_comes_with_its_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    gaps = []
    for seconds in (2.5, 150.5, 200.5, 400.5, 600.5, 1_000_000.5):
        ticks = count()
        monkeypatch.setattr("planning.engines.search.monotonic", lambda ticks=ticks: next(ticks))
        result = ENGINE.solve(explosive_task(), Limits(time_s=seconds), never)
        assert isinstance(result, Solved)
        assert result.gap is not None
        validate(explosive_task(), result.plan)
        gaps.append(result.gap)
        if result.gap == 1:
            assert result.note == "The best plan in the time: how much dearer it is than the cheapest one is not known."
        elif result.gap:
            dearer = ceil(1_000 * result.gap / (1 - result.gap)) / 1_000
            found = "the best that was found in the time"
            assert result.note == f"At most {dearer:.1%} dearer than the cheapest plan: {found}."
    assert (gaps[0], gaps[-1]) == (1, 0)
    assert any(0 < gap < 1 for gap in gaps)
    assert gaps == sorted(gaps, reverse=True)


def test_a_better_plan_that_the_program_had_found_by_then_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    task = explosive_task()
    indexed = index_task(task)
    first = NativeEngine(budget_ms=0).solve(task, Limits(), never)
    assert indexed is not None and isinstance(first, Solved)
    steps = [indexed.operators.named[step.name] for step in first.plan.steps]
    found = []
    for units in range(150, 300, 10):
        ticks = count()
        monkeypatch.setattr("planning.engines.search.monotonic", lambda ticks=ticks: next(ticks))
        best = find_cheapest(indexed, steps, Watch(Limits(time_s=units + 0.5), never))
        validate(task, indexed.plan(best.steps))
        found.append(best)
    assert [one.cost for one in found] == sorted((one.cost for one in found), reverse=True)
    assert any(one.gap and one.cost < first.plan.cost for one in found)


@pytest.mark.parametrize("units", [20.5, 60.5, 100.5, 200.5])
@pytest.mark.parametrize("size", [(5, 2, 4, 0), (8, 3, 7, 1)], ids=["small", "large"])
def test_however_early_the_time_is_up_no_plan_is_dearer_than_that_of_the_default_engine(
    size: tuple[int, int, int, int], units: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of both is counted in units of work, so that they do the same on any machine."""
    task = travel_task(*size)
    monkeypatch.setattr("planning.engines.search.thread_time", lambda: 0.0)
    costs = {}
    for name in ("native", "optimal"):
        ticks = count()
        monkeypatch.setattr("planning.engines.search.monotonic", lambda ticks=ticks: next(ticks))
        result = ENGINES[name].solve(task, Limits(time_s=units), never)
        assert isinstance(result, Solved)
        validate(task, result.plan)
        costs[name] = result.plan.cost
    assert costs["optimal"] <= costs["native"]


@pytest.mark.parametrize("units", [1_000.5, 2_000.5])
def test_within_a_budget_too_no_plan_is_dearer_than_that_of_the_default_engine(
    units: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = travel_task(5, 2, 4, 0)
    free = solve(task, ENGINES["native"])
    assert isinstance(free, Solved)
    money = {step.name: 3.0 for step in free.plan.steps[::2]}
    operators = tuple(replace(o, amounts=o.amounts._replace(money=money.get(o.name, 1.0))) for o in task.operators)
    task = replace(task, operators=operators, budget=len(free.plan.steps) + 2.0)
    monkeypatch.setattr("planning.engines.search.thread_time", lambda: 0.0)
    costs = {}
    for name in ("native", "optimal"):
        ticks = count()
        monkeypatch.setattr("planning.engines.search.monotonic", lambda ticks=ticks: next(ticks))
        result = solve(task, ENGINES[name], Limits(time_s=units))
        assert isinstance(result, Solved)
        costs[name] = result.plan.cost
    assert costs["optimal"] <= costs["native"]


def test_a_budget_that_may_be_too_small_is_left_open_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    task = explosive_task(300, 600)
    operators = tuple(replace(o, amounts=o.amounts._replace(money=1.0)) for o in task.operators)
    task = replace(task, operators=operators, budget=85, currency="EUR")
    ticks = count()
    monkeypatch.setattr("planning.engines.search.monotonic", lambda: next(ticks))
    result = solve(task, ENGINE, Limits(time_s=200.5))
    assert isinstance(result, GaveUp)
    assert "No plan was found that takes at most 85.00 EUR: the least found takes" in result.reason


class _NeverWithin(NativeEngine):
    """Runs out of time before it knows whether there is a plan within the budget."""

    def fit(self, *_: object) -> NoReturn:
        raise Stopped("The time was up.")


@pytest.mark.parametrize(
    ("budget", "cost", "said"),
    [(9, 2, ""), (2.5, 3, ""), (0.5, None, "Every plan takes at least 1.00 EUR, more than the 0.50 EUR that may be")],
)
def test_without_a_first_plan_within_the_budget_the_most_frugal_one_decides(
    budget: float, cost: float | None, said: str
) -> None:
    plain = _by_numbers({("", "a"): (1.0, 2.0), ("", "b"): (1.0, 1.0)}, "ab")
    frugal = _by_numbers({("", "a"): (2.0, 0.5), ("", "b"): (2.0, 0.5)}, "ab")
    renamed = tuple(replace(one, subject=f"{one.subject} frugal") for one in frugal.operators)
    task = replace(plain, operators=(*plain.operators, *renamed), budget=budget, currency="EUR")
    result = solve(task, OptimalEngine(_NeverWithin()))
    if cost is None:
        assert isinstance(result, Unsolvable) and said in result.note
    else:
        assert isinstance(result, Solved) and result.plan.cost == cost and result.gap == 0


def test_memory_runs_out_with_a_word_about_it() -> None:
    asked = count()

    def exhausted() -> bool:
        if next(asked) > 3:
            raise MemoryError
        return False

    result = ENGINE.solve(explosive_task(), Limits(), exhausted)
    assert isinstance(result, GaveUp)
    assert "out of memory" in result.reason


def test_a_program_that_cannot_be_solved_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    from planning.engines import mip_program

    monkeypatch.setitem(mip_program.OPTIONS, "simplex_iteration_limit", 0)
    task = random_task(Shape(100), 1)
    result = ENGINE.solve(task, Limits(), never)
    assert isinstance(result, Solved) and result.gap is None
    validate(task, result.plan)
    assert "HiGHS could not solve the program of the task" in result.note


def test_searches_in_several_threads_do_not_get_in_each_others_way() -> None:
    from concurrent.futures import ThreadPoolExecutor

    tasks = [random_task(Shape(100), seed) for seed in range(8)]
    alone = [prove(task).plan.cost for task in tasks]
    with ThreadPoolExecutor(4) as pool:
        together = [result.plan.cost for result in pool.map(prove, tasks * 3)]
    assert together == alone * 3


def test_the_plan_is_in_words_a_plan_like_others() -> None:
    catalog = declare(declare_skill("cheap", {"only": (["b"], {"done": ["a"]})}, cost=0), plain="a b", ask_cost=9)
    assert titles(prove(compile_task(catalog, Situation(), ["a"])).plan) in (["ask a"], ["ask b", "skill cheap"])
    assert prove(layered_case(1, 30).task).engine == "optimal"
