"""Several ways to a goal: different in what they ask and call, the cheapest first, and what is claimed of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.expand.instance_copies import change
from catalog.model import FactMapping
from planning.engines import ENGINES, Engine
from planning.model import Limits, Operator, Situation, StepKind, Task
from planning.plans.alternatives import Alternatives, PlanFeature, find_ways
from planning.plans.solve import validate
from planning.task.compilation import compile_task
from planning.task.spending import ROUNDING
from tests.examples import measured
from tests.planning.declare import BANK, declare, declare_fact, declare_skill
from tests.planning.hard import explosive_task
from tests.planning.reference import find_cheapest_cost
from tests.strategies import Case, cases

NATIVE, OPTIMAL = ENGINES["native"], ENGINES["optimal"]


def part_of(step: Operator) -> PlanFeature | None:
    if step.kind is StepKind.MAP:
        return PlanFeature(step.kind, step.subject, step.inputs[0])
    return PlanFeature(step.kind, step.subject, step.mode) if step.kind in {StepKind.ASK, StepKind.SKILL} else None


def list_ways(task: Task) -> dict[frozenset[PlanFeature], float]:
    """List every way with its cost, by going through all sets of questions and calls: no part of a way is to spare."""
    parts = sorted({part for o in task.operators if (part := part_of(o))}, key=str)
    costs: dict[frozenset[PlanFeature], float] = {}
    for size in range(len(parts) + 1):
        for chosen in map(frozenset, combinations(parts, size)):
            allowed = tuple(o for o in task.operators if part_of(o) in {None, *chosen})
            cost = find_cheapest_cost(replace(task, operators=allowed))
            if cost is not None:
                costs[chosen] = cost
    return {
        way: cost
        for way, cost in costs.items()
        if all(way - {part} not in costs or costs[way - {part}] > cost + ROUNDING for part in way)
    }


def parts_of(ways: Alternatives) -> list[frozenset[PlanFeature]]:
    return [way.parts for way in ways.ways]


@given(cases(most_facts=5, most_skills=3), st.integers(1, 6))
def test_the_cheapest_ways_are_those_that_going_through_all_of_them_finds(case: Case, most: int) -> None:
    task = case.task
    if len({part_of(o) for o in task.operators}) > 11:
        return
    expected = list_ways(task)
    found = find_ways(task, OPTIMAL, most)
    costs = [way.plan.cost for way in found.ways]
    assert costs == pytest.approx(sorted(expected.values())[:most])
    assert [expected[parts] for parts in parts_of(found)] == pytest.approx(costs)
    assert len(set(parts_of(found))) == len(costs)
    assert found.proved
    assert found.complete <= (len(costs) == len(expected))
    assert found.complete >= (len(expected) < most)


@measured()
@given(cases(most_facts=6, most_skills=5))
def test_ways_are_valid_plans_of_which_none_holds_all_of_a_cheaper_one(case: Case) -> None:
    found = find_ways(case.task, NATIVE, 6)
    for number, way in enumerate(found.ways):
        validate(case.task, way.plan)
        assert not any(earlier.parts <= way.parts for earlier in found.ways[:number])
    assert [way.plan.cost for way in found.ways] == sorted(way.plan.cost for way in found.ways)


def test_the_ways_of_the_bank_differ_in_what_they_ask_and_how_they_call() -> None:
    found = find_ways(compile_task(BANK, Situation(), ["name"]), NATIVE, 9)
    assert [(way.asks, way.calls) for way in found.ways] == [
        (("name",), ()),
        (("email",), ("lookup",)),
        (("account",), ("lookup",)),
    ]
    assert found.complete
    assert found.note.startswith("There is no other way")
    assert [step.mode for way in found.ways for step in way.plan.steps if step.mode] == ["by_email", "by_account"]


def test_consents_are_told_and_make_no_other_way() -> None:
    catalog = declare(
        declare_fact("score", askable=False),
        declare_fact("ssn", sensitive=True),
        declare_skill("bureau", {"only": (["ssn"], {"good": ["score"], "bad": ["score"]})}),
        declare_skill("estimate", {"only": (["job"], {"done": ["score"]})}, cost=9),
        plain="job",
    )
    found = find_ways(compile_task(catalog, Situation(), ["score"]), NATIVE, 9)
    assert [(way.asks, way.consents, way.calls) for way in found.ways] == [
        (("ssn",), ("bureau",), ("bureau",)),
        (("job",), (), ("estimate",)),
    ]


def test_what_costs_nothing_and_can_be_done_without_is_left_out() -> None:
    catalog = declare(
        declare_fact("a", askable=False),
        declare_fact("b", askable=False),
        declare_skill("other", {"only": ([], {"done": ["b"]})}, cost=0),
        declare_skill("both", {"only": ([], {"first": ["a"], "second": ["b"]})}, cost=0),
    )
    found = find_ways(compile_task(catalog, Situation(), ["a", "b"]), NATIVE, 9)
    assert [way.calls for way in found.ways] == [("both", "both")]


def test_what_makes_a_way_cheaper_is_part_of_it_though_the_goal_is_in_reach_without() -> None:
    catalog = declare(
        declare_fact("a", askable=False),
        declare_fact("b", askable=False),
        declare_skill("other", {"only": ([], {"done": ["b"]})}, cost=1),
        declare_skill("both", {"only": ([], {"first": ["a"], "second": ["b"]})}, cost=2),
    )
    found = find_ways(compile_task(catalog, Situation(), ["a", "b"]), NATIVE, 9)
    assert [(sorted(way.calls), way.plan.cost) for way in found.ways] == [
        (["both", "other"], 3),
        (["both", "both"], 4),
    ]


@pytest.mark.parametrize("first", ["dear", "free"])
def test_of_two_ways_that_cost_the_same_the_one_that_holds_more_is_none(first: str) -> None:
    free = declare_skill("free", {"only": (["c"], {"done": ["a"]})}, cost=0)
    dear = declare_skill("dear", {"only": (["c"], {"done": ["a", "b"]})}, cost=1)
    most = declare_skill("most", {"only": (["c"], {"done": ["b"]})}, cost=1)
    skills = (dear, free, most) if first == "dear" else (free, most, dear)
    catalog = declare(*(declare_fact(name, askable=False) for name in "ab"), *skills, plain="c")
    found = find_ways(compile_task(catalog, Situation(), ["a", "b"]), NATIVE, 9)
    assert {way.calls for way in found.ways} == {("dear",), ("free", "most")}


@pytest.mark.parametrize("engine", [NATIVE, OPTIMAL])
def test_a_skill_beside_others_that_reach_the_goal_at_the_same_cost_is_left_out(engine: Engine) -> None:
    both = declare_skill("both", {"only": ([], {"first": ["a"], "second": ["b"]})}, cost=0.7)
    other = declare_skill("other", {"only": ([], {"done": ["b"]})}, cost=0.7)
    catalog = declare(*(declare_fact(name, askable=False) for name in "ab"), other, both)
    found = find_ways(compile_task(catalog, Situation(), ["a", "b"]), engine, 9)
    assert [way.calls for way in found.ways] == [("both", "both")]


def test_a_way_tells_which_fact_it_takes_for_which() -> None:
    catalog = change(
        declare(declare_fact("wanted", askable=False), plain="given other"),
        mappings=(FactMapping(fact="given", stands_for="wanted"), FactMapping(fact="other", stands_for="wanted")),
    )
    found = find_ways(compile_task(catalog, Situation(known=frozenset({"given", "other"})), ["wanted"]), NATIVE, 9)
    assert {way.mappings for way in found.ways} == {(("given", "wanted"),), (("other", "wanted"),)}
    assert found.complete


def test_a_goal_that_cannot_be_reached_has_no_way_and_one_that_holds_has_an_empty_one() -> None:
    nothing = find_ways(compile_task(declare(declare_fact("a", askable=False)), Situation(), ["a"]), NATIVE)
    assert (nothing.ways, nothing.complete, nothing.note) == ((), True, "There is no way.")
    known = find_ways(compile_task(BANK, Situation(known=frozenset({"name"})), ["name"]), NATIVE)
    assert [way.plan.steps for way in known.ways] == [()]
    assert known.complete


def test_other_ways_that_were_not_asked_for_are_mentioned() -> None:
    found = find_ways(compile_task(BANK, Situation(), ["name"]), NATIVE, 2)
    assert len(found.ways) == 2
    assert not found.complete
    assert found.note.startswith("There are other ways; ")


def test_without_a_proof_none_is_claimed() -> None:
    found = find_ways(explosive_task(), NATIVE, 2)
    assert not found.proved
    assert found.note == "There are other ways; a cheaper one may exist."
    everything = replace(found, complete=True)
    assert everything.note == "There is no other way, but each of these may be gone more cheaply."
    alone = replace(everything, ways=everything.ways[:1])
    assert alone.note == "There is no other way, but this one may be gone more cheaply."
    assert replace(everything, proved=True).note == "There is no other way."
    assert replace(found, proved=True).note == "There are other ways; none of them is cheaper."


@pytest.mark.parametrize(
    ("limits", "asked", "said"),
    [(Limits(time_s=0), False, "The time for it was up."), (Limits(), True, "The search was cancelled.")],
)
def test_a_search_for_ways_that_is_cut_short_says_so(limits: Limits, asked: bool, said: str) -> None:
    found = find_ways(compile_task(BANK, Situation(), ["name"]), NATIVE, 5, limits, lambda: asked)
    assert (found.ways, found.proved, found.complete) == ((), False, False)
    assert found.note == f"{said} There may be other ways, and cheaper ones."


def test_what_was_found_before_the_search_was_cut_short_is_kept() -> None:
    asked = iter([False] * 8 + [True] * 10_000)
    found = find_ways(compile_task(BANK, Situation(), ["loan_result"]), NATIVE, 50, Limits(), lambda: next(asked))
    assert found.ways
    assert found.cut_short == "The search was cancelled."
