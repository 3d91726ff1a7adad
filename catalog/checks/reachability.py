"""Warnings: what nothing can establish, and what is established for nothing."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.analysis.dependencies import Attainable, find_attainable, find_established
from catalog.checks.findings import Findings
from catalog.model import Catalog, Goal, Mode
from catalog.problems import Place
from catalog.values.base import listed


def check_reach(catalog: Catalog, findings: Findings) -> None:
    """Check what can be established at all, by asking, by skills and by events together."""
    established = find_established(catalog)
    for_items = {(name, mode.calls) for name, skill in catalog.skills.items() for mode in skill.modes.values()}
    for place, mode in _modes(catalog):
        if (place[1], mode.name) in for_items:
            continue  # if not for one item that is known by itself, it runs for the items of a list
        for i, fact in enumerate(mode.inputs):
            if fact not in established:
                found = f"Nothing produces {fact!r}, and nobody can be asked for it: the mode can never run."
                write = "Add a skill that produces it, or let it be asked for (askable and fillable)."
                findings.warn("input-unavailable", (*place, "inputs", i), found, write)
    reached = find_attainable(catalog)
    for name, goal in catalog.goals.items():
        missing = _find_missing(goal, reached)
        if missing:
            found = f"The goal cannot be reached: nothing leads to {listed(map(repr, missing))}."
            write = "Add a skill whose inputs can be had, or let a fact on the way be asked for."
            findings.warn("goal-unreachable", ("goals", name), found, write)
        if not goal.examples:
            found = "The goal has no example utterances, so nobody can ask for it in words."
            findings.warn("no-examples", ("goals", name), found, "Add a few under `examples:`.")


def _find_missing(goal: Goal, reached: Attainable) -> list[str]:
    missing = [fact for fact in goal.facts if fact not in reached.facts]
    missing += [skill for skill in goal.skills if skill not in reached.done]
    if goal.either and not any(reached.facts.issuperset(facts) for facts in goal.either):
        missing += [fact for facts in goal.either for fact in facts if fact not in reached.facts]
    return list(dict.fromkeys(missing))


def check_use(catalog: Catalog, findings: Findings) -> None:
    """Check that what is declared and established is needed somewhere."""
    needed = {fact for goal in catalog.goals.values() for fact in goal.all_facts}
    needed |= {mapping.fact for mapping in catalog.mappings}
    needed |= {fact for skill in catalog.skills.values() for fact in skill.takes}
    needed |= {fact.list_of for fact in catalog.facts.values() if fact.list_of is not None}
    needed |= {name for name, fact in catalog.facts.items() if needed.intersection(fact.value.ends)}
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
        above = catalog.facts[fact.is_a].value if fact.is_a else fact.value
        if not fact.value.may_be_taken_for(above):
            kinds = fact.value.described, above.described
            found = f"It has a value of the kind {kinds[0]}, and stands for {fact.is_a!r}, which has {kinds[1]}."
            write = "A skill that takes the one must be able to take the other: give both the same kind of value."
            findings.warn("kinds-differ", ("facts", name, "is_a"), found, write)


def _modes(catalog: Catalog) -> Iterator[tuple[Place, Mode]]:
    for skill_name, skill in catalog.skills.items():
        for mode_name, mode in skill.modes.items():
            yield ("skills", skill_name, "modes", mode_name), mode
