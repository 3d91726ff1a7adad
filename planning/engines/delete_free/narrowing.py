"""Narrow a task down to what can be part of a plan that costs no more than one that is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from heapq import heapify, heappop, heappush
from math import inf

from planning.engines.delete_free.relaxed_plans import begin
from planning.task.index import Reduced, cut, find_dominated
from planning.task.operators import Arrays

ROUNDING = 1e-9
"""Sums of the same costs in another order may differ by this much."""


def narrow(
    arrays: Arrays,
    initial: Collection[int],
    goal: Sequence[int],
    ruled_out: Iterable[int],
    plan: Collection[int],
    *,
    also: Sequence[float] | None = None,
) -> Reduced:
    """Keep the operators that may be in a plan no dearer than a known one, which must have no step to spare.

    Every plan with an operator in it costs at least what leads up to that by its dearest chain of needs (h_max), and
    what the cheapest chain from it to the goal costs: both chains are in the plan, and have no step in common. Of what
    is left, operators go that another one can stand for at no more cost, and effects that lead nowhere. The steps of
    the known plan always stay. `also` is what operators take besides, if the one to stand for another is not to take
    more of that either.
    """
    most = sum(arrays.costs[step] for step in plan) * (1 + ROUNDING) + ROUNDING
    leading = _lead_up(arrays, initial, ruled_out, most)
    kept, relevant = _lead_on(arrays, leading, initial, goal, most)
    takes = (arrays.costs,) if also is None else (arrays.costs, also)
    dominated = find_dominated(arrays, kept, relevant, takes, frozenset(plan))
    return cut(arrays, [operator for operator in kept if operator not in dominated], relevant, goal)


def _lead_up(arrays: Arrays, initial: Collection[int], ruled_out: Iterable[int], most: float) -> list[float]:
    """Bound for each operator from below what it costs up to and with it; infinite where that is too much."""
    adds, users, costs = arrays.adds, arrays.users, arrays.costs
    estimates, open_needs, ready = begin(arrays, initial, ruled_out)
    leading = [inf] * len(costs)
    queue: list[tuple[float, int]] = []
    for operator in ready:
        total = leading[operator] = costs[operator]
        for added in adds[operator]:
            if total < estimates[added]:
                estimates[added] = total
                queue.append((total, added))
    heapify(queue)
    while queue:
        estimate, atom = heappop(queue)
        if estimate > most:
            break
        if estimate > estimates[atom]:
            continue
        for operator in users[atom]:
            open_needs[operator] -= 1
            if not open_needs[operator]:
                total = leading[operator] = estimate + costs[operator]
                for added in adds[operator]:
                    if total < estimates[added]:
                        estimates[added] = total
                        heappush(queue, (total, added))
    return leading


def _lead_on(
    arrays: Arrays, leading: list[float], initial: Collection[int], goal: Sequence[int], most: float
) -> tuple[list[int], frozenset[int]]:
    """Go back from the goal, cheapest chains first; collect the operators that fit, and the atoms gone through."""
    needs, achievers, costs = arrays.needs, arrays.achievers, arrays.costs
    kept: set[int] = set()
    settled = set(initial)
    relevant: set[int] = set()
    queue = [(0.0, atom) for atom in goal]
    heapify(queue)
    while queue:
        rest, atom = heappop(queue)
        if atom in settled:
            continue
        settled.add(atom)
        relevant.add(atom)
        for operator in achievers[atom]:
            if operator not in kept and leading[operator] + rest <= most:
                kept.add(operator)
                total = rest + costs[operator]
                for need in needs[operator]:
                    if need not in settled:
                        heappush(queue, (total, need))
    return sorted(kept), frozenset(relevant)
