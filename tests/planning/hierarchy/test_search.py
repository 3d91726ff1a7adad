"""The search for a plan in stages: when it splits, what it keeps, where it ends, and how it goes on."""

from __future__ import annotations

from itertools import pairwise

import pytest

from planning.hierarchy.description import Activity
from planning.hierarchy.gaps import StageGap, find_closest, find_lacks
from planning.hierarchy.search import Search, SearchBounds
from planning.hierarchy.split import Flaw
from planning.hierarchy.tree import (
    DirectlyPlanned,
    Impossible,
    Missing,
    MissingKind,
    PlanDropped,
    Planned,
    Reopened,
    SplitAttempted,
    Tree,
)
from tests.planning.declare import declare, declare_skill
from tests.planning.hierarchy.tasks import chain, describe, made, makes, plant, replay, script, search

FIVE = [(f"Make f{n}.", [f"f{n - 1}"], [f"f{n}"]) for n in range(1, 6)]
"""A split of `chain(5)`."""
LACKING = chain(5, needing={3: "x"})
"""A chain whose third skill takes a document."""


def flaws(tree: Tree, name: str = "1") -> list[list[Flaw]]:
    return [[one.flaw for one in attempt.refusals] for attempt in tree.hypotheses[name].attempts]


@pytest.mark.row("H3")
def test_what_the_user_wants_done_comes_before_one_plan_and_never_stands_in_its_way() -> None:
    catalog = declare(*(made(f"f{n}") for n in (1, 2)), made("odd"), makes("s1", "f0", "f1"), makes("s2", "f1", "f2"),
                      plain="f0")  # fmt: skip
    wanted = [Activity(text="Begin.", results=("f1",)), Activity(text="End.", results=("f2",))]
    moves, tree = search(catalog, plant(describe("f2")), activities=wanted)
    assert [one.description.text for one in tree.leaves()] == ["Begin.", "End."]
    assert tree.root.verdict is None and len(moves) == 3
    stuck = [Activity(text="Do something odd.", inputs=("f0",), results=("odd",)), *wanted]
    _, tree = search(catalog, plant(describe("f2")), activities=stuck)
    assert tree.root.plan is not None and [leaf.id for leaf in tree.leaves()] == ["1"]
    assert tree.root.attempts[0].taken and not tree.is_solved("1.1.1")


@pytest.mark.row("H2")
def test_a_task_that_can_be_planned_in_one_piece_is_not_split() -> None:
    moves, tree = search(chain(20), plant(describe("f20")))
    assert [move.move for move in moves] == ["planned"]
    assert tree.is_solved("1")
    assert [leaf.id for leaf in tree.leaves()] == ["1"]


@pytest.mark.row("H3")
def test_splits_with_too_few_or_too_many_stages_are_retried() -> None:
    propose = script(FIVE[:4], [FIVE[0]] * 11, [*FIVE[:4], ("Make f5.", ["f4"], ["f5"])])
    _, tree = search(LACKING, plant(describe("f5")), propose, attempts=3)
    assert flaws(tree) == [[Flaw.TOO_FEW, Flaw.NO_RESULT], [Flaw.TOO_MANY, Flaw.NO_RESULT], []]


@pytest.mark.row("H3")
@pytest.mark.parametrize("attempts", [2, 5])
def test_a_split_with_few_stages_is_taken_and_marked_after_the_retries(attempts: int) -> None:
    three, four = [("Make f3.", ["f0"], ["f3"]), *FIVE[3:]], [("Make f2.", ["f0"], ["f2"]), *FIVE[2:]]
    _, tree = search(LACKING, plant(describe("f5")), script(three, four), attempts=attempts)
    refused, again, taken, *others = [attempt for attempt in tree.root.attempts if attempt.split]
    assert [len(one.split.stages) for one in (refused, again, taken) if one.split] == [3, 4, 4]
    assert [one.taken for one in (refused, again, taken)] == [False, False, True]
    assert taken.split
    assert taken.split.short
    assert all(other.split and other.split.short for other in others)
    assert len(others) == (0 if attempts == 2 else 1)


@pytest.mark.row("H4")
def test_every_stage_carries_the_full_description() -> None:
    whole = describe(
        mission="The bank grows.",
        context="It is autumn.",
        results={"f5": {"sections": ["Summary"]}},
        criteria=[{"check": "sections", "of": "f5"}, {"judge": "It reads well.", "of": "f5"}],
    )
    _, tree = search(LACKING, plant(whole), attempts=1)
    stages = [one.description for name, one in tree.hypotheses.items() if name != "1"]
    assert stages
    for stage in stages:
        assert stage.mission == "The bank grows."
        assert "Do it. It is autumn." in stage.context
        assert stage.text
        assert stage.inputs or stage.results.keys() == {"f1"}
        assert stage.results
    last = [stage for stage in stages if "f5" in stage.results]
    assert last
    assert all(stage.criteria == whole.criteria for stage in last)
    assert all(stage.results["f5"].sections == ("Summary",) for stage in last)
    assert all(not stage.criteria for stage in stages if "f5" not in stage.results)


@pytest.mark.row("H5")
def test_the_outputs_of_stages_feed_later_inputs() -> None:
    _, tree = search(chain(5, needing={3: "x"}), plant(describe("f5")), attempts=1)
    split = tree.root.attempts[-1].split
    assert split
    for earlier, later in pairwise(split.stages):
        assert set(later.inputs) & set(earlier.results)


@pytest.mark.row("H5")
def test_a_gap_between_stages_is_found() -> None:
    gap = [*FIVE[:2], ("Make f4.", ["f3"], ["f4"]), ("Make f4.", ["f4"], ["f4"]), FIVE[4]]
    _, tree = search(LACKING, plant(describe("f5")), script(gap))
    (attempt,) = [one for one in tree.root.attempts if one.split]
    assert [(one.flaw, one.stage, one.facts) for one in attempt.refusals] == [(Flaw.GAP, 3, ("f3",))]
    assert list(tree.hypotheses) == ["1"]


@pytest.mark.row("H6")
@pytest.mark.parametrize(("depth", "attempts"), [(0, 4), (1, 2), (2, 1), (3, 4)])
def test_limits_of_depth_and_attempts_hold(depth: int, attempts: int) -> None:
    _, tree = search(chain(60, needing={30: "x"}), plant(describe("f60")), depth=depth, attempts=attempts)
    assert max(one.depth for one in tree.hypotheses.values()) == depth
    for one in tree.hypotheses.values():
        assert one.depth < depth or not one.attempts
        assert sum(attempt.split is not None and not attempt.split.short for attempt in one.attempts) <= attempts
    assert [lack.missing.facts for lack in find_lacks(tree)] == [("x",)]


@pytest.mark.row("H6")
def test_the_number_of_hypotheses_and_the_time_are_limited() -> None:
    _, tree = search(chain(60, needing={30: "x"}), plant(describe("f60")), hypotheses=8)
    assert 8 <= len(tree.hypotheses) < 8 + 10
    assert list(Search(LACKING, SearchBounds(seconds=0)).run(plant(describe("f5")))) == []


@pytest.mark.row("H7")
def test_every_attempt_stays_in_the_tree_with_the_reason_it_failed() -> None:
    gap = [("Make f1.", ["f4"], ["f1"]), *FIVE[1:]]
    large = [("Make f5.", ["f0"], ["f5"]), *FIVE[:4]]
    lost = [*FIVE[:4], ("Make f1 again.", ["f0"], ["f1"])]
    unknown = [("Make it.", ["f0"], ["nothing"]), *FIVE]
    idle = [*FIVE, ("Do nothing.", ["f5"], [])]
    splits = script(gap, large, lost, unknown, idle, FIVE)
    moves, tree = search(LACKING, plant(describe("f5")), splits, attempts=6)
    assert flaws(tree)[:5] == [[Flaw.GAP], [Flaw.AS_LARGE], [Flaw.NO_RESULT], [Flaw.UNKNOWN], [Flaw.NO_RESULT]]
    attempts = [move.attempt for move in moves if isinstance(move, SplitAttempted) and move.hypothesis == "1"]
    assert tree.root.attempts == tuple(attempts)
    stuck = tree.hypotheses["1.6.3"]
    assert isinstance(stuck.verdict, Impossible)
    assert stuck.verdict.sets[0] == (Missing(kind=MissingKind.INFORMATION, facts=("x",)),)


@pytest.mark.row("H8")
def test_repeated_attempts_differ_and_a_repetition_is_refused() -> None:
    _, tree = search(LACKING, plant(describe("f5")), script(FIVE, FIVE))
    assert flaws(tree)[:2] == [[], [Flaw.REPEATED]]
    _, tree = search(chain(40, needing={20: "x"}), plant(describe("f40")))
    for one in tree.hypotheses.values():
        splits = [attempt.split for attempt in one.attempts if attempt.taken and attempt.split]
        assert not any(split.same_as(other) for n, split in enumerate(splits) for other in splits[:n])
    assert sum(attempt.taken for attempt in tree.root.attempts) == 4


@pytest.mark.row("H9")
def test_a_missing_function_is_named_by_its_inputs_and_outputs() -> None:
    _, tree = search(chain(5, without=3), plant(describe("f5")), script(FIVE))
    assert find_lacks(tree) == (
        StageGap(Missing(kind=MissingKind.FUNCTION, facts=("f3",), inputs=("f2",)), ("1.1.3",), always=True),
    )


@pytest.mark.row("H10")
def test_missing_information_is_named_with_the_stage_that_always_requires_it() -> None:
    _, tree = search(LACKING, plant(describe("f5")), script(FIVE))
    (lack,) = find_lacks(tree)
    assert lack == StageGap(Missing(kind=MissingKind.INFORMATION, facts=("x",)), ("1.1.3",), always=True)
    _, tree = search(chain(40, needing={20: "x"}), plant(describe("f40")))
    (lack,) = find_lacks(tree)
    assert lack.missing.facts == ("x",)
    assert lack.always


def test_the_split_that_comes_closest_is_the_one_that_lacks_least_or_solves() -> None:
    catalog = declare(
        *(made(f"f{n}") for n in range(1, 6)),
        made("other"),
        *(makes(f"s{n}", f"f{n - 1} {'x' if n == 3 else ''}", f"f{n}") for n in range(1, 6)),
        makes("aside", "f1 y", "other"),
        plain="f0 x y",
    )
    aside = [*FIVE[:4], ("Make more.", ["f1"], ["other"]), FIVE[4]]
    propose = script(aside, FIVE)
    start = plant(describe("f5"))
    _, tree = search(catalog, start, propose)
    assert find_closest(start, start.root) is None
    assert find_closest(tree, tree.root) == 2
    assert [lack.stages for lack in find_lacks(tree)] == [("1.2.3",)]
    _, tree = search(catalog, tree.after(Reopened(supplied=("x",))), propose)
    assert find_closest(tree, tree.root) == tree.solving("1") == 2


def test_what_could_be_done_without_is_not_always_required() -> None:
    catalog = declare(
        *(made(f"f{n}") for n in range(1, 6)),
        *(makes(f"s{n}", f"f{n - 1}", f"f{n}") for n in (1, 2, 4, 5)),
        makes("by_x", "f2 x", "f3"),
        makes("by_y", "f2 y", "f3"),
        plain="f0 x y",
    )
    _, tree = search(catalog, plant(describe("f5")), script(FIVE))
    (lack,) = find_lacks(tree)
    assert lack.missing.facts in (("x",), ("y",))
    assert not lack.always


@pytest.mark.row("H10")
def test_always_required_is_what_every_split_of_the_stage_lacks() -> None:
    facts = [made(f"f{n}") for n in range(1, 6)]
    skills = [makes(f"s{n}", f"f{n - 1} {'x' if n == 3 else ''}", f"f{n}") for n in range(1, 6)]
    skills += [makes("aside", "f1 y", "other"), makes("again", "f1 z", "third")]
    facts += [made("other"), made("third")]
    around = [("Make more.", ["f1"], ["other"]), ("And more.", ["f1"], ["third"])]
    stuck = [*FIVE[:4], around[0], FIVE[4]]
    worse = [*stuck[:3], around[1], *stuck[3:]]
    past = [FIVE[0], *around, ("Make f3.", ["other", "third"], ["f3"]), *FIVE[3:]]
    for round_about, splits, always in ((False, [stuck, worse], True), (True, [stuck, past], False)):
        ways = [makes("round_about", "other third", "f3")] if round_about else []
        catalog = declare(*facts, *skills, *ways, plain="f0 x y z")
        _, tree = search(catalog, plant(describe("f5")), script(*splits))
        (lack,) = find_lacks(tree)
        assert (lack.missing.facts, lack.stages, lack.always) == (("x",), ("1",), always)


@pytest.mark.row("H11")
@pytest.mark.row("H13")
def test_what_is_supplied_goes_into_the_same_tree_and_solved_siblings_stay() -> None:
    _, before = search(LACKING, plant(describe("f5")), script(FIVE))
    solved = {name: one for name, one in before.hypotheses.items() if before.is_solved(name)}
    assert solved.keys() == {"1.1.1", "1.1.2", "1.1.4", "1.1.5"}
    reopened = before.after(Reopened(supplied=("x",)))
    moves, after = search(LACKING, reopened, script(FIVE))
    assert [(move.move, move.hypothesis) for move in moves if isinstance(move, DirectlyPlanned)] == [
        ("planned", "1.1.3")
    ]
    assert len(moves) == 1
    assert {name: after.hypotheses[name] for name in solved} == solved
    assert [leaf.id for leaf in after.leaves()] == [f"1.1.{n}" for n in range(1, 6)]
    replay(LACKING, after)


@pytest.mark.row("H13")
def test_a_supplied_function_resumes_the_same_tree() -> None:
    lacking, whole = chain(5, without=3), chain(5)
    _, before = search(lacking, plant(describe("f5")), script(FIVE))
    moves, after = search(whole, before.after(Reopened()), script(FIVE))
    assert [move.hypothesis for move in moves if isinstance(move, DirectlyPlanned)] == ["1.1.3"]
    assert after.hypotheses.keys() == before.hypotheses.keys()
    replay(whole, after)


def test_a_search_that_was_cut_off_goes_on_where_it_was() -> None:
    catalog, start = chain(30, needing={15: "x"}), plant(describe("f30"))
    moves, whole = search(catalog, start)
    for cut in (0, 1, len(moves) // 2, len(moves) - 1):
        tree = start
        for move in moves[:cut]:
            tree = tree.after(move)
        rest, tree = search(catalog, tree)
        assert [*moves[:cut], *rest] == moves
        assert tree == whole


def test_the_same_seed_gives_the_same_tree_and_another_one_other_splits() -> None:
    catalog, start = chain(40, needing={20: "x"}), plant(describe("f40"))
    trees = [[tree for _, tree in Search(catalog, seed=seed).run(start)][-1] for seed in (1, 1, 2)]
    assert trees[0] == trees[1]
    assert trees[0] != trees[2]


def test_a_stage_that_is_stuck_is_split_again() -> None:
    catalog = chain(60, needing={30: "x"})
    moves, tree = search(catalog, plant(describe("f60")))
    assert {one.depth for one in tree.hypotheses.values()} == {0, 1, 2, 3}
    moves, tree = search(catalog, tree.after(Reopened(supplied=("x",))))
    assert len(moves) == 1
    replay(catalog, tree)


def test_stages_use_what_came_along_with_earlier_ones() -> None:
    catalog = declare(
        *map(made, ["a", "b", "c", "d", "e", "beside"]),
        makes("first", "f0", "a beside"),
        makes("second", "a", "b"),
        makes("third", "b beside x", "c"),
        makes("fourth", "c beside", "d"),
        makes("fifth", "d", "e"),
        plain="f0 x",
    )
    stages = [(f"Make {then}.", [before], [then]) for before, then in pairwise(["f0", "a", "b", "c", "d", "e"])]
    _, tree = search(catalog, plant(describe("e")), script(stages))
    assert tree.hypotheses["1.1.4"].plan == Planned(
        steps=tree.hypotheses["1.1.4"].verdict.steps,  # type: ignore[union-attr]
        uses=("beside", "c"),
    )
    _, tree = search(catalog, tree.after(Reopened(supplied=("x",))), script(stages))
    replay(catalog, tree)


def test_a_plan_that_does_not_hold_is_dropped_with_those_that_use_what_came_along_with_it() -> None:
    catalog = declare(
        *map(made, ["a", "b", "c", "d", "e", "beside"]),
        declare_skill("first", {"go": (["f0"], {"rich": ["a", "beside"], "poor": ["a"]})}),
        makes("later", "f0 a", "beside", cost=5.0),
        makes("second", "a", "b"),
        makes("third", "b x", "c"),
        makes("fourth", "c beside", "d"),
        makes("fifth", "d", "e"),
        plain="f0 x",
    )
    stages = [(f"Make {then}.", [before], [then]) for before, then in pairwise(["f0", "a", "b", "c", "d", "e"])]
    start = plant(describe("e"))
    _, tree = search(catalog, start, script(stages))
    _, tree = search(catalog, tree.after(Reopened(supplied=("x",))), script(stages))
    taken = tree.hypotheses["1.1.1"].plan
    assert taken
    assert tree.is_solved("1")
    drop = PlanDropped(hypothesis="1.1.1", ruled_out=taken.steps[0].name)
    dropped = tree.after(drop)
    rich = taken.steps[0].outcome == "rich"
    unsolved = [name for name in dropped.hypotheses if not dropped.is_solved(name)]
    assert unsolved == (["1", "1.1.1", "1.1.4"] if rich else ["1", "1.1.1"])
    _, after = search(catalog, dropped, script(stages))
    assert after.is_solved("1")
    assert all(step.name != taken.steps[0].name for leaf in after.leaves() if leaf.plan for step in leaf.plan.steps)
    replay(catalog, after)
