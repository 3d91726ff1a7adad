"""Features and regression: the words of texts by their rarity, and a logistic regression over words and meaning."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from language.entities.masking import MaskedText
from language.text.encoder import DIMENSIONS
from language.text.morphology import stem
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, words_in

Matrix = NDArray[np.floating[Any]]

_PENALTY = 0.02
"""What large weights cost."""
_STEPS = 100
_PROJECTED = 768
"""Dimensions to which words are projected for training."""
_WORDS, _PAIRS, _LETTERS, _MARKS = 0.7, 0.4, 0.5, 0.4
"""What words, pairs of neighbours, groups of letters, and marks weigh beside the meaning, which weighs 1."""


def features_of(said: MaskedText) -> Counter[str]:
    """Count the words, pairs of words, groups of four letters, and marks of a text."""
    stems = [stem(word.text) for word in words_in(said.text)]
    found: Counter[str] = Counter(f"m {mark}" for mark in said.features)
    found.update(f"w {word}" for word in set(stems))
    found.update(f"p {a} {b}" for a, b in set(zip(["^", *stems], [*stems, "$"], strict=True)))
    padded = f" {' '.join(stems)} "
    found.update({f"c {padded[i : i + 4]}" for i in range(len(padded) - 3)})
    return found


_WEIGHTS = {"w": _WORDS, "p": _PAIRS, "c": _LETTERS, "m": _MARKS}


@dataclass(frozen=True)
class Lexicon:
    """The features that examples have, with their rarity; `share` is what all of them count beside the meaning."""

    index: Mapping[str, int]
    rarity: Matrix
    share: float = 1.0

    @classmethod
    def of(cls, texts: Iterable[MaskedText], share: float = 1.0) -> Lexicon:
        """Collect the features of examples; those of words even if only one example has them."""
        counted = [features_of(text) for text in texts]
        spread = Counter(feature for features in counted for feature in features)
        kept = sorted(feature for feature, count in spread.items() if count > 1 or feature.startswith("w"))
        rarity = [math.log((1 + len(counted)) / (1 + spread[feature])) + 1 for feature in kept]
        return cls({feature: i for i, feature in enumerate(kept)}, np.array(rarity, dtype=np.float32), share)

    def vectors(self, texts: Sequence[MaskedText]) -> csr_array:
        """Return the words, pairs and letters of each text as a sparse vector, each sort scaled to its weight."""
        values: list[Matrix] = []
        columns: list[int] = []
        ends = [0]
        for text in texts:
            by_sort: dict[str, list[int]] = {}
            for feature in features_of(text):
                place = self.index.get(feature)
                if place is not None:
                    by_sort.setdefault(feature[0], []).append(place)
            for sort, places in by_sort.items():
                weights = self.rarity[places]
                values.append(self.share * _WEIGHTS[sort] * weights / np.linalg.norm(weights))
                columns += places
            ends.append(len(columns))
        data = np.concatenate([np.zeros(0, dtype=np.float32), *values]).astype(np.float32)
        return csr_array((data, columns, ends), shape=(len(texts), len(self.index)))


_EMPTY = FUNCTION_WORDS | FRAME_WORDS


def weighty(text: str) -> frozenset[str]:
    """Return the stems of the words of a masked text that tell what it is about."""
    return frozenset(stem(word.text) for word in words_in(text) if word.text not in _EMPTY)


def count_words(texts: Iterable[str], owners: Iterable[int]) -> Mapping[int, Counter[str]]:
    """Count in how many of the texts of each goal each weighty word stands."""
    counted: dict[int, Counter[str]] = {}
    for text, owner in zip(texts, owners, strict=True):
        counted.setdefault(owner, Counter()).update(weighty(text))
    return counted


def foreign_share(counted: Mapping[int, Counter[str]], text: str, goal: int, *, apart: bool = False) -> float:
    """Return the share of the weighty words of a text that no example of a goal has; `apart` from the text itself."""
    words, known = weighty(text), counted.get(goal, Counter())
    return sum(known[word] <= int(apart) for word in words) / len(words) if words else 1.0


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
