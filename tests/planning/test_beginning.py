"""A plan may be begun with at a step that is in every plan, and what is left of another plan taken up afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmarks.planning.generate import Shape, generate
from benchmarks.planning.shapes import chain, deep
from catalog.model import Fact, FactMapping, Skill
from planning.engines import ENGINES, FIRST
from planning.landmarks import find_landmarks
from planning.model import Operator, Plan, Situation, Solved, StepKind, Task, done
from planning.plans.early_start import begin_safely, change_over, find_action_landmarks
from planning.plans.solve import solve, validate
from planning.task.compilation import compile_task
from planning.task.index import is_solvable
from tests.examples import examples
from tests.planning.declare import (
    declare,
    declare_fact,
    declare_mapping,
    declare_ordering,
    declare_skill,
    titles,
)
from tests.strategies import Case, cases


def plan_of(task: Task, engine: str = "first") -> Plan:
    result = solve(task, FIRST["native"] if engine == "first" else ENGINES[engine])
    assert isinstance(result, Solved)
    return result.plan


def without(task: Task, step: Operator) -> Task:
    return replace(task, operators=tuple(one for one in task.operators if one.name != step.name))


@given(case=cases())
def test_what_is_in_every_plan_is_what_no_plan_can_be_found_without(case: Case) -> None:
    assume(is_solvable(case.task))
    plan = plan_of(case.task)
    expected = {step.name for step in plan.steps if not is_solvable(without(case.task, step))}
    assert find_action_landmarks(case.task, plan) == expected


@given(seed=st.integers(0, 10_000))
@settings(max_examples=15)
def test_it_is_what_landmarks_say_of_large_tasks_too(seed: int) -> None:
    made = generate(Shape(60), seed)
    task = compile_task(made.catalog, made.situation, made.goal)
    plan = plan_of(task)
    assert find_action_landmarks(task, plan) == {step.name for step in find_landmarks(task, plan).actions}


@given(case=cases())
@settings(max_examples=examples(60))
def test_a_plan_is_begun_with_a_step_that_any_plan_may_begin_with(case: Case) -> None:
    """Elsewhere there is no such step, unless consent or an order that is preferred may be in its way."""
    task = case.task
    assume(is_solvable(task))
    plan = plan_of(task)
    begun = begin_safely(task, plan)
    fitting = [
        step
        for step in plan.steps
        if step.kind in (StepKind.ASK, StepKind.SKILL)
        and step.needs <= task.initial
        and not is_solvable(without(task, step))
    ]
    if begun is None:
        facts, skills = case.catalog.facts.values(), case.catalog.skills.values()
        delicate = any(fact.sensitive for fact in facts) or any(skill.sensitive for skill in skills)
        assert not fitting or task.preferred or delicate
        return
    assert begun.steps[0] in fitting
    assert [step for step in plan.steps if step != begun.steps[0]] == list(begun.steps[1:])
    validate(task, begun)


LARGER: list[Callable[[int], Task]] = [
    lambda seed: deep(60, seed),
    lambda seed: chain(20, seed),
    lambda seed: compile_task((made := generate(Shape(60), seed)).catalog, made.situation, made.goal),
]


@pytest.mark.parametrize("draw", LARGER, ids=["deep", "chain", "ours"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_changing_over_to_the_cheapest_plan_after_the_first_step_wastes_nothing(
    draw: Callable[[int], Task], seed: int
) -> None:
    task = draw(seed)
    first, best = plan_of(task), plan_of(task, "optimal")
    begun = begin_safely(task, first)
    assume(begun is not None)
    assert begun is not None
    step = begun.steps[0]
    assert step.name in {one.name for one in best.steps}, "a step was begun with that the cheapest plan has not"
    now = replace(task, initial=task.initial | step.adds)
    rest = change_over(now, best)
    assert rest is not None
    validate(now, rest)
    assert step.cost + rest.cost == pytest.approx(best.cost)
    assert rest.cost <= sum(one.cost for one in begun.steps[1:]) + 1e-9


BAKER = declare(
    declare_fact("bread", askable=False),
    declare_skill("bake", {"only": (["flour"], {"baked": ["bread"]})}),
    plain="flour",
)


def begun(catalog_task: Task) -> list[str] | None:
    plan = begin_safely(catalog_task, plan_of(catalog_task))
    return None if plan is None else titles(plan)


def test_a_question_or_a_call_is_begun_with() -> None:
    assert begun(compile_task(BAKER, Situation(), ["bread"])) == ["ask flour", "skill bake"]
    assert begun(compile_task(BAKER, Situation(known=frozenset({"flour"})), ["bread"])) == ["skill bake"]


def test_nothing_is_begun_with_where_nothing_is_left_to_do() -> None:
    assert begun(compile_task(BAKER, Situation(known=frozenset({"bread"})), ["bread"])) is None


def test_what_is_in_every_plan_is_put_before_what_is_not() -> None:
    catalog = declare(
        declare_fact("bread", askable=False),
        declare_fact("yeast", askable=False),
        declare_skill("buy", {"one": (["brand"], {"got": ["yeast"]}), "two": (["shop"], {"got": ["yeast"]})}),
        declare_skill("bake", {"only": (["flour", "yeast"], {"baked": ["bread"]})}),
        plain="brand shop flour",
    )
    task = compile_task(catalog, Situation(), ["bread"])
    assert titles(plan_of(task))[0] == "ask brand"
    assert begun(task) == ["ask flour", "ask brand", "skill buy", "skill bake"]


def test_a_question_is_not_begun_with_whose_answer_may_go_where_consent_is_needed() -> None:
    """Another plan would ask for consent first: the answer is told once it is clear to whom."""
    parts: list[Fact | Skill | FactMapping] = [
        declare_fact("bread", askable=False),
        declare_fact("yeast", askable=False),
        declare_skill("bake", {"only": (["flour", "yeast"], {"baked": ["bread"]})}),
        declare_skill("make", {"only": (["flour"], {"made": ["yeast"]})}),
    ]
    wary = declare_skill("order", {"only": (["flour"], {"came": ["yeast"]})}, sensitive=("flour",), cost=9)
    assert begun(compile_task(declare(*parts, plain="flour"), Situation(), ["bread"])) is not None
    assert begun(compile_task(declare(*parts, wary, plain="flour"), Situation(), ["bread"])) is None


def test_nor_one_whose_answer_can_stand_for_what_goes_there() -> None:
    parts: list[Fact | Skill | FactMapping] = [
        declare_fact("bread", askable=False),
        declare_fact("yeast", askable=False),
        declare_fact("grain", askable=False),
        declare_mapping("flour", "grain"),
        declare_mapping("grain", "flour"),
        declare_skill("bake", {"only": (["flour"], {"baked": ["bread"]})}),
    ]
    wary = declare_skill("order", {"only": (["grain"], {"came": ["yeast"]})}, sensitive=("grain",))
    assert begun(compile_task(declare(*parts, plain="flour"), Situation(), ["bread"])) is not None
    assert begun(compile_task(declare(*parts, wary, plain="flour"), Situation(), ["bread"])) is None


def test_a_call_is_not_begun_with_that_the_catalog_prefers_after_another() -> None:
    parts: list[Fact | Skill | FactMapping] = [
        declare_fact("bread", askable=False),
        declare_fact("praise", askable=False),
        declare_skill("bake", {"only": (["flour"], {"baked": ["bread"]})}),
        declare_skill("praise", {"only": (["flour"], {"said": ["praise"]})}),
    ]
    known = Situation(known=frozenset({"flour"}))
    free = declare(*parts, plain="flour")
    late = declare(*parts, declare_ordering("praise", "bake", preferred=True), plain="flour")
    assert begun(compile_task(free, known, ["bread"])) == ["skill bake"]
    assert begun(compile_task(late, known, ["bread"])) is None


def test_another_plan_is_taken_up_without_what_would_add_nothing_by_now() -> None:
    plan = plan_of(compile_task(BAKER, Situation(), ["bread"]))
    asking = plan.steps[0].name
    for spent in (frozenset[str](), frozenset({asking})):
        now = compile_task(BAKER, Situation(known=frozenset({"flour"}), pruned=spent), ["bread"])
        rest = change_over(now, plan)
        assert rest is not None
        assert titles(rest) == ["skill bake"]


def test_a_plan_is_not_taken_up_that_does_not_hold_any_more() -> None:
    task = compile_task(BAKER, Situation(), ["bread"])
    plan = plan_of(task)
    baking = plan.steps[1].name
    ruled_out = compile_task(BAKER, Situation(known=frozenset({"flour"}), pruned=frozenset({baking})), ["bread"])
    assert change_over(ruled_out, plan) is None
    assert change_over(without(task, plan.steps[0]), plan) is None
    assert change_over(replace(task, goal=task.goal | {done("bake")}), plan) is None
