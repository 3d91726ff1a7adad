"""Prove from below what every plan costs, by cuts that can be checked without a search.

A cut is a disjunctive action landmark: operators of which every plan has at least one, since without all of them the
goal is not reached (Helmert and Domshlak 2009). Each has a weight, and the weights of the cuts that an operator is in
add up to no more than its cost; so no plan costs less than all weights. The best weights are the dual of the linear
program that chooses a share of each operator, one of every cut in all (Bonet and Helmert 2010). Cuts are added while
one is found of which the shares are less than one.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from planning.task.index import TaskPart
from planning.task.spending import find_landmark

CLOSE = 1e-7
MOST_CUTS = 240


def prove_bound(part: TaskPart) -> dict[tuple[int, ...], float]:
    """Return cuts of a task whose goal can be reached, with weights of as large a sum as is found."""
    costs = part.arrays.costs
    shares, weights = np.zeros(len(costs)), np.zeros(0)
    cuts: dict[tuple[int, ...], np.ndarray] = {}
    while len(cuts) < MOST_CUTS:
        new = {}
        for enough in (CLOSE, 0.4, 0.6, 1 - CLOSE):
            price = np.where(shares < enough, 1 + shares, 0)  # what has the larger share is let in first
            cut = tuple(sorted(find_landmark(part.arrays, price.tolist(), (), part.goal)))
            if cut and shares[list(cut)].sum() < 1 - CLOSE:
                new[cut] = np.isin(range(len(costs)), cut).astype(float)
        if not new:
            break
        cuts |= new
        solved = linprog(costs, A_ub=-np.array([*cuts.values()]), b_ub=-np.ones(len(cuts)))
        shares, weights = solved.x, -solved.ineqlin.marginals
    return {cut: weight for cut, weight in zip(cuts, weights.round(9).tolist(), strict=True) if weight > CLOSE}
