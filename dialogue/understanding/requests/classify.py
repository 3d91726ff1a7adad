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

from catalog.model import Catalog
from dialogue.understanding.requests.encoder import encoder_version, is_word, load_encoder
from dialogue.understanding.requests.examples import digest_of, gather_examples
from dialogue.understanding.requests.kept import Made, default_folder
from dialogue.understanding.requests.marks import Spotter
from dialogue.understanding.requests.nothing import other_deed
from dialogue.understanding.requests.spelling import respell, words_of
from dialogue.understanding.requests.trained import FORMAT, Trained, learn, load_trained, save_trained
from dialogue.understanding.words import fold

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
