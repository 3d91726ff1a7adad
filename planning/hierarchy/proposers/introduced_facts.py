"""Facts that a split introduces: what its stages hand to each other, and the catalog has no word for yet.

"We are okay to introduce non-defined steps and define them later, instead of doing a search only in the space of
available functions" (sequential-planner-v2, "Key points"). A stage that ends with such a fact lacks a function; the
skill that is supplied for it declares the fact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from catalog.expand.instance_copies import change
from catalog.model import Catalog, Fact
from catalog.model.catalog import CatalogKey
from catalog.model.names import folded
from planning.hierarchy.split import Split
from planning.hierarchy.tree import Tree

_PLAIN = re.compile(r"[a-z][a-z0-9_]{0,59}")
"""Names that are safe wherever they are written: in a catalog, on a page, in PDDL."""


def with_introduced(catalog: Catalog, facts: Mapping[str, str]) -> Catalog:
    """Return a catalog that has some facts besides, given with what they are; its own stay as they are."""
    new = {name: about for name, about in facts.items() if name not in catalog.facts}
    return _extend(CatalogKey(catalog), tuple(new.items())) if new else catalog


@lru_cache(maxsize=32)
def _extend(same: CatalogKey, facts: tuple[tuple[str, str], ...]) -> Catalog:
    made = {name: Fact(name=name, description=about, askable=False, fillable=False) for name, about in facts}
    return change(same.catalog, facts={**same.catalog.facts, **made})


def introduced_in(tree: Tree) -> dict[str, str]:
    splits = (one.split for hypothesis in tree.hypotheses.values() for one in hypothesis.attempts if one.taken)
    return {name: about for split in splits if split for name, about in split.facts.items()}


def keep_useful(catalog: Catalog, split: Split) -> Split:
    """Return a split with those of the facts that it introduces which a stage gives and a later one starts from.

    All others, and those with names that are not plain or that the catalog has in another form, are unknown facts.
    """
    taken = {folded(name) for name in catalog.facts}
    given: set[str] = set()
    useful: set[str] = set()
    for stage in split.stages:
        useful.update(given.intersection(stage.inputs))
        given.update(stage.results)
    kept = {name: split.facts[name] for name in split.facts if name in useful and _PLAIN.fullmatch(name)}
    return split.model_copy(update={"facts": {name: kept[name] for name in kept if folded(name) not in taken}})
