"""Property monitors: each property is an automaton that reads what happens and may object.

A property is checked on the product of what was walked and the states of its automaton, breadth first: if it does not
hold, the counterexample is a shortest one (as in automata-based model checking; Vardi and Wolper, 1986).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from catalog.model import Catalog
from catalog.model.properties import (
    AskedMoreThan,
    BecomesKnown,
    CalledMoreThan,
    Claim,
    ConsentBefore,
    DeadEnd,
    GoalReached,
    Property,
    SkillBefore,
)
from dialogue.exploration.observations import Happening, What
from dialogue.exploration.paths import Paths
from dialogue.exploration.state_space import Edge, NodeKind

State = Hashable
Step = Callable[[State, Happening], "State | None"]
"""Gives the next state, or None where the property is broken."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A property, and whether it holds; None if nothing breaks it as far as was walked. `way` is what breaks it."""

    property: Property
    holds: bool | None
    way: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class _Monitor:
    """An automaton; `ending` tells whether a way may end in a kind of node."""

    start: State
    step: Step
    ending: Callable[[NodeKind], bool] = lambda kind: True


def judge(catalog: Catalog, paths: Paths, declared: Property) -> Judged:
    """Check one property."""
    way = _find_breach(paths, _monitor(catalog, declared.claim))
    if way is None and isinstance(declared.claim, GoalReached) and paths.circular:
        longest = paths.longest(lambda edge: 1.0)
        way = longest.way
    if way is not None:
        return Judged(declared, False, way)
    return Judged(declared, True if paths.graph.complete else None)


def _find_breach(paths: Paths, monitor: _Monitor) -> tuple[Edge, ...] | None:
    """Find a shortest path that violates a monitor."""
    start = (0, monitor.start)
    came: dict[tuple[int, State], tuple[tuple[int, State], Edge] | None] = {start: None}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        for edge in paths.leaving[at[0]]:
            state: State | None = at[1]
            for happening in edge.happenings:
                state = monitor.step(state, happening)
                if state is None:
                    break
            onward = (edge.target, state)
            if state is None or not monitor.ending(paths.graph.nodes[edge.target].kind):
                return (*_way(came, at), edge)
            if onward not in came:
                came[onward] = (at, edge)
                waiting.append(onward)
    return None


def _way(came: dict[tuple[int, State], tuple[tuple[int, State], Edge] | None], at: tuple[int, State]) -> list[Edge]:
    way: list[Edge] = []
    while (step := came[at]) is not None:
        at, edge = step
        way.append(edge)
    return way[::-1]


def _monitor(catalog: Catalog, claim: Claim) -> _Monitor:
    match claim:
        case CalledMoreThan(skill=skill, limit=limit):
            return _count(What.CALLED, skill, limit)
        case AskedMoreThan(fact=fact, limit=limit):
            return _count(What.ASKED, fact, limit)
        case BecomesKnown(fact=fact):
            serving = frozenset(catalog.subtypes.get(fact, (fact,)))
            return _Monitor("", lambda state, h: None if h.what is What.KNOWN and h.subject in serving else state)
        case ConsentBefore(fact=fact):
            return _consent(catalog, fact)
        case SkillBefore(first=first, then=then):
            return _before(first, then)
        case DeadEnd() | GoalReached():
            return _Monitor("", lambda state, h: state, lambda kind: kind is not NodeKind.DROPPED)


def _count(what: What, subject: str, limit: int) -> _Monitor:
    def step(state: State, happening: Happening) -> State | None:
        assert isinstance(state, int)
        if happening.what is not what or happening.subject != subject:
            return state
        return state + 1 if state < limit else None

    return _Monitor(0, step)


def _before(first: str, then: str) -> _Monitor:
    def step(state: State, happening: Happening) -> State | None:
        if happening.what is not What.CALLED:
            return state
        if happening.subject == then and not state:
            return None
        return bool(state) or happening.subject == first

    return _Monitor(False, step)


def _consent(catalog: Catalog, fact: str) -> _Monitor:
    """Watch that a fact, or one that stands for it, goes only to skills for which its user agreed to just that.

    The state is what was agreed to: whom for (a skill, or under the per-fact policy the fact), and which facts.
    """
    serving = frozenset(catalog.subtypes.get(fact, (fact,)))

    def step(state: State, happening: Happening) -> State | None:
        assert isinstance(state, frozenset)
        if happening.what is What.CONSENTED:
            return state | {(happening.subject, name) for name in happening.facts}
        if happening.what is What.CALLED:
            for name, given in zip(happening.inputs, happening.facts, strict=True):
                allowed = any(
                    (to, called) in state for to in (happening.subject, name, given) for called in (name, given)
                )
                if given in serving and not allowed:
                    return None
        return state

    return _Monitor(frozenset(), step)
