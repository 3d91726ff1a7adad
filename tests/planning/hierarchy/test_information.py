"""What is information, and what a function has to give: by what a catalog declares, and by what a task says."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load
from catalog.load.demo_files import DEMOS
from catalog.model import Catalog
from planning.hierarchy.description import Activity, Description
from planning.hierarchy.gaps import find_lacks
from planning.hierarchy.search import Search, SearchBounds
from planning.hierarchy.tree import Missing, MissingKind, Reopened, Tree
from tests.planning.declare import declare, declare_fact
from tests.planning.hierarchy.made_up import anything
from tests.planning.hierarchy.tasks import chain, describe, made, makes, plant, replay, script, search


def check_what_is_missing(catalog: Catalog, task: Description, tree: Tree) -> None:
    """Check that information is what the catalog lets people be asked for, or the task starts from, and no result."""
    for lack in find_lacks(tree):
        for fact in filter(catalog.facts.__contains__, lack.missing.facts):
            declared = catalog.facts[fact]
            asked = declared.askable and declared.fillable and not set(task.results) & set(catalog.supertypes(fact))
            if lack.missing.kind is MissingKind.INFORMATION:
                assert lack.missing.consent or asked or fact in task.inputs
            else:
                assert not asked
                assert fact not in task.inputs


def check_that_no_stage_goes_in_a_circle(tree: Tree) -> None:
    """Check that no stage is to give at least what a task around it is to give, from no more than that has."""
    for one in tree.hypotheses.values():
        for around in list(tree.around(one.id))[1:]:
            if not one.description.each and not around.description.each:
                larger = set(one.description.results) >= set(around.description.results)
                assert not larger or tree.known_at(one.id) - tree.known_at(around.id)


@pytest.mark.row("H9")
@pytest.mark.row("H10")
@pytest.mark.parametrize("demo", DEMOS)
def test_what_any_fact_of_a_demo_lacks_is_told_apart_by_what_people_can_be_asked_for(demo: str) -> None:
    catalog = load(DEMOS[demo]).catalog
    made = dict.fromkeys(fact for skill in catalog.skills.values() for fact in skill.gives)
    dice = Random(demo)
    for fact in dice.sample(list(made), min(len(made), 12)):
        task = describe(fact, "")
        tree = plant(task)
        for _, after in Search(catalog, SearchBounds(attempts=2)).run(tree):
            tree = after
        check_what_is_missing(catalog, task, tree)
        check_that_no_stage_goes_in_a_circle(tree)
        lacks = find_lacks(tree)
        if lacks and all(lack.missing.kind is MissingKind.INFORMATION for lack in lacks):
            given = tuple(fact for lack in lacks for fact in lack.missing.facts if not lack.missing.consent)
            _, tree = search(catalog, tree.after(Reopened(supplied=given)))
            assert tree.is_solved("1"), "with what was missing, it is solved"
            replay(catalog, tree)


@pytest.mark.row("H9")
@pytest.mark.row("H10")
@given(st.integers(0, 100_000))
def test_what_is_missing_of_anything_is_told_apart_by_what_people_can_be_asked_for(seed: int) -> None:
    dice = Random(seed)
    catalog = anything(dice)
    every = list(catalog.facts)
    task = describe(" ".join(dice.sample(every, dice.randint(1, 2))), " ".join(dice.sample(every, dice.randint(0, 2))))
    tree = plant(task, dice.sample(sorted(task.inputs), len(task.inputs) // 2))
    for _, after in Search(catalog, SearchBounds(depth=2, attempts=2, hypotheses=40), seed).run(tree):
        tree = after
    check_what_is_missing(catalog, task, tree)
    check_that_no_stage_goes_in_a_circle(tree)


def test_what_skills_can_make_is_information_where_people_can_be_asked_for_it() -> None:
    both = declare(
        *map(made, ["name", "offer"]),
        makes("by_email", "email", "account"),
        makes("by_account", "account", "email name"),
        makes("quote", "name", "offer"),
        plain="email account",
    )
    _, tree = search(both, plant(describe("offer", "")))
    (lack,) = find_lacks(tree)
    assert lack.missing.kind is MissingKind.INFORMATION
    assert set(lack.missing.facts) <= {"email", "account"}


def test_skills_that_make_one_thing_of_another_and_back_are_no_way_to_either() -> None:
    catalog = declare(
        *map(made, ["email", "account"]), makes("by_email", "email", "account"), makes("by_account", "account", "email")
    )
    _, tree = search(catalog, plant(describe("account", "")))
    assert [lack.missing.kind for lack in find_lacks(tree)] == [MissingKind.FUNCTION]
    assert not any(attempt.taken for one in tree.hypotheses.values() if one.depth for attempt in one.attempts)


def test_what_a_task_starts_from_is_information_though_nobody_would_be_asked_for_it() -> None:
    catalog = declare(declare_fact("ledger", value="table"), made("sums"), makes("add_up", "ledger", "sums"))
    assert not catalog.facts["ledger"].fillable
    for inputs, kind in (("ledger", MissingKind.INFORMATION), ("", MissingKind.FUNCTION)):
        _, tree = search(catalog, plant(describe("sums", inputs), known=()))
        (lack,) = find_lacks(tree)
        assert (lack.missing.kind, lack.missing.facts) == (kind, ("ledger",) if inputs else lack.missing.facts)


def test_what_a_task_or_an_activity_is_to_end_with_is_asked_of_nobody() -> None:
    catalog = declare(declare_fact("special", is_a="end"), makes("last", "middle", "end"), plain="start middle end")
    _, tree = search(catalog, plant(describe("end", "start")))
    assert [(one.missing.kind, one.missing.facts) for one in find_lacks(tree)] == [
        (MissingKind.INFORMATION, ("middle",))
    ]  # fmt: skip
    activities = [Activity(text="Make it.", results=("middle",)), Activity(text="End it.", results=("end",))]
    _, tree = search(catalog, plant(describe("end", "start")), activities=activities)
    assert [(one.missing.kind, one.missing.facts) for one in find_lacks(tree)] == [(MissingKind.FUNCTION, ("middle",))]


@pytest.mark.row("H10")
def test_a_stage_may_start_from_what_people_can_be_asked_for_and_not_from_what_they_cannot() -> None:
    catalog = chain(5, needing={3: "x"})
    row = [(f"Make f{n}.", [f"f{n - 1}", *(["x"] if n == 3 else [])], [f"f{n}"]) for n in range(1, 6)]
    _, tree = search(catalog, plant(describe("f5")), script(row))
    assert tree.root.attempts[0].taken
    assert [(one.missing.facts, one.stages, one.always) for one in find_lacks(tree)] == [(("x",), ("1.1.3",), True)]


@pytest.mark.parametrize(
    ("lost", "inputs"),
    [
        ("s3", ("f2", "y")),  # the skill that would give it is there: what it takes, without what cannot be had
        ("s2", ("f1",)),  # no skill gives it: what can be made, and leads to nothing else
        ("nothing", ()),
    ],
)
def test_a_missing_function_works_from_what_its_skill_would_take_or_from_what_can_be_made(
    lost: str, inputs: tuple[str, ...]
) -> None:
    catalog = declare(
        *map(made, ["f1", "f2", "f3", "f4", "x"]),
        makes("s1", "f0", "f1"),
        *([makes("s2", "f1", "f2")] if lost != "s2" else []),
        makes("s3", "f2 x y", "f3"),
        plain="f0 y",
    )
    wanted = {"s3": "f3", "s2": "f2", "nothing": "f4"}[lost]
    there = () if lost == "nothing" else ("f0", "y")
    found = Search(catalog).choose_inputs(plant(describe(wanted, " ".join(there))), _lacking(wanted), "1")
    assert found == inputs


def _lacking(fact: str, *inputs: str) -> Missing:
    return Missing(kind=MissingKind.FUNCTION, facts=(fact,), inputs=inputs)


def test_a_split_says_what_a_function_of_its_stages_works_from() -> None:
    row = [("Make f1.", ["f0"], ["f1"]), ("Make f2.", ["f1", "f0"], ["f2"])]
    _, tree = search(catalog := chain(2, without=2), plant(describe("f2")), script(row))
    stages = {one.description.text: one.id for one in tree.hypotheses.values()}
    made_from = Search(catalog).choose_inputs(tree, _lacking("f2", "f1", "f0"), stages["Make f2."])
    assert made_from == ("f1", "f0")
    assert Search(catalog).choose_inputs(tree, _lacking("f2", "f0"), "1") == ("f1",)
