"""Trained: what was learned from examples, and how it is kept between starts.

It is kept as plain arrays (never pickled), under the digest of all that it was learned from. Whatever cannot be read,
or is not what it should be, is learned anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dialogue.understanding.requests.encoder import DIMENSIONS, Vectors, encode, encoder_version
from dialogue.understanding.requests.examples import UNSERVED, Examples
from dialogue.understanding.requests.kept import Arrays, keep_arrays, read_arrays, read_latest, warn_of_odd
from dialogue.understanding.requests.marks import Said
from dialogue.understanding.requests.training import Lexicon, Matrix, softmax, train

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
