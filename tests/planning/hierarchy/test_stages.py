"""Stages: those that are done for each item of a list, and what one stage has from those before it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from catalog.model import Catalog
from catalog.model.method import Method
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.hierarchy.description import Activity
from planning.hierarchy.gaps import find_lacks
from planning.hierarchy.proposers import PROPOSERS, SplitOccasion
from planning.hierarchy.search import Search, SearchBounds
from planning.hierarchy.split import Flaw, Split, SplitGain, find_flaws
from planning.hierarchy.tree import Impossible, MissingKind, PlanDropped, Planned, Reopened, Tree, Undecided
from planning.model import Limits, StepKind, operator_name
from tests.planning.declare import declare, declare_fact, declare_mapping, declare_ordering, declare_skill
from tests.planning.hierarchy.simulator import Simulator
from tests.planning.hierarchy.tasks import chain, describe, made, makes, plant, replay, script, search

LETTERS = ["a", "b", "c", "d", "e"]


def in_a_row(*before: str) -> list[tuple[str, list[str], list[str]]]:
    """Describe five stages, each from what the one before ends with."""
    return [(f"Make {then}.", [first], [then]) for first, then in pairwise(["f0", *LETTERS])]


# for each item of a list

BY_ITEM = declare(
    declare_fact("page", value="text"),
    declare_fact("pages", list_of="page"),
    made("words"),
    made("words_of_all", list_of="words"),
    made("note"),
    made("gist"),
    made("gists", list_of="gist"),
    made("pack"),
    declare_skill("read", {"one": (["page"], {"done": ["words"]})}),
    declare_skill("jot", {"one": (["words"], {"done": ["note"]})}),
    declare_skill("sum_up", {"one": (["note", "year"], {"done": ["gist"]})}),
    declare_skill("bind", {"all": (["gists"], {"done": ["pack"]})}),
    plain="year letter",
)
PAGE_BY_PAGE = [
    Activity(text="Sum up", each={"page": "pages"}, results=("gists",)),
    Activity(text="Bind", results=("pack",)),
]


@pytest.mark.row("H14")
def test_a_stage_is_done_for_each_item_of_a_list_and_what_is_known_of_items_stays_inside() -> None:
    task = describe("pack", "pages year")
    _, tree = search(BY_ITEM, plant(task), activities=PAGE_BY_PAGE)
    assert tree.is_solved("1")
    first, then = (leaf.plan for leaf in tree.leaves())
    assert first
    assert then
    assert [step.subject for step in first.steps] == ["read", "jot", "sum_up"]
    assert set(first.uses) == {"page", "year"}
    assert tree.known_at("1.1.1") == {"page", "year"}
    assert tree.gives("1.1.1") == {"gists"}
    assert tree.known_at("1.1.2") == {"pages", "year", "gists"}
    assert [step.subject for step in then.steps] == ["bind"]
    assert tree.root.attempts[0].split
    assert tree.root.attempts[0].split.adds == (SplitGain.COLLECTION,)


@pytest.mark.row("H14")
def test_what_was_made_of_one_item_before_is_not_taken_for_what_each_item_gives() -> None:
    task = describe("pack", "pages year page")
    one_first = [Activity(text="Read one", results=("note",)), *PAGE_BY_PAGE]
    _, tree = search(BY_ITEM, plant(task), activities=one_first)
    plan = tree.hypotheses["1.1.2"].plan
    assert plan
    assert [step.subject for step in plan.steps] == ["read", "jot", "sum_up"]
    assert "note" not in tree.known_at("1.1.2")


@pytest.mark.row("H14")
def test_stages_within_a_stage_for_each_item_are_about_the_item() -> None:
    task = describe("pack", "pages")
    _, tree = search(BY_ITEM, plant(task), activities=PAGE_BY_PAGE)
    (lack,) = find_lacks(tree)
    assert lack.missing.facts == ("year",)
    inner = [one for name, one in tree.hypotheses.items() if name.startswith("1.1.1.")]
    assert inner
    assert all(tree.known_at(one.id) >= {"page"} for one in inner)
    assert not any(tree.known_at(one.id) & {"pages", "gists"} for one in inner)


@pytest.mark.row("H14")
@pytest.mark.parametrize(
    ("each", "inputs", "results"),
    [
        ({"page": "year"}, [], ["gists"]),
        ({"year": "pages"}, [], ["gists"]),
        ({"letter": "pages"}, [], ["gists"]),
        ({"page": "pages"}, [], ["gist"]),
        ({"page": "pages"}, ["gist"], ["gists"]),
        ({"page": "pages"}, ["page"], ["gists"]),
    ],
)
def test_lists_and_items_that_do_not_match_are_refused(
    each: dict[str, str], inputs: list[str], results: list[str]
) -> None:
    task = describe("pack", "pages year page gist")
    occasion = SplitOccasion(catalog=BY_ITEM, description=task, known=frozenset(task.inputs))
    stages = (
        occasion.describe_stage("Sum up", inputs, tuple(results), each),
        occasion.describe_stage("Bind", ["gists"] if "gists" in results else [], ("pack",)),
    )
    split = Split(proposer="x", stages=stages, short=True)
    found = find_flaws(BY_ITEM, task, occasion.known, split)[0]
    assert (found.flaw, found.stage, found.facts) == (Flaw.NO_LIST, 1, tuple(results))


@pytest.mark.row("H14")
def test_the_items_of_a_list_may_be_more_special_than_what_is_asked_for_and_not_more_general() -> None:
    catalog = declare(
        declare_fact("page"),
        declare_fact("letter", is_a="page"),
        declare_fact("pages", list_of="page"),
        declare_fact("letters", list_of="letter"),
        made("gist"),
        made("gists", list_of="gist"),
        makes("sum_up", "page", "gist"),
    )
    task = describe("gists", "letters pages")
    known = frozenset(task.inputs)
    occasion = SplitOccasion(catalog=catalog, description=task, known=known)
    for each, fits in (({"page": "letters"}, True), ({"letter": "letters"}, True), ({"letter": "pages"}, False)):
        stage = occasion.describe_stage("Sum up", [], ("gists",), each)
        assert (find_flaws(catalog, task, known, Split(proposer="x", stages=(stage,), short=True)) == ()) is fits


def test_a_list_that_nobody_has_is_a_gap() -> None:
    task = describe("gists", "year")
    occasion = SplitOccasion(catalog=BY_ITEM, description=task, known=frozenset(task.inputs))
    stage = occasion.describe_stage("Sum up", ["year"], ("gists",), {"page": "pages"})
    (flaw,) = find_flaws(BY_ITEM, task, occasion.known, Split(proposer="x", stages=(stage,), short=True))
    assert (flaw.flaw, flaw.stage, flaw.facts) == (Flaw.GAP, 1, ("pages",))


# from one stage to the next


def test_facts_stand_in_for_what_stages_start_from_and_end_with_by_type_and_by_mapping() -> None:
    catalog = declare(
        *map(made, ["a", "b", "c", "d", "e"]),
        made("fine_e", is_a="e"),
        made("alias"),
        declare_fact("special", is_a="f0"),
        makes("first", "f0", "a"),
        makes("second", "alias", "b"),
        makes("third", "b x", "c"),
        makes("fourth", "c", "d"),
        makes("fifth", "d", "fine_e"),
        declare_mapping("a", "alias"),
        plain="f0 x",
    )
    stages = in_a_row()
    stages[1] = ("Make b.", ["alias"], ["b"])
    stages[4] = ("Make e.", ["d"], ["fine_e"])
    _, tree = search(catalog, plant(describe("e", "special")), script(stages))
    assert tree.root.attempts[0].refusals == ()
    _, tree = search(catalog, tree.after(Reopened(supplied=("x",))), script(stages))
    assert tree.is_solved("1")
    replay(catalog, tree)


def with_consents(**fields: object) -> Catalog:
    return declare(
        *map(made, LETTERS),
        declare_fact("secret", sensitive=True),
        makes("first", "f0 secret", "a", **fields),
        declare_skill("check", {"go": (["f0"], {"done": []})}),
        makes("second", "a secret", "b"),
        declare_skill("third", {"go": (["b", "x"], {"done": ["c"]}), "other": (["b", "secret"], {"done": ["b2"]})}),
        makes("fourth", "c", "d"),
        declare_skill("last", {"go": (["d"], {"done": ["e"]}), "again": (["d", "secret"], {"done": ["e2"]})}),
        makes("fifth", "d secret", "e3"),
        made("b2"),
        made("e2"),
        made("e3"),
        declare_ordering("check", "second"),
        declare_ordering("check", "fourth"),
        plain="f0 x",
    )


def test_consents_and_skills_that_were_carried_out_in_one_stage_count_in_later_ones() -> None:
    catalog = with_consents()
    stages = [*in_a_row()[:4], ("Make e.", ["d"], ["e", "e2"])]
    start = plant(describe("e e2", "f0 secret"))
    _, tree = search(catalog, start, script(stages))
    _, tree = search(catalog, tree.after(Reopened(supplied=("x",))), script(stages))
    assert tree.is_solved("1")
    plans = [leaf.plan for leaf in tree.leaves()]
    steps = [step.name for plan in plans if plan for step in plan.steps]
    assert sum(name.startswith(operator_name(StepKind.SKILL, "check")) for name in steps) == 1
    assert len(set(steps)) == len(steps)
    assert plans[1]
    assert plans[3]
    assert "check" in plans[1].done
    assert plans[3].relies_on_done == ("check",)
    replay(catalog, tree)


def test_a_plan_that_relies_on_a_consent_or_a_call_of_a_dropped_one_is_dropped_with_it() -> None:
    catalog = with_consents()
    stages = in_a_row()
    _, tree = search(catalog, plant(describe("e", "f0 secret")), script(stages))
    _, tree = search(catalog, tree.after(Reopened(supplied=("x",))), script(stages))
    dropped = tree.after(PlanDropped(hypothesis="1.1.2", ruled_out=operator_name(StepKind.SKILL, "nothing", "a", "b")))
    assert [name for name in dropped.hypotheses if not dropped.is_solved(name)] == ["1", "1.1.2", "1.1.4"]
    _, after = search(catalog, dropped, script(stages))
    assert after.is_solved("1")
    replay(catalog, after)


def test_a_consent_that_was_declined_is_information_that_is_missing() -> None:
    catalog = declare(
        made("a"), declare_fact("secret", sensitive=True), makes("first", "f0 secret", "a"), plain="f0"
    )  # fmt: skip
    start = plant(describe("a", "f0 secret"))
    _, tree = search(catalog, start)
    refused = next(step.name for step in tree.root.plan.steps if step.kind is StepKind.AUTHORIZE)  # type: ignore[union-attr]
    _, tree = search(catalog, tree.after(PlanDropped(hypothesis="1", ruled_out=refused)))
    (lack,) = find_lacks(tree)
    assert (lack.missing.kind, lack.missing.facts, lack.missing.consent) == (MissingKind.INFORMATION, ("secret",), True)


def test_a_skill_that_has_to_be_carried_out_and_never_can_is_a_missing_function() -> None:
    catalog = declare(
        made("a"),
        made("never"),
        makes("check", "never", "a2"),
        made("a2"),
        makes("first", "f0", "a"),
        declare_ordering("check", "first"),
        plain="f0",
    )
    _, tree = search(catalog, plant(describe("a")))
    assert [lack.missing.kind for lack in find_lacks(tree)] == [MissingKind.FUNCTION]


# money


def priced(budget: float) -> Catalog:
    return declare(
        *map(made, LETTERS),
        *(makes(f"to_{then}", f"{first} {'x' if then == 'c' else ''}", then, money=1.0)
          for first, then in pairwise(["f0", *LETTERS])),
        plain="f0 x",
        budget=budget,
    )  # fmt: skip


def test_stages_together_keep_to_the_budget() -> None:
    stages = in_a_row()
    for budget, solved in ((5.0, True), (4.0, False)):
        catalog = priced(budget)
        _, tree = search(catalog, plant(describe("e")), script(stages), attempts=1)
        _, tree = search(catalog, tree.after(Reopened(supplied=("x",))), script(stages), attempts=1)
        assert tree.is_solved("1") is solved
        verdict = tree.root.verdict
        assert solved or (isinstance(verdict, Impossible) and verdict.over_budget == 5.0)
        if solved:
            replay(catalog, tree)
            assert [tree.there_at(leaf.id).spent for leaf in tree.leaves()] == [0, 1, 2, 3, 4]
        else:
            assert find_lacks(tree) == ()


def test_a_dearer_plan_in_place_of_a_dropped_one_leaves_less_for_later_stages() -> None:
    catalog = declare(
        *map(made, LETTERS),
        declare_skill("cheap", {"go": (["f0"], {"done": ["a"], "failed": []})}, money=1.0),
        makes("dear", "f0", "a", money=3.0, cost=9.0),
        *(makes(f"to_{then}", f"{first} {'x' if then == 'c' else ''}", then, money=1.0)
          for first, then in pairwise(LETTERS)),
        plain="f0 x",
        budget=6.0,
    )  # fmt: skip
    stages = in_a_row()
    _, tree = search(catalog, plant(describe("e")), script(stages), attempts=1)
    _, tree = search(catalog, tree.after(Reopened(supplied=("x",))), script(stages), attempts=1)
    assert tree.is_solved("1")
    cheap = next(leaf.plan.steps[0].name for leaf in tree.leaves() if leaf.plan)
    _, tree = search(catalog, tree.after(PlanDropped(hypothesis="1.1.1", ruled_out=cheap)), script(stages), attempts=1)
    assert [name for name in tree.hypotheses if not tree.is_solved(name)] == ["1", "1.1.5"]
    verdict = tree.hypotheses["1.1.5"].verdict
    assert isinstance(verdict, Impossible)
    assert verdict.over_budget == 1.0


# methods


def with_methods(**methods: object) -> Catalog:
    declared = {name: Method.model_validate({"name": name, **dict(given)}) for name, given in methods.items()}  # type: ignore[call-overload]
    return chain(8, needing={5: "x"}).model_copy(update={"methods": declared})


def stages_to(*results: str) -> list[dict[str, object]]:
    return [{"text": f"Make {one}.", "results": [one]} for one in results]


def test_methods_of_the_catalog_are_tried_in_turn_where_they_serve_and_not_within_themselves() -> None:
    catalog = with_methods(
        other={"results": ["f3"], "stages": stages_to("f3")},
        unmet={"results": ["f8"], "given": ["f7"], "stages": stages_to("f8")},
        two={"results": ["f8"], "stages": stages_to("f4", "f8")},
        six={"results": ["f8"], "given": ["f0"], "stages": stages_to("f1", "f2", "f3", "f4", "f6", "f8")},
    )
    _, tree = search(catalog, plant(describe("f8")), PROPOSERS["methods"], attempts=3)
    splits = [(one.split.name, one.split.short, one.taken) for one in tree.root.attempts if one.split]
    assert splits == [("two", False, False), ("six", False, True), ("two", True, True)]
    assert all(one.split.adds == (SplitGain.METHOD,) for one in tree.root.attempts if one.split)
    inside = tree.hypotheses["1.3.2"] if "1.3.2" in tree.hypotheses else tree.hypotheses["1.4.2"]
    assert {attempt.split.name for attempt in inside.attempts if attempt.split} <= {"six"}
    whole = tree.after(Reopened(supplied=("x",)))
    _, tree = search(catalog, whole, PROPOSERS["methods"], attempts=3)
    replay(catalog, tree)


@pytest.mark.row("H14")
def test_within_a_stage_for_each_item_methods_are_those_for_what_one_item_gives() -> None:
    declared = {
        name: Method.model_validate({"name": name, "results": [result], "given": ["page"], "stages": stages})
        for name, result, stages in (
            ("one", "gist", stages_to("words", "note", "gist")),
            ("all", "gists", stages_to("gists")),
        )
    }
    catalog = BY_ITEM.model_copy(update={"methods": declared})
    _, tree = search(catalog, plant(describe("pack", "pages")), activities=PAGE_BY_PAGE)
    splits = [attempt.split for attempt in tree.hypotheses["1.1.1"].attempts if attempt.split]
    assert {split.name for split in splits} == {"one", ""}
    _, tree = search(catalog, tree.after(Reopened(supplied=("year",))), activities=PAGE_BY_PAGE)
    assert tree.is_solved("1")
    replay(catalog, tree)


def test_a_task_without_results_is_no_business_of_methods() -> None:
    catalog = with_methods(any={"results": ["f8"], "stages": stages_to("f8")})
    assert PROPOSERS["methods"](SplitOccasion(catalog, describe(""), frozenset({"f0"}))) is None


# what comes of a search that ends without a plan


class GivingUp:
    """An engine that gives up on everything."""

    def __getattr__(self, name: str) -> object:
        return getattr(ENGINES[DEFAULT_ENGINE], name)

    def solve(self, task: object, limits: Limits, cancelled: object) -> object:
        from planning.model import GaveUp

        return GaveUp("I do not want to.", "lazy")


def test_where_planning_gave_up_nothing_is_said_to_be_missing() -> None:
    tree = plant(describe("f5"))
    for _, after in Search(chain(5), SearchBounds(attempts=1, depth=1), engine=GivingUp()).run(tree):  # type: ignore[arg-type]
        tree = after
    assert tree.root.verdict == Undecided(reason="I do not want to.")
    assert find_lacks(tree) == ()
    assert all(isinstance(one.verdict, Undecided) for one in tree.hypotheses.values())
    assert len(tree.hypotheses) == 6


def test_landmarks_are_of_no_help_where_there_is_no_way_even_with_what_is_missing() -> None:
    catalog = declare(made("a"), declare_fact("secret", sensitive=True), makes("s", "f0 secret", "a"), plain="f0")
    _, tree = search(catalog, plant(describe("a", "f0 secret")))
    refused = next(step.name for step in tree.root.plan.steps if step.kind is StepKind.AUTHORIZE)  # type: ignore[union-attr]
    _, tree = search(catalog, tree.after(PlanDropped(hypothesis="1", ruled_out=refused)), PROPOSERS["landmarks"])
    assert [attempt.split for attempt in tree.root.attempts] == [None]
    assert isinstance(tree.root.verdict, Impossible)


def test_a_plan_is_remembered_for_another_stage_with_the_same_results() -> None:
    lacking = chain(5, needing={3: "x"})
    row = [(f"Make f{n}.", [f"f{n - 1}"], [f"f{n}"]) for n in range(1, 6)]
    again = [*row[:3], ("Make f4.", ["f3", "f0"], ["f4"]), row[4]]
    _, tree = search(lacking, plant(describe("f5")), script(row, again))
    assert tree.hypotheses["1.2.4"].verdict is tree.hypotheses["1.1.4"].verdict
    assert isinstance(tree.hypotheses["1.2.4"].verdict, Planned)
    assert Tree.of(describe("f5"), frozenset()).known_at("1") == frozenset()


def test_a_plan_is_not_remembered_where_it_would_do_again_what_is_done() -> None:
    lacking = chain(5, needing={5: "x"})
    row = [(f"Make f{n}.", [f"f{n - 1}"], [f"f{n}"]) for n in range(1, 6)]
    whole = [("Make f3.", ["f0"], ["f3"]), *((f"Make f{n}.", ["f0"], [f"f{n}"]) for n in (2, 1)), *row[3:]]
    _, tree = search(lacking, plant(describe("f5")), script(whole, row))
    first, again = tree.hypotheses["1.1.1"].plan, tree.hypotheses["1.2.3"].plan
    assert first
    assert again
    assert [step.subject for step in first.steps] == ["s1", "s2", "s3"]
    assert [step.subject for step in again.steps] == ["s3"]


# money and consent for each item


def priced_by_item(budget: float | None, **fields: object) -> Catalog:
    return declare(
        declare_fact("page"),
        declare_fact("pages", list_of="page", value={"kind": "list", "most": 4}),
        made("words"),
        made("all_words", list_of="words"),
        made("lines"),
        made("all_lines", list_of="lines"),
        made("pack"),
        makes("read", "page", "words", money=1.0, **fields),
        makes("spell", "words", "lines", money=0.5),
        makes("bind", "all_words all_lines", "pack", money=2.0),
        budget=budget,
    )


TWICE = [
    Activity(text="Read", each={"page": "pages"}, results=("all_words",)),
    Activity(text="Spell", each={"page": "pages"}, results=("all_lines",)),
    Activity(text="Bind", results=("pack",)),
]


@pytest.mark.row("H14")
def test_what_is_done_for_each_item_costs_as_often_as_the_list_may_be_long() -> None:
    task = describe("pack", "pages")
    for budget, solved in ((12.0, True), (11.9, False), (5.0, False), (3.9, False), (None, True)):
        catalog = priced_by_item(budget)
        _, tree = search(catalog, plant(task), activities=TWICE)
        assert tree.is_solved("1") is solved
        if solved:
            assert [leaf.plan.money for leaf in tree.leaves() if leaf.plan] == [4.0, 6.0, 2.0]
            assert [tree.there_at(leaf.id).spent for leaf in tree.leaves()] == [0.0, 4.0, 10.0]
            replay(catalog, tree)
        else:
            verdicts = [one.verdict for one in tree.hypotheses.values() if not one.plan and one.depth == 1]
            dear = [one.over_budget for one in verdicts if isinstance(one, Impossible) and one.over_budget]
            assert dear == {11.9: [2.0], 5.0: [6.0, 2.0], 3.9: [4.0, 6.0]}[budget or 0.0]


def test_a_plan_for_each_item_is_not_remembered_for_once() -> None:
    task = describe("pack words lines", "pages page")
    activities = [*TWICE, Activity(text="Read one", results=("words", "lines"))]
    _, tree = search(priced_by_item(20.0), plant(task), activities=activities)
    assert tree.is_solved("1")
    assert [leaf.plan.money for leaf in tree.leaves() if leaf.plan] == [4.0, 6.0, 2.0, 1.5]


@pytest.mark.parametrize("items", [0, 1, 3])
@pytest.mark.parametrize("per_fact", [False, True])
def test_consent_within_stages_for_each_item_is_part_of_the_plan_and_counts_for_nothing_outside(
    items: int, per_fact: bool
) -> None:
    catalog = declare(
        declare_fact("page", sensitive=True),
        declare_fact("pages", list_of="page"),
        made("words"),
        made("all_words", list_of="words"),
        made("pack"),
        makes("read", "page", "words", effect="idempotent"),
        makes("bind", "all_words page", "pack"),
        per_fact=per_fact,
    )
    activities = [Activity(text="Read", each={"page": "pages"}, results=("all_words",)), *TWICE[2:]]
    _, tree = search(catalog, plant(describe("pack", "pages page")), activities=activities)
    assert tree.is_solved("1")
    first, last = (leaf.plan for leaf in tree.leaves())
    assert first
    assert last
    assert first.consents == (("page",) if per_fact else ("read",))
    assert last.consents == (("page",) if per_fact else ("bind",))
    simulated = Simulator(catalog, tree, items)
    simulated.run()
    assert len(simulated.asked) == len(set(simulated.asked))
