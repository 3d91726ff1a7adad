"""Dataflow between requests: the results of goals, and the arguments of other goals that these may fill."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.model import Catalog


def results_of(catalog: Catalog, goal: str) -> tuple[str, ...]:
    """List the facts that are known when a goal is achieved: those it wants, and the results of the skills it wants."""
    wanted = catalog.goals[goal]
    made = (fact for skill in wanted.skills for fact in catalog.skills[skill].gives)
    return tuple(dict.fromkeys((*wanted.all_facts, *made)))


def uses_of(catalog: Catalog, fact: str) -> Iterator[str]:
    """Yield the facts that one can be taken for, on request too: itself, its supertypes, and what these stand for."""
    above = tuple(catalog.supertypes(fact))
    mapped = (mapping.stands_for for mapping in catalog.mappings if mapping.fact in above)
    yield from dict.fromkeys((*above, *(use for other in mapped for use in catalog.supertypes(other))))


def find_result(catalog: Catalog, goal: str, argument: str) -> str | None:
    """Find the result of a goal that can be taken for an argument; None if none can, and a reference makes no sense."""
    return next((fact for fact in results_of(catalog, goal) if argument in uses_of(catalog, fact)), None)
