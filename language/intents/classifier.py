"""Classification: which goal of the catalog a text asks for, if any.

A text is represented by its meaning (the vector of a sentence encoder) and by its words. A regression is trained on
what the catalog says: examples, labels and descriptions of its goals, against talk and requests that no catalog serves.
A text that is far from every example asks for nothing here, however sure the regression is.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path
from threading import Thread

import numpy as np
from numpy.typing import NDArray

from catalog import values
from catalog.model import Catalog, Goal
from language.entities.masking import MaskedText, ValueMasker
from language.intents.logistic_regression import SORT, Lexicon, Trained, load_trained, save_trained, train
from language.text.array_cache import Arrays, Made, default_folder, read_latest
from language.text.encoder import DIMENSIONS, Vectors, encode, encoder_version, is_word, load_encoder
from language.text.morphology import respell, stem, words_of
from language.text.request_frames import deeds, other_deed, unserved
from language.text.words import FUNCTION_WORDS, fold, words_in

UNSERVED, OTHER_DEED = -1, -2
"""Labels of requests that no catalog serves, and of other actions on the object of a goal."""
_EXAMPLE, _LABEL, _DESCRIPTION, _PHRASE, _OTHER_DEED = 1.0, 0.7, 0.5, 0.4, 0.3
"""Training weights by sort of text."""
_LEAST_UNSERVED, _MOST_UNSERVED, _ALL_UNSERVED = 0.05, 0.2, 0.12
"""What a text counts that no catalog serves, at least and at most; and what all count, beside what a catalog says."""
_DOING = re.compile(
    r"^(?:\w+ing(?: up| out)? )?(?P<det>the |an? |my |our )?(?:new )?(?P<thing>[^\W\d]+(?: (?:and )?[^\W\d]+){0,3})$"
)

_LISTED = re.compile(r"[,.;:()]|\b(?:and|or|of|on|for|in|with|over|to|from|by|that|which|how|at|as)\b")
_LONGEST_PHRASE = 3
_FEW = 10
_FRAMES = ("I want {}", "I would like to have {}", "can I get {}, please", "I want to make {}")
"""Templates of requests around a goal's label; a goal with few examples learns from these."""
FUNCTION_STEMS = frozenset(map(stem, FUNCTION_WORDS))


@dataclass(frozen=True)
class Examples:
    """Texts, each with the position of its goal among `goals` (or a negative label), and with what it counts."""

    goals: tuple[str, ...]
    texts: tuple[MaskedText, ...]
    labels: tuple[int, ...]
    weights: tuple[float, ...]


def digest_of(catalog: Catalog, masker: ValueMasker, *versions: str) -> str:
    """Name what is learned of a catalog by all that it depends on, so that nobody has to gather it to know it."""
    said = json.dumps(
        [
            [(goal.name, goal.label, goal.description, goal.examples) for goal in catalog.goals.values()],
            {fact: {option: list(others) for option, others in options.items()} for fact, options in masker.options},
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


def _own_phrases(catalog: Catalog) -> dict[str, list[str]]:
    """Take from each goal's description what only it speaks of: "income, earnings or net result" are three names."""
    said = {
        name: list(dict.fromkeys(phrase for part in _LISTED.split(fold(goal.description)) if (phrase := _bare(part))))
        for name, goal in catalog.goals.items()
    }
    count = Counter(phrase for phrases in said.values() for phrase in phrases)
    return {
        name: [text for phrase in phrases if count[phrase] == 1 for text in (phrase, f"my {phrase} please")]
        for name, phrases in said.items()
    }


def _bare(part: str) -> str:
    """Take the articles off a phrase; nothing is left of one that is long, or says nothing."""
    words = [word.text for word in words_in(part)]
    while words and words[0] in FUNCTION_WORDS:
        words.pop(0)
    return " ".join(words) if 0 < len(words) <= _LONGEST_PHRASE else ""


def _other_deeds(goal: Goal) -> Iterator[str]:
    """Return what else may be done with the thing that a goal is about: "block my card", where a card can be had.

    Deeds that the goal itself speaks of are left out.
    """
    match = _DOING.match(fold(goal.label))
    if match is None:
        return
    spoken = {
        stem(word.text) for text in (*goal.examples, goal.description, goal.label) for word in words_in(fold(text))
    }
    determiners = cycle(("my", "the", "this", "a", "our"))
    for deed in deeds():
        words = {stem(word.text) for word in words_in(fold(deed))} - FUNCTION_STEMS
        if not words & spoken:
            yield deed.format(f"{next(determiners)} {match['thing']}")


def gather_examples(catalog: Catalog, masker: ValueMasker) -> Examples:
    """Collect the training texts of a catalog's goals, and those of requests that no catalog serves."""
    rows: dict[tuple[MaskedText, int], float] = {}
    phrases = _own_phrases(catalog)
    for index, goal in enumerate(catalog.goals.values()):
        said = [(example, _EXAMPLE) for example in goal.examples]
        said += [(goal.label, _LABEL), (goal.name.replace("_", " "), _LABEL), (goal.description, _DESCRIPTION)]
        said += [(phrase, _PHRASE) for phrase in phrases[goal.name]]
        if len(goal.examples) < _FEW:
            said += [(frame.format(goal.label), _LABEL) for frame in _FRAMES]
        for text, weight in said:
            masked = masker.mask(fold(text))
            if masked.text:
                rows[masked, index] = max(weight, rows.get((masked, index), 0.0))
    others = unserved()
    share = _ALL_UNSERVED * sum(rows.values()) / len(others)
    weight = min(max(share, _LEAST_UNSERVED), _MOST_UNSERVED)
    for text in others:
        rows[masker.mask(fold(text)), UNSERVED] = weight
    for goal in catalog.goals.values():
        for text in _other_deeds(goal):
            rows[masker.mask(text), OTHER_DEED] = _OTHER_DEED
    return Examples(
        tuple(catalog.goals),
        tuple(text for text, _ in rows),
        tuple(index for _, index in rows),
        tuple(rows.values()),
    )


FORMAT = "2"
"""Of what is kept, and of the way in which it is learned: another one makes what was kept worthless."""
_TOO_NEAR = 0.7
"""What nobody serves, but is as near to an example of a catalog as this, is served there."""


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
    """Return the vectors of texts; those that an earlier state of a catalog was learned from are kept."""
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
        self._trained: Future[Trained] = Future()
        # Loading the weights takes a second: whoever starts the dashboard does not wait for it.
        Thread(target=self._prepare, args=(catalog, default_folder()), name="understander", daemon=True).start()

    def _prepare(self, catalog: Catalog, folder: Path) -> None:
        try:
            load_encoder()
            self._trained.set_result(trained_on(catalog, self.masker, folder))
        except Exception as error:  # handed on to whoever waits for the result
            self._trained.set_exception(error)

    def judge(self, folded: Sequence[str]) -> list[Judged]:
        """Judge each of several folded texts; together they take less time than one by one."""
        goals = self._goals
        if not goals or not folded:
            return [Judged((), 1.0, 0.0) for _ in folded]
        trained = self._trained.result()
        said = [self.masker.mask(respell(text, self._words, is_word)) for text in folded]
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


def trained_on(catalog: Catalog, masker: ValueMasker, folder: Path) -> Trained:
    """Return what is learned of a catalog: what this process has learned or what was kept of it, if that is of use."""
    digest = digest_of(catalog, masker, encoder_version(), FORMAT)

    def learned() -> Trained:
        trained = load_trained(len(catalog.goals), folder, digest)
        if trained is None:
            trained = learn(gather_examples(catalog, masker), folder)
            save_trained(trained, folder, digest)
        return trained

    return _LEARNED.get(digest, learned)
