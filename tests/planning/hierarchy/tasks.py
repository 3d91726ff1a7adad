"""Short ways to describe tasks in tests, to search for their plans, and to replay these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from catalog.model import Catalog, Fact, Skill
from planning.hierarchy.description import Activity, Description
from planning.hierarchy.proposers import PROPOSERS, Propose, SplitOccasion
from planning.hierarchy.search import Search, SearchBounds
from planning.hierarchy.split import Split
from planning.hierarchy.tree import Move, Tree
from tests.planning.declare import declare, declare_fact, declare_skill
from tests.planning.hierarchy.simulator import Simulator

Stage = tuple[str, list[str], list[str]]
"""What is done in a stage, what it starts from, and what it ends with."""


def made(name: str, **fields: object) -> Fact:
    """Declare a fact that nobody hands over: skills make it."""
    return declare_fact(name, fillable=False, askable=False, **fields)


def makes(name: str, inputs: str, outputs: str, **fields: object) -> Skill:
    """Declare a skill with one mode."""
    return declare_skill(name, {"go": (inputs.split(), {"done": outputs.split()})}, **fields)


def chain(length: int, *, without: int | None = None, needing: dict[int, str] | None = None) -> Catalog:
    """Declare skills s1, s2, … of which each makes f1, f2, … of the one before; `needing` a document as well."""
    extra = needing or {}
    skills = [
        makes(f"s{n}", f"f{n - 1} {extra.get(n, '')}", f"f{n}") for n in range(1, length + 1) if n != without
    ]  # fmt: skip
    facts = [made(f"f{n}") for n in range(1, length + 1)]
    return declare(*facts, *skills, plain=" ".join(["f0", *extra.values()]))


Parts = str | Mapping[str, object]
"""Names, or names with what is said of them."""


def describe(results: Parts, inputs: Parts = "f0", **fields: object) -> Description:
    """Describe a task by what it starts from and ends with."""
    named = {"inputs": inputs, "results": results}
    parts = {key: part.split() if isinstance(part, str) else part for key, part in named.items()}
    return Description.model_validate({"text": "Do it.", **parts, **fields})


def plant(task: Description, known: Iterable[str] | None = None) -> Tree:
    """Plant a tree in which all inputs are known, unless it is said which are."""
    return Tree.of(task, frozenset(task.inputs if known is None else known))


def search(
    catalog: Catalog,
    tree: Tree,
    propose: Propose | None = None,
    activities: Iterable[Activity] = (),
    **bounds: Any,
) -> tuple[list[Move], Tree]:
    """Search until nothing is left to do; a proposer that is given is the only one."""
    proposers: Mapping[str, Propose] = PROPOSERS if propose is None else {"script": propose}
    made = Search(catalog, replace(SearchBounds(), **bounds), activities=tuple(activities), proposers=proposers)
    moves = []
    for move, after in made.run(tree):
        moves.append(move)
        tree = after
    return moves, tree


def script(*splits: Sequence[Stage]) -> Propose:
    """Propose some splits of the task itself, one at each attempt."""

    def propose(occasion: SplitOccasion) -> Split | None:
        if occasion.description.text != "Do it." or occasion.number > len(splits):
            return None
        stages = [
            occasion.describe_stage(text, inputs, tuple(results))
            for text, inputs, results in splits[occasion.number - 1]
        ]
        return Split(proposer="script", stages=tuple(stages))

    return propose


def replay(catalog: Catalog, tree: Tree) -> None:
    """Carry out the plans of the leaves, from what is known to the results, with lists of no, one and two items."""
    for items in range(3):
        Simulator(catalog, tree, items).run()
