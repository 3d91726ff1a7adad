"""Ranking: how likely a text asks for each goal of a catalog, or for none of them, by what all catalogs share.

What a catalog's own classifier learned of its few examples is one kind of evidence among others: how near the goal's
texts are, which words of the text they know, whether the text names an action that none of them does. What each kind
counts is the same in every catalog (`WEIGHTS`), and is learned from requests to several (a conditional logit model,
McFadden 1974). So a catalog with three examples a goal is judged by what was seen with others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from catalog.model import Catalog
from language.intents.regression import Matrix, softmax, weighty

Weights = Mapping[str, float]
WEIGHTS: Weights = json.loads(files(__package__).joinpath("ranking.json").read_text(encoding="utf-8"))
"""What each kind of evidence counts: written by `python -m benchmarks.understanding.ranking`."""
_OF_GOAL = ("log chance", "near", "known words", "very near", "other deed", "values taken", "values not taken")
_OF_NONE = ("none", "log served", "log not served", "elsewhere", "quite near", "one word", "few words, none known")
OF_ASKING = ("asks", "tells")
"""Evidence of whether a text asks for anything, apart from what it asks for."""
_LEARNED, _CALIBRATED = 3, 4
"""So many kinds of evidence, the first ones, count otherwise the more examples a catalog has."""
_FEW = 3
"""So many words may be no more than a value."""
_MANY = 20
"""Half of what many examples change is changed by so many for each goal."""
GOAL = (*_OF_GOAL, *(f"{name}, many examples" for name in _OF_GOAL[:_LEARNED]))
"""Kinds of evidence for a goal; below, those that a text asks for none."""
NONE = (*_OF_NONE, *OF_ASKING, *(f"{name}, many examples" for name in _OF_NONE[:_CALIBRATED]))
Evidence = tuple[Matrix, Matrix]
"""What speaks for each goal (texts × goals × `GOAL`), and for none of them (texts × `NONE`)."""
_LEAST = 1e-4
_QUITE, _VERY = 0.6, 0.7
"""The cosine from which two texts are about the same, and from which each bit more tells that they ask for the same."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of some texts: each has a row, and in all but `asks` and `elsewhere` each label a column.

    `chances` are those of the labels where the text has one, `asks` is the chance that it has; `near` is the cosine of
    the angle to the nearest text of the label, `elsewhere` that to the nearest of what no catalog serves.
    """

    chances: Matrix
    asks: Matrix
    near: Matrix
    elsewhere: Matrix

    @property
    def nearest(self) -> Matrix:
        """The cosine to the nearest text of any label."""
        found: Matrix = self.near.max(axis=1, initial=0.0)
        return found


def put_together(
    texts: Sequence[str], measured: Measured, known: Matrix, own: Sequence[Matrix], asking: Matrix, *, many: float
) -> Evidence:
    """Put together what is known of texts.

    `known` is the share of words that each goal's texts have. `own` are three matrices (texts × goals): whether
    something else is to be done with the goal's thing, and how many sorts of values in the text the goal takes, and
    does not take. `asking` are the log odds that each text asks for anything, and `many` tells how much the number of
    examples counts (`share_of_many`). What is said in the words of an example asks, whatever its form.
    """
    counts = np.array([len(weighty(text)) for text in texts])
    goals = [np.log(np.maximum(measured.chances, _LEAST)), measured.near, known]
    very_near = np.maximum(measured.near - _VERY, 0) / (1 - _VERY)
    goals += [very_near, *own]
    asking = asking * (1 - very_near.max(axis=1, initial=0.0))
    none = [
        np.ones(len(texts)),
        np.log(np.maximum(measured.asks, _LEAST)),
        np.log(np.maximum(1 - measured.asks, _LEAST)),
        measured.elsewhere,
        measured.nearest >= _QUITE,
        counts == 1,
        (counts <= _FEW) & (known.max(axis=1, initial=0.0) == 0),
        asking,
        np.maximum(-asking, 0),
    ]
    goals += [many * one for one in goals[:_LEARNED]]
    none += [many * one for one in none[:_CALIBRATED]]
    return np.stack(goals, axis=-1).astype(np.float32), np.stack(none, axis=-1).astype(np.float32)


def share_of_many(catalog: Catalog) -> float:
    """Return how much it counts, from 0 to 1, how many examples the goals of a catalog have, in the mean."""
    examples = sum(len(goal.examples) for goal in catalog.goals.values())
    return examples / (examples + _MANY * max(1, len(catalog.goals)))


def rank(evidence: Evidence, weights: Weights = WEIGHTS) -> Matrix:
    """Return the probability of each goal, and in the last column that of none."""
    goals, none = evidence
    scores = goals @ np.array([weights.get(name, 0.0) for name in GOAL], dtype=np.float32)
    rest = none @ np.array([weights.get(name, 0.0) for name in NONE], dtype=np.float32)
    return softmax(np.concatenate([scores, rest[:, None]], axis=1))
