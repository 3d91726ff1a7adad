"""Prove from below what every plan costs, by cuts that can be checked without a search.

A cut is a disjunctive action landmark: operators of which every plan has at least one, since without all of them the
goal is not reached (Helmert and Domshlak 2009). Each has a weight, and the weights of the cuts that an operator is in
add up to no more than its cost; so no plan costs less than all weights. The best weights are the dual of the linear
program that chooses a share of each operator, one of every cut in all (Bonet and Helmert 2010). Cuts are added while
one is found of which the shares are less than one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from catalog.analysis.horn import Closure, regress
from planning.task.index import IndexedTask

CLOSE = 1e-7
MOST_CUTS = 400
ROUNDS = 60


@dataclass(frozen=True, slots=True)
class WeighedCut:
    """Operators, by their places, of which every plan has one, and the weight of that."""

    operators: tuple[int, ...]
    weight: float


def list_leading(task: IndexedTask) -> list[int]:
    """List the operators that can lead to the goal of a task; no plan without a step to spare has another one."""
    support = regress(task.arrays, task.goal, given=frozenset(task.initial), barred=task.ruled_out)
    return sorted(support.clauses)


def prove_bound(task: IndexedTask, costs: Sequence[float]) -> tuple[WeighedCut, ...]:
    """Return cuts of a task whose goal can be reached, with weights of as large a sum as is found."""
    leading = list_leading(task)
    place = {operator: column for column, operator in enumerate(leading)}
    price = np.array([costs[operator] for operator in leading])
    shares, weights = np.zeros(len(leading)), np.zeros(0)
    cuts: dict[tuple[int, ...], None] = {}
    for _ in range(ROUNDS):
        found = {_find_cut(task, leading, shares, at_least) for at_least in (CLOSE, 0.4, 0.6, 1 - CLOSE)}
        new = [cut for cut in found if cut and shares[[place[one] for one in cut]].sum() < 1 - CLOSE]
        cuts |= dict.fromkeys(sorted(new))
        if not new or len(cuts) > MOST_CUTS:
            break
        rows = [(row, place[one]) for row, cut in enumerate(cuts) for one in cut]
        matrix = csr_array((np.ones(len(rows)), tuple(zip(*rows, strict=True))), shape=(len(cuts), len(leading)))
        solved = linprog(price, A_ub=-matrix, b_ub=-np.ones(len(cuts)), bounds=(0, None), method="highs")
        shares, weights = solved.x, -solved.ineqlin.marginals
    return tuple(
        WeighedCut(cut, float(weight)) for cut, weight in zip(cuts, weights.round(9), strict=False) if weight > CLOSE
    )


def _find_cut(task: IndexedTask, leading: Sequence[int], shares: np.ndarray, at_least: float) -> tuple[int, ...]:
    """Find a cut with small shares: allow operators, those with the largest share first, while the goal is missed."""
    barred = task.ruled_out.union(one for one, share in zip(leading, shares, strict=True) if share < at_least)
    closure = Closure(task.arrays, task.initial, barred)
    if closure.has(task.goal):
        return ()
    waiting = [one for _, one in sorted(zip(-shares, leading, strict=True)) if one in barred]
    cut: list[int] = []
    for one in waiting:
        wider = closure.copy()
        wider.allow([one])
        if wider.has(task.goal):
            cut.append(one)
        else:
            closure = wider
    return tuple(sorted(cut))
