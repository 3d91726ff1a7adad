"""Checks of mappings and orderings: bypassed consent and contradictions (errors), no effect (warnings)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catalog.analysis.dependencies import find_attainable
from catalog.checks.findings import Findings
from catalog.model import ANYTHING_SENSITIVE, Catalog, FactMapping, Ordering
from catalog.problems import Place


def check_rules(catalog: Catalog, findings: Findings) -> None:
    """Check mappings and orderings whose names are declared; those that are not are told of as such."""
    mappings = [(i, m) for i, m in enumerate(catalog.mappings) if {m.fact, m.stands_for} <= catalog.facts.keys()]
    for i, mapping in mappings:
        _check_mapping(catalog, ("mappings", i), mapping, findings)
    _check_repeated("mappings", [(i, (m.fact, m.stands_for)) for i, m in mappings], findings)
    if ANYTHING_SENSITIVE in catalog.skills:
        found = f"In an ordering, {ANYTHING_SENSITIVE!r} stands for all that is about sensitive facts."
        findings.error("reserved", ("skills", ANYTHING_SENSITIVE), found, "Give the skill another name.")
    known = catalog.skills.keys()
    orderings = [(i, o) for i, o in enumerate(catalog.orderings) if {o.first, o.then} <= {*known, ANYTHING_SENSITIVE}]
    _check_repeated("orderings", [(i, (o.first, o.then)) for i, o in orderings], findings)
    for i, ordering in orderings:
        if ordering.first == ordering.then:
            found = f"The skill {ordering.first!r} would have to come before itself."
            findings.error("circle", ("orderings", i, "then"), found, "Name another skill, or take the ordering out.")
    hard = [(i, o) for i, o in orderings if not o.preferred and o.first != o.then]
    for i, circle in _find_circles(hard):
        found = f"Each would have to come before the next, and nothing could begin: {' before '.join(circle)}."
        findings.error("circle", ("orderings", i), found, "Take one of these orderings out, or make it `preferred`.")


def check_order(catalog: Catalog, findings: Findings) -> None:
    """Warn of orderings that cannot be met, and of preferences that contradict each other."""
    done = find_attainable(catalog).done if catalog.orderings else frozenset()
    for i, ordering in enumerate(catalog.orderings):
        if not ordering.preferred and ordering.first not in done:
            found = f"{ordering.first!r} can never be carried out, so nothing comes after it: {ordering.then}."
            write = "See that its inputs can be had before, and that one of its outcomes succeeds."
            findings.warn("ordering-unmet", ("orderings", i, "first"), found, write)
    for i, circle in _find_circles([(i, o) for i, o in enumerate(catalog.orderings) if o.first != o.then]):
        found = f"These come before one another in a circle: {' before '.join(circle)}. What is preferred is ignored."
        findings.warn("circle-preferred", ("orderings", i), found, "Take one of these orderings out.")


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
    kinds = (catalog.facts[source].value, catalog.facts[target].value)
    if not kinds[0].can_become(kinds[1]):
        words = tuple(kind.described for kind in kinds)
        found = f"A value of the kind {words[0]} ({source!r}) is never one of {words[1]} ({target!r})."
        write = "Map facts with the same kind of value, or write a skill that makes the one of the other."
        findings.error("kinds-differ", (*place, "stands_for"), found, write)


def _check_repeated(key: str, entries: Iterable[tuple[int, tuple[str, str]]], findings: Findings) -> None:
    seen: set[tuple[str, str]] = set()
    for i, entry in entries:
        if entry in seen:
            findings.error("repeated", (key, i), f"{entry[0]!r} and {entry[1]!r} are here already.", "Take one out.")
        seen.add(entry)


def _find_circles(orderings: Sequence[tuple[int, Ordering]]) -> list[tuple[int, list[str]]]:
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
