"""Classifying: which goal of the catalog does a text ask for, if any?

A text is known by its meaning (a vector of a sentence encoder) and by its words. A regression is trained on what the
catalog says: examples, labels and descriptions of its goals, against talk and requests that no catalog serves. Whoever
is far from every example asks for nothing that is here, however sure the regression is.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import numpy as np
from numpy.typing import NDArray

from catalog.model import Catalog
from language.intents.logistic_regression import Lexicon, Matrix, softmax, train
from language.intents.training_examples import UNSERVED, Examples, digest_of, gather_examples
from language.intents.value_features import Said, Spotter
from language.text.array_cache import Arrays, Made, default_folder, keep_arrays, read_arrays, read_latest, warn_of_odd
from language.text.encoder import DIMENSIONS, Vectors, encode, encoder_version, is_word, load_encoder
from language.text.out_of_scope import other_deed
from language.text.spelling import respell, words_of
from language.text.words import fold

FORMAT = "2"
"""Of what is kept, and of the way in which it is learned: another one makes what was kept worthless."""
_SORT = "goals"
"""Of kept arrays."""
_TOO_NEAR = 0.7
"""What nobody serves, but is as near to an example of a catalog as this, is served there."""


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

    def measure(self, texts: Sequence[Said]) -> tuple[Matrix, Matrix]:
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


def learn(examples: Examples, folder: Path) -> Trained:
    """Learn from examples; of those that no catalog serves, leave out what this catalog does."""
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
    """Give texts their vectors; those that were learned from before, by an earlier state of a catalog, have theirs."""
    known: dict[str, NDArray[np.float32]] = {}
    for kept in filter(_has_vectors, read_latest(folder, _SORT)):
        known.update(zip(map(str, kept["texts"]), kept["vectors"], strict=True))
    new = [text for text in dict.fromkeys(texts) if text not in known]
    known.update(zip(new, encode(new), strict=True))
    return np.array([known[text] for text in texts], dtype=np.float32).reshape(len(texts), DIMENSIONS)


def _has_vectors(kept: Arrays) -> bool:
    """Tell whether kept arrays hold texts with their vectors, by the same encoder."""
    return (
        kept.keys() >= {"texts", "vectors", "encoder"}
        and str(kept["encoder"]) == encoder_version()
        and kept["vectors"].shape == (len(kept["texts"]), DIMENSIONS)
        and kept["vectors"].dtype == np.float32
        and bool(np.isfinite(kept["vectors"]).all())
    )


def save_trained(trained: Trained, folder: Path, digest: str) -> None:
    """Keep what was learned."""
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
    keep_arrays(folder, _SORT, digest, arrays)


def load_trained(goals: int, folder: Path, digest: str) -> Trained | None:
    """Read what was kept; None if there is nothing, or nothing of use."""
    kept = read_arrays(folder, _SORT, digest)
    if kept is None:
        return None
    if {"words", "rarity", "texts", "vectors", "owners", "weights", "offsets"} <= kept.keys():
        lexicon = Lexicon({str(word): i for i, word in enumerate(kept["words"])}, kept["rarity"])
        texts = tuple(map(str, kept["texts"]))
        trained = Trained(lexicon, texts, kept["vectors"], kept["owners"], kept["weights"], kept["offsets"])
        if _is_whole(trained, goals):
            return trained
    warn_of_odd(folder, _SORT, digest)
    return None


def _is_whole(trained: Trained, goals: int) -> bool:
    """Tell whether the arrays fit together, and are numbers."""
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


_FAR, _HERE, _LEAST_DOUBT = 0.6, 0.9, 0.2
"""How near to an example a text must be for doubts that it asks for anything here to begin to go, and to be as good as
gone; and what is left of them then."""

_OTHERWISE = 0.6
"""What an outright deed that no example of a goal asks for, such as "delete", takes from the goal's likelihood."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A goal with its confidence, between 0 and 1."""

    goal: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What a text may ask for: goals, best first, with the likelihood of each, and that it asks for none of them.

    `near` is the cosine of the angle to the nearest example of any goal.
    """

    ranked: tuple[Scored, ...]
    none: float
    near: float

    def confidence_in(self, goal: str) -> float:
        """Give the likelihood of one goal."""
        return next((scored.confidence for scored in self.ranked if scored.goal == goal), 0.0)

    @property
    def best(self) -> Scored | None:
        """Give the likeliest goal, if there are goals at all."""
        return self.ranked[0] if self.ranked else None


class Classifier:
    """Judges texts against the goals of one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.spotter = Spotter(catalog)
        self._goals = tuple(catalog.goals)
        said = (text for goal in catalog.goals.values() for text in (*goal.examples, goal.label, goal.description))
        self._words = words_of(map(fold, said))
        self._deeds = {
            name: frozenset(map(other_deed, map(fold, goal.examples))) for name, goal in catalog.goals.items()
        }
        self._trained: Future[Trained] = Future()
        # Loading the weights takes a second: whoever starts the dashboard does not wait for it.
        Thread(target=self._prepare, args=(catalog, default_folder()), name="understander", daemon=True).start()

    def _prepare(self, catalog: Catalog, folder: Path) -> None:
        try:
            load_encoder()
            self._trained.set_result(trained_on(catalog, self.spotter, folder))
        except Exception as error:  # handed on to whoever waits for the result
            self._trained.set_exception(error)

    def judge(self, folded: Sequence[str]) -> list[Judged]:
        """Judge each of several folded texts; together they take less time than one by one."""
        goals = self._goals
        if not goals or not folded:
            return [Judged((), 1.0, 0.0) for _ in folded]
        trained = self._trained.result()
        said = [self.spotter.spot(respell(text, self._words, is_word)) for text in folded]
        chances, nearness = trained.measure(said)
        found = []
        for text, chance, near in zip(said, chances, nearness, strict=True):
            nearest = float(near.max())
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


_LEARNED: Made[Trained] = Made(16)


def trained_on(catalog: Catalog, spotter: Spotter, folder: Path) -> Trained:
    """Give what is learned of a catalog: what this process has learned or what was kept of it, if that is of use."""
    digest = digest_of(catalog, spotter, encoder_version(), FORMAT)

    def learned() -> Trained:
        trained = load_trained(len(catalog.goals), folder, digest)
        if trained is None:
            trained = learn(gather_examples(catalog, spotter), folder)
            save_trained(trained, folder, digest)
        return trained

    return _LEARNED.get(digest, learned)
