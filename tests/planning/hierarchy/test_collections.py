"""Stages for each item of a list that nobody has declared: several skills stand for a function from list to list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load
from catalog.model import Catalog
from planning.hierarchy.gaps import find_lacks
from planning.hierarchy.proposers import PROPOSERS
from planning.hierarchy.split import LEAST, MOST, Split, SplitGain
from planning.hierarchy.tree import MissingKind, Reopened, Tree
from tests.planning.declare import declare, declare_fact, declare_ordering
from tests.planning.hierarchy.tasks import chain, describe, made, makes, plant, replay, search


def proposed(tree: Tree) -> list[Split]:
    """List the splits of a task that were proposed for lists."""
    return [one.split for one in tree.root.attempts if one.proposer == "collections" and one.split]


def lacking(tree: Tree) -> dict[str, MissingKind]:
    """Map what is missing to its kind."""
    return {fact: lack.missing.kind for lack in find_lacks(tree) for fact in lack.missing.facts}


# the demo

REPORTS = load("reports").catalog.model_copy(update={"methods": {}})
PACK = "board_pack board_page board_sources board_check"


@pytest.mark.row("H3")
@pytest.mark.row("H14")
@pytest.mark.parametrize(
    ("results", "inputs", "stages"),
    [
        ("monthly_figures", "ledgers", 1),
        ("quarter_figures quarter_chart", "ledgers quarter", 3),
        (PACK, "ledgers quarter budget staff_list", 7),
    ],
)
def test_reports_that_take_several_skills_for_each_ledger_need_no_method(
    results: str, inputs: str, stages: int
) -> None:
    _, tree = search(REPORTS, plant(describe(results, inputs)))
    assert tree.is_solved("1")
    split = proposed(tree)[-1]
    (each,) = (stage for stage in split.stages if stage.each)
    assert (each.each, each.facts) == ({"ledger": "ledgers"}, ("monthly_figures",))
    assert (len(split.stages), split.short, split.adds) == (stages, stages < LEAST, (SplitGain.COLLECTION,))
    replay(REPORTS, tree)


@pytest.mark.row("H9")
@pytest.mark.row("H11")
def test_lists_and_documents_that_are_missing_are_asked_for_and_not_a_function_that_gives_lists() -> None:
    _, tree = search(REPORTS, plant(describe(PACK, "ledgers quarter budget staff_list"), ["quarter", "budget"]))
    assert lacking(tree) == dict.fromkeys(("ledgers", "staff_list"), MissingKind.INFORMATION)
    _, tree = search(REPORTS, tree.after(Reopened(supplied=("ledgers", "staff_list"))))
    assert tree.is_solved("1")
    replay(REPORTS, tree)


# any catalogs


def pages(*more: object, letters: bool = False, **settings: object) -> Catalog:
    """Declare that a page is read and summed up, and what is made of all of that; letters are another kind of page."""
    parts = [
        *map(made, ["words", "gist", "pack"]),
        made("gists", list_of="gist"),
        declare_fact("page", askable=False),
        declare_fact("pages", list_of="page", value={"kind": "list", "most": 2}),
        makes("read", "page", "words"),
        makes("sum_up", "words year", "gist", money=1.0),
        makes("bind", "gists", "pack"),
    ]
    if letters:
        parts += [declare_fact("letter", askable=False), declare_fact("letters", list_of="letter")]
        parts += [makes("open", "letter stamp", "gist")]
    return declare(*parts, *more, plain="year stamp", **settings)  # type: ignore[arg-type]


@pytest.mark.row("H14")
@given(st.integers(2, 5), st.integers(0, 3), st.integers(0, 4), st.booleans(), st.booleans(), st.integers(0, 2))
def test_however_long_the_chains_are_lists_lead_to_lists_and_one_item_is_never_taken_for_another(
    length: int, before: int, after: int, twice: bool, shared: bool, noise: int
) -> None:
    """A list is made, each item goes through skills, perhaps what comes of that once more, and all is put together."""
    rows = [
        *(makes(f"b{n}", f"before{n}", f"before{n + 1}") for n in range(before)),
        makes("list_them", f"before{before}", "items"),
        *(makes(f"i{n}", f"i{n} {'x' if shared and n == 1 else ''}", f"i{n + 1}") for n in range(2 * length)),
        makes("together", "lasts" if twice else "halves", "after0"),
        *(makes(f"a{n}", f"after{n} {'halves' if twice else ''}", f"after{n + 1}") for n in range(after)),
        *(makes(f"n{n}", f"noise{n}", f"i{n + 1}") for n in range(noise)),
    ]
    facts = [
        *(made(f"before{n + 1}") for n in range(before)),
        *(made(f"i{n}") for n in range(2 * length + 1)),
        *(made(f"after{n}") for n in range(after + 1)),
        made("items", list_of="i0"),
        made("halves", list_of=f"i{length}"),
        made("lasts", list_of=f"i{2 * length}"),
        *(made(f"noise{n}") for n in range(noise)),
    ]
    catalog = declare(*facts, *rows, plain="before0 x" if before else "x")
    if not before:
        catalog = catalog.model_copy(update={"facts": {**catalog.facts, "before0": declare_fact("before0")}})
    task = describe(f"after{after}", "before0 x i0")
    _, tree = search(catalog, plant(task))
    assert tree.is_solved("1")
    assert find_lacks(tree) == ()
    replay(catalog, tree)
    split = proposed(tree)[-1]
    assert len(split.stages) <= MOST
    assert split.short is (len(split.stages) < LEAST)
    assert SplitGain.COLLECTION in split.adds


def test_what_is_missing_for_each_item_is_asked_for_once_and_another_list_is_tried_in_another_attempt() -> None:
    catalog = pages(letters=True)
    _, tree = search(catalog, plant(describe("pack", "pages letters"), ["pages", "letters"]))
    tried = [split for split in proposed(tree) if split.short]
    assert [dict(split.stages[0].each) for split in tried] == [{"page": "pages"}, {"letter": "letters"}]
    assert lacking(tree) == {"year": MissingKind.INFORMATION}
    _, tree = search(catalog, tree.after(Reopened(supplied=("year",))))
    assert tree.is_solved("1")
    replay(catalog, tree)


def test_what_is_the_same_for_all_items_or_the_item_itself_is_not_made_for_each() -> None:
    alike = declare(
        made("gist"),
        made("gists", list_of="gist"),
        made("chosen", list_of="page"),
        declare_fact("page", askable=False),
        declare_fact("pages", list_of="page"),
        makes("sum_up", "year", "gist"),
        plain="year",
    )
    for wanted in ("gists", "chosen"):
        _, tree = search(alike, plant(describe(wanted, "pages year")))
        assert proposed(tree) == []
        assert lacking(tree) == {wanted: MissingKind.FUNCTION}


def test_a_function_that_is_missing_besides_is_asked_for_and_a_list_that_no_chain_leads_to_stays_one() -> None:
    catalog = pages(made("cover"), made("book"), makes("publish", "pack cover", "book"))
    _, tree = search(catalog, plant(describe("book", "pages year")))
    assert lacking(tree) == {"cover": MissingKind.FUNCTION}
    assert proposed(tree)[-1].adds == (SplitGain.COLLECTION, SplitGain.FUNCTION)
    broken = catalog.model_copy(update={"skills": {k: v for k, v in catalog.skills.items() if k != "read"}})
    _, tree = search(broken, plant(describe("pack", "pages year")))
    assert proposed(tree) == []
    assert lacking(tree) == {"gists": MissingKind.FUNCTION}


@pytest.mark.parametrize(("budget", "solved"), [(2.0, True), (1.0, False)])
def test_what_is_done_for_each_item_takes_its_money_as_often(budget: float, solved: bool) -> None:
    catalog = pages(budget=budget)
    _, tree = search(catalog, plant(describe("pack", "pages year")))
    assert tree.is_solved("1") is solved
    if solved:
        replay(catalog, tree)


def test_consents_and_what_has_to_come_first_go_to_the_stage_that_needs_them() -> None:
    catalog = pages(
        declare_fact("key", sensitive=True),
        made("note"),
        made("sealed"),
        makes("register", "year", "note"),
        makes("close", "key pack", "sealed"),
        declare_ordering("register", "bind"),
    )
    _, tree = search(catalog, plant(describe("sealed", "pages year key")))
    assert tree.is_solved("1")
    assert [stage.facts for stage in proposed(tree)[-1].stages] == [("gists",), ("pack",), ("sealed",)]
    replay(catalog, tree)


def test_a_task_without_lists_gets_no_split_for_lists() -> None:
    _, tree = search(chain(6, without=3), plant(describe("f6")))
    assert proposed(tree) == []
    assert [one.proposer for one in tree.root.attempts if one.proposer == "collections"] == ["collections"]
    assert list(PROPOSERS) == ["given", "methods", "collections", "landmarks"]
