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
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from catalog import values
from catalog.model import Catalog
from language.entities.masking import EXAMPLE, OTHER_DEED, UNSERVED, Examples, MaskedText, ValueMasker, gather_examples
from language.intents.calibration import (
    Scorer,
    evidence_of,
    find_temperature,
    find_threshold,
    hold_out,
    nearest,
    served,
)
from language.intents.lexicon import Lexicon, count_words, foreign_share
from language.intents.regression import Matrix, scores_of, softmax, train
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
from language.text.morphology import respell, words_of
from language.text.number_words import AMOUNT_WORDS
from language.text.request_frames import deeds_in, other_deed, unserved
from language.text.words import fold

SORT = "goals"
"""The sort of kept arrays that hold regressions."""
_WORDS_SHARE = 0.6
"""What the words of requests count beside their meaning, of what those of questions about the conversation do."""


@dataclass(frozen=True)
class Trained:
    """A regression over features, with the vectors of the texts it was trained on, and how sure it is of what it says.

    `calibration` is what scores are divided by before they become probabilities, and the least score of evidence at
    which a text is as likely served as not.
    """

    lexicon: Lexicon
    texts: tuple[str, ...]
    vectors: Vectors
    owners: NDArray[np.int64]
    """The goal of each vector, by its position; below 0 for what no goal serves."""
    weights: Matrix
    offsets: Matrix
    calibration: Matrix

    def measure(self, texts: Sequence[MaskedText]) -> tuple[Matrix, Matrix, Matrix]:
        """Return for each text the probability of each goal if it asks for one, that it does, and its nearness to any.

        The last class of the regression holds other actions on the objects of goals; nearness is the cosine of the
        angle to the nearest example.
        """
        vectors = encode([said.text for said in texts])
        scores = scores_of(vectors, self.lexicon.vectors(texts), self.weights, self.offsets)
        near = nearest(vectors, self.vectors[self.owners >= 0])
        elsewhere = nearest(vectors, self.vectors[self.owners == UNSERVED])
        evidence = evidence_of(scores, near, elsewhere, foreign([said.text for said in texts], scores, self._counted))
        temperature, threshold = self.calibration
        asks = served(evidence - threshold) * (1 - softmax(scores / temperature)[:, -1])
        return softmax(scores[:, :-1] / temperature), asks, near

    @cached_property
    def _counted(self) -> Mapping[int, Counter[str]]:
        return count_words(self.texts, self.owners.tolist())


def foreign(
    texts: Sequence[str], scores: Matrix, counted: Mapping[int, Counter[str]], *, apart: bool = False
) -> Matrix:
    """Return the share of the words of each text that are foreign to its best goal."""
    best = scores[:, :-1].argmax(axis=1).tolist() if scores.shape[1] > 1 else [0] * len(texts)
    shares = [foreign_share(counted, text, goal, apart=apart) for text, goal in zip(texts, best, strict=True)]
    return np.array(shares, dtype=np.float32)


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
        "calibration": trained.calibration,
    }
    keep_arrays(folder, SORT, digest, arrays)


def load_trained(goals: int, folder: Path, digest: str) -> Trained | None:
    """Load the model from the cache; None if there is none that fits."""
    kept = read_arrays(folder, SORT, digest)
    if kept is None:
        return None
    if {"words", "rarity", "texts", *_ARRAYS} <= kept.keys():
        lexicon = Lexicon({str(word): i for i, word in enumerate(kept["words"])}, kept["rarity"], _WORDS_SHARE)
        trained = Trained(lexicon, tuple(map(str, kept["texts"])), *(kept[name] for name in _ARRAYS))
        if _is_whole(trained, goals):
            return trained
    warn_of_odd(folder, SORT, digest)
    return None


_ARRAYS = ("vectors", "owners", "weights", "offsets", "calibration")


def _is_whole(trained: Trained, goals: int) -> bool:
    """Return whether the arrays fit together, and are numbers."""
    words, arrays = len(trained.lexicon.index), (trained.vectors, trained.weights, trained.offsets, trained.calibration)
    return (
        trained.lexicon.rarity.shape == (words,)
        and len(trained.texts) == len(trained.owners)
        and trained.vectors.shape == (len(trained.owners), DIMENSIONS)
        and trained.weights.shape == (DIMENSIONS + words, goals + 1)
        and trained.offsets.shape == (goals + 1,)
        and trained.calibration.shape == (2,)
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


FORMAT = "4"
"""Of what is kept, and of the way in which it is learned: another one makes what was kept worthless."""
_TOO_NEAR = 0.7
"""What nobody serves, but is as near to an example of a catalog as this, is served there."""


def learn(examples: Examples, folder: Path) -> Trained:
    """Learn from examples; of what no catalog serves, leave out what this catalog does."""
    vectors = _encode_new([said.text for said in examples.texts], folder)
    labels = np.array(examples.labels, dtype=np.int64)
    weights = np.array(examples.weights, dtype=np.float32)
    served_here = vectors[labels >= 0]
    elsewhere = (labels == UNSERVED) & (nearest(vectors, served_here) < _TOO_NEAR)
    own = labels != UNSERVED
    lexicon = Lexicon.of(list(compress(examples.texts, own)), _WORDS_SHARE)
    words, classes = lexicon.vectors(examples.texts), len(examples.goals) + 1
    owners = np.where(labels == OTHER_DEED, classes - 1, labels)
    learned, offsets = train(vectors[own], words[own], owners[own], classes, weights[own])

    def without(rest: NDArray[np.int64]) -> Scorer:
        rows = np.flatnonzero(own)
        fitted, moved = train(vectors[rows[rest]], words[rows[rest]], owners[rows[rest]], classes, weights[rows[rest]])
        return lambda held: scores_of(vectors[rows[held]], words[rows[held]], fitted, moved)

    held, scores = hold_out(np.flatnonzero(weights[own] == EXAMPLE), int(own.sum()), classes, without)
    alone, others = vectors[own][held], vectors[elsewhere]
    said = [text.text for text in examples.texts]
    counted = count_words(said, examples.labels)
    inside = evidence_of(
        scores,
        nearest(alone, served_here, apart=True),
        nearest(alone, others),
        foreign([said[row] for row in np.flatnonzero(own)[held]], scores, counted, apart=True),
    )
    beyond = scores_of(others, words[elsewhere], learned, offsets)
    outside = evidence_of(
        beyond,
        nearest(others, served_here),
        nearest(others, others, apart=True),
        foreign(list(compress(said, elsewhere)), beyond, counted),
    )
    calibration = (find_temperature(scores, owners[own][held]), find_threshold(inside, outside))
    kept = own | elsewhere
    return Trained(
        lexicon,
        tuple(said.text for said in compress(examples.texts, kept)),
        vectors[kept],
        labels[kept],
        learned,
        offsets,
        np.array(calibration, dtype=np.float32),
    )


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
        self._deeds = {name: deeds_in(map(fold, goal.examples)) for name, goal in catalog.goals.items()}
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
        chances, asks, nearness = trained.measure(said)
        found = []
        for text, likely, here, near in zip(said, chances, map(float, asks), map(float, nearness), strict=True):
            chance = here
            if (deed := other_deed(text.text)) is not None:
                others = [i for i, goal in enumerate(goals) if deed not in self._deeds[goal]]
                chance *= 1 - _OTHERWISE * float(likely[others].sum())
            order = np.argsort(-likely, kind="stable")
            ranked = tuple(Scored(goals[i], float(likely[i]) * chance) for i in order)
            found.append(Judged(ranked, 1 - chance, near) if text.text else Judged(ranked, 1.0, 0.0))
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
