"""Logistic regression by L-BFGS, for tables that are too wide for the product's own trainer of labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize


def fit(
    features: NDArray[Any], wanted: NDArray[Any], counts: NDArray[Any], *, penalty: float, steps: int
) -> NDArray[np.float64]:
    """Return a weight for each column of `features` (rows × columns), and a last one that always counts.

    `wanted` is 0 or 1 for each row, `counts` what the row counts. The squares of all weights but the last one cost
    `penalty` each. Sums are made in the precision of `features`.
    """

    def loss(given: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = given.astype(features.dtype)
        scores = features @ weights[:-1] + weights[-1]
        off = counts * (1 / (1 + np.exp(-scores)) - wanted)
        value = counts @ (np.logaddexp(0, scores) - wanted * scores) + penalty * (weights[:-1] @ weights[:-1])
        return float(value), np.append(features.T @ off + 2 * penalty * weights[:-1], off.sum()).astype(np.float64)

    start = np.zeros(features.shape[1] + 1)
    found: NDArray[np.float64] = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps}).x
    return found
