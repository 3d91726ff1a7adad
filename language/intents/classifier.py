"""Classification: which goal of the catalog a text asks for, if any.

The goals are labels with examples (`language.intents.labels`): a logistic regression is trained on the texts of the
catalog, examples, labels and descriptions of its goals, against small talk and requests that no catalog serves.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from catalog import values
from catalog.analysis.dependencies import arguments_of
from catalog.model import Catalog
from language.entities.masking import MaskedText, ValueMasker, gather_examples
from language.intents.labels import FORMAT, TrainedLabels, learned_once
from language.intents.ranking import NONE, Evidence, Measured, put_together, rank, share_of_many
from language.readers import reader_of
from language.text.array_cache import InBackground, OncePerUtterance, default_folder
from language.text.encoder import encode_said, encoder_version, is_word, load_encoder
from language.text.morphology import respell, words_of
from language.text.number_words import AMOUNT_WORDS
from language.text.request_frames import deeds_in, odds_of_asking, other_deed, unserved
from language.text.words import fold


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


SURE = 0.5
"""From this probability on, a text taken by itself asks for a goal."""


@dataclass(frozen=True, slots=True)
class ScoredGoal:
    """A goal with its confidence, between 0 and 1."""

    goal: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Classification:
    """The classification of a text: goals, best first, each with its probability, and the probability of none of them.

    `near` is the cosine similarity to the nearest example of any goal; `asks` are the log odds that it asks at all,
    less the nearer it is to an example.
    """

    ranked: tuple[ScoredGoal, ...]
    none: float
    near: float
    asks: float = 0.0

    def confidence_in(self, goal: str) -> float:
        return next((scored.confidence for scored in self.ranked if scored.goal == goal), 0.0)

    @property
    def best(self) -> ScoredGoal | None:
        return self.ranked[0] if self.ranked else None


class Classifier:
    """Classifies texts by the goals of one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.masker = ValueMasker(catalog)
        self._goals = tuple(catalog.goals)
        said = (text for goal in catalog.goals.values() for text in (*goal.examples, goal.label, goal.description))
        self._words = words_of(map(fold, said))
        self._deeds = {name: deeds_in(map(fold, goal.examples)) for name, goal in catalog.goals.items()}
        self._takes = {name: frozenset(_values_taken(catalog, name)) for name in catalog.goals}
        self._many = share_of_many(catalog)
        folder = default_folder()
        # Loading the weights takes a second: the start of the dashboard does not wait for it.
        self._trained = InBackground("understander", lambda: trained_on(catalog, self.masker, folder))
        self.judge = OncePerUtterance(self._judge)
        """Classifies several folded texts; together they take less time than one by one."""

    def _judge(self, folded: Sequence[str]) -> list[Classification]:
        goals = self._goals
        if not goals or not folded:
            return [Classification((), 1.0, 0.0) for _ in folded]
        said, evidence, measured = self.evidence(folded)
        found = []
        likely, asking = rank(evidence), evidence[1][:, NONE.index("asks")]
        for text, row, near, asks in zip(said, likely, measured.nearest, asking, strict=True):
            order = np.argsort(-row[:-1], kind="stable")
            ranked = tuple(ScoredGoal(goals[i], float(row[i])) for i in order)
            found.append(Classification(ranked, float(row[-1]) if text.text else 1.0, float(near), float(asks)))
        return found

    def evidence(self, folded: Sequence[str]) -> tuple[list[MaskedText], Evidence, Measured]:
        """Return texts as they are compared, what speaks for each goal and for none, and what was measured of them."""
        said = [self.masker.mask(respell(text, self._words, _is_known)) for text in folded]
        trained, texts = self._trained.get(), [text.text for text in said]
        measured, known = trained.measure(said), trained.share_known(texts)
        deeds, taken, left = (np.zeros((len(said), len(self._goals)), dtype=np.float32) for _ in range(3))
        for row, text in enumerate(said):
            if (deed := other_deed(text.text)) is not None:
                deeds[row] = [deed not in self._deeds[goal] for goal in self._goals]
            if text.features:
                taken[row] = [len(text.features & self._takes[goal]) for goal in self._goals]
                left[row] = len(text.features) - taken[row]
        asking = odds_of_asking(folded, encode_said(texts))
        return said, put_together(texts, measured, known, (deeds, taken, left), asking, many=self._many), measured


def _values_taken(catalog: Catalog, goal: str) -> Iterator[str]:
    """Yield what may be said of a goal's arguments, as features of texts: their forms, and facts with options."""
    for fact in arguments_of(catalog, goal):
        yield fact
        if form := reader_of(catalog.facts[fact].value).form:
            yield form


def _is_known(word: str) -> bool:
    """Return whether a word is one, or stands for money or a number: "bucks" is no slip for "back"."""
    return is_word(word) or word in AMOUNT_WORDS


def trained_on(catalog: Catalog, masker: ValueMasker, folder: Path) -> TrainedLabels:
    """Return the model of a catalog: trained earlier in this process, or from the cache, or trained now."""
    load_encoder()
    digest = digest_of(catalog, masker, encoder_version(), FORMAT)
    return learned_once(digest, len(catalog.goals), lambda: gather_examples(catalog, masker), folder)
