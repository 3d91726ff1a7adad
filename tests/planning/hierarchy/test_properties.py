"""What holds for every task, over tasks that are made up: with something hidden, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.tasks.generate import ONE_THING, Hidden, MadeUp, Shape, make_up
from catalog.model import Catalog, Skill
from catalog.model.method import Method
from dialogue.tasks.reporting.record import export_tree, reload_tree
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.engines.protocol import Engine
from planning.hierarchy.description import Activity
from planning.hierarchy.gaps import find_lacks
from planning.hierarchy.proposers import PROPOSERS
from planning.hierarchy.search import Search, SearchBounds
from planning.hierarchy.split import LEAST, MOST
from planning.hierarchy.tree import Impossible, MissingKind, Move, PlanDropped, Reopened, Tree
from planning.model import GaveUp, Limits, PlanningResult, Solved, Task
from tests.examples import examples
from tests.planning.declare import declare, declare_fact
from tests.planning.hierarchy.made_up import anything, propose_anything
from tests.planning.hierarchy.tasks import describe, made, makes, plant, replay

MADE_UP = st.builds(
    make_up,
    st.integers(0, 10_000),
    st.integers(2, 6),
    st.integers(1, 3),
    st.sampled_from(Hidden),
    st.sampled_from(Shape),
)


def run(made: MadeUp, tree: Tree, **fields: object) -> tuple[list[Move], Tree]:
    moves: list[Move] = []
    for move, after in Search(made.catalog, **fields).run(tree):  # type: ignore[arg-type]
        moves.append(move)
        tree = after
    return moves, tree


@pytest.mark.row("H9")
@pytest.mark.row("H10")
@settings(max_examples=examples(10))
@given(MADE_UP)
def test_what_is_hidden_is_what_is_missing_and_nothing_else(made: MadeUp) -> None:
    _, tree = run(made, plant(made.task, made.known))
    missing = [lack.missing for lack in find_lacks(tree)]
    assert tree.is_solved("1") is made.is_whole
    for kind, hidden in ((MissingKind.FUNCTION, made.functions), (MissingKind.INFORMATION, made.documents)):
        assert sorted(fact for one in missing if one.kind is kind for fact in one.facts) == sorted(hidden)


@pytest.mark.row("H11")
@pytest.mark.row("H13")
@settings(max_examples=examples(10))
@given(MADE_UP)
def test_supplying_what_is_missing_solves_the_task_and_loses_nothing_that_was_solved(made: MadeUp) -> None:
    _, before = run(made, plant(made.task, made.known))
    solved = [name for name in before.hypotheses if before.is_solved(name)]
    reopened = before.after(Reopened(supplied=made.documents))
    assert all(map(reopened.is_solved, solved))
    _, after = run(replace(made, catalog=made.whole), reopened)
    assert after.is_solved("1")
    assert all(map(after.is_solved, solved))
    assert all(after.hypotheses[name].plan == before.hypotheses[name].plan for name in solved)
    replay(made.whole, after)


@settings(max_examples=examples(10))
@given(MADE_UP, st.integers(0, 3))
def test_the_same_seed_gives_the_same_tree_which_reloads(made: MadeUp, seed: int) -> None:
    start = plant(made.task, made.known)
    moves, tree = run(made, start, seed=seed)
    assert run(made, start, seed=seed)[0] == moves
    assert reload_tree(export_tree(made.task, made.known, moves)).tree == tree


class OnlyShortPlans:
    """An engine that gives up on plans of more than a few steps."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._engine = ENGINES[DEFAULT_ENGINE]

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    def solve(self, task: Task, limits: Limits, cancelled: Callable[[], bool]) -> PlanningResult:
        found = self._engine.solve(task, limits, cancelled)
        if isinstance(found, Solved) and len(found.plan.steps) > self._steps:
            return GaveUp("It takes too many steps.", found.engine)
        return found


@given(
    st.builds(
        make_up,
        st.integers(0, 10_000),
        st.integers(4, 8),
        st.integers(1, 3),
        st.just(Hidden.NOTHING),
        st.sampled_from(Shape),
    )
)
def test_a_split_never_makes_a_solvable_task_unsolvable(made: MadeUp) -> None:
    """Plans of more than a few steps are too much for the planner; in stages, all of it is planned for."""
    engine: Engine = OnlyShortPlans(4)  # type: ignore[assignment]
    _, tree = run(made, plant(made.task, made.known), engine=engine)
    assert not any(isinstance(one.verdict, Impossible) for one in tree.hypotheses.values() if one.depth)
    assert find_lacks(tree) == ()
    assert tree.is_solved("1")
    replay(made.catalog, tree)


@pytest.mark.row("H3")
@pytest.mark.row("H6")
@pytest.mark.row("H8")
@settings(max_examples=examples(10))
@given(st.integers(0, 100_000))
def test_whatever_is_proposed_supplied_and_dropped_a_solved_tree_replays_and_keeps_what_it_had(seed: int) -> None:
    dice = Random(seed)
    catalog = anything(dice)
    every = list(catalog.facts)
    task = describe(" ".join(dice.sample(every, dice.randint(1, 2))), " ".join(dice.sample(every, 2)))
    bounds = SearchBounds(depth=2, attempts=2, hypotheses=60)
    search = Search(catalog, bounds, seed, proposers={"anything": propose_anything, **PROPOSERS})
    tree = plant(task)
    for _ in range(4):
        for _, after in search.run(tree):
            tree = after
        for one in tree.hypotheses.values():
            assert one.depth <= bounds.depth
            assert sum(bool(attempt.split and not attempt.split.short) for attempt in one.attempts) <= bounds.attempts
            assert one.plan is None or one.plan.holds(tree.there_at(one.id))
            splits = [attempt.split for attempt in one.attempts if attempt.taken and attempt.split]
            assert not any(split.same_as(other) for n, split in enumerate(splits) for other in splits[:n])
            assert all(LEAST <= len(split.stages) <= MOST or split.short for split in splits)
            assert all(split.adds for split in splits if split.proposer in PROPOSERS)
        if tree.is_solved("1"):
            replay(catalog, tree)
            assert find_lacks(tree) == ()
        leaves = [leaf for leaf in tree.leaves() if leaf.plan and leaf.plan.steps] if tree.is_solved("1") else []
        if leaves and dice.random() < 0.7:
            leaf = dice.choice(leaves)
            assert leaf.plan
            tree = tree.after(PlanDropped(hypothesis=leaf.id, ruled_out=dice.choice(leaf.plan.steps).name))
            assert tree.hypotheses[leaf.id].plan is None
            continue
        solved = [name for name in tree.hypotheses if tree.is_solved(name)]
        tree = tree.after(Reopened(supplied=tuple(dice.sample(every, 2))))
        assert all(map(tree.is_solved, solved))


@pytest.mark.row("H14")
@given(st.integers(2, 8), st.integers(1, 8), st.sampled_from(ONE_THING), st.booleans())
def test_what_is_missing_for_each_item_of_a_list_is_named_and_supplied(
    length: int, place: int, hide: Hidden, by_method: bool
) -> None:
    place = min(place, length)
    facts = [made(f"f{n}") for n in range(1, length + 1)]
    skills = [
        makes(f"s{n}", f"f{n - 1} x" if n == place and hide is Hidden.DOCUMENT else f"f{n - 1}", f"f{n}")
        for n in range(1, length + 1)
    ]
    lists = [declare_fact("many", list_of="f0"), made("done", list_of=f"f{length}"), made("end")]
    stages = [{"text": "All", "each": {"f0": "many"}, "results": ["done"]}, {"text": "End", "results": ["end"]}]
    bind = makes("bind", "done", "end")

    def with_skills(chosen: list[Skill]) -> Catalog:
        catalog = declare(*facts, *lists, *chosen, bind, plain="f0 x")
        method = Method.model_validate({"name": "m", "results": ["end"], "stages": stages})
        return catalog.model_copy(update={"methods": {"m": method} if by_method else {}})

    whole = with_skills(skills)
    lacking = with_skills([one for one in skills if one.name != f"s{place}"]) if hide is Hidden.SKILL else whole
    given = () if by_method else tuple(Activity.model_validate(stage) for stage in stages)
    search = Search(lacking, SearchBounds(attempts=2), activities=given)
    tree = plant(describe("end", "many"))
    for _, after in search.run(tree):
        tree = after
    expected = {Hidden.NOTHING: (), Hidden.DOCUMENT: (("x",),), Hidden.SKILL: ((f"f{place}",),)}[hide]
    assert tuple(lack.missing.facts for lack in find_lacks(tree)) == expected
    for _, after in replace(search, catalog=whole).run(tree.after(Reopened(supplied=("x",)))):
        tree = after
    assert tree.is_solved("1")
    replay(whole, tree)
