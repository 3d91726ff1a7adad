"""A logistic regression over the vectors of texts and their words.

It is trained in the space of kernels: with a few hundred examples that takes a fraction of a second, however many
features there are, and needs no library.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from language.entities.masking import MaskedText
from language.text.array_cache import keep_arrays, read_arrays, warn_of_odd
from language.text.encoder import DIMENSIONS, Vectors, encode, encoder_version
from language.text.morphology import stem
from language.text.words import words_in

Matrix = NDArray[np.floating[Any]]

_WORDS, _PAIRS, _LETTERS, _MARKS = 0.7, 0.4, 0.5, 0.4
"""What words, pairs of neighbours, groups of letters, and marks weigh beside the meaning, which weighs 1."""
_PENALTY = 1e-5
"""Of the regression: what large weights cost."""
_STEPS = 250


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
    """The features that examples have, with their rarity."""

    index: Mapping[str, int]
    rarity: Matrix

    @classmethod
    def of(cls, texts: Iterable[MaskedText]) -> Lexicon:
        """Gather the features of examples; those of words count even if only one example has them."""
        counted = [features_of(text) for text in texts]
        spread = Counter(feature for features in counted for feature in features)
        kept = sorted(feature for feature, count in spread.items() if count > 1 or feature.startswith("w"))
        rarity = [math.log((1 + len(counted)) / (1 + spread[feature])) + 1 for feature in kept]
        return cls({feature: i for i, feature in enumerate(kept)}, np.array(rarity, dtype=np.float32))

    def vectors(self, texts: Sequence[MaskedText]) -> csr_array:
        """Return each text its words, pairs and letters as a sparse vector, each sort scaled to its weight."""
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
                values.append(_WEIGHTS[sort] * weights / np.linalg.norm(weights))
                columns += places
            ends.append(len(columns))
        data = np.concatenate([np.zeros(0, dtype=np.float32), *values]).astype(np.float32)
        return csr_array((data, columns, ends), shape=(len(texts), len(self.index)))


def train(
    vectors: Matrix, words: csr_array, labels: NDArray[np.int64], classes: int, weights: Matrix
) -> tuple[Matrix, Matrix]:
    """Fit a multinomial logistic regression; return its weights (features by classes) and its offsets.

    The features of an example are its vector, then its words. By descent on functions: each step moves the function
    towards the classes of the examples (`weights` says what each counts), and shrinks it. With Nesterov's momentum a
    few hundred steps are enough.
    """
    kernel = vectors @ vectors.T + (words @ words.T).toarray() + np.float32(1.0)
    wanted = np.eye(classes, dtype=np.float32)[labels]
    alpha = np.zeros((len(kernel), classes), dtype=np.float32)
    ahead = alpha
    penalty = _PENALTY * len(kernel)
    top = float(np.linalg.norm(kernel * weights[:, None], 2)) if len(kernel) < 50 else _largest(kernel, weights)
    step = 1.0 / (0.5 * top + penalty)
    for count in range(_STEPS):
        slope = weights[:, None] * (softmax(kernel @ ahead) - wanted)
        moved = ahead - step * (slope + penalty * ahead)
        ahead = moved + (count / (count + 3)) * (moved - alpha)
        alpha = moved
    return np.vstack([vectors.T @ alpha, words.T @ alpha]).astype(np.float32), alpha.sum(axis=0)


def _largest(kernel: Matrix, weights: Matrix) -> float:
    """Estimate the largest eigenvalue by power iteration."""
    vector: Matrix = np.ones(len(kernel), dtype=np.float32)
    size = 1.0
    for _ in range(20):
        vector = weights * (kernel @ vector)
        size = float(np.linalg.norm(vector))
        vector /= size
    return size


def softmax(scores: Matrix) -> Matrix:
    """Turn scores into probabilities, row by row."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return found


SORT = "goals"
"""The sort of kept arrays that hold regressions."""


@dataclass(frozen=True)
class Trained:
    """A regression over features, with the vectors of the examples it was trained on."""

    lexicon: Lexicon
    texts: tuple[str, ...]
    vectors: Vectors
    owners: NDArray[np.int64]
    """The goal of each vector, by its position; below 0 for none."""
    weights: Matrix
    offsets: Matrix

    def measure(self, texts: Sequence[MaskedText]) -> tuple[Matrix, Matrix]:
        """Give, for each text, the probability of each goal and (last) of none, and the nearness to each goal."""
        vectors = encode([said.text for said in texts])
        features = np.hstack([vectors, self.lexicon.vectors(texts).toarray()])
        chances = softmax(features @ self.weights + self.offsets)
        cosines = vectors @ self.vectors.T
        goals = self.weights.shape[1] - 1
        nearness = np.zeros((len(texts), goals), dtype=np.float32)
        for goal in range(goals):
            own = self.owners == goal
            if own.any():
                nearness[:, goal] = cosines[:, own].max(axis=1)
        return chances, nearness


def save_trained(trained: Trained, folder: Path, digest: str) -> None:
    """Save the model to the cache."""
    arrays = {
        "words": np.array(list(trained.lexicon.index) or [""]),
        "rarity": trained.lexicon.rarity,
        "encoder": np.array(encoder_version()),
        "texts": np.array(trained.texts or [""])[: len(trained.texts)],
        "vectors": trained.vectors,
        "owners": trained.owners,
        "weights": trained.weights,
        "offsets": trained.offsets,
    }
    keep_arrays(folder, SORT, digest, arrays)


def load_trained(goals: int, folder: Path, digest: str) -> Trained | None:
    """Read what was kept; None if there is nothing, or nothing of use."""
    kept = read_arrays(folder, SORT, digest)
    if kept is None:
        return None
    if {"words", "rarity", "texts", "vectors", "owners", "weights", "offsets"} <= kept.keys():
        lexicon = Lexicon({str(word): i for i, word in enumerate(kept["words"])}, kept["rarity"])
        texts = tuple(map(str, kept["texts"]))
        trained = Trained(lexicon, texts, kept["vectors"], kept["owners"], kept["weights"], kept["offsets"])
        if _is_whole(trained, goals):
            return trained
    warn_of_odd(folder, SORT, digest)
    return None


def _is_whole(trained: Trained, goals: int) -> bool:
    """Return whether the arrays fit together, and are numbers."""
    words, arrays = len(trained.lexicon.index), (trained.vectors, trained.weights, trained.offsets)
    return (
        trained.lexicon.rarity.shape == (words,)
        and len(trained.texts) == len(trained.owners)
        and trained.vectors.shape == (len(trained.owners), DIMENSIONS)
        and trained.weights.shape == (DIMENSIONS + words, goals + 1)
        and trained.offsets.shape == (goals + 1,)
        and bool((trained.owners < goals).all())
        and all(array.dtype == np.float32 and bool(np.isfinite(array).all()) for array in arrays)
    )
