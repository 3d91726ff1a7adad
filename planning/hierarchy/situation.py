"""The situation of a stage: whom it may ask for what, what it could start from, and what of it its plan uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod

from catalog.analysis.dependencies import can_be_asked, find_made_in_stages, stand_ins, what_leads_to
from catalog.expand.instance_copies import change
from catalog.model import Catalog, Goal
from catalog.model.catalog import CatalogKey
from catalog.model.entry import Names
from planning.hierarchy.description import Activity, Description
from planning.hierarchy.tree import Tree
from planning.model import Atom, Operator, Predicate, Situation
from planning.task.compilation import ask_operator, find_budget
from planning.task.grounding import count_items


def situation_at(catalog: Catalog, tree: Tree, name: str) -> Situation:
    """Return the situation of a hypothesis: no question is asked in the middle of it, except for consent.

    Of the money that is left, one run of it may take its share.
    """
    there = tree.there_at(name)
    situation = Situation(
        known=there.known,
        authorized=there.consents,
        done=there.done,
        pruned=_asks_of(CatalogKey(catalog)).union(tree.ruled_out),
        spent=there.spent,
    )
    left, runs = find_budget(catalog, situation), count_runs(catalog, tree, name)
    return situation if left is None else replace(situation, budget=situation.spent + left / runs)


@lru_cache(maxsize=64)
def _asks_of(same: CatalogKey) -> frozenset[str]:
    return frozenset(ask_operator(same.catalog, fact).name for fact in same.catalog.facts)


@lru_cache(maxsize=16)
def _catalog_for(same: CatalogKey, handed_over: frozenset[str], results: frozenset[str]) -> Catalog:
    catalog = same.catalog
    to_be_made = {below for fact in results for below in catalog.subtypes.get(fact, ())}
    facts = {
        name: fact.model_copy(update={"askable": name in handed_over, "fillable": True})
        if name in handed_over or name in to_be_made
        else fact
        for name, fact in catalog.facts.items()
    }
    return change(catalog, facts=facts)


def catalog_for(catalog: Catalog, task: Description, activities: Iterable[Activity] = ()) -> Catalog:
    """Return a catalog with what people can be asked for in a task, which is information; the rest skills have to make.

    It is what the catalog declares so (`can_be_asked`), and what the task starts from; but nothing that the task, or an
    activity of it, is to end with.
    """
    results = frozenset(task.results).union(*(one.results for one in activities))
    return _catalog_for(CatalogKey(catalog), frozenset(task.inputs), results)


def find_information(catalog: Catalog) -> frozenset[str]:
    """List the facts that people can be asked for."""
    return _information_of(CatalogKey(catalog))


@lru_cache(maxsize=16)
def _information_of(same: CatalogKey) -> frozenset[str]:
    return frozenset(name for name, fact in same.catalog.facts.items() if can_be_asked(fact))


def count_runs(catalog: Catalog, tree: Tree, name: str) -> int:
    """Count how often a stage is carried out at most: once for each item of the lists that it is within.

    As in planning, a list counts for its longest length.
    """
    return prod(count_items(catalog, around.description.each) for around in tree.around(name))


def uses_of(
    catalog: Catalog, steps: Iterable[Operator], goal: Collection[Atom], known: Collection[str]
) -> dict[Predicate, tuple[str, ...]]:
    """Return what steps, and a goal after them, use of what was there before, by predicate; facts as they are known."""
    used: dict[Atom, None] = {}
    made: set[Atom] = set()
    for step in steps:
        used.update(dict.fromkeys(sorted(step.needs - made)))
        made.update(step.adds)
    used.update(dict.fromkeys(sorted(frozenset(goal) - made)))
    wanted = (catalog.subtypes.get(atom.subject, ()) for atom in used if atom.predicate is Predicate.KNOWN)
    facts = (next(filter(known.__contains__, below), None) for below in wanted)
    others = {kind: tuple(one.subject for one in used if one.predicate is kind) for kind in Predicate}
    return {**others, Predicate.KNOWN: tuple(dict.fromkeys(filter(None, facts)))}


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
