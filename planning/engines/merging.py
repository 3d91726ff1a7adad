"""Several plans merged: a cheapest plan of nothing but their operators is often cheaper than each of them.

Plans are drawn by costs that are disturbed at random, and lower the more of an operator the relaxation chooses. What
the best of them are made of is a small part of the task, in which a program finds a cheapest plan soon. That joins what
is good in each, which no replacement of a single step can do (recombination by a program: Rothberg 2007).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from random import Random

from planning.engines.delete_free import find_tidy
from planning.engines.mip_program import Infeasible, IntegerProgram, Relaxed
from planning.engines.search import OutOfTime, Watch
from planning.engines.set_additive import find_sharing
from planning.task.index import Arrays, TaskPart, cut

ROUNDS = 4
DRAWN, MERGED = 20, 14
"""Plans that are drawn in a round, and the cheapest of all so far, that are merged."""
DISTURBED = 0.5
"""Standard deviation of the logarithm of disturbed costs."""
LITTLE = 1e-6


def merge(task: TaskPart, steps: list[int], relaxed: Relaxed, grain: float, watch: Watch) -> list[int]:
    """Return the cheapest plan that is found by drawing plans and merging them with the one at hand, in rounds."""
    pool: list[list[int]] = []
    draws = _draw(task, relaxed, Random(len(task.origin)))  # noqa: S311 - nothing secret is drawn
    try:
        for _ in range(ROUNDS):
            for _ in range(DRAWN):
                watch.tick()
                pool.append(next(draws))
            pool = sorted(pool, key=lambda plan: _cost(task.arrays, plan))[:MERGED]
            steps = _merge(task, [steps, *pool], grain, watch.within(watch.left() / 2))
            if relaxed.bound > _cost(task.arrays, steps) - grain / 2:
                break
    except OutOfTime:
        pass
    return steps


def _draw(task: TaskPart, relaxed: Relaxed, rng: Random) -> Iterator[list[int]]:
    """Draw plans: by what is cheapest for each need alone, and every fourth by what needs can share."""
    costs, arrays = task.arrays.costs, task.arrays
    shares = relaxed.values.tolist()
    number = 0
    while True:
        number += 1
        trust = rng.random()
        drawn = [
            cost * ((1 - trust * share) * exp(rng.gauss(0.0, DISTURBED)) + LITTLE)
            for cost, share in zip(costs, shares, strict=True)
        ]
        find = find_sharing if number % 4 == 0 else find_tidy
        found = find(arrays, drawn, (), task.goal)
        assert found is not None
        yield found


def _merge(task: TaskPart, plans: Sequence[list[int]], grain: float, watch: Watch) -> list[int]:
    """Find a cheapest plan made of what some plans are made of; the first of them, where that is not beaten."""
    arrays, steps = task.arrays, min(plans, key=lambda plan: _cost(task.arrays, plan))
    kept = sorted({step for plan in plans for step in plan})
    relevant = {atom for step in kept for atom in (*arrays.adds[step], *arrays.needs[step])}
    part = cut(arrays, kept, relevant, task.goal)
    program = IntegerProgram(part.arrays, part.goal, watch)
    most = _cost(arrays, steps) - grain / 2
    try:
        relaxed = program.relax()
        if relaxed.bound > most:
            return steps
        program.cut_off(relaxed, most)
        chosen = program.choose(grain / 2)
    except Infeasible:
        return steps
    except OutOfTime:
        chosen = program.interrupted()
    others = set(range(len(kept))).difference(chosen)
    found = find_tidy(part.arrays, part.arrays.costs, (), part.goal, others)
    merged = steps if found is None else [part.origin[step] for step in found]
    return min(steps, merged, key=lambda plan: _cost(arrays, plan))


def _cost(arrays: Arrays, steps: Sequence[int]) -> float:
    return sum(arrays.costs[step] for step in steps)
