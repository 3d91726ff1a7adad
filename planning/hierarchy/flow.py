"""The flow of facts between stages: what stands in for what, and what a stage could start from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from catalog.analysis.dependencies import stand_ins, what_leads_to
from catalog.model import Catalog, Goal
from catalog.model.catalog import Same


def relevant_inputs(
    catalog: Catalog, results: Sequence[str], there: Collection[str], each: Iterable[str] = ()
) -> tuple[str, ...]:
    """List the facts that are there and could lead to some results, in the order of the catalog.

    With `each`, the item that something is done for, what is made of an item is left out: it is another item's.
    """
    named = tuple(fact for fact in results if fact in catalog.facts)
    if not named:
        return ()
    leading = what_leads_to(catalog, Goal(name="results of a stage", facts=named)).facts
    others = _made_of(Same(catalog), frozenset(each)) if each else frozenset[str]()
    return tuple(
        fact for fact in catalog.facts if fact in there and fact in leading and fact not in named and fact not in others
    )


@lru_cache(maxsize=64)
def _made_of(same: Same, items: frozenset[str]) -> frozenset[str]:
    """Return what may be made of items, and these."""
    catalog = same.catalog
    found = stand_ins(catalog, items)
    while True:
        made = {fact for skill in catalog.skills.values() for mode in skill.modes.values()
                if not found.isdisjoint(mode.takes) for fact in mode.gives}  # fmt: skip
        wider = found | stand_ins(catalog, made)
        if wider == found:
            return found
        found = wider
