"""Calibration: how sure a classifier may be of a goal, and from what evidence on a text asks for anything served.

Both are learned from a catalog's own examples, as a model sees them that was trained without them; against what people
say to any assistant, which tells how near to the examples a text of no concern may come.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from language.intents.regression import Matrix, softmax

Scorer = Callable[[NDArray[np.int64]], Matrix]
"""Gives the scores of rows."""

_PARTS, _ENOUGH = 5, 500
"""Examples are held out in so many parts, one after the other, until there are enough of them to calibrate with."""

_NEAR, _ELSEWHERE, _FOREIGN, _SLOPE = 6.0, -6.0, -2.0, 2.0
"""What the nearness to the catalog's examples, the nearness to what no catalog serves, and the share of words that no
example of the goal has count beside the score of the goal; and how fast doubts go with more evidence."""
_SAME = 0.9999
"""From this cosine on, two texts are the same."""
_SERVED = 0.7
"""How much a request that is refused weighs; the rest is what weighs a text that is taken for one."""
_USUAL_TEMPERATURE, _USUAL_THRESHOLD = 0.6, 2.2
_COUNTS = 20
"""As many examples outweigh what is usual for catalogs."""


def nearest(vectors: Matrix, others: Matrix, *, apart: bool = False) -> Matrix:
    """Return the cosine of the angle to the nearest of other vectors; `apart` from the same text."""
    cosines = vectors @ others.T
    if apart:
        cosines = np.where(cosines > _SAME, 0.0, cosines)
    near: Matrix = cosines.max(axis=1, initial=0.0)
    return near


def evidence_of(scores: Matrix, near: Matrix, elsewhere: Matrix, foreign: Matrix) -> Matrix:
    """Return how much speaks for texts to ask for their best goal.

    That is its score, the nearness of a text to what is served and to what is not, and the share of its words that are
    foreign to the goal.
    """
    found: Matrix = scores.max(axis=1) + _NEAR * near + _ELSEWHERE * elsewhere + _FOREIGN * foreign
    return found


def served(lead: Matrix) -> Matrix:
    """Turn the lead of evidence over the threshold into the probability that a text asks for something served."""
    found: Matrix = 1 / (1 + np.exp(-_SLOPE * lead))
    return found


def hold_out(
    examples: NDArray[np.int64], count: int, classes: int, learn: Callable[[NDArray[np.int64]], Scorer]
) -> tuple[NDArray[np.int64], Matrix]:
    """Return examples, and the scores that a model gives them which was trained without them.

    `examples` are places among `count` rows; `learn` trains with some of these rows.
    """
    drawn = np.random.default_rng(0).permutation(examples)
    held: list[NDArray[np.int64]] = []
    scores: list[Matrix] = [np.zeros((0, classes), dtype=np.float32)]
    for part in range(_PARTS):
        tested = drawn[part::_PARTS]
        if not len(tested) or sum(map(len, held)) >= _ENOUGH:
            break
        held.append(tested)
        scores.append(learn(np.setdiff1d(np.arange(count), tested))(tested))
    return np.concatenate([np.zeros(0, dtype=np.int64), *held]), np.concatenate(scores)


def find_temperature(scores: Matrix, labels: NDArray[np.int64]) -> float:
    """Return what scores are to be divided by, so that their softmax is as likely to be right as it says."""
    if not len(labels):
        return _USUAL_TEMPERATURE
    rows = np.arange(len(labels))
    tried = np.geomspace(0.1, 2.0, 40)
    losses = [-np.log(softmax(scores / one)[rows, labels] + 1e-9).mean() for one in tried]
    share = len(labels) / (len(labels) + _COUNTS)
    return float(tried[np.argmin(losses)] ** share * _USUAL_TEMPERATURE ** (1 - share))


def find_threshold(inside: Matrix, outside: Matrix) -> float:
    """Return the evidence at which a text is as likely served as not, by that for examples and for other texts."""
    share = len(inside) / (len(inside) + _COUNTS) if len(outside) else 0.0
    low, high = -20.0, 20.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        balance = (1 - share) * (_USUAL_THRESHOLD - middle) / 5
        if share:
            balance += share * (1 - _SERVED) * served(outside - middle).mean()
            balance -= share * _SERVED * (1 - served(inside - middle)).mean()
        low, high = (middle, high) if balance > 0 else (low, middle)
    return low
