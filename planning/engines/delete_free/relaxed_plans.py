"""Cheap plans of a delete-free task, in one pass: h_add with best supporters, and a plan read off them.

h_add (Bonet and Geffner 2001, Planning as Heuristic Search) estimates what an atom costs as the cost of its
cheapest supporter plus the estimates of all that this needs. It counts twice what two needs share, and so may choose
wrongly; but what is read off the supporters, backward from the goal, is a plan: nothing is ever deleted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from heapq import heapify, heappop, heappush
from math import inf

from catalog.analysis.horn import BARRED, UNREACHED, Closure
from planning.task.index import IndexedTask
from planning.task.operators import Arrays

NOBODY = -1
"""Stands for the supporter of an atom that has none, because it holds from the start or is out of reach."""


def begin(arrays: Arrays, initial: Iterable[int], ruled_out: Iterable[int]) -> tuple[list[float], list[int], list[int]]:
    """Begin a pass over a task: estimates of atoms, open needs of operators, and the operators that are ready."""
    estimates = [inf] * len(arrays.users)
    open_needs = arrays.open_needs.copy()
    for operator in ruled_out:
        open_needs[operator] = BARRED
    ready = [operator for operator in arrays.free if not open_needs[operator]]
    for atom in initial:
        estimates[atom] = 0.0
        for operator in arrays.users[atom]:
            open_needs[operator] -= 1
            if not open_needs[operator]:
                ready.append(operator)
    return estimates, open_needs, ready


def find_supporters(
    arrays: Arrays,
    costs: Sequence[float],
    initial: Collection[int],
    goal: Collection[int],
    ruled_out: Collection[int] = (),
) -> list[int] | None:
    """Find the cheapest supporter of each atom by h_add, as far as the goal takes; None if that is out of reach.

    Atoms are settled cheapest first, in Dijkstra's order: so a supporter needs only atoms that were settled before what
    it supports, also where steps cost nothing. Of equals, the supporter that is ready first stays.
    """
    adds, users = arrays.adds, arrays.users
    estimates, open_needs, ready = begin(arrays, initial, ruled_out)
    supporters = [NOBODY] * len(users)
    totals = list(costs)
    missing = {atom for atom in goal if estimates[atom]}
    queue: list[tuple[float, int]] = []
    for operator in ready:
        total = totals[operator]
        for added in adds[operator]:
            if total < estimates[added]:
                estimates[added] = total
                supporters[added] = operator
                queue.append((total, added))
    heapify(queue)
    while missing and queue:
        estimate, atom = heappop(queue)
        if estimate > estimates[atom]:
            continue
        missing.discard(atom)
        for operator in users[atom]:
            totals[operator] += estimate
            open_needs[operator] -= 1
            if not open_needs[operator]:
                total = totals[operator]
                for added in adds[operator]:
                    if total < estimates[added]:
                        estimates[added] = total
                        supporters[added] = operator
                        heappush(queue, (total, added))
    if missing:
        return _support_in_breadth(arrays, initial, goal, ruled_out) if inf in totals else None
    return supporters


def _support_in_breadth(
    arrays: Arrays, initial: Iterable[int], goal: Iterable[int], ruled_out: Iterable[int]
) -> list[int] | None:
    """Find any supporters where estimates overflow: they may double with every step."""
    achievers = Closure(arrays, initial, ruled_out).achievers
    if any(achievers[atom] == UNREACHED for atom in goal):
        return None
    return [max(achiever, NOBODY) for achiever in achievers]


def extract(arrays: Arrays, supporters: Sequence[int], goal: Iterable[int]) -> list[int]:
    """Read a plan off the supporters, backward from the goal; each operator comes after those that support it."""
    needs = arrays.needs
    steps: list[int] = []
    entered: set[int] = set()
    left: set[int] = set()
    for wanted in goal:
        waiting = [supporters[wanted]]
        while waiting:
            operator = waiting[-1]
            if operator == NOBODY or operator in left:
                waiting.pop()
            elif operator in entered:
                waiting.pop()
                left.add(operator)
                steps.append(operator)
            else:
                entered.add(operator)
                waiting.extend([supporters[atom] for atom in needs[operator]])
    return steps


def find_tidy(
    arrays: Arrays,
    costs: Sequence[float],
    initial: Collection[int],
    goal: Sequence[int],
    ruled_out: Collection[int] = (),
) -> list[int] | None:
    """Find a plan by cheapest supporters, in one pass, with no step to spare; None if there is none."""
    supporters = find_supporters(arrays, costs, initial, goal, ruled_out)
    return None if supporters is None else tidy(arrays, initial, goal, extract(arrays, supporters, goal))


def find_first(task: IndexedTask) -> list[int] | None:
    """Find a plan for a task by cheapest supporters (`find_tidy`)."""
    return find_tidy(task.arrays, task.arrays.costs, task.initial, task.goal, task.ruled_out)


def tidy(arrays: Arrays, initial: Iterable[int], goal: Iterable[int], steps: list[int]) -> list[int]:
    """Drop steps that the others can do without, the dearest first, of equals the last; keep the order valid."""
    at_work = _find_at_work(arrays, initial, goal, steps)
    for step in sorted((step for step in reversed(steps) if step not in at_work), key=lambda step: -arrays.costs[step]):
        without = _put_in_order(arrays, initial, goal, [other for other in steps if other != step])
        steps = steps if without is None else without
    return steps


def _find_at_work(arrays: Arrays, initial: Iterable[int], goal: Iterable[int], steps: Sequence[int]) -> set[int]:
    """Find steps that are surely needed: alone in adding what the goal, or such a step, needs."""
    found: set[int] = set()
    adding: dict[int, list[int]] = {}
    for step in steps:
        for atom in arrays.adds[step]:
            adding.setdefault(atom, []).append(step)
    settled = set(initial)
    waiting = list(goal)
    while waiting:
        atom = waiting.pop()
        if atom in settled:
            continue
        settled.add(atom)
        if len(adding[atom]) == 1:
            found.add(adding[atom][0])
            waiting.extend(arrays.needs[adding[atom][0]])
    return found


def _put_in_order(arrays: Arrays, initial: Iterable[int], goal: Iterable[int], steps: list[int]) -> list[int] | None:
    """Put steps in an order in which they can be applied, without those that cannot; None if that misses the goal."""
    state = set(initial)
    ordered: list[int] = []
    while ready := [step for step in steps if state.issuperset(arrays.needs[step])]:
        for step in ready:
            state.update(arrays.adds[step])
        ordered += ready
        steps = [step for step in steps if step not in ready]
    return ordered if state.issuperset(goal) else None
