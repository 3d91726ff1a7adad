"""Warnings: what nothing can establish, and what is established for nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from catalog.checks.findings import Findings
from catalog.model import Catalog, Fact, Mode
from catalog.problems import Place
from catalog.values.base import listed


def check_reach(catalog: Catalog, findings: Findings) -> None:
    """Check what can be established at all, by asking, by skills and by events together."""
    sources = find_sources(catalog)
    for_items = {(name, mode.calls) for name, skill in catalog.skills.items() for mode in skill.modes.values()}
    for place, mode in _modes(catalog):
        if (place[1], mode.name) in for_items:
            continue  # if not for one item that is known by itself, it runs for the items of a list
        for i, fact in enumerate(mode.inputs):
            if not any(below in sources for below in catalog.subtypes[fact]):
                found = f"Nothing produces {fact!r}, and nobody can be asked for it: the mode can never run."
                write = "Add a skill that produces it, or let it be asked for (askable and fillable)."
                findings.warn("input-unavailable", (*place, "inputs", i), found, write)
    reached = find_reachable(catalog)
    for name, goal in catalog.goals.items():
        missing = [fact for fact in goal.facts if fact not in reached]
        if missing:
            found = f"The goal cannot be reached: nothing leads to {listed(map(repr, missing))}."
            write = "Add a skill whose inputs can be had, or let a fact on the way be asked for."
            findings.warn("goal-unreachable", ("goals", name), found, write)
        if not goal.examples:
            found = "The goal has no example utterances, so nobody can ask for it in words."
            findings.warn("no-examples", ("goals", name), found, "Add a few under `examples:`.")


def check_use(catalog: Catalog, findings: Findings) -> None:
    """Check that what is declared and established is needed somewhere."""
    needed = {fact for goal in catalog.goals.values() for fact in goal.facts}
    needed |= {fact for _, mode in _modes(catalog) for fact in (*mode.inputs, *mode.optional)}
    needed |= {fact.list_of for fact in catalog.facts.values() if fact.list_of is not None}
    serving = {below for fact in needed for below in catalog.subtypes[fact]}
    produced: set[str] = set()
    for place, mode in _modes(catalog):
        for name, outcome in mode.outcomes.items():
            produced.update(outcome.facts)
            if outcome.facts and not outcome.say and serving.isdisjoint(outcome.facts):
                found = f"No skill takes and no goal asks for what it establishes: {listed(map(repr, outcome.facts))}."
                write = "Use one of these facts, or take them out; an outcome may also establish nothing."
                findings.warn("outcome-unused", (*place, "outcomes", name), found, write)
    carried = {fact for trigger in catalog.triggers.values() for fact in trigger.facts}
    parents = {fact.is_a for fact in catalog.facts.values()}
    for name in catalog.facts:
        if name not in serving and name not in produced and name not in carried and name not in parents:
            found = "No skill takes or establishes the fact, and no goal asks for it."
            findings.warn("fact-unused", ("facts", name), found, "Use it, or take it out.")


def check_types(catalog: Catalog, findings: Findings) -> None:
    """Check that a fact that stands for another has a value of the same kind."""
    for name, fact in catalog.facts.items():
        above = catalog.facts[fact.is_a].value.kind if fact.is_a else "text"
        if above not in ("text", fact.value.kind):
            found = f"It has a value of the kind {fact.value.kind}, and stands for {fact.is_a!r}, which has {above}."
            write = "A skill that takes the one must be able to take the other: give both the same kind of value."
            findings.warn("kinds-differ", ("facts", name, "is_a"), found, write)


def find_sources(catalog: Catalog) -> frozenset[str]:
    """List the facts that something could establish, whether or not what that needs can be had."""
    asked = {name for name, fact in catalog.facts.items() if can_be_asked(fact)}
    carried = {fact for trigger in catalog.triggers.values() for fact in trigger.facts}
    made = {fact for _, mode in _modes(catalog) for outcome in mode.outcomes.values() for fact in outcome.facts}
    return frozenset(asked | carried | made)


def find_reachable(catalog: Catalog) -> frozenset[str]:
    """List the facts that can come to be known: a fixpoint, in time linear in the size of the catalog.

    Any outcome is hoped for, as in planning. A fact counts as known when a subtype is.
    """
    modes = [mode for _, mode in _modes(catalog)]
    waiting = [len(set(mode.inputs)) for mode in modes]
    takers: dict[str, list[int]] = defaultdict(list)
    for i, mode in enumerate(modes):
        for fact in set(mode.inputs):
            takers[fact].append(i)
    queue = [name for name, fact in catalog.facts.items() if can_be_asked(fact)]
    queue += [fact for trigger in catalog.triggers.values() for fact in trigger.facts]
    queue += [fact for mode in modes if not mode.inputs for fact in _made(mode)]
    reached: set[str] = set()
    while queue:
        for fact in catalog.supertypes(queue.pop()):
            if fact in reached:
                break  # so is whatever it can stand for
            reached.add(fact)
            for i in takers[fact]:
                waiting[i] -= 1
                if not waiting[i]:
                    queue += _made(modes[i])
    return frozenset(reached)


def can_be_asked(fact: Fact) -> bool:
    """Tell whether a person can be asked for a fact and, being asked, can give it."""
    return fact.askable and fact.fillable


def _made(mode: Mode) -> list[str]:
    return [fact for outcome in mode.outcomes.values() for fact in outcome.facts]


def _modes(catalog: Catalog) -> Iterator[tuple[Place, Mode]]:
    for skill_name, skill in catalog.skills.items():
        for mode_name, mode in skill.modes.items():
            yield ("skills", skill_name, "modes", mode_name), mode
