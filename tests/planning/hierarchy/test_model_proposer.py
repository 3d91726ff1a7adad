"""Splits that come from a language model: asked for when nothing else helped, never trusted, and never in the way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.tasks.generate import MadeUp
from catalog.load import loads
from catalog.load.overlay import overlay
from catalog.model import Catalog
from dialogue.tasks.reporting.record import export_tree, reload_tree
from planning.hierarchy.gaps import find_lacks
from planning.hierarchy.proposers import MODEL, NoSplit, Propose, SplitOccasion
from planning.hierarchy.proposers.landmarks import propose_at_landmarks
from planning.hierarchy.search import Search, SearchBounds
from planning.hierarchy.split import Flaw, Split
from planning.hierarchy.tree import MissingKind, Move, Reopened, Tree
from tests.examples import examples
from tests.planning.declare import declare
from tests.planning.hierarchy.tasks import Stage, chain, describe, made, makes, plant, replay
from tests.planning.hierarchy.test_properties import MADE_UP

Said = list[Stage] | NoSplit | int | None
"""Stages, what went wrong, nothing, or another cut at landmarks, with a stage that nobody asked for."""


def saying(*said: Said, facts: dict[str, str] | None = None) -> Propose:
    """Propose the same for the task itself, attempt by attempt, the last again and again; nothing for its stages."""

    def propose(occasion: SplitOccasion) -> Split | NoSplit | None:
        if occasion.hypothesis != "1" or not said:
            return None
        told = said[min(occasion.number, len(said)) - 1]
        if isinstance(told, int):
            cut = propose_at_landmarks(replace(occasion, seed=f"{told}"))
            more = occasion.describe_stage("Look.", occasion.known, ("new",))
            last = occasion.describe_stage("Finish.", ["new"], occasion.description.facts)
            return cut and Split(proposer=MODEL, stages=(*cut.stages[:8], more, last), facts=facts or {})
        if not isinstance(told, list):
            return told
        stages = tuple(occasion.describe_stage(text, inputs, tuple(results)) for text, inputs, results in told)
        return Split(proposer=MODEL, stages=stages, facts=facts or {})

    return propose


def run(catalog: Catalog, tree: Tree, model: Propose | None, **bounds: Any) -> tuple[list[Move], Tree]:
    moves: list[Move] = []
    for move, after in Search(catalog, replace(SearchBounds(), **bounds), model=model).run(tree):
        moves.append(move)
        tree = after
    return moves, tree


def asked(tree: Tree) -> int:
    return sum(one.proposer == MODEL for hypothesis in tree.hypotheses.values() for one in hypothesis.attempts)


def flaws(tree: Tree) -> list[set[Flaw]]:
    return [{one.flaw for one in a.refusals} for a in tree.root.attempts if a.proposer == MODEL]


LACKING = chain(5, needing={3: "x"})
FIVE: list[Stage] = [(f"Make f{n}.", [f"f{n - 1}"], [f"f{n}"]) for n in range(1, 6)]

PAPER = """
name: paper
facts:
  notes: {description: Notes of the talks.}
  outline: {askable: false, fillable: false}
  text: {askable: false, fillable: false}
  review: {askable: false, fillable: false}
skills:
  sort_notes: {endpoint: "python:paper:a", modes: {go: {inputs: [notes], outcomes: {done: [outline]}}}}
"""
SORT: Stage = ("Sort the notes.", ["notes"], ["outline"])
NEW: list[Stage] = [
    SORT,
    ("Write it.", ["outline"], ["first_draft"]),
    ("Read it again.", ["first_draft"], ["remarks"]),
    ("Mend it.", ["first_draft", "remarks"], ["text"]),
    ("Sort the notes once more.", ["notes"], ["outline"]),
]
INTRODUCED = {"first_draft": "the text as it is first written", "remarks": "what is to be mended"}


def test_a_model_is_asked_only_where_nothing_else_found_a_way() -> None:
    _, solved = run(chain(20), plant(describe("f20")), saying(FIVE))
    assert asked(solved) == 0
    without, _ = run(LACKING, plant(describe("f5")), None)
    moves, tree = run(LACKING, plant(describe("f5")), saying(NoSplit("no")), attempts=4)
    assert moves[: len(without)] == without
    assert sum(one.proposer == MODEL for one in tree.root.attempts) == 4


def test_what_the_others_would_have_proposed_is_refused_as_a_repetition() -> None:
    _, tree = run(LACKING, plant(describe("f5")), saying(FIVE))
    assert all(Flaw.REPEATED in found for found in flaws(tree)) or flaws(tree)[0] == set()
    _, other = run(chain(2, needing={1: "x"}), plant(describe("f2")), saying([("Do it.", ["f0"], ["f2"])]))
    assert flaws(other)[1:]
    assert all(Flaw.REPEATED in found for found in flaws(other)[1:])


@pytest.mark.row("H9")
def test_stages_that_no_skill_serves_become_requested_functions_with_inputs_and_outputs() -> None:
    """What they hand to each other the catalog need not have; the skill that is supplied declares it."""
    base = loads(PAPER)
    task = describe("text", "notes")
    _, tree = run(base.catalog, plant(task), saying(NEW, facts=INTRODUCED))
    lacks = find_lacks(tree)
    assert [(lack.missing.kind, lack.missing.inputs, lack.missing.facts) for lack in lacks] == [
        (MissingKind.FUNCTION, ("outline",), ("first_draft",)),
        (MissingKind.FUNCTION, ("first_draft",), ("remarks",)),
        (MissingKind.FUNCTION, ("first_draft", "remarks"), ("text",)),
    ]
    supplied = """
facts: {first_draft: {askable: false, fillable: false}, remarks: {askable: false, fillable: false}}
skills:
  write: {endpoint: "python:paper:b", modes: {go: {inputs: [outline], outcomes: {done: [first_draft]}}}}
  read: {endpoint: "python:paper:c", modes: {go: {inputs: [first_draft], outcomes: {done: [remarks]}}}}
  mend: {endpoint: "python:paper:d", modes: {go: {inputs: [first_draft, remarks], outcomes: {done: [text]}}}}
"""
    whole = overlay(base, supplied, allowed=None).catalog
    _, after = run(whole, tree.after(Reopened()), saying(NEW, facts=INTRODUCED))
    assert after.is_solved("1")
    replay(whole, after)


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"first_draft": "a draft", "Remarks<b>": "markup"},
        {"first_draft": "a draft", "remarks": "remarks", "TEXT": "as the catalog has it"},
    ],
)
def test_facts_that_are_no_plain_new_names_of_something_handed_on_are_unknown(facts: dict[str, str]) -> None:
    stages = [tuple([one.replace("remarks", "Remarks<b>") for one in part] if isinstance(part, list) else part
                    for part in stage) for stage in NEW] if "Remarks<b>" in facts else NEW  # fmt: skip
    extra: Stage = ("Shout.", ["outline"], ["TEXT"])
    _, tree = run(loads(PAPER).catalog, plant(describe("text", "notes")), saying([*stages, extra], facts=facts))
    first = next(a for a in tree.root.attempts if a.proposer == MODEL)
    assert Flaw.UNKNOWN in {one.flaw for one in first.refusals}
    assert first.split
    assert set(first.split.facts) <= {"first_draft", "remarks"}


@pytest.mark.parametrize(
    ("said", "flaw"),
    [
        ([], Flaw.TOO_FEW),
        (FIVE[:3], Flaw.TOO_FEW),
        (FIVE * 8, Flaw.TOO_MANY),
        ([*FIVE[:4], ("All of it.", ["f0"], ["f5"])], None),
        ([("All of it.", ["f0"], ["f5"]), *FIVE[:4]], Flaw.AS_LARGE),
        ([("Make f1.", ["f2"], ["f1"]), ("Make f2.", ["f1"], ["f2"]), *FIVE[2:]], Flaw.GAP),
        ([*FIVE[:4], ("Make f5.", ["s5"], ["f5"])], Flaw.UNKNOWN),
        ([*FIVE[:4], ("Nothing.", ["f4"], [])], Flaw.NO_RESULT),
    ],
)
@pytest.mark.row("H7")
def test_what_is_wrong_with_a_split_is_on_record_and_asking_ends(said: list[Stage], flaw: Flaw | None) -> None:
    _, tree = run(LACKING, plant(describe("f5")), saying(said))
    assert (flaw in flaws(tree)[0]) if flaw else not flaws(tree)[0]
    assert asked(tree) <= 6
    (lack,) = find_lacks(tree)
    assert lack.missing.facts == ("x",)


def test_nobody_is_asked_again_before_something_is_supplied_where_nobody_could_be_asked() -> None:
    _, tree = run(LACKING, plant(describe("f5")), saying(NoSplit("no server", unheard=True)))
    (attempt,) = [a for a in tree.root.attempts if a.proposer == MODEL]
    assert (attempt.trouble, attempt.unheard) == ("no server", True)
    _, again = run(LACKING, tree.after(Reopened()), saying(NoSplit("no server", unheard=True)))
    assert asked(again) == 2


def test_a_split_with_few_stages_is_taken_from_a_model_only_when_it_has_no_other() -> None:
    catalog = declare(made("a"), made("b"), makes("s", "f0", "a"), plain="f0")
    few: list[Stage] = [("Make a.", ["f0"], ["a"]), ("Make b.", ["a"], ["b"])]
    _, tree = run(catalog, plant(describe("b")), saying(few))
    taken = [a for a in tree.root.attempts if a.taken]
    assert [a.split.short for a in taken if a.split] == [True]
    assert taken[0] is tree.root.attempts[-1]
    (lack,) = find_lacks(tree)
    assert (lack.missing.inputs, lack.missing.facts) == (("a",), ("b",))


def test_stages_of_a_model_are_split_by_it_once_each() -> None:
    def propose(occasion: SplitOccasion) -> Split | None:
        stages = (occasion.describe_stage(f"Part {n}.", ["f0"], (f"f{n}",)) for n in range(1, 6))
        return Split(proposer=MODEL, stages=tuple(stages)) if occasion.hypothesis == "1" else None

    catalog = declare(*(made(f"f{n}") for n in range(1, 6)), makes("s1", "f0", "f1"), plain="f0")
    _, tree = run(catalog, plant(describe("f5")), propose, asks=20)
    assert all(sum(a.proposer == MODEL for a in one.attempts) <= 1 for one in tree.hypotheses.values() if one.depth)
    assert any(a.proposer == MODEL for one in tree.hypotheses.values() if one.depth for a in one.attempts)


def test_what_follows_from_a_model_is_limited_on_its_own() -> None:
    """Neither depth nor hypotheses are taken from the others."""
    _, tree = run(LACKING, plant(describe("f5")), saying(NoSplit("no")), depth=0)
    assert asked(tree) == 0
    without, _ = run(LACKING, plant(describe("f5")), None, hypotheses=3)
    moves, _ = run(LACKING, plant(describe("f5")), saying(FIVE), hypotheses=3)
    assert moves[: len(without)] == without


# whatever a model says

NAMES = st.sampled_from(
    ["fact1_0", "fact2_0", "fact2_1", "fact3_0", "fact4_0", "document0", "document1", "new", "other", "<b>", "(define"]
)
STAGES = st.lists(
    st.tuples(st.sampled_from(["Do it.", "<script>"]), st.lists(NAMES, max_size=3), st.lists(NAMES, max_size=3)),
    max_size=12,
)
ANSWERS = st.lists(
    st.one_of(STAGES, st.none(), st.integers(0, 9), st.builds(NoSplit, st.just("no"), st.booleans())),
    min_size=1,
    max_size=4,
)


@settings(max_examples=examples(10))
@given(MADE_UP, ANSWERS)
def test_whatever_comes_back_the_search_ends_reloads_and_loses_nothing(case: MadeUp, answers: list[Said]) -> None:
    facts = {"new": "something new", "other": "something else", "<b>": "markup"}
    start = plant(case.task, case.known)
    moves, tree = run(case.catalog, start, saying(*answers, facts=facts))
    again, same = run(case.catalog, start, saying(*answers, facts=facts))
    assert (again, same) == (moves, tree)
    assert reload_tree(export_tree(case.task, case.known, moves)).tree == tree
    assert asked(tree) <= 2 * SearchBounds().asks
    without_moves, without = run(case.catalog, start, None)
    assert moves[: len(without_moves)] == without_moves
    assert tree.is_solved("1") or not without.is_solved("1")
    _, after = run(case.whole, tree.after(Reopened(supplied=case.documents)), saying(*answers, facts=facts))
    assert after.is_solved("1")
