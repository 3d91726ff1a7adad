"""Regression: a multinomial logistic regression over the meaning and the words of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from language.text.encoder import DIMENSIONS

Matrix = NDArray[np.floating[Any]]

_PENALTY = 0.02
"""What large weights cost."""
_STEPS = 100
_PROJECTED = 768
"""Dimensions to which words are projected for training."""


@dataclass(frozen=True, slots=True)
class JudgedLabels:
    """The labels of a text, the likeliest first, with their probabilities; that of none of them; and its nearness.

    `near` is the cosine of the angle to the nearest example.
    """

    chances: tuple[tuple[str, float], ...]
    none: float
    near: float

    @property
    def best(self) -> str:
        return self.chances[0][0]

    @property
    def confidence(self) -> float:
        return self.chances[0][1]

    def chance_of(self, label: str) -> float:
        return dict(self.chances)[label]


def softmax(scores: Matrix) -> Matrix:
    """Turn scores into probabilities, row by row."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return found


def train(
    vectors: Matrix,
    words: csr_array,
    labels: NDArray[np.int64],
    classes: int,
    weights: Matrix,
) -> tuple[Matrix, Matrix]:
    """Fit a multinomial logistic regression; return its weights (features by classes) and its offsets.

    The features of an example are its vector, then its words, which are projected at random to few dimensions: angles
    hardly change, and the time that training takes is linear in the number of examples.
    """
    projection = np.random.default_rng(0).standard_normal((words.shape[1], _PROJECTED)).astype(np.float32)
    projection *= _PROJECTED**-0.5
    features = np.hstack([vectors, words @ projection]).astype(np.float32)
    wanted = np.eye(classes, dtype=np.float32)[labels]
    total = float(weights.sum()) or 1.0

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        learned = flat.astype(np.float32).reshape(-1, classes)
        chances = softmax(features @ learned[:-1] + learned[-1])
        right = np.maximum((chances * wanted).sum(axis=1), 1e-30)
        value = -(weights * np.log(right)).sum() + 0.5 * _PENALTY * (learned[:-1] ** 2).sum()
        slope = weights[:, None] * (chances - wanted)
        slopes = np.vstack([features.T @ slope + _PENALTY * learned[:-1], slope.sum(axis=0)])
        return float(value) / total, (slopes / total).ravel().astype(np.float64)

    from scipy.optimize import minimize  # loading it takes longer than most commands do

    start = np.zeros((features.shape[1] + 1) * classes)
    # Steps are short: threads would wait for one another, on a busy machine for a minute instead of a second.
    with threadpool_limits(1):
        found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS, "gtol": 1e-4})
    learned = found.x.astype(np.float32).reshape(-1, classes)
    meaning, rest = learned[:DIMENSIONS], learned[DIMENSIONS:-1]
    return np.vstack([meaning, projection @ rest]).astype(np.float32), learned[-1]


def scores_of(vectors: Matrix, words: csr_array, learned: Matrix, offsets: Matrix) -> Matrix:
    """Return the scores of each class, by what `train` learned."""
    found: Matrix = vectors @ learned[:DIMENSIONS] + words @ learned[DIMENSIONS:] + offsets
    return found
