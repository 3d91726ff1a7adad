"""Supporters by the set-additive heuristic h_sa (Keyder and Geffner 2008): what two needs share counts once.

An atom's estimate is the cost of a whole set of operators that makes it true: that of its supporter, joined with those
of all that this needs. h_add counts what is shared once for each need, so on long plans its estimates double from layer
to layer and tell nothing. A set is an integer, a bit for each operator; what it costs is counted by planes of bits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from heapq import heappop, heappush

from planning.engines.delete_free import NOBODY, begin, find_tidy
from planning.task.index import Arrays

DIGITS = 12
"""Binary digits that costs are rounded to where they are of many kinds: estimates need no more."""


def _find_supporters(
    arrays: Arrays, costs: Sequence[float], initial: Collection[int], goal: Collection[int], ruled_out: Collection[int]
) -> list[int] | None:
    adds, needs, users = arrays.adds, arrays.needs, arrays.users
    planes = _weigh(costs)
    estimates, open_needs, waiting = begin(arrays, initial, ruled_out)
    supporters = [NOBODY] * len(users)
    sets = [0] * len(users)
    missing = {atom for atom in goal if estimates[atom]}
    queue: list[tuple[float, int]] = []
    while missing:
        for operator in waiting:
            joined = 1 << operator
            for atom in needs[operator]:
                joined |= sets[atom]
            total = 0
            for weight, plane in planes:
                total += weight * (joined & plane).bit_count()
            for atom in adds[operator]:
                if total < estimates[atom]:
                    estimates[atom], sets[atom], supporters[atom] = total, joined, operator
                    heappush(queue, (total, atom))
        waiting = []
        if not queue:
            return None
        estimate, settled = heappop(queue)
        if estimate > estimates[settled]:
            continue
        missing.discard(settled)
        for user in users[settled]:
            open_needs[user] -= 1
            if not open_needs[user]:
                waiting.append(user)
    return supporters


find_sharing = partial(find_tidy, find_supporters=_find_supporters)
"""Find a plan by supporters that share what they need, with no step to spare; None if there is none."""


def _weigh(costs: Sequence[float]) -> list[tuple[int, int]]:
    """Return planes of operators and weights, so that what a set costs is the sum over the planes."""
    most = max(costs, default=0.0)
    unit = 1.0 if most < 1 << DIGITS and all(cost == int(cost) for cost in costs) else most / ((1 << DIGITS) - 1)
    whole = [round(cost / unit) if unit else 0 for cost in costs]
    kinds = set(whole) - {0}
    if len(kinds) > DIGITS:
        kinds = {1 << digit for digit in range(DIGITS)}
        return [(kind, _plane([bool(weight & kind) for weight in whole])) for kind in sorted(kinds)]
    return [(kind, _plane([weight == kind for weight in whole])) for kind in sorted(kinds)]


def _plane(members: Sequence[bool]) -> int:
    return int("".join("1" if member else "0" for member in reversed(members)) or "0", 2)
