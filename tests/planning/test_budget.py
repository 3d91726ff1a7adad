"""Metrics and budgets: what is minimised changes the plan, and no plan ever takes more money than may be spent."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.model import Catalog
from catalog.model.settings import Metric
from planning.engines import ENGINES
from planning.engines.native import NativeEngine
from planning.engines.search import Stopped
from planning.model import GaveUp, Limits, Plan, PlanningResult, Situation, Solved, Task, Unsolvable
from planning.plans.solve import PlanOverBudget, never, solve, validate
from planning.task.compilation import compile_task, find_budget
from planning.task.spending import LeastMoney, find_least_money, fits, say_money
from tests.examples import measured
from tests.planning.declare import declare, declare_fact, declare_skill, titles
from tests.planning.reference import CENT, find_cheapest_cost, find_cheapest_cost_within_budget
from tests.strategies import Case, layered_case, priced_cases

FAST = NativeEngine(budget_ms=0)
GOOD = NativeEngine(budget_ms=60_000)
WAYS: dict[str, dict[str, float]] = {
    "archive": {"cost": 1, "money": 2.3, "time_s": 30, "quality": 0.9},
    "courier": {"cost": 2, "money": 5, "time_s": 2, "quality": 0.9},
    "expert": {"cost": 3, "money": 4, "time_s": 300, "quality": 1},
    "charity": {"cost": 4, "money": 0.5, "time_s": 600, "quality": 0.5},
}


def ways(**settings: Any) -> Catalog:
    """Declare four ways to a report, each the best by something."""
    skills = [
        declare_skill(name, {"only": (["topic"], {"done": ["report"]})}, **amounts) for name, amounts in WAYS.items()
    ]
    return declare(declare_fact("report", askable=False), *skills, plain="topic", **settings)


def plan_for(catalog: Catalog, engine: str = "native", **situation: object) -> PlanningResult:
    told = replace(Situation(known=frozenset({"topic"})), **situation)  # type: ignore[arg-type]
    return solve(compile_task(catalog, told, ["report"]), ENGINES[engine])


def called(result: PlanningResult) -> list[str]:
    assert isinstance(result, Solved), result
    return titles(result.plan)


@pytest.mark.row("P21")
@pytest.mark.parametrize(
    ("minimize", "skill"),
    [(Metric.COST, "archive"), (Metric.MONEY, "charity"), (Metric.TIME, "courier"), (Metric.QUALITY, "expert")],
)
def test_what_is_minimised_changes_the_plan(minimize: Metric, skill: str) -> None:
    assert called(plan_for(ways(minimize=minimize))) == [f"skill {skill}"]
    assert called(plan_for(ways(), minimize=minimize)) == [f"skill {skill}"]


@pytest.mark.row("P21")
def test_a_cost_changes_the_plan() -> None:
    cheap = ways()
    dear = cheap.model_copy(
        update={"skills": {**cheap.skills, "archive": cheap.skills["archive"].model_copy(update={"cost": 2.5})}}
    )
    assert (called(plan_for(cheap)), called(plan_for(dear))) == (["skill archive"], ["skill courier"])


def test_plans_that_are_alike_in_what_is_minimised_are_told_apart_by_their_costs() -> None:
    catalog = declare(
        declare_fact("report", askable=False),
        declare_skill("slow", {"only": ([], {"done": ["report"]})}, cost=2, money=1),
        declare_skill("quick", {"only": ([], {"done": ["report"]})}, cost=1, money=1),
        minimize="money",
    )
    assert called(solve(compile_task(catalog, Situation(), ["report"]), ENGINES["native"])) == ["skill quick"]


@pytest.mark.row("P21")
@pytest.mark.parametrize(("budget", "skill"), [(2.3, "archive"), (2.29, "charity"), (0.5, "charity")])
def test_a_budget_is_a_hard_bound(budget: float, skill: str) -> None:
    assert called(plan_for(ways(), budget=budget)) == [f"skill {skill}"]
    assert called(plan_for(ways(budget=budget))) == [f"skill {skill}"]


def test_the_user_may_lift_or_lower_the_budget_of_the_catalog() -> None:
    assert called(plan_for(ways(budget=1), budget=float("inf"))) == ["skill archive"]
    assert called(plan_for(ways(budget=3), budget=1.0)) == ["skill charity"]


def test_what_was_spent_counts_and_once_more_was_spent_than_may_be_only_what_is_free_is_left() -> None:
    assert called(plan_for(ways(), budget=3.0, spent=1.0)) == ["skill charity"]
    assert find_budget(ways(), Situation(budget=1.0, spent=3.0)) == 0.0
    assert isinstance(plan_for(ways(), budget=1.0, spent=3.0), Unsolvable)
    free = declare(declare_fact("report", askable=False), declare_skill("gift", {"only": ([], {"done": ["report"]})}))
    assert called(solve(compile_task(free, Situation(budget=1.0, spent=3.0), ["report"]), FAST)) == ["skill gift"]


def test_a_goal_that_costs_too_much_is_proved_to_and_the_least_it_takes_is_told() -> None:
    result = plan_for(ways(), budget=0.4)
    assert isinstance(result, Unsolvable)
    assert result.note == "The plan that takes least money takes 0.50 EUR, more than the 0.40 EUR that may be spent."


def test_a_goal_without_any_way_is_not_blamed_on_the_budget() -> None:
    catalog = declare(declare_fact("report", askable=False), budget=1)
    result = solve(compile_task(catalog, Situation(), ["report"]), ENGINES["native"])
    assert isinstance(result, Unsolvable)
    assert "EUR" not in result.note


def test_a_plan_of_an_engine_that_does_not_heed_budgets_is_not_taken_and_others_are_named() -> None:
    result = plan_for(ways(), "pyperplan", budget=0.4)
    assert isinstance(result, GaveUp)
    assert "more than the 0.40 EUR that may be spent" in result.reason
    assert "“pyperplan” does not heed budgets; choose “native”" in result.reason
    assert isinstance(plan_for(ways(), "pyperplan", budget=5.0), Solved)


def test_an_engine_that_says_it_heeds_budgets_and_does_not_is_found_out() -> None:
    class Careless(NativeEngine):
        def solve(self, task: Task, *rest: object) -> PlanningResult:
            return FAST.solve(replace(task, budget=None), Limits(), never)

    task = compile_task(ways(), Situation(known=frozenset({"topic"}), budget=1), ["report"])
    result = solve(task, Careless())
    assert isinstance(result, GaveUp)
    assert "returned a plan that does not hold: The plan takes 2.30 EUR, more than the 1.00 EUR" in result.reason


def test_the_replay_refuses_what_goes_over_the_budget() -> None:
    task = compile_task(ways(), Situation(known=frozenset({"topic"}), budget=2.3), ["report"])
    archive, courier = (next(o for o in task.operators if o.subject == name) for name in ("archive", "courier"))
    validate(task, Plan((archive,)))
    with pytest.raises(PlanOverBudget, match=r"takes 5\.00 EUR, more than the 2\.30 EUR that may be spent"):
        validate(task, Plan((courier,)))


@given(priced_cases())
def test_plans_within_a_budget_are_found_exactly_where_the_reference_finds_one(case: Case) -> None:
    task = case.task
    cheapest = find_cheapest_cost(task) if task.budget is None else find_cheapest_cost_within_budget(task)
    for engine in (FAST, GOOD):
        result = solve(task, engine)
        if cheapest is None:
            assert isinstance(result, Unsolvable)
        else:
            assert isinstance(result, Solved)
            assert fits(result.plan.amounts.money, task.budget)
            assert result.plan.cost > cheapest - CENT / 10


@measured()
@given(st.integers(0, 500), st.sampled_from((0.3, 0.6, 0.9)))
def test_the_same_long_task_gives_the_same_plan_within_the_budget_and_none_that_is_better_than_without(
    seed: int, share: float
) -> None:
    case = priced(seed, 30)
    freely = solve(case.task, GOOD)
    assert isinstance(freely, Solved)
    task = replace(case.task, budget=share * freely.plan.amounts.money)
    first, second = solve(task, GOOD), solve(task, GOOD)
    assert type(first) is type(second)
    if isinstance(first, Solved) and isinstance(second, Solved):
        assert first.plan == second.plan
        assert fits(first.plan.amounts.money, task.budget)


def priced(seed: int, skills: int) -> Case:
    """Set prices of the skills of a layered case."""
    case = layered_case(seed, skills)
    charged = {
        name: skill.model_copy(update={"money": (seed + place) % 4 / 2})
        for place, (name, skill) in enumerate(case.catalog.skills.items())
    }
    return replace(case, catalog=case.catalog.model_copy(update={"skills": charged}))


def test_money_is_priced_so_that_a_plan_is_found_that_is_neither_the_cheapest_nor_the_most_frugal() -> None:
    """Of six steps, each to be had for money or trouble, as many are bought as can be."""
    facts = [f"part_{number}" for number in range(6)]
    catalog = declare(
        *(declare_fact(name, askable=False) for name in facts),
        *(declare_skill(f"buy_{name}", {"only": ([], {"done": [name]})}, cost=1, money=1) for name in facts),
        *(declare_skill(f"make_{name}", {"only": ([], {"done": [name]})}, cost=5 + i) for i, name in enumerate(facts)),
    )
    task = compile_task(catalog, Situation(budget=2.5), facts)
    result = solve(task, ENGINES["native"])
    assert isinstance(result, Solved)
    assert result.plan.amounts.money == 2
    assert result.plan.cost == find_cheapest_cost_within_budget(task) == 5 + 6 + 7 + 8 + 1 + 1
    assert "at most 2.50 EUR, and takes 2.00 EUR" in result.note


def test_where_proving_is_cut_short_the_least_found_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planning.engines.budget.PROOF_MS", 0.0)
    result = plan_for(ways(), budget=0.4)
    assert isinstance(result, GaveUp)
    assert result.reason == "No plan was found that takes at most 0.40 EUR: the least found takes 0.50 EUR."


def test_a_bound_is_told_where_it_is_too_much_already(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = LeastMoney(0.45, frozenset(), 0.5)
    monkeypatch.setattr("planning.engines.budget.bound_money", lambda *_: bound)
    result = plan_for(ways(), budget=0.4)
    assert isinstance(result, Unsolvable)
    assert result.note == "Every plan takes at least 0.45 EUR, more than the 0.40 EUR that may be spent."


def test_a_way_that_is_frugal_only_as_a_whole_is_found() -> None:
    """What serves both halves of the goal costs more than what serves one, and less than what serves each."""
    names = ("left", "right", "base", "one", "two")
    catalog = declare(
        *(declare_fact(name, askable=False) for name in names),
        declare_skill("found", {"only": ([], {"done": ["base"]})}, money=5, cost=20),
        declare_skill("prepare_one", {"only": ([], {"done": ["one"]})}, money=4),
        declare_skill("prepare_two", {"only": ([], {"done": ["two"]})}, money=4),
        declare_skill("left", {"shared": (["base"], {"done": ["left"]}), "alone": (["one"], {"done": ["left"]})}),
        declare_skill("right", {"shared": (["base"], {"done": ["right"]}), "alone": (["two"], {"done": ["right"]})}),
    )
    task = compile_task(catalog, Situation(budget=6), ["left", "right"])
    for engine in (FAST, GOOD):
        assert called(solve(task, engine)) == ["skill found", "skill left", "skill right"]


def test_what_is_left_over_is_spent() -> None:
    """At no price is the second of three ways found: it lies within the hull of the other two."""
    catalog = declare(
        declare_fact("report", askable=False),
        *(
            declare_skill(name, {"only": ([], {"done": ["report"]})}, cost=cost, money=money)
            for name, cost, money in (("gift", 10, 0), ("cheap", 9, 2), ("middle", 8, 3), ("dear", 1, 5))
        ),
    )
    task = compile_task(catalog, Situation(budget=4), ["report"])
    assert called(solve(task, ENGINES["native"])) == ["skill middle"]


def test_a_search_for_the_least_money_that_is_ended_tells_what_it_has_found() -> None:
    task = priced(3, 30).task
    arrays, number = task.operators.arrays, task.operators.number  # type: ignore[attr-defined]
    money = [operator.amounts.money for operator in task.operators]
    goal = [number[atom] for atom in task.goal]
    whole = find_least_money(arrays, money, (), goal, (), go_on=lambda: True)
    assert whole is not None
    assert whole.proved
    assert whole.money > 0
    bounds = []
    for rounds in range(60):
        asked = count()
        part = find_least_money(arrays, money, (), goal, (), go_on=lambda: next(asked) < rounds)  # noqa: B023
        assert part is not None
        assert part.at_least - CENT < whole.money < part.money + CENT
        bounds.append(part.at_least)
    assert bounds == sorted(bounds)
    assert find_least_money(arrays, money, (), [*goal], range(len(money)), go_on=lambda: True) is None


def test_a_search_within_a_budget_can_be_cancelled() -> None:
    calls = count()
    task = compile_task(ways(), Situation(known=frozenset({"topic"}), budget=0.4), ["report"])
    for last in range(1, 12):
        result = GOOD.solve(task, Limits(), lambda: next(calls) >= last)  # noqa: B023
        assert isinstance(result, GaveUp | Unsolvable)
    assert Stopped("it is one of these").args


@pytest.mark.parametrize(("money", "said"), [(2.3, "2.30 EUR"), (0.0125, "0.0125 EUR"), (1234.5, "1,234.50 EUR")])
def test_money_is_told_with_two_digits_unless_more_matter(money: float, said: str) -> None:
    assert say_money(money, "EUR") == said
    assert say_money(1, "") == "1.00"
