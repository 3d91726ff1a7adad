"""What can be reached at all: the forward closure of a delete-free task, in time linear in its size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from planning.model import Atom, Operator, Task
from planning.task.operators import Arrays, keep_operators

HELD = -1
"""Stands for the achiever of an atom that holds from the start."""
NOBODY = -2
"""Stands for the achiever of an atom that is out of reach."""


def find_reachable(task: Task) -> frozenset[Atom]:
    """Collect every atom that some sequence of operators makes true, the initial ones included."""
    whole = keep_operators(task.operators).whole
    achievers = find_achievers(task)
    return task.initial.union([atom for atom, number in whole.number.items() if achievers[number] != NOBODY])


def is_solvable(task: Task) -> bool:
    """Tell whether there is a plan: nothing is ever deleted, so a goal that can be reached is reached by a plan."""
    number = keep_operators(task.operators).whole.number
    wanted = task.goal - task.initial
    if not wanted <= number.keys():
        return False
    achievers = find_achievers(task)
    return all(achievers[number[atom]] != NOBODY for atom in wanted)


def find_achievers(task: Task) -> list[int]:
    """Find for each atom of the compiled operators the place of one that achieves it, `HELD`, or `NOBODY`.

    Atoms are reached in breadth: an achiever needs only atoms that were reached before what it achieves. So what is
    read off the achievers, backward from a goal, is a plan.
    """
    operators = keep_operators(task.operators)
    number, arrays = operators.whole.number, operators.whole.arrays
    initial = [number[atom] for atom in task.initial if atom in number]
    return spread(arrays, initial, operators.ruled_out)


def spread(arrays: Arrays, initial: Iterable[int], ruled_out: Iterable[int]) -> list[int]:
    """Apply operators for as long as that adds anything; each waits only for the needs that are still open."""
    adds, users = arrays.adds, arrays.users
    achievers = [NOBODY] * len(users)
    open_needs = arrays.open_needs.copy()
    for operator in ruled_out:
        open_needs[operator] = -1  # counting down, this does not come to zero
    ready = [operator for operator in arrays.free if not open_needs[operator]]
    for atom in initial:
        achievers[atom] = HELD
        for user in users[atom]:
            open_needs[user] -= 1
            if not open_needs[user]:
                ready.append(user)
    for operator in ready:
        for added in adds[operator]:
            if achievers[added] == NOBODY:
                achievers[added] = operator
                for user in users[added]:
                    open_needs[user] -= 1
                    if not open_needs[user]:
                        ready.append(user)
    return achievers


def close_forward(initial: Iterable[Atom], operators: Iterable[Operator]) -> frozenset[Atom]:
    """Apply operators that were not compiled for as long as that adds anything (`spread`)."""
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
