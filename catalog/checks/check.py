"""Check a catalog that loads: warnings (unreachable, unused, no effect), and endpoints that are not allowed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from catalog import endpoints
from catalog.analysis.dependencies import (
    Attainable,
    can_be_asked,
    find_attainable,
    find_established,
    find_made_in_stages,
    find_metrics,
)
from catalog.checks.errors import check_looks, find_circles
from catalog.checks.methods import check_idle_stages
from catalog.model import Catalog, Effect, Goal, Mode
from catalog.model.loaded import Loaded
from catalog.model.names import with_underscores
from catalog.model.settings import Metric
from catalog.problems import Findings, Place, Problem
from catalog.values.base import listed

_WORDS = re.compile(r"[^\W_]+")
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


def check_reach(catalog: Catalog, findings: Findings) -> None:
    """Check what can be established at all, by asking, by skills, by events and in the stages of methods together."""
    catalog = _with_methods(catalog)
    established = find_established(catalog)
    for_items = {(name, mode.calls) for name, skill in catalog.skills.items() for mode in skill.modes.values()}
    for place, mode in _modes(catalog):
        if (place[1], mode.name) in for_items:
            continue  # if not for one item that is known by itself, it runs for the items of a list
        for i, fact in enumerate(mode.inputs):
            if fact not in established:
                found = f"Nothing produces {fact!r}, and it cannot be asked for: the mode can never run."
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
            found = "The goal has no example utterances, so it cannot be asked for in words."
            findings.warn("no-examples", ("goals", name), found, "Add a few under `examples:`.")


def _with_methods(catalog: Catalog) -> Catalog:
    """Take what stages do for each item of a list, and the items there, as something that can be had.

    They are stages of methods, and those that tasks find by themselves: of each list that can be had.
    """
    stages = [stage for method in catalog.methods.values() for stage in method.stages if stage.each]
    had = {fact for stage in stages for fact in (*stage.results, *stage.each)}
    if any(fact.list_of for fact in catalog.facts.values()):
        told = [name for name, fact in catalog.facts.items() if can_be_asked(fact) or name in had]
        made = find_made_in_stages(catalog, told)
        lists = {name: fact.list_of for name, fact in catalog.facts.items() if fact.list_of and name in made}
        had |= {*lists, *lists.values()}
    facts = {name: fact.model_copy(update={"askable": True, "fillable": True}) if name in had else fact
             for name, fact in catalog.facts.items()}  # fmt: skip
    return catalog.model_copy(update={"facts": facts}) if had else catalog


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
    needed |= {fact for method in catalog.methods.values() for stage in method.stages for fact in stage.each.values()}
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


_BAD_NEWS = frozenset(
    "declined denied disallowed disapproved disqualified ineligible not_approved not_granted refused rejected "
    "turned_down unsuccessful".split()
)


def check_adverse(catalog: Catalog, findings: Findings) -> None:
    """Check that it is said which outcome is bad news, where a name sounds so, or a goal ends in one of several."""
    wanted = {below for goal in catalog.goals.values() for fact in goal.all_facts for below in catalog.subtypes[fact]}
    for place, mode in _modes(catalog):
        if mode.calls is not None or any(outcome.adverse is not None for outcome in mode.outcomes.values()):
            continue
        ends: dict[str, str] = {}
        for name, outcome in mode.outcomes.items():
            given = wanted.intersection(outcome.facts)
            options = (option for fact in given for option in catalog.facts[fact].value.declared_options)
            bad = next((option for option in (name, *options) if with_underscores(option) in _BAD_NEWS), None)
            other = next((ends[fact] for fact in outcome.facts if fact in ends), None)
            if bad is not None or other is not None:
                doubt = f"{bad!r} sounds like bad news" if bad else f"a goal may end in it or in {other!r}"
                found = f"It is not said whether the outcome is a no to the person, and {doubt}."
                write = "Say `adverse: true` for an outcome that is a no, and `adverse: false` where none is."
                findings.warn("adverse-unsaid", (*place, "outcomes", name), found, write)
                break
            ends |= dict.fromkeys(given, name)


def check_examples(catalog: Catalog, findings: Findings) -> None:
    """Check that no two goals have the same example, however it is spelt: nothing tells then which one is meant."""
    seen: dict[str, tuple[str, int | None]] = {}
    for name, goal in catalog.goals.items():
        for i, example in enumerate(goal.examples):
            words = " ".join(_WORDS.findall(example.casefold()))
            first, line = seen.setdefault(words, (name, findings.line(("goals", name, "examples", i))))
            if first != name:
                found = f"The goal {first!r} has this example too, on line {line}: nothing tells which one is meant."
                findings.warn(
                    "examples-same", ("goals", name, "examples", i), found, "Say it otherwise in one of them."
                )


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


def check_frames(catalog: Catalog, findings: Findings) -> None:
    """Check that it is said where values in free words stand: what people call something, or what they write."""
    needed = {fact for skill in catalog.skills.values() for fact in skill.takes}
    for name, fact in catalog.facts.items():
        free = fact.value.free_text and not (fact.value.is_place or fact.value.name_part)
        if free and name in needed and can_be_asked(fact) and not fact.said:
            found = "Nothing tells where a value in free words begins and ends, so it is only read as an answer."
            write = f'Say what people put around it: `said: ["called {{{name}}}"]`.'
            findings.warn("no-frames", ("facts", name), found, write)


def check_order(catalog: Catalog, findings: Findings) -> None:
    """Warn of orderings that cannot be met, and of preferences that contradict each other."""
    done = find_attainable(catalog).done if catalog.orderings else frozenset()
    for i, ordering in enumerate(catalog.orderings):
        if not ordering.preferred and ordering.first not in done:
            found = f"{ordering.first!r} can never be carried out, so nothing comes after it: {ordering.then}."
            write = "See that its inputs can be had before, and that one of its outcomes succeeds."
            findings.warn("ordering-unmet", ("orderings", i, "first"), found, write)
    for i, circle in find_circles([(i, o) for i, o in enumerate(catalog.orderings) if o.first != o.then]):
        found = f"These come before one another in a circle: {' before '.join(circle)}. What is preferred is ignored."
        findings.warn("circle-preferred", ("orderings", i), found, "Take one of these orderings out.")


WARNINGS = (
    check_reach,
    check_use,
    check_examples,
    check_types,
    check_looks,
    check_metrics,
    check_order,
    check_frames,
    check_adverse,
    check_idle_stages,
)
"""Run when a modeler asks; they rely on a catalog without errors."""


def check(loaded: Loaded, allowed: Collection[str] = endpoints.ALLOWED) -> tuple[Problem, ...]:
    """List what is doubtful about a loaded catalog, and endpoints that the operator does not allow (errors)."""
    findings = Findings(loaded.file, loaded.lines)
    check_endpoints(loaded.catalog, allowed, findings)
    for check_one in WARNINGS:
        check_one(loaded.catalog, findings)
    return findings.in_order()


def check_endpoints(catalog: Catalog, allowed: Collection[str], findings: Findings) -> None:
    """Judge endpoints against the operator's list, importing nothing."""
    for name, skill in catalog.skills.items():
        if skill.endpoint is None:
            found = "It has no endpoint: it can be planned, and a call of it fails."
            findings.warn("no-endpoint", ("skills", name), found, "Say under `endpoint:` where it runs.")
        if skill.lookup is not None and skill.effect is not Effect.IRREVERSIBLE:
            found = f"`lookup` is never asked: with effect `{skill.effect.value}`, the skill is simply called again."
            write = "Take it out; or say `effect: irreversible`, where a second call would do harm."
            findings.warn("lookup-idle", ("skills", name, "lookup"), found, write)
    for place, endpoint in _endpoints(catalog):
        try:
            endpoints.check(endpoint, allowed)
        except endpoints.EndpointRefused as refused:
            findings.error("endpoint", place, f"{refused.found} {refused.known}", refused.write)


def endpoints_of(catalog: Catalog, allowed: Collection[str]) -> list[str]:
    return list(dict.fromkeys(name for _, name in _endpoints(catalog) if _is_allowed(name, allowed)))


def say_not_imported(loaded: Loaded, wrong: Mapping[str, tuple[str, str]]) -> tuple[Problem, ...]:
    """Tell what is wrong with which endpoint, and what to do; the same is told once, where it stands first."""
    findings = Findings(loaded.file, loaded.lines)
    places: dict[tuple[str, str], list[Place]] = {}
    for place, name in _endpoints(loaded.catalog):
        if name in wrong:
            places.setdefault(wrong[name], []).append(place)
    for (found, write), (first, *others) in places.items():
        also = f" The same holds for {len(others)} more." if others else ""
        findings.error("not-imported", first, f"{found}{also}", write)
    return findings.in_order()


def _endpoints(catalog: Catalog) -> Iterator[tuple[Place, str]]:
    for name, skill in catalog.skills.items():
        for key in ("endpoint", "explain", "lookup", "simulate"):
            if (endpoint := getattr(skill, key)) is not None:
                yield ("skills", name, key), endpoint


def _is_allowed(endpoint: str, allowed: Collection[str]) -> bool:
    try:
        endpoints.check(endpoint, allowed)
    except endpoints.EndpointRefused:
        return False
    return True
