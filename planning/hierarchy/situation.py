"""The situation of a stage: whom it may ask for what, what is there where it begins, and what of it its plan uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from math import prod

from catalog.analysis.dependencies import can_be_asked
from catalog.expand.instance_copies import change
from catalog.model import Catalog
from catalog.model.catalog import CatalogKey
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
