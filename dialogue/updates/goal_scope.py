"""The scope of a goal: the facts and skills that lead to it, and which of them belong to one request alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from catalog.analysis.dependencies import what_leads_to
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
    """Find what leads to a goal (`what_leads_to`), and what of it belongs to one request for it."""
    return _find_own(Same(catalog), goal.name) if catalog.goals.get(goal.name) is goal else _trace(catalog, goal)


def is_renewed(catalog: Catalog, conversation: Conversation, goal: Goal) -> bool:
    """Return whether a new request for a goal would clear request-scoped values: earlier results do not answer it."""
    known = conversation.facts.known
    return any(fact in known and known[fact].goal_id is not None for fact in scope_of(catalog, goal).scoped)


def _trace(catalog: Catalog, goal: Goal) -> GoalScope:
    leading = what_leads_to(catalog, goal)
    facts = catalog.facts
    scoped = tuple(name for name in facts if name in leading.facts and facts[name].scope is Scope.GOAL)
    touching = tuple(name for name in leading.skills if not _touched(catalog, name).isdisjoint(scoped))
    return GoalScope(leading.facts, scoped, touching)


def _touched(catalog: Catalog, skill: str) -> frozenset[str]:
    """Collect what a skill takes, with what may stand in for it, and what it gives."""
    declared = catalog.skills[skill]
    taken = (below for fact in declared.takes for below in catalog.subtypes.get(fact, (fact,)))
    return frozenset((*taken, *declared.gives))


@lru_cache(maxsize=128)
def _find_own(same: Same, goal: str) -> GoalScope:
    return _trace(same.catalog, same.catalog.goals[goal])
