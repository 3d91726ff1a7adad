"""Expected costs, exactly: of the best policy there is, and of planning and replanning.

A state is what is known and which skills were called: each is called once at most, for calling it again with the same
values tells nothing new. Questions are always answered; a call ends in one of its outcomes by their likelihoods. Where
the goal can no longer be reached, that costs `DEAD_END`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from benchmarks.likelihood.generate import Question
from catalog.model import Catalog
from planning.engines import ENGINES, Engine
from planning.model import Situation, Solved, StepKind
from planning.plans.solve import solve
from planning.task.compilation import compile_task
from planning.task.index import is_solvable

DEAD_END = 30.0
State = tuple[frozenset[str], frozenset[str]]
Action = tuple[StepKind, str]


def situation(catalog: Catalog, state: State) -> Situation:
    """Return a state as the planner is told it."""
    known, called = state
    spent = {(name, "only", fact) for name in called for fact in catalog.skills[name].gives}
    return Situation(known=known, cannot_establish=frozenset(spent))


def follow(catalog: Catalog, state: State, action: Action) -> Iterator[tuple[float, State]]:
    """Yield the states that an action may lead to, each with how likely it is."""
    kind, subject = action
    known, called = state
    if kind is StepKind.ASK:
        yield 1.0, (known | {subject}, called)
        return
    for outcome in catalog.skills[subject].modes["only"].outcomes.values():
        yield outcome.likelihood or 1.0, (known.union(outcome.facts), called | {subject})


def price(catalog: Catalog, action: Action) -> float:
    """Return what an action costs."""
    kind, subject = action
    return catalog.settings.ask_cost if kind is StepKind.ASK else catalog.skills[subject].cost


def find_least(question: Question) -> float:
    """Find the expected cost of the best policy, by dynamic programming."""
    catalog = question.catalog

    @cache
    def least(state: State) -> float:
        if state[0].issuperset(question.goal):
            return 0.0
        if not is_solvable(compile_task(catalog, situation(catalog, state), question.goal)):
            return DEAD_END
        return min(expect(question, state, action, least) for action in list_actions(catalog, state))

    return least((frozenset(), frozenset()))


def find_by_planning(question: Question, planned: Catalog, engine: Engine = ENGINES["native"]) -> float:
    """Find the expected cost of planning with a form of the catalog, taking the first step, and planning again."""

    @cache
    def cost(state: State) -> float:
        if state[0].issuperset(question.goal):
            return 0.0
        result = solve(compile_task(planned, situation(planned, state), question.goal), engine)
        if not isinstance(result, Solved):
            return DEAD_END
        step = result.plan.actions[0]
        return expect(question, state, (step.kind, step.subject), cost)

    return cost((frozenset(), frozenset()))


def expect(question: Question, state: State, action: Action, cost: Callable[[State], float]) -> float:
    """Return what an action costs, and what is expected after it."""
    after = follow(question.catalog, state, action)
    return price(question.catalog, action) + sum(likelihood * cost(then) for likelihood, then in after)


def list_actions(catalog: Catalog, state: State) -> Iterator[Action]:
    """Yield what can be done in a state and may be of use."""
    known, called = state
    wanted = {fact for name, skill in catalog.skills.items() if name not in called for fact in skill.takes}
    for name, fact in catalog.facts.items():
        if fact.askable and name in wanted and name not in known:
            yield StepKind.ASK, name
    for name, skill in catalog.skills.items():
        if name not in called and known.issuperset(skill.takes):
            yield StepKind.SKILL, name
