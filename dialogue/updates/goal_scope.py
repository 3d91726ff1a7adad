"""What belongs to a request: the facts and skills that lead to a goal, and those of them that are for it alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from catalog.model import Catalog, Goal, Scope
from catalog.model.identity import Same
from dialogue.state.conversation import Conversation


@dataclass(frozen=True, slots=True)
class GoalScope:
    """What leads to a goal: facts, those of them that belong to one request, and skills that take or give such."""

    facts: frozenset[str]
    scoped: tuple[str, ...]
    skills: tuple[str, ...]


def scope_of(catalog: Catalog, goal: Goal) -> GoalScope:
    """Find what leads to a goal, backward over skills, mappings and types; not over what is mapped on request."""
    return _find_own(Same(catalog), goal.name) if catalog.goals.get(goal.name) is goal else _trace(catalog, goal)


def is_renewed(catalog: Catalog, conversation: Conversation, goal: Goal) -> bool:
    """Tell whether a request for a goal would set something aside: it is then not what was seen to before."""
    known = conversation.known
    return any(fact in known and known[fact].goal_id is not None for fact in scope_of(catalog, goal).scoped)


def _trace(catalog: Catalog, goal: Goal) -> GoalScope:
    skills: dict[str, None] = dict.fromkeys(skill for skill in goal.skills if skill in catalog.skills)
    facts: dict[str, None] = {}
    waiting = [*goal.facts, *(fact for some in goal.either for fact in some), *_inputs(catalog, skills)]
    while waiting:
        fact = waiting.pop()
        for below in catalog.subtypes.get(fact, ()):
            if below not in facts:
                facts[below] = None
                makers = _makers(catalog).get(below, ())
                waiting += _inputs(catalog, makers)
                skills |= dict.fromkeys(makers)
                waiting += [m.fact for m in catalog.mappings if m.stands_for == below and not m.on_request]
    scoped = tuple(name for name in catalog.facts if name in facts and catalog.facts[name].scope is Scope.GOAL)
    touching = tuple(name for name in skills if not _touched(catalog, name).isdisjoint(scoped))
    return GoalScope(frozenset(facts), scoped, touching)


def _inputs(catalog: Catalog, skills: Iterable[str]) -> Iterator[str]:
    for skill in skills:
        for mode in catalog.skills[skill].modes.values():
            yield from (*mode.inputs, *mode.optional)


def _touched(catalog: Catalog, skill: str) -> frozenset[str]:
    """Collect what a skill takes, with what may stand in for it, and what it gives."""
    taken = (below for fact in _inputs(catalog, (skill,)) for below in catalog.subtypes.get(fact, (fact,)))
    modes = catalog.skills[skill].modes.values()
    given = (fact for mode in modes for outcome in mode.outcomes.values() for fact in outcome.facts)
    return frozenset((*taken, *given))


def _makers(catalog: Catalog) -> dict[str, list[str]]:
    return _find_makers(Same(catalog))


@lru_cache(maxsize=128)
def _find_own(same: Same, goal: str) -> GoalScope:
    return _trace(same.catalog, same.catalog.goals[goal])


@lru_cache(maxsize=8)
def _find_makers(same: Same) -> dict[str, list[str]]:
    makers: dict[str, list[str]] = {}
    for name, skill in same.catalog.skills.items():
        for fact in dict.fromkeys(f for mode in skill.modes.values() for o in mode.outcomes.values() for f in o.facts):
            makers.setdefault(fact, []).append(name)
    return makers
