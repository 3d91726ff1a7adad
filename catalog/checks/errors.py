"""Errors of a catalog, with which none is loaded: undeclared names, circles, contradictions, names that collide."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from catalog.checks.methods import check_methods
from catalog.checks.names import Classes, check_each, circles_above, refuse_collisions, warn_of_looks
from catalog.expand.expansion import Names, names_of
from catalog.expand.instance_copies import Copies, check_extent, check_instances, facts_of
from catalog.expand.mapped_skills import check_lists
from catalog.model import (
    ANYTHING_SENSITIVE,
    Catalog,
    Effect,
    Fact,
    FactMapping,
    Goal,
    Mode,
    Ordering,
    Skill,
    properties,
)
from catalog.model.aliases import KINDS
from catalog.model.entry import USUAL, CatalogLimits
from catalog.model.fact import bounds_of, places_in
from catalog.problems import Findings, Place, Problem
from catalog.values import Kind


def check_aliases(catalog: Catalog, findings: Findings) -> None:
    """Refuse an alias that two entries have, or that is a name: it could mean either."""
    entries = {"facts": catalog.facts, "skills": catalog.skills, "goals": catalog.goals}
    first: dict[str, Place] = {}
    for kind in KINDS:
        for name, entry in entries[kind].items():
            if (alias := entry.alias) is None:
                continue
            place: Place = (kind, name, "alias")
            if (meaning := _meaning(alias, entries, findings)) is not None:
                findings.error("alias-is-a-name", place, meaning, "Write another alias, or take it out.")
            elif alias in first:
                other_kind, other, _ = first[alias]
                found = f"{alias!r} is the alias of {other!r} among the {other_kind}{_line(findings, first[alias])}."
                findings.error("alias-taken", place, found, "Give one of the two another alias.")
            first.setdefault(alias, place)


def _meaning(alias: str, entries: Mapping[str, Collection[str]], findings: Findings) -> str | None:
    """Say what an alias means already as a name, if it is one."""
    if alias == ANYTHING_SENSITIVE:
        return f"In an ordering, {alias!r} stands for all that is about sensitive facts."
    named = next((kind for kind in KINDS if alias in entries[kind]), None)
    return None if named is None else f"{alias!r} is a name among the {named} already{_line(findings, (named, alias))}."


def _line(findings: Findings, place: Place) -> str:
    """Say the line of a place, unless it is in another file."""
    return f", on line {findings.lines[place]}" if place in findings.lines else ""


_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def check_references(catalog: Catalog, findings: Findings) -> None:
    """Check that whatever is referred to is declared, or an instance of what is."""
    names = names_of(catalog)
    copies = Copies(catalog)
    _check_types(catalog, names, findings)
    for name, skill in catalog.skills.items():
        _check_skill(copies, names, name, skill, findings)
    for name, goal in catalog.goals.items():
        _check_goal(copies, names, name, goal, findings)
    for i, mapping in enumerate(catalog.mappings):
        for key, fact in (("fact", mapping.fact), ("stands_for", mapping.stands_for)):
            findings.require(("mappings", i, key), fact, names.facts, "facts")
    last = {**names.skills, ANYTHING_SENSITIVE: None}
    for i, ordering in enumerate(catalog.orderings):
        findings.require(("orderings", i, "first"), ordering.first, names.skills, "skills")
        findings.require(("orderings", i, "then"), ordering.then, last, "skills")
    for side, texts in catalog.properties.by_side().items():
        for i, text in enumerate(texts):
            claim = properties.read_property(side, text).claim
            for name, what in zip(claim.names, claim.sorts, strict=True):
                findings.require(("properties", side, i), name, getattr(names, what), what)
    for i, extension in enumerate(catalog.extensions):
        for key, goal_name in (("after", extension.after), ("offer", extension.offer)):
            findings.require(("extensions", i, key), goal_name, catalog.goals, "goals")
        if extension.after == extension.offer:
            found = f"The goal {extension.after!r} is offered on its own completion."
            findings.error("circle", ("extensions", i, "offer"), found, "Offer another goal.")
    for name, trigger in catalog.triggers.items():
        findings.require(("triggers", name, "goal"), trigger.goal, catalog.goals, "goals")
        check_each(("triggers", name, "facts"), trigger.facts, names.facts, findings)


def _check_types(catalog: Catalog, names: Names, findings: Findings) -> None:
    """Check the type tree: parents are declared, and nothing stands above itself."""
    for name, fact in catalog.facts.items():
        findings.require(("facts", name, "is_a"), fact.is_a, names.facts, "facts")
        _check_ends(catalog, names, name, fact.value, findings)
        _check_said(name, fact, findings)
    for circle in circles_above({name: fact.is_a for name, fact in catalog.facts.items()}):
        found = f"The types go round in a circle: {' is a '.join(circle)}."
        findings.error("circle", ("facts", circle[0], "is_a"), found, "Take one of these is_a away.")


def _check_said(name: str, fact: Fact, findings: Findings) -> None:
    """Check that each frame has one place, that of the fact itself, and words that tell where free words begin."""
    for i, said in enumerate(fact.said):
        place: Place = ("facts", name, "said", i)
        places = places_in(said)
        if len(places) != 1 or places[0] != name:
            found = f"The value stands in no single place of it: {said!r:.60}."
            findings.error("frame", place, found, f"Write {{{name}}} once, with the words that people say around it.")
            continue
        before, _ = bounds_of(said)
        if not (before.strip() if fact.value.free_text else said.replace(f"{{{name}}}", "").strip()):
            found = "Nothing in it tells where the value begins."
            findings.error("frame", place, found, f"Write words or a quote before {{{name}}}.")


def _check_ends(catalog: Catalog, names: Names, name: str, period: Kind, findings: Findings) -> None:
    for key, end in zip(("start", "end"), period.ends, strict=False):
        place: Place = ("facts", name, "value", key)
        if end not in names.facts:
            findings.unknown(place, end, names.facts, "facts")
        elif end in catalog.facts and not catalog.facts[end].value.is_day:
            found = f"{end!r} is to be the {key} of a period, and is no date."
            findings.error("wrong-value", place, found, f"Let the value of {end!r} be a date, or name another fact.")


def _check_skill(copies: Copies, names: Names, name: str, skill: Skill, findings: Findings) -> None:
    place: Place = ("skills", name)
    for mode_name, mode in skill.modes.items():
        _check_mode(names, (*place, "modes", mode_name), mode, findings)
    inputs = set(skill.takes)
    for i, fact in enumerate(skill.sensitive):
        findings.require((*place, "sensitive", i), fact, sorted(inputs), f"inputs of {name!r}")
    told = inputs.union(copies.groups_of_skill.get(name, ()))
    for placeholder in dict.fromkeys(_PLACEHOLDER.findall(skill.confirm or "")):
        if placeholder not in told:
            findings.unknown((*place, "confirm"), placeholder, sorted(inputs), f"inputs of {name!r}")
    for mode_name, mode in skill.modes.items():
        for outcome in mode.outcomes.values():
            given = [one for fact in outcome.facts for one in (fact, *copies.facts.instances(fact))]
            for placeholder in dict.fromkeys(_PLACEHOLDER.findall(outcome.say or "")):
                if placeholder not in given and placeholder not in copies.groups_of_skill.get(name, ()):
                    at: Place = (*place, "modes", mode_name, "outcomes", outcome.name, "say")
                    findings.unknown(at, placeholder, given, f"facts of the outcome {outcome.name!r}")
    _check_waiver((*place, "why_not_confirmed"), skill, findings)


def _check_waiver(place: Place, skill: Skill, findings: Findings) -> None:
    """Check that only calls that may be repeated are made without asking first."""
    if skill.why_not_confirmed is None:
        return
    if skill.effect is Effect.IRREVERSIBLE:
        found = "The skill is irreversible, and the user is not asked before it is called."
        findings.error("unconfirmed", place, found, "Take it out: what cannot be undone is always read back first.")
    elif skill.effect is Effect.NONE:
        found = "The skill has no effect, so there is nothing to confirm."
        findings.error("contradiction", place, found, "Take it out, or say under `effect` what a call does.")
    elif skill.confirm is not None:
        found = "The skill says both how a call is confirmed and why it is not."
        findings.error("contradiction", place, found, "Keep `confirm` or `why_not_confirmed`.")


def _check_mode(names: Names, place: Place, mode: Mode, findings: Findings) -> None:
    check_each((*place, "inputs"), mode.inputs, names.facts, findings)
    check_each((*place, "optional"), mode.optional, names.facts, findings)
    for i, fact in enumerate(mode.optional):
        if fact in mode.inputs:
            found = f"{fact!r} is both among the inputs and optional."
            findings.error("contradiction", (*place, "optional", i), found, "Keep it in one of the two lists.")
    inputs = mode.takes
    for name, outcome in mode.outcomes.items():
        at: Place = (*place, "outcomes", name)
        check_each((*at, "facts"), outcome.facts, names.facts, findings)
        for i, fact in enumerate(outcome.doubts):
            findings.require((*at, "doubts", i), fact, inputs, f"inputs of the mode {mode.name!r}")
            if fact in outcome.facts:
                found = f"The outcome both establishes {fact!r} and shows it to be wrong."
                findings.error("contradiction", (*at, "doubts", i), found, "Keep it in one of the two lists.")


def _check_goal(copies: Copies, names: Names, name: str, goal: Goal, findings: Findings) -> None:
    check_each(("goals", name, "facts"), goal.facts, names.facts, findings)
    for i, alternative in enumerate(goal.either):
        check_each(("goals", name, "either", i), alternative, names.facts, findings)
    check_each(("goals", name, "skills"), goal.skills, names.skills, findings, "skills")
    told = (*goal.facts, *(instance for fact in goal.facts for instance in copies.facts.instances(fact)))
    for placeholder in dict.fromkeys(_PLACEHOLDER.findall(goal.done or "")):
        findings.require(("goals", name, "done"), placeholder, told, f"facts of the goal {name!r}")


def check_collisions(catalog: Catalog, findings: Findings) -> None:
    """Refuse names of one class that differ only in case or in the form of letters."""
    refuse_collisions(_classes(catalog), findings)


def check_looks(catalog: Catalog, findings: Findings) -> None:
    """Warn of names that differ only in what joins their words, or in letters that look alike."""
    warn_of_looks(_classes(catalog), findings)


def _classes(catalog: Catalog) -> Classes:
    """List the places within which names must be distinct."""
    yield ("facts",), catalog.facts
    yield ("skills",), catalog.skills
    yield ("goals",), catalog.goals
    yield ("triggers",), catalog.triggers
    yield ("methods",), catalog.methods
    for skill_name, skill in catalog.skills.items():
        yield ("skills", skill_name, "modes"), skill.modes
        for mode_name, mode in skill.modes.items():
            yield ("skills", skill_name, "modes", mode_name, "outcomes"), mode.outcomes


def check_binds(catalog: Catalog, findings: Findings) -> None:
    """Check that what functions call facts is declared, and that no two facts go by one name."""
    names = names_of(catalog)
    for name, skill in catalog.skills.items():
        bound: dict[str, str] = {}
        for called, fact in skill.binds.items():
            place: Place = ("skills", name, "binds", called)
            if fact not in names.facts:
                findings.unknown(place, fact, names.facts, "facts")
            elif fact in bound:
                found = f"{fact!r} is bound to {bound[fact]!r} already."
                findings.error("bound-twice", place, found, "A function has one name for a fact.")
            bound[fact] = called
        used = set(facts_of(skill)) if skill.binds else set()
        for called in skill.binds:
            if called not in bound and called in used:
                found = f"The function would call both {skill.binds[called]!r} and {called!r} by the name {called!r}."
                findings.error("bound-twice", ("skills", name, "binds", called), found, "Bind the other one as well.")


def check_mappings(catalog: Catalog, findings: Findings) -> None:
    """Check mappings and orderings whose names are declared; undeclared names are reported elsewhere."""
    mappings = [(i, m) for i, m in enumerate(catalog.mappings) if {m.fact, m.stands_for} <= catalog.facts.keys()]
    for i, mapping in mappings:
        _check_mapping(catalog, ("mappings", i), mapping, findings)
    _check_pairs("mappings", [(i, (m.fact, m.stands_for)) for i, m in mappings], findings)
    if ANYTHING_SENSITIVE in catalog.skills:
        found = f"In an ordering, {ANYTHING_SENSITIVE!r} stands for all that is about sensitive facts."
        findings.error("reserved", ("skills", ANYTHING_SENSITIVE), found, "Give the skill another name.")
    known = catalog.skills.keys()
    orderings = [(i, o) for i, o in enumerate(catalog.orderings) if {o.first, o.then} <= {*known, ANYTHING_SENSITIVE}]
    _check_pairs("orderings", [(i, (o.first, o.then)) for i, o in orderings], findings)
    for i, ordering in orderings:
        if ordering.first == ordering.then:
            found = f"The skill {ordering.first!r} would have to come before itself."
            findings.error("circle", ("orderings", i, "then"), found, "Name another skill, or take the ordering out.")
    hard = [(i, o) for i, o in orderings if not o.preferred and o.first != o.then]
    for i, circle in find_circles(hard):
        found = f"Each would have to come before the next, and nothing could begin: {' before '.join(circle)}."
        findings.error("circle", ("orderings", i), found, "Take one of these orderings out, or make it `preferred`.")


def check_public(catalog: Catalog, findings: Findings) -> None:
    """Check that nothing is both sensitive, by itself or by what it is, and public."""
    for name, fact in catalog.facts.items():
        if fact.public and catalog.is_sensitive(name):
            above = next(
                one for one in catalog.supertypes(name) if one in catalog.facts and catalog.facts[one].sensitive
            )
            why = "it is sensitive" if above == name else f"it is a {above!r}, which is sensitive"
            found = f"It is to be public, and {why}: it cannot be both."
            findings.error("public", ("facts", name, "public"), found, "Take one of them away.")


def _check_mapping(catalog: Catalog, place: Place, mapping: FactMapping, findings: Findings) -> None:
    source, target = mapping.fact, mapping.stands_for
    if target in catalog.supertypes(source):
        found = f"{source!r} can stand for {target!r} already, by its type."
        findings.error("repeated", (*place, "stands_for"), found, "Take the mapping out.")
        return
    sensitive = [fact for fact in catalog.subtypes[source] if catalog.is_sensitive(fact)]
    if sensitive and not catalog.is_sensitive(target):
        found = f"{sensitive[0]!r} is sensitive and {target!r} is not: its value would be shown and passed on freely."
        findings.error("sensitive", (*place, "stands_for"), found, f"Make {target!r} sensitive, or take this out.")
    if catalog.is_sensitive(target) and not catalog.is_sensitive(source):
        found = f"{target!r} is sensitive and {source!r} is not: what is taken for it would have been shown before."
        findings.error("sensitive", (*place, "fact"), found, f"Make {source!r} sensitive, or take this out.")
    kinds = (catalog.facts[source].value, catalog.facts[target].value)
    if not kinds[0].can_become(kinds[1]):
        words = tuple(kind.described for kind in kinds)
        found = f"A value of the kind {words[0]} ({source!r}) is never one of {words[1]} ({target!r})."
        write = "Map facts with the same kind of value, or write a skill that makes the one of the other."
        findings.error("kinds-differ", (*place, "stands_for"), found, write)


def _check_pairs(key: str, entries: Iterable[tuple[int, tuple[str, str]]], findings: Findings) -> None:
    seen: set[tuple[str, str]] = set()
    for i, entry in entries:
        if entry in seen:
            findings.error("repeated", (key, i), f"{entry[0]!r} and {entry[1]!r} are here already.", "Take one out.")
        seen.add(entry)


def find_circles(orderings: Sequence[tuple[int, Ordering]]) -> list[tuple[int, list[str]]]:
    """Find circles, each once: the place of an ordering that closes it, and the skills in it, the first one twice."""
    after: dict[str, list[tuple[int, str]]] = {}
    for i, ordering in orderings:
        after.setdefault(ordering.first, []).append((i, ordering.then))
    circles: list[tuple[int, list[str]]] = []
    settled: set[str] = set()
    for start in after:
        path: list[str] = []
        stack: list[tuple[str, int | None]] = [(start, None)]
        while stack:
            at, by = stack.pop()
            if at == "":
                settled.add(path.pop())
            elif at in path:
                circles.append((by or 0, [*path[path.index(at) :], at]))
            elif at not in settled:
                path.append(at)
                stack.append(("", None))
                stack += [(then, i) for i, then in reversed(after.get(at, []))]
    return circles


def check_program(catalog: Catalog, findings: Findings) -> None:
    """Check rules, once instances are written out: rules name these."""
    if not catalog.rules or not catalog.origins.keys() <= catalog.facts.keys():
        return
    from catalog.rules import RuleVocabulary, check_rules  # takes 30 ms, and most catalogs have no rules

    for fault in check_rules(catalog.rules, RuleVocabulary.of(catalog)):
        several = "\n" in catalog.rules[fault.text].strip()
        found = f"In line {fault.line} of the rules: {fault.found}" if several else fault.found
        findings.error("rule", ("rules", fault.text), found, fault.write)


ERRORS = (
    check_aliases, check_instances, check_lists, check_references, check_binds, check_collisions, check_mappings,
    check_public, check_methods, check_program,
)  # fmt: skip
"""Run whenever a catalog is loaded."""


def find_errors(
    catalog: Catalog, lines: Mapping[Place, int], file: str, limits: CatalogLimits = USUAL
) -> tuple[Problem, ...]:
    findings = Findings(file, lines, catalog.aliases)
    check_extent(catalog, limits, findings)
    for check_one in ERRORS:
        check_one(catalog, findings)
    return findings.in_order()
