"""Learning labels: texts with labels are learned from, and any text is measured against them.

A text is represented by its meaning (the vector of a sentence encoder) and by its words. A logistic regression is
trained on examples of the labels, against texts that have none of them. It is trained in the space of kernels: with a
few hundred examples that takes a fraction of a second, however many features there are, and needs no library. A text
that is far from every example has none of the labels, however sure the regression is. What was learned is kept, under
the digest of all that it depends on.

The goals of a catalog are such labels (`language.intents.classifier`), and so are speech acts and kinds of questions.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from language.entities.masking import EXAMPLE, OTHER_DEED, UNSERVED, MaskedExamples, MaskedText
from language.intents.ranking import Measured
from language.intents.regression import (
    JudgedLabels,
    Lexicon,
    Matrix,
    count_words,
    foreign_share,
    scores_of,
    softmax,
    train,
    weighty,
)
from language.text.array_cache import (
    Arrays,
    DigestCache,
    InBackground,
    default_folder,
    keep_arrays,
    read_arrays,
    read_latest,
    warn_of_odd,
)
from language.text.encoder import (
    DIMENSIONS,
    Vectors,
    digest_of,
    encode,
    encode_once,
    encode_said,
    encoder_version,
    is_word,
    load_encoder,
    read_vectors,
)
from language.text.morphology import respell, words_of

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


@dataclass(frozen=True, slots=True)
class LabelKind:
    """A sort of labels: kept arrays go by its name, and `words` is what words count beside the meaning of texts."""

    name: str
    words: float


GOALS = LabelKind("goals", 0.6)
"""What requests ask for; their words count less than those of questions about the conversation."""


@dataclass(frozen=True)
class BackgroundVectors:
    """The vectors of what usually has no label: they are kept once for all models, and `rows` of them count here."""

    digest: str
    rows: NDArray[np.int64]
    vectors: Vectors


@dataclass(frozen=True)
class TrainedLabels:
    """A regression over features, with the vectors of the texts it was trained on, and how sure it is of what it says.

    `calibration` is what scores are divided by before they become probabilities, and the least score of evidence at
    which a text is as likely served as not.
    """

    lexicon: Lexicon
    texts: tuple[str, ...]
    vectors: Vectors
    owners: NDArray[np.int64]
    """The label of each vector, by its position; below 0 for what has none."""
    elsewhere: BackgroundVectors
    weights: Matrix
    offsets: Matrix
    calibration: Matrix

    def measure(self, texts: Sequence[MaskedText]) -> Measured:
        """Measure texts against each label.

        The last class of the regression holds what has no label though it is near to one, such as other actions on the
        objects of goals.
        """
        said = [text.text for text in texts]
        vectors = encode_said(said)
        scores = scores_of(vectors, self.lexicon.vectors(texts), self.weights, self.offsets)
        near = self._near(vectors)
        elsewhere = nearest(vectors, self.elsewhere.vectors)
        strange = foreign(said, scores, self._counted)
        evidence = evidence_of(scores, near.max(axis=1, initial=0.0), elsewhere, strange)
        temperature, threshold = self.calibration
        asks = served(evidence - threshold) * (1 - softmax(scores / temperature)[:, -1])
        chances = softmax(scores[:, :-1] / temperature)
        return Measured(chances, asks, near, elsewhere)

    def _near(self, vectors: Matrix) -> Matrix:
        near = [(vectors @ own.T).max(axis=1, initial=0.0) for own in self._own]
        return np.stack(near, axis=1) if near else np.zeros((len(vectors), 0), dtype=np.float32)

    def share_known(self, said: Sequence[str]) -> Matrix:
        """Return the share of the words of each text that each label's texts have; a rare word counts more."""
        labels = len(self.offsets) - 1
        shares = np.zeros((len(said), labels), dtype=np.float32)
        for row, text in enumerate(said):
            total = 0.0
            for word in weighty(text):
                having = self._having.get(word, [])
                rarity = math.log((2 + labels) / (1 + len(having)))
                shares[row, having] += rarity
                total += rarity
            shares[row] /= total or 1.0
        return shares

    @cached_property
    def _own(self) -> list[Vectors]:
        return [self.vectors[self.owners == label] for label in range(len(self.offsets) - 1)]

    @cached_property
    def _having(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for label in sorted(owner for owner in self._counted if owner >= 0):
            for word in self._counted[label]:
                found.setdefault(word, []).append(label)
        return found

    @cached_property
    def _counted(self) -> Mapping[int, Counter[str]]:
        return count_words(self.texts, self.owners.tolist())


def foreign(
    texts: Sequence[str], scores: Matrix, counted: Mapping[int, Counter[str]], *, apart: bool = False
) -> Matrix:
    """Return the share of the words of each text that are foreign to its best label."""
    best = scores[:, :-1].argmax(axis=1).tolist() if scores.shape[1] > 1 else [0] * len(texts)
    shares = [foreign_share(counted, text, goal, apart=apart) for text, goal in zip(texts, best, strict=True)]
    return np.array(shares, dtype=np.float32)


def save_trained(trained: TrainedLabels, folder: Path, digest: str, sort: LabelKind = GOALS) -> None:
    arrays = {
        "words": np.array(list(trained.lexicon.index) or [""]),
        "rarity": trained.lexicon.rarity,
        "encoder": np.array(encoder_version()),
        "texts": np.array(trained.texts or [""])[: len(trained.texts)],
        "vectors": trained.vectors,
        "owners": trained.owners,
        "elsewhere": trained.elsewhere.rows,
        "unserved": np.array(trained.elsewhere.digest),
        "weights": trained.weights,
        "offsets": trained.offsets,
        "calibration": trained.calibration,
    }
    keep_arrays(folder, sort.name, digest, arrays)


def load_trained(labels: int, folder: Path, digest: str, sort: LabelKind = GOALS) -> TrainedLabels | None:
    """Load the model from the cache; None if there is none that fits."""
    kept = read_arrays(folder, sort.name, digest)
    if kept is None:
        return None
    if {"words", "rarity", "texts", "vectors", "owners", "elsewhere", "unserved", *_ARRAYS} <= kept.keys():
        lexicon = Lexicon({str(word): i for i, word in enumerate(kept["words"])}, kept["rarity"], sort.words)
        digest, rows = str(kept["unserved"]), kept["elsewhere"].astype(np.int64)
        unserved = read_vectors(folder, _UNSERVED, digest)
        if unserved is None:
            return None
        elsewhere = BackgroundVectors(digest, rows, unserved[rows[rows < len(unserved)]])
        texts, arrays = tuple(map(str, kept["texts"])), (kept[name] for name in _ARRAYS)
        trained = TrainedLabels(lexicon, texts, kept["vectors"], kept["owners"], elsewhere, *arrays)
        if _is_whole(trained, labels):
            return trained
    warn_of_odd(folder, sort.name, digest)
    return None


_ARRAYS = ("weights", "offsets", "calibration")
_UNSERVED = "unserved"


def _is_whole(trained: TrainedLabels, labels: int) -> bool:
    """Return whether the arrays fit together, and are numbers."""
    words, arrays = len(trained.lexicon.index), (trained.vectors, trained.weights, trained.offsets, trained.calibration)
    return (
        trained.lexicon.rarity.shape == (words,)
        and len(trained.texts) == len(trained.owners)
        and trained.vectors.shape == (len(trained.owners), DIMENSIONS)
        and trained.weights.shape == (DIMENSIONS + words, labels + 1)
        and trained.offsets.shape == (labels + 1,)
        and trained.calibration.shape == (2,)
        and bool((trained.owners < labels).all())
        and len(trained.elsewhere.vectors) == len(trained.elsewhere.rows)
        and all(array.dtype == np.float32 and bool(np.isfinite(array).all()) for array in arrays)
    )


FORMAT = "5"
"""Of what is kept, and of the way in which it is learned: another one makes what was kept worthless."""
_TOO_NEAR = 0.7
"""What usually has no label, but is as near to an example as this, has one."""


def learn(examples: MaskedExamples, folder: Path, sort: LabelKind = GOALS) -> TrainedLabels:
    """Learn from examples; of what usually has no label, leave out what is near to them."""
    labels = np.array(examples.labels, dtype=np.int64)
    weights = np.array(examples.weights, dtype=np.float32)
    own = labels != UNSERVED
    said = [text.text for text in examples.texts]
    beyond = list(compress(said, ~own))
    unserved = encode_once(beyond, folder, _UNSERVED)
    vectors = np.empty((len(said), DIMENSIONS), dtype=np.float32)
    vectors[own], vectors[~own] = _encode_new(list(compress(said, own)), folder, sort), unserved
    served_here = vectors[labels >= 0]
    rows = np.flatnonzero(nearest(unserved, served_here) < _TOO_NEAR)
    elsewhere = np.flatnonzero(~own)[rows]
    lexicon = Lexicon.of(list(compress(examples.texts, own)), sort.words)
    words, classes = lexicon.vectors(examples.texts), len(examples.goals) + 1
    owners = np.where(labels == OTHER_DEED, classes - 1, labels)
    learned, offsets = train(vectors[own], words[own], owners[own], classes, weights[own])

    def without(rest: NDArray[np.int64]) -> Scorer:
        rows = np.flatnonzero(own)
        fitted, moved = train(vectors[rows[rest]], words[rows[rest]], owners[rows[rest]], classes, weights[rows[rest]])
        return lambda held: scores_of(vectors[rows[held]], words[rows[held]], fitted, moved)

    held, scores = hold_out(np.flatnonzero(weights[own] == EXAMPLE), int(own.sum()), classes, without)
    alone, others = vectors[own][held], vectors[elsewhere]
    counted = count_words(said, examples.labels)
    inside = evidence_of(
        scores,
        nearest(alone, served_here, apart=True),
        nearest(alone, others),
        foreign([said[row] for row in np.flatnonzero(own)[held]], scores, counted, apart=True),
    )
    scored = scores_of(others, words[elsewhere], learned, offsets)
    outside = evidence_of(
        scored,
        nearest(others, served_here),
        nearest(others, others, apart=True),
        foreign([said[row] for row in elsewhere], scored, counted),
    )
    calibration = (find_temperature(scores, owners[own][held]), find_threshold(inside, outside))
    return TrainedLabels(
        lexicon,
        tuple(compress(said, own)),
        vectors[own],
        labels[own],
        BackgroundVectors(digest_of(beyond), rows, others),
        learned,
        offsets,
        np.array(calibration, dtype=np.float32),
    )


def _encode_new(texts: Sequence[str], folder: Path, sort: LabelKind) -> Vectors:
    """Return the vectors of texts; those of an earlier version of the examples are reused."""
    known: dict[str, NDArray[np.float32]] = {}
    for kept in filter(_has_vectors, read_latest(folder, sort.name)):
        known.update(zip(map(str, kept["texts"]), kept["vectors"], strict=True))
    new = [text for text in dict.fromkeys(texts) if text not in known]
    known.update(zip(new, encode(new), strict=True))
    return np.array([known[text] for text in texts], dtype=np.float32).reshape(len(texts), DIMENSIONS)


def _has_vectors(kept: Arrays) -> bool:
    return (
        kept.keys() >= {"texts", "vectors", "encoder"}
        and str(kept["encoder"]) == encoder_version()
        and kept["vectors"].shape == (len(kept["texts"]), DIMENSIONS)
        and kept["vectors"].dtype == np.float32
        and bool(np.isfinite(kept["vectors"]).all())
    )


_LEARNED: DigestCache[TrainedLabels] = DigestCache(16)


def learned_once(
    digest: str, labels: int, examples: Callable[[], MaskedExamples], folder: Path, sort: LabelKind = GOALS
) -> TrainedLabels:
    """Return what was learned from examples: earlier in this process, or kept in the folder, or now."""

    def learned() -> TrainedLabels:
        trained = load_trained(labels, folder, digest, sort)
        if trained is None:
            trained = learn(examples(), folder, sort)
            save_trained(trained, folder, digest, sort)
        return trained

    return _LEARNED.get(digest, learned)


class Labels:
    """Labels with examples; learning begins in the background, and what was learned is kept.

    `none` are texts that have no label though they are near to some.
    """

    def __init__(
        self,
        examples: Mapping[str, Sequence[MaskedText]],
        sort: LabelKind,
        none: Sequence[MaskedText] = (),
        folder: Path | None = None,
    ) -> None:
        self._labels = tuple(examples)
        rows = [(text, place) for place, texts in enumerate(examples.values()) for text in texts]
        rows = list(dict.fromkeys([*rows, *((text, OTHER_DEED) for text in none)]))
        self._words = words_of(text.text for text, _ in rows)
        kept_in = folder or default_folder()
        self._trained = InBackground(sort.name, lambda: self._learned(rows, kept_in, sort))

    def _learned(self, rows: Sequence[tuple[MaskedText, int]], folder: Path, sort: LabelKind) -> TrainedLabels:
        load_encoder()
        said = [(text.text, sorted(text.features), label) for text, label in rows]
        whole = json.dumps([sort.name, sort.words, self._labels, said, encoder_version(), FORMAT])
        texts, labels = zip(*rows, strict=True)
        examples = MaskedExamples(self._labels, texts, labels, (EXAMPLE,) * len(rows))
        digest = hashlib.sha256(whole.encode()).hexdigest()
        return learned_once(digest, len(self._labels), lambda: examples, folder, sort)

    def judge(self, texts: Sequence[MaskedText]) -> list[JudgedLabels]:
        """Judge several texts; together they take less time than one by one. The first call waits for learning."""
        if not texts:
            return []
        said = [MaskedText(respell(one.text, self._words, is_word), one.features) for one in texts]
        measured = self._trained.get().measure(said)
        return [
            JudgedLabels(
                tuple((self._labels[i], float(likely[i])) for i in np.argsort(-likely, kind="stable")),
                1 - float(has),
                float(near),
            )
            for likely, has, near in zip(measured.chances, measured.asks, measured.nearest, strict=True)
        ]
