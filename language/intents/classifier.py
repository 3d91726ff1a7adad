"""Classification: which goal of the catalog a text asks for, if any.

A text is represented by its meaning (the vector of a sentence encoder) and by its words. A logistic regression is
trained on the texts of the catalog: examples, labels and descriptions of its goals, against small talk and requests
that no catalog serves. It is trained in the space of kernels: with a few hundred examples that takes a fraction of a
second, however many features there are, and needs no library. A text that is far from every example asks for nothing
here, however sure the regression is.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from catalog import values
from catalog.model import Catalog
from language.entities.masking import UNSERVED, Examples, MaskedText, ValueMasker, gather_examples
from language.text.array_cache import (
    Arrays,
    Made,
    default_folder,
    in_background,
    keep_arrays,
    read_arrays,
    read_latest,
    warn_of_odd,
)
from language.text.encoder import DIMENSIONS, Vectors, encode, encoder_version, is_word, load_encoder
from language.text.morphology import respell, stem, words_of
from language.text.number_words import AMOUNT_WORDS
from language.text.request_frames import other_deed, unserved
from language.text.words import fold, words_in

Matrix = NDArray[np.floating[Any]]

_WORDS, _PAIRS, _LETTERS, _MARKS = 0.7, 0.4, 0.5, 0.4
"""Weights of words, pairs of neighbours, groups of letters, and marks; the meaning weighs 1."""
_PENALTY = 1e-5
"""The L2 penalty of the regression."""
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
        """Collect the features of examples; those of words even if only one example has them."""
        counted = [features_of(text) for text in texts]
        spread = Counter(feature for features in counted for feature in features)
        kept = sorted(feature for feature, count in spread.items() if count > 1 or feature.startswith("w"))
        rarity = [math.log((1 + len(counted)) / (1 + spread[feature])) + 1 for feature in kept]
        return cls({feature: i for i, feature in enumerate(kept)}, np.array(rarity, dtype=np.float32))

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
                values.append(_WEIGHTS[sort] * weights / np.linalg.norm(weights))
                columns += places
            ends.append(len(columns))
        data = np.concatenate([np.zeros(0, dtype=np.float32), *values]).astype(np.float32)
        return csr_array((data, columns, ends), shape=(len(texts), len(self.index)))


def train(
    vectors: Matrix, words: csr_array, labels: NDArray[np.int64], classes: int, weights: Matrix
) -> tuple[Matrix, Matrix]:
    """Fit a multinomial logistic regression; return its weights (features by classes) and its offsets.

    The features of an example are its vector, then its words; `weights` are those of the examples. This is functional
    gradient descent: each step moves the function towards the classes of the examples, and shrinks it. With Nesterov's
    momentum a few hundred steps are enough.
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
        """Return for each text the probability of each goal and (last) of none, and its nearness to an example."""
        vectors = encode([said.text for said in texts])
        features = np.hstack([vectors, self.lexicon.vectors(texts).toarray()])
        chances = softmax(features @ self.weights + self.offsets)
        nearness: Matrix = (vectors @ self.vectors[self.owners >= 0].T).max(axis=1, initial=0.0)
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
    """Load the model from the cache; None if there is none that fits."""
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


def digest_of(catalog: Catalog, masker: ValueMasker, *versions: str) -> str:
    """Return the digest of everything a trained model depends on, so that it is known without training it."""
    said = json.dumps(
        [
            [(goal.name, goal.label, goal.description, goal.examples) for goal in catalog.goals.values()],
            {fact: {option: list(others) for option, others in options.items()} for fact, options in masker.options},
            [fact.said for fact in catalog.facts.values()],
            unserved(),
            _of_code(),
            *versions,
        ]
    )
    return hashlib.sha256(said.encode()).hexdigest()


@cache
def _of_code() -> str:
    """Return a digest of the code that reads examples: models of other code are not used."""
    here = Path(__file__).parents[1]
    places = (here / "entities", here / "intents", here / "readers", here / "text", Path(values.__file__).parent)
    files = [file for place in places for file in place.glob("*.py")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in sorted(files))).hexdigest()


FORMAT = "2"
"""The version of the stored model and of its training: models of another version are not used."""
_TOO_NEAR = 0.7
"""A text that no catalog serves, but is as similar to an example of this one, counts as served here."""


def learn(examples: Examples, folder: Path) -> Trained:
    """Train on examples; of the texts that no catalog serves, those that this catalog does serve are left out."""
    vectors = _encode_new([said.text for said in examples.texts], folder)
    labels = np.array(examples.labels, dtype=np.int64)
    served = labels >= 0
    near = (vectors @ vectors[served].T).max(axis=1, initial=-1.0)
    kept = (labels != UNSERVED) | (near < _TOO_NEAR)
    texts = [text for text, keep in zip(examples.texts, kept, strict=True) if keep]
    vectors, labels = vectors[kept], labels[kept]
    weights = np.array(examples.weights, dtype=np.float32)[kept]
    lexicon = Lexicon.of(texts)
    classes = len(examples.goals) + 1
    own = np.where(labels < 0, classes - 1, labels)
    learned, offsets = train(vectors, lexicon.vectors(texts), own, classes, weights)
    return Trained(lexicon, tuple(text.text for text in texts), vectors, labels, learned, offsets)


def _encode_new(texts: Sequence[str], folder: Path) -> Vectors:
    """Return the vectors of texts; those of an earlier version of a catalog are reused."""
    known: dict[str, NDArray[np.float32]] = {}
    for kept in filter(_has_vectors, read_latest(folder, SORT)):
        known.update(zip(map(str, kept["texts"]), kept["vectors"], strict=True))
    new = [text for text in dict.fromkeys(texts) if text not in known]
    known.update(zip(new, encode(new), strict=True))
    return np.array([known[text] for text in texts], dtype=np.float32).reshape(len(texts), DIMENSIONS)


def _has_vectors(kept: Arrays) -> bool:
    """Return whether kept arrays hold texts with their vectors, by the same encoder."""
    return (
        kept.keys() >= {"texts", "vectors", "encoder"}
        and str(kept["encoder"]) == encoder_version()
        and kept["vectors"].shape == (len(kept["texts"]), DIMENSIONS)
        and kept["vectors"].dtype == np.float32
        and bool(np.isfinite(kept["vectors"]).all())
    )


_FAR, _HERE, _LEAST_DOUBT = 0.6, 0.9, 0.2
"""The similarity to an example from which the probability of "none" is reduced, from which it is least, and its factor
there."""

_OTHERWISE = 0.6
"""The share of a goal's probability that is lost where the text names an action, such as "delete", that no example of
it does."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A goal with its confidence, between 0 and 1."""

    goal: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Judged:
    """The classification of a text: goals, best first, each with its probability, and the probability of none of them.

    `near` is the cosine similarity to the nearest example of any goal.
    """

    ranked: tuple[Scored, ...]
    none: float
    near: float

    def confidence_in(self, goal: str) -> float:
        """Return the likelihood of one goal."""
        return next((scored.confidence for scored in self.ranked if scored.goal == goal), 0.0)

    @property
    def best(self) -> Scored | None:
        """Return the likeliest goal, if there are goals at all."""
        return self.ranked[0] if self.ranked else None


class Classifier:
    """Classifies texts by the goals of one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.masker = ValueMasker(catalog)
        self._goals = tuple(catalog.goals)
        said = (text for goal in catalog.goals.values() for text in (*goal.examples, goal.label, goal.description))
        self._words = words_of(map(fold, said))
        self._deeds = {
            name: frozenset(map(other_deed, map(fold, goal.examples))) for name, goal in catalog.goals.items()
        }
        folder = default_folder()
        # Loading the weights takes a second: whoever starts the dashboard does not wait for it.
        self._trained = in_background("understander", lambda: trained_on(catalog, self.masker, folder))

    def judge(self, folded: Sequence[str]) -> list[Judged]:
        """Classify several folded texts; together they take less time than one by one."""
        goals = self._goals
        if not goals or not folded:
            return [Judged((), 1.0, 0.0) for _ in folded]
        trained = self._trained.result()
        said = [self.masker.mask(respell(text, self._words, _is_known)) for text in folded]
        chances, nearness = trained.measure(said)
        found = []
        for text, chance, nearest in zip(said, chances, map(float, nearness), strict=True):
            likely = chance.copy()
            if (deed := other_deed(text.text)) is not None:
                others = [i for i, goal in enumerate(goals) if deed not in self._deeds[goal]]
                likely[-1] += _OTHERWISE * likely[others].sum()
                likely[others] *= 1 - _OTHERWISE
            likely[-1] *= np.clip((_HERE - nearest) / (_HERE - _FAR), _LEAST_DOUBT, 1.0)
            likely /= likely.sum()
            order = np.argsort(-likely[:-1], kind="stable")
            ranked = tuple(Scored(goals[i], float(likely[i])) for i in order)
            found.append(Judged(ranked, float(likely[-1]), nearest) if text.text else Judged(ranked, 1.0, 0.0))
        return found


def _is_known(word: str) -> bool:
    """Return whether a word is one, or stands for money or a number: "bucks" is no slip for "back"."""
    return is_word(word) or word in AMOUNT_WORDS


_LEARNED: Made[Trained] = Made(16)


def trained_on(catalog: Catalog, masker: ValueMasker, folder: Path) -> Trained:
    """Return the model of a catalog: trained earlier in this process, or from the cache, or trained now."""
    load_encoder()
    digest = digest_of(catalog, masker, encoder_version(), FORMAT)

    def learned() -> Trained:
        trained = load_trained(len(catalog.goals), folder, digest)
        if trained is None:
            trained = learn(gather_examples(catalog, masker), folder)
            save_trained(trained, folder, digest)
        return trained

    return _LEARNED.get(digest, learned)
