"""What can be reached at all: the forward closure of a delete-free task, in time linear in its size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from planning.model import Atom, Operator, Task


def find_reachable(task: Task) -> frozenset[Atom]:
    """Collect every atom that some sequence of operators makes true, the initial ones included."""
    return close_forward(task.initial, task.operators)


def is_solvable(task: Task) -> bool:
    """Tell whether there is a plan: nothing is ever deleted, so a goal that can be reached is reached by a plan."""
    return task.goal <= find_reachable(task)


def close_forward(initial: Iterable[Atom], operators: Iterable[Operator]) -> frozenset[Atom]:
    """Apply operators for as long as that adds anything; each waits only for the needs that are still open."""
    reached = set(initial)
    waiting: dict[Atom, list[int]] = defaultdict(list)
    open_needs: list[int] = []
    adds: list[frozenset[Atom]] = []
    ready: list[int] = []
    for number, operator in enumerate(operators):
        missing = operator.needs - reached
        open_needs.append(len(missing))
        adds.append(operator.adds)
        for atom in missing:
            waiting[atom].append(number)
        if not missing:
            ready.append(number)
    while ready:
        for atom in adds[ready.pop()] - reached:
            reached.add(atom)
            for number in waiting[atom]:
                open_needs[number] -= 1
                if open_needs[number] == 0:
                    ready.append(number)
    return frozenset(reached)
