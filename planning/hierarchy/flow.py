"""The flow of facts between stages: what stands in for what, and what a stage could start from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from catalog.analysis.dependencies import find_made_in_stages, stand_ins, what_leads_to
from catalog.model import Catalog, Goal
from catalog.model.catalog import CatalogKey
from catalog.model.entry import Names


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
    others = _made_of(CatalogKey(catalog), frozenset(each)) if each else frozenset[str]()
    return tuple(
        fact for fact in catalog.facts if fact in there and fact in leading and fact not in named and fact not in others
    )


MOST_INPUTS = 3
"""Facts that are named as inputs of a missing function where no skill says what it would take."""


def choose_inputs(catalog: Catalog, facts: Collection[str], there: Collection[str], usual: Names) -> Names:
    """Choose what a missing function for some facts could work from: what is there, and what stages can make of it.

    That is what a skill takes that would have given the facts, as far as it can be had; else what can be made and leads
    to nothing else that can; else the `usual`.
    """
    made = find_made_in_stages(catalog, there)
    modes = [mode for skill in catalog.skills.values() for mode in skill.modes.values()]
    ways = [
        [fact for fact in mode.inputs if fact not in facts]
        for mode in modes
        if not frozenset(above for fact in mode.gives for above in catalog.supertypes(fact)).isdisjoint(facts)
    ]
    had = [(sum(fact not in made for fact in way), tuple(filter(made.__contains__, way))) for way in ways]
    if any(some for _, some in had):
        best = min((one for one in had if one[1]), key=lambda one: one[0])
        return best[1] if len(best[1]) > len(usual) else usual
    beside = {fact for mode in modes if not frozenset(mode.inputs).isdisjoint(facts) for fact in mode.inputs}
    new = made - stand_ins(catalog, there) - beside
    leading = [mode for mode in modes if made.issuperset(mode.inputs) and not new.isdisjoint(mode.gives)]
    used = {fact for mode in leading for fact in mode.inputs}
    items = {catalog.facts[fact].list_of for fact in made if fact in catalog.facts}
    ends = [fact for fact in catalog.facts if fact in new and fact not in used and fact not in items]
    return tuple(fact for fact in ends if new.isdisjoint(set(catalog.subtypes[fact]) - {fact}))[:MOST_INPUTS] or usual


@lru_cache(maxsize=64)
def _made_of(same: CatalogKey, items: frozenset[str]) -> frozenset[str]:
    catalog = same.catalog
    found = stand_ins(catalog, items)
    while True:
        made = {fact for skill in catalog.skills.values() for mode in skill.modes.values()
                if not found.isdisjoint(mode.takes) for fact in mode.gives}  # fmt: skip
        wider = found | stand_ins(catalog, made)
        if wider == found:
            return found
        found = wider
