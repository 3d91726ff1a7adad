"""Check a catalog: errors, with which none is loaded, and warnings (unreachable, unused, no effect)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from catalog import endpoints
from catalog.analysis.dependencies import Attainable, find_attainable, find_established
from catalog.analysis.metrics import find_metrics
from catalog.checks.collections import check_binds, check_instances, check_lists
from catalog.checks.findings import Findings
from catalog.checks.names import check_collisions, check_looks, check_references
from catalog.model import ANYTHING_SENSITIVE, Catalog, FactMapping, Goal, Mode, Ordering
from catalog.model.loaded import Loaded
from catalog.model.settings import Metric
from catalog.problems import Place, Problem
from catalog.values.base import listed

_KEYS = {Metric.MONEY: "money", Metric.TIME: "time_s", Metric.QUALITY: "quality"}


def check_metrics(catalog: Catalog, findings: Findings) -> None:
    """Check that what the settings bound or minimise is declared by some skill."""
    declared, settings = find_metrics(catalog), catalog.settings
    if settings.budget is not None and Metric.MONEY not in declared:
        found = "A budget is set, and no skill is charged for: it bounds nothing."
        findings.warn("budget-idle", ("settings", "budget"), found, "Say what calls cost (`money`), or take it out.")
    if settings.minimize not in declared:
        found = f"Plans are to be made cheap in {settings.minimize.value}, and no skill says anything of that."
        write = f"Let skills declare `{_KEYS[settings.minimize]}`, or minimize cost."
        findings.warn("metric-idle", ("settings", "minimize"), found, write)


def check_program(catalog: Catalog, findings: Findings) -> None:
    """Check rules, once instances are written out: rules name these."""
    if not catalog.rules or not catalog.origins.keys() <= catalog.facts.keys():
        return
    from catalog.rules import Vocabulary, check_rules  # takes 30 ms, and most catalogs have no rules

    for fault in check_rules(catalog.rules, Vocabulary.of(catalog)):
        several = "\n" in catalog.rules[fault.text].strip()
        found = f"In line {fault.line} of the rules: {fault.found}" if several else fault.found
        findings.error("rule", ("rules", fault.text), found, fault.write)


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


def check_mappings(catalog: Catalog, findings: Findings) -> None:
    """Check mappings and orderings whose names are declared; undeclared names are reported elsewhere."""
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


ERRORS = (check_instances, check_lists, check_references, check_binds, check_collisions, check_mappings, check_program)
"""Run whenever a catalog is loaded."""
WARNINGS = (check_reach, check_use, check_types, check_looks, check_metrics, check_order)
"""Run when a modeler asks; they rely on a catalog without errors."""


def find_errors(catalog: Catalog, lines: Mapping[Place, int], file: str) -> tuple[Problem, ...]:
    """List what makes a catalog unusable, in the order of the file."""
    findings = Findings(file, lines)
    for check_one in ERRORS:
        check_one(catalog, findings)
    return in_order(findings)


def check(loaded: Loaded, allowed: Collection[str] = endpoints.ALLOWED) -> tuple[Problem, ...]:
    """List what is doubtful about a loaded catalog, and endpoints that the operator does not allow (errors)."""
    findings = Findings(loaded.file, loaded.lines)
    _check_endpoints(loaded.catalog, allowed, findings)
    for check_one in WARNINGS:
        check_one(loaded.catalog, findings)
    return in_order(findings)


def in_order(findings: Findings) -> tuple[Problem, ...]:
    """Sort by line; what is on one line stays in the order in which it was found."""
    return tuple(sorted(findings.problems, key=lambda problem: problem.line or 0))


def _check_endpoints(catalog: Catalog, allowed: Collection[str], findings: Findings) -> None:
    """Judge endpoints against the operator's list, importing nothing."""
    for name, skill in catalog.skills.items():
        for key, endpoint in (("endpoint", skill.endpoint), ("explain", skill.explain)):
            if endpoint is None:
                continue
            try:
                endpoints.check(endpoint, allowed)
            except endpoints.EndpointRefused as refused:
                findings.error("endpoint", ("skills", name, key), f"{refused.found} {refused.known}", refused.write)
