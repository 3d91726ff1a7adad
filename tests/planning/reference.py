"""A naive reference for engines: slow, and so plain that it can be seen to be right."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

from planning.model import Atom, Task


def find_cheapest_cost(task: Task) -> float | None:
    """Find the cost of a cheapest plan by uniform-cost search over whole states; None if there is no plan.

    It grows with the number of states, which doubles with every fact: for small tasks only.
    """
    tie = count()
    queue: list[tuple[float, int, frozenset[Atom]]] = [(0.0, next(tie), task.initial)]
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
                heappush(queue, (cost + operator.cost, next(tie), state | operator.adds))
    return None
