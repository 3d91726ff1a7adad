"""Instances and lists in planning: what is written out plans as what it was written out from."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.expand.expansion import expand
from catalog.load import loads
from catalog.model import Catalog, Mode, Outcome, Skill
from catalog.model.fact import Fact
from catalog.model.instances import Instances, instance_name
from planning.engines import ENGINES
from planning.model import GaveUp, Situation, Solved, StepKind
from planning.plans.solve import solve, validate
from planning.task.compilation import compile_operators, compile_task
from planning.task.index import is_solvable
from tests.strategies import catalogs, some_of

NATIVE = ENGINES["native"]


def list_name(fact: str) -> str:
    return f"list of {fact}"


def with_lists(catalog: Catalog, items: tuple[str, ...]) -> Catalog:
    """Declare lists of some facts; a list can stand for another where the items can, and nobody is asked for one."""
    lists = {
        list_name(item): Fact(
            name=list_name(item),
            list_of=item,
            is_a=next((list_name(up) for up in catalog.supertypes(item) if up != item and up in items), None),
            askable=False,
        )
        for item in items
    }
    declared = {**catalog.model_dump(), "facts": {**catalog.facts, **lists}}
    return expand(Catalog.model_validate(declared))[0]


@given(catalogs(), st.data())
def test_plans_of_catalogs_with_lists_and_instances_are_valid(catalog: Catalog, data: st.DataObject) -> None:
    names = tuple(catalog.facts)
    lists = with_lists(catalog, data.draw(some_of(names, least=1)))
    known = frozenset(data.draw(some_of(tuple(lists.facts))))
    goal = data.draw(some_of(tuple(lists.facts), least=1))
    task = compile_task(lists, Situation(known=known), goal)
    result = solve(task, NATIVE)
    assert not isinstance(result, GaveUp)
    assert isinstance(result, Solved) == is_solvable(task)
    if isinstance(result, Solved):
        validate(task, result.plan)


@st.composite
def unary_catalogs(draw: st.DrawFn) -> Catalog:
    """Draw a catalog whose skills take one thing and give some, and in which nothing can be asked for."""
    names = tuple(f"fact_{number}" for number in range(draw(st.integers(2, 8))))
    facts = {
        name: Fact(name=name, is_a=draw(st.none() | st.sampled_from(names[:k])) if k else None, askable=False)
        for k, name in enumerate(names)
    }
    skills = {}
    for number in range(draw(st.integers(1, 6))):
        outcomes = {f"o{k}": Outcome(name=f"o{k}", facts=draw(some_of(names))) for k in range(draw(st.integers(1, 2)))}
        mode = Mode(name="m", inputs=(draw(st.sampled_from(names)),), outcomes=outcomes)
        skills[f"skill_{number}"] = Skill(name=f"skill_{number}", endpoint="python:nowhere:nothing", modes={"m": mode})
    return Catalog(name="unary", facts=facts, skills=skills)


@pytest.mark.row("H14")
@given(unary_catalogs(), st.data())
def test_a_list_can_be_had_from_a_list_exactly_if_an_item_can_be_had_from_an_item(
    catalog: Catalog, data: st.DataObject
) -> None:
    names = tuple(catalog.facts)
    lists = with_lists(catalog, names)
    first, last = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    of_items = compile_task(lists, Situation(known=frozenset({first})), [last])
    of_lists = compile_task(lists, Situation(known=frozenset({list_name(first)})), [list_name(last)])
    assert is_solvable(of_lists) == is_solvable(of_items)
    result = solve(of_lists, NATIVE)
    if isinstance(result, Solved):
        assert all(step.mode is None or step.mode.startswith("m, each of list of") for step in result.plan.steps)
    mixed = compile_task(lists, Situation(known=frozenset({first})), [list_name(last)])
    assert not is_solvable(mixed)  # an item is no list


@given(catalogs(), st.data())
def test_each_instance_is_planned_for_as_the_fact_it_was_written_out_from(
    catalog: Catalog, data: st.DataObject
) -> None:
    names = tuple(catalog.facts)
    bare = catalog.model_dump() | {"goals": {}, "mappings": (), "orderings": ()}
    facts = {name: fact.model_copy(update={"askable": False}) for name, fact in catalog.facts.items()}
    single = Catalog.model_validate(bare | {"facts": facts})
    group = Instances.model_validate({"facts": names, "of": ["one", "two"]})
    double = expand(Catalog.model_validate(bare | {"facts": facts, "instances": {"thing": group}}))[0]
    known = frozenset(data.draw(some_of(names)))
    goal = data.draw(some_of(names, least=1))
    known_of_one = Situation(known=frozenset(instance_name(fact, "one") for fact in known))
    for instance, there in (("one", known), ("two", frozenset[str]())):
        written_out = compile_task(double, known_of_one, [instance_name(fact, instance) for fact in goal])
        assert is_solvable(written_out) == is_solvable(compile_task(single, Situation(known=there), goal))


PRICED = """
name: priced
facts:
  a: {}
  c: {askable: false}
  letters: {list_of: a, value: {kind: list, most: 3}}
  sounds: {list_of: c, value: {kind: list, most: 3}}
skills:
  maker:
    endpoint: python:a:b
    cost: 2
    money: 0.5
    time_s: 4
    quality: 0.5
    modes: {m: {inputs: [a], outcomes: {made: [c]}}}
"""


def test_a_mapped_call_is_counted_as_often_as_the_list_may_have_items() -> None:
    catalog = loads(PRICED).catalog
    calls = {call.mode: call for call in compile_operators(catalog) if call.kind is StepKind.SKILL}
    one, each = calls["m"], calls["m, each of letters"]
    assert (one.cost, one.amounts.money, one.amounts.time_s, one.amounts.quality) == (2, 0.5, 4, 0.5)
    assert (each.cost, each.amounts.money, each.amounts.time_s) == (6, 1.5, 12)
    assert each.amounts.quality == pytest.approx(0.125)
    situation = Situation(known=frozenset({"letters"}), budget=1.2)
    assert isinstance(solve(compile_task(catalog, replace(situation, budget=1.5), ["sounds"]), NATIVE), Solved)
    assert not isinstance(solve(compile_task(catalog, situation, ["sounds"]), NATIVE), Solved)
