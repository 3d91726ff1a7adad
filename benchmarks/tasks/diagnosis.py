"""Tell how often the hierarchical search names exactly what is missing, on tasks that are made up.

`python -m benchmarks.tasks.diagnosis --tasks 1000` makes up so many tasks of each shape: plain ones, with a method, and
with steps for each item of a list. It hides one skill or document, two things, or nothing, and prints how many were
diagnosed exactly, how many false alarms there were (something named that is not missing), and how many were solved once
what was hidden was supplied, with nothing lost that was solved before. The depth of splits is limited to 1 to 4 in
turn. It ends with 1 where one of them was not right.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, replace

from benchmarks.tasks.generate import Hidden, MadeUp, Shape, make_up
from planning.hierarchy.gaps import find_lacks
from planning.hierarchy.search import Search, SearchBounds
from planning.hierarchy.tree import MissingKind, Reopened, Tree

DEPTHS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """How one task came out."""

    exact: bool
    alarms: int
    solved_after: bool
    split: bool


def diagnose(made: MadeUp, depth: int = SearchBounds().depth) -> Diagnosed:
    """Search for a plan, compare what is missing with what was hidden, supply it, and go on."""
    tree = _search(made, Tree.of(made.task, made.known), depth)
    named = {(lack.missing.kind, fact) for lack in find_lacks(tree) for fact in lack.missing.facts}
    hidden = {(MissingKind.FUNCTION, fact) for fact in made.functions}
    hidden |= {(MissingKind.INFORMATION, fact) for fact in made.documents}
    solved = [name for name in tree.hypotheses if tree.is_solved(name)]
    after = _search(replace(made, catalog=made.whole), tree.after(Reopened(supplied=made.documents)), depth)
    kept = all(after.hypotheses[name].plan == tree.hypotheses[name].plan for name in solved)
    return Diagnosed(
        named == hidden and tree.is_solved("1") is made.is_whole,
        len(named - hidden),
        after.is_solved("1") and kept,
        len(tree.hypotheses) > 1,
    )


def _search(made: MadeUp, tree: Tree, depth: int) -> Tree:
    for _, after in Search(made.catalog, SearchBounds(depth=depth)).run(tree):
        tree = after
    return tree


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=1_000, metavar="N", help="tasks of each shape (default: 1,000)")
    parser.add_argument("--seed", type=int, default=1, help="what they are drawn from (default: 1)")
    given = parser.parse_args()
    sizes = [(layers, width) for layers in (3, 6, 10, 15) for width in (1, 2, 4)]
    kinds = tuple(Hidden)
    print(
        "| shape | hidden | tasks | of these split | diagnosed exactly | false alarms | solved once it was supplied |"
    )
    print("|---|---|--:|--:|--:|--:|--:|")
    right = True
    for shape in Shape:
        found: Counter[tuple[Hidden, str]] = Counter()
        for number in range(given.tasks):
            size = sizes[number // len(kinds) % len(sizes)]
            kind = kinds[number % len(kinds)]
            made = make_up(given.seed * 1_000_000 + number, *size, kind, shape)
            kind = Hidden.NOTHING if made.is_whole else kind
            came = diagnose(made, DEPTHS[number // len(kinds) // len(sizes) % len(DEPTHS)])
            marks = {"tasks": 1, "split": came.split, "exact": came.exact, "solved": came.solved_after}
            for mark, count in {**marks, "alarms": came.alarms}.items():
                found[kind, mark] += int(count)
        for kind in kinds:
            tasks, alarms = found[kind, "tasks"], found[kind, "alarms"]
            shares = [f"{found[kind, mark] / max(tasks, 1):.1%}" for mark in ("exact", "solved")]
            right &= not alarms and all(found[kind, mark] == tasks for mark in ("exact", "solved"))
            print(
                f"| {shape} | {kind} | {tasks:,} | {found[kind, 'split']:,} | {shares[0]} | {alarms} | {shares[1]} |",
                flush=True,
            )
    return 0 if right else 1


if __name__ == "__main__":
    raise SystemExit(main())
