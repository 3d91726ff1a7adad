"""A naive reference for engines: slow, and so plain that it can be seen to be right."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import TypeVar

from planning.model import Atom, Operator, Situation, StepKind, Task

CENT = 0.01


Cost = TypeVar("Cost", float, Fraction)


def read_exactly(cost: float) -> Fraction:
    """Read a cost as it is written."""
    return Fraction(repr(cost))


def find_cheapest_cost(task: Task) -> float | None:
    """Find the cost of a cheapest plan by uniform-cost search over whole states; None if there is no plan.

    It grows with the number of states, which doubles with every fact: for small tasks only.
    """
    return _search(task, float)


def find_cheapest_cost_exactly(task: Task) -> Fraction | None:
    """Find the same without any rounding."""
    return _search(task, read_exactly)


def _search(task: Task, read: Callable[[float], Cost]) -> Cost | None:
    tie = count()
    costs = {operator: read(operator.cost) for operator in task.operators}
    queue: list[tuple[Cost, int, frozenset[Atom]]] = [(read(0.0), next(tie), task.initial)]
    closed: set[frozenset[Atom]] = set()
    while queue:
        cost, _, state = heappop(queue)
        if task.goal <= state:
            return cost
        if state in closed:
            continue
        closed.add(state)
        for operator in task.operators:
            if operator.needs <= state and not operator.adds <= state:
                heappush(queue, (cost + costs[operator], next(tie), state | operator.adds))
    return None


def find_cheapest_cost_within_budget(task: Task) -> float | None:
    """Find the cost of a cheapest plan whose money stays within the budget, by the same search; None if there is none.

    A state is passed over only where it was reached before at no more cost and no more money.
    """
    assert task.budget is not None
    tie = count()
    queue: list[tuple[float, float, int, frozenset[Atom]]] = [(0.0, 0.0, next(tie), task.initial)]
    closed: dict[frozenset[Atom], float] = {}
    while queue:
        cost, money, _, state = heappop(queue)
        if task.goal <= state:
            return cost
        if money >= closed.get(state, inf):
            continue
        closed[state] = money
        for operator in task.operators:
            spent = money + operator.amounts.money
            if operator.needs <= state and not operator.adds <= state and spent <= task.budget + CENT / 2:
                heappush(queue, (cost + operator.cost, spent, next(tie), state | operator.adds))
    return None


def is_ruled_out(operator: Operator, situation: Situation) -> bool:
    """Return whether what was learned by trying forbids an operator (§3.4: loops, and model refinement)."""
    if operator.kind is StepKind.AUTHORIZE and operator.subject in situation.authorized:
        return True
    return operator.name in situation.pruned or (
        operator.mode is not None
        and any((operator.subject, operator.mode, fact) in situation.cannot_establish for fact in operator.outputs)
    )
