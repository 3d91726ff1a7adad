"""Measure the hierarchical search as tasks grow, from 10 to 1,000 leaf skills, each after the one before.

`python -m benchmarks.tasks.scale` prints for each size, with nothing hidden, a document or a skill in the middle, and
for each limit of the depth: the moves of the search, the splits that were attempted, hypotheses, the processor's time
until it is known what is missing, and until the task is solved once that is supplied. Beside it stands the time that
planning the whole task in one piece takes, with nothing hidden, in the same run; × is how often that would fit in.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import process_time

from benchmarks.tasks.generate import ONE_THING, Hidden
from catalog.model import Catalog
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.hierarchy.gaps import find_lacks
from planning.hierarchy.search import Search, SearchBounds
from planning.hierarchy.tree import Reopened, SplitAttempted, Tree
from planning.model import Situation, Solved
from planning.plans.solve import DEFAULT_LIMITS, solve
from planning.task.compilation import compile_task
from tests.planning.declare import asks
from tests.planning.hierarchy.tasks import chain, describe

SIZES = (10, 30, 100, 300, 1_000)
DEPTHS = (1, 2, 3, 4)
REPEATS = 5


def plan_flat(catalog: Catalog, size: int) -> float:
    """Return the seconds that planning in one piece takes, the median of a few times."""
    seconds = []
    for _ in range(REPEATS):
        began = process_time()
        copy = catalog.model_copy()  # what is remembered of a catalog is not to count
        situation = Situation(known=frozenset({"f0", "x"} & copy.facts.keys()), pruned=asks(copy, *copy.facts))
        found = solve(compile_task(copy, situation, [f"f{size}"]), ENGINES[DEFAULT_ENGINE], DEFAULT_LIMITS)
        seconds.append(process_time() - began)
        assert isinstance(found, Solved), "with nothing hidden there is a plan"
    return median(seconds)


def measure(size: int, hide: Hidden, depth: int) -> str:
    """Return a row of the table."""
    middle = size // 2
    needing = {middle: "x"} if hide is Hidden.DOCUMENT else None
    whole = chain(size, needing=needing)
    catalog = chain(size, without=middle) if hide is Hidden.SKILL else whole
    flat = plan_flat(whole, size)
    tree, moves, splits = Tree.of(describe(f"f{size}"), frozenset({"f0"})), 0, 0
    began = process_time()
    for move, after in Search(catalog, SearchBounds(depth=depth)).run(tree):
        moves += 1
        splits += isinstance(move, SplitAttempted) and move.attempt.split is not None
        tree = after
    lacks = find_lacks(tree)
    seconds = process_time() - began
    expected = {Hidden.NOTHING: [], Hidden.DOCUMENT: [("x",)], Hidden.SKILL: [(f"f{middle}",)]}[hide]
    assert [lack.missing.facts for lack in lacks] == expected, "what is hidden is what is missing"
    stages = len(tree.hypotheses)
    tree = tree.after(Reopened(supplied=("x",) if hide is Hidden.DOCUMENT else ()))
    began, more = process_time(), 0
    for _, after in Search(whole, SearchBounds(depth=depth)).run(tree):
        more += 1
        tree = after
    later = process_time() - began
    assert tree.is_solved("1"), "with what was hidden it is solved"
    times = f"{seconds:.3f} | {flat:.4f} | {seconds / flat:,.0f} | {more} | {later:.3f}"
    return f"| {size:,} | {hide} | {depth} | {moves} | {splits} | {stages} | {times} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="leaf skills")
    parser.add_argument("--depths", type=int, nargs="+", default=DEPTHS, metavar="N", help="how deep it may split")
    given = parser.parse_args()
    print("| leaf skills | hidden | depth | moves | splits | hypotheses | s | in one piece, s | × | moves later | s |")
    print("|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for size in given.sizes:
        for hide in ONE_THING:
            for depth in given.depths if hide is not Hidden.NOTHING else given.depths[:1]:
                print(measure(size, hide, depth), flush=True)


if __name__ == "__main__":
    main()
