"""Errors of methods: unknown names, lists and items mixed up, stages that lead nowhere, and circles."""

from __future__ import annotations

from collections.abc import Collection

from catalog.analysis.dependencies import can_be_asked, stand_ins
from catalog.checks.names import check_each
from catalog.expand.expansion import Names, names_of
from catalog.model import Catalog
from catalog.model.method import Method, MethodStage
from catalog.problems import Findings, Place
from catalog.values.base import listed


def check_methods(catalog: Catalog, findings: Findings) -> None:
    """Check that methods name what is declared, lead to what they are for, and do not need themselves."""
    names = names_of(catalog) if catalog.methods else Names({}, {})
    for name, method in catalog.methods.items():
        place: Place = ("methods", name)
        check_each((*place, "results"), method.results, names.facts, findings)
        check_each((*place, "given"), method.given, names.facts, findings)
        for number, stage in enumerate(method.stages):
            at: Place = (*place, "stages", number)
            check_each((*at, "inputs"), stage.inputs, names.facts, findings)
            check_each((*at, "results"), stage.results, names.facts, findings)
            _check_each(catalog, at, stage, names, findings)
        _check_ends(catalog, place, method, findings)
        _check_flow(catalog, place, method, findings)
    _check_circles(catalog, findings)


def _check_each(catalog: Catalog, place: Place, stage: MethodStage, names: Names, findings: Findings) -> None:
    """Check that a stage that is done for each item has a list of these, and results that are lists."""
    for item, items in stage.each.items():
        for fact in (item, items):
            findings.require((*place, "each", item), fact, names.facts, "facts")
        if item not in names.facts or items not in catalog.facts:
            continue
        one = catalog.facts[items].list_of
        if one is None or item not in catalog.supertypes(one):
            found = f"{items!r} is no list of {item!r}."
            write = f"Write `each: {{{one}: {items}}}`." if one else f"Declare {items!r} with `list_of: {item}`."
            findings.error("list-item", (*place, "each", item), found, write)
        for i, fact in enumerate(stage.results):
            if fact in catalog.facts and catalog.facts[fact].list_of is None:
                found = f"{fact!r} is one value, and the stage is done for each of several items."
                findings.error("list-item", (*place, "results", i), found, "Name the list of what each item gives.")
        made = {catalog.facts[fact].list_of for fact in stage.results if fact in catalog.facts}
        for i, fact in enumerate(stage.inputs):
            if fact == item:
                found = f"{fact!r} is the item that the stage is done for."
                findings.error("contradiction", (*place, "inputs", i), found, "Take it out: each item comes by itself.")
            elif not made.isdisjoint(catalog.supertypes(fact)):
                found = f"{fact!r} is what each item is to give, and the stage starts from it."
                findings.error(
                    "contradiction", (*place, "inputs", i), found, "Take it out: it was made of another item."
                )


def _check_ends(catalog: Catalog, place: Place, method: Method, findings: Findings) -> None:
    ends = {above for stage in method.stages for fact in stage.results for above in catalog.supertypes(fact)}
    for i, fact in enumerate(method.results):
        if fact in catalog.facts and fact not in ends:
            found = f"No stage ends with {fact!r}."
            findings.error("no-result", (*place, "results", i), found, "Name it among the results of a stage.")


def _check_flow(catalog: Catalog, place: Place, method: Method, findings: Findings) -> None:
    """Check that each stage starts from what is there by then."""
    for i, fact in enumerate(method.given):
        if fact in method.results:
            found = f"{fact!r} has to be known for the method, and is what it is for."
            findings.error("contradiction", (*place, "given", i), found, "Keep it in one of the two.")
    there = stand_ins(catalog, method.given)
    for number, stage in enumerate(method.stages):
        at: Place = (*place, "stages", number)
        later = {fact for other in method.stages[number:] for fact in other.results}
        starts: list[tuple[Place, str]] = [((*at, "inputs", i), fact) for i, fact in enumerate(stage.inputs)]
        starts += [((*at, "each", item), items) for item, items in stage.each.items()]
        for where, fact in starts:
            if fact in catalog.facts and fact in later - there and not _can_be_asked(catalog, fact):
                found = f"It starts from {fact!r}, which no stage before it ends with."
                write = "Put the stage that ends with it first, or name it under `given`."
                findings.error("order", where, found, write)
        there |= stand_ins(catalog, stage.results)


def _can_be_asked(catalog: Catalog, fact: str) -> bool:
    """Return whether people can be asked for a fact, and for a list: for its items."""
    names = (fact, catalog.facts[fact].list_of or fact)
    return all(can_be_asked(catalog.facts[name]) for name in names if name in catalog.facts)


def check_idle_stages(catalog: Catalog, findings: Findings) -> None:
    """Check that each stage of a method ends with something that was not there before it."""
    for name, method in catalog.methods.items():
        there = stand_ins(catalog, method.given)
        for number, stage in enumerate(method.stages):
            if there.union(stage.each.values()).issuperset(stage.results):
                found = f"It ends with nothing new: there before it was {listed(map(repr, stage.results))}."
                write = "Take the stage out, or name what it adds."
                findings.warn("idle-stage", ("methods", name, "stages", number, "results"), found, write)
            there |= stand_ins(catalog, stage.results)


def _check_circles(catalog: Catalog, findings: Findings) -> None:
    """Refuse methods that need themselves, also around others: nothing else gives what one of their stages ends with.

    What no skill and no method gives may be supplied, and is no circle.
    """
    by_method = {fact for method in catalog.methods.values() for fact in method.results}
    given = {fact for skill in catalog.skills.values() for fact in skill.gives}
    had = stand_ins(catalog, given.union(catalog.facts.keys() - by_method))
    waiting: dict[str, Method] = dict(catalog.methods)
    while usable := [name for name, method in waiting.items() if not any(_lacking(catalog, method, had))]:
        had |= stand_ins(catalog, {fact for name in usable for fact in waiting.pop(name).results})
    for name, method in catalog.methods.items():
        first = method.stages[0]
        ends = {above for fact in first.results for above in catalog.supertypes(fact)}
        if name not in waiting and not first.each and ends.issuperset(method.results):
            found = "The first stage does all that the method is for, so nothing gets smaller."
            findings.error("circle", ("methods", name, "stages", 0), found, "Divide it up, or take the method out.")
    for name, method in waiting.items():
        for number, lacking in enumerate(_lacking(catalog, method, had)):
            if lacking:
                others = [other for other, one in waiting.items() if not lacking.isdisjoint(one.results)]
                found = (
                    f"The method needs itself: the stage ends with {listed(map(repr, sorted(lacking)))}, which only "
                    f"{listed(map(repr, others), 'or')} {'gives' if len(others) == 1 else 'give'}."
                )
                write = "Declare a skill that gives it, or end the stage with something smaller."
                findings.error("circle", ("methods", name, "stages", number), found, write)
                break


def _lacking(catalog: Catalog, method: Method, had: Collection[str]) -> list[set[str]]:
    """List for each stage the results that nothing gives so far; a list is given by what gives its items."""
    return [
        {
            fact
            for fact in stage.results
            if fact in catalog.facts and fact not in had and catalog.facts[fact].list_of not in had
        }
        for stage in method.stages
    ]
