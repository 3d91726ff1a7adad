"""Learn what joining pieces of an utterance counts.

    PLANGLASS_SKILLS=benchmarks python -m benchmarks.understanding.joining

It learns from the requests for development (`benchmarks.understanding.requests`), to seven catalogs, and from pairs of
them; it writes `language/intents/joining.json`. How pieces are rightly joined is not annotated, only which goals are
asked for: learned is a distribution over all ways to join pieces (a log-linear one) in which those are likely that come
to these goals. Where none of the likeliest ways does, to begin nothing is right. The goals of a catalog are ranked by
weights learned from the other catalogs, so that they are trusted as much as they are to be for new ones.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.meant.__main__ import HERE as MEANT
from benchmarks.understanding import asking, ranking
from benchmarks.understanding.requests import answers, catalogs, requests_to
from catalog.load import load
from language.intents import grouping
from language.intents.grouping import WEIGHTS, Joinable, PieceGroup, weigh
from language.intents.ranking import WEIGHTS as RANKED_BY
from language.intents.reader import RequestReader
from language.slots.filler import SlotFiller
from language.text.words import fold

_WRITTEN = Path(grouping.__file__).with_name("joining.json")
_JOINTS = (
    " and ",
    ", and ",
    ". ",
    ". Also, ",
    ", then ",
    " and then ",
    "; ",
    ", plus ",
    "? ",
    " as well as ",
    ", also ",
)
_PAIRS, _BEYOND, _LONGEST = 160, 100, 8
"""The most pairs made for each catalog, of requests ranked rightly by themselves; requests to other catalogs, which ask
for nothing here; and the most pieces of a text."""
_WAYS = 80
"""The likeliest ways by the weights so far are learned from."""
_PENALTY = 0.1
_OF_ASKING = ("aside tells", "tells in all")
"""Features that are learned from acts, beside what the others count."""
_MOST, _PAIRED, _EXAMPLE = 400, 0.3, 0.1
"""Requests to one catalog that count in full, more share what these count; and what a pair, and an example, counts."""
Said = tuple[str, tuple[str, ...]]
"""A text, and the goals that it asks for."""


@dataclass(frozen=True)
class Annotated:
    """An utterance: the features of each way to join its pieces, and which ways come to the right goals."""

    source: str
    count: float
    features: Sequence[Mapping[str, float]]
    right: NDArray[np.bool_]

    @property
    def of_acts(self) -> bool:
        """Return whether it is a sentence to learn asking from."""
        return self.source.endswith(", acts")

    @classmethod
    def of(cls, source: str, count: float, joinable: Joinable, goals: Sequence[str]) -> Annotated:
        """Find the likeliest ways to join pieces, piece by piece."""
        reached: list[list[tuple[Counter[str], tuple[PieceGroup, ...]]]] = [[(Counter(), ())]]
        for end in range(1, len(joinable.pieces) + 1):
            found = []
            for start in (start for start in range(end) if (start, end) in joinable.judged):
                for part in joinable.ways(start, end):
                    for before, parts in reached[start]:
                        features = Counter(before)
                        features.update(part.features)
                        if any(other.goal is not None for other in parts):
                            features.update(joinable.another(part))
                        found.append((features, (*parts, part)))
            found.sort(key=lambda way: -weigh(WEIGHTS, way[0]))
            reached.append(found[:_WAYS])
        wanted = [sorted(goals), sorted(goal for goal, _ in groupby(goals))]  # the same again is told apart later
        came = [sorted(part.goal for part in parts if part.goal) for _, parts in reached[-1]]
        right = np.array([one in wanted for one in came])
        if not right.any():
            right = np.array([not one for one in came])
        return cls(source, count, [features for features, _ in reached[-1]], right)


def learn(data: Sequence[Annotated]) -> dict[str, float]:
    """Return the weights of the features; print how much is joined rightly by them.

    What asking counts is learned last, with all else as it was learned without acts.
    """
    names = sorted({name for one in data for way in one.features for name in way})
    table = [np.array([[way.get(name, 0.0) for name in names] for way in one.features]) for one in data]
    of_asking = np.array([name in _OF_ASKING for name in names])
    weights = np.array([0.0 if name in _OF_ASKING else WEIGHTS.get(name, 0.0) for name in names])
    for free in (~of_asking, of_asking):
        telling = [i for i, one in enumerate(data) if one.right.any() and not one.right.all()]
        rows = [i for i in telling if free is of_asking or not data[i].of_acts]
        weights = _fit([data[i] for i in rows], [table[i] for i in rows], weights, free)
    for source in dict.fromkeys(one.source for one in data):
        chosen = [bool(one.right[(table[i] @ weights).argmax()]) for i, one in enumerate(data) if one.source == source]
        print(f"{source}: {sum(chosen)} of {len(chosen)} joined rightly")
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


def _fit(
    data: Sequence[Annotated],
    table: Sequence[NDArray[np.float64]],
    start: NDArray[np.float64],
    free: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return the likeliest weights; those that are not free stay as they are."""
    ways, is_right = np.vstack(table), np.concatenate([one.right for one in data])
    lengths, counts = np.array([len(rows) for rows in table]), np.array([one.count for one in data])
    begins = np.cumsum(lengths) - lengths

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = ways @ weights
        likely = np.exp(scores - np.repeat(np.maximum.reduceat(scores, begins), lengths))
        right = likely * is_right
        all_ways, right_ways = np.add.reduceat(likely, begins), np.add.reduceat(right, begins) + 1e-300
        value = _PENALTY * float(weights @ weights) + float(counts @ (np.log(all_ways) - np.log(right_ways)))
        shares = likely * np.repeat(counts / all_ways, lengths) - right * np.repeat(counts / right_ways, lengths)
        return value, (2 * _PENALTY * weights + ways.T @ shares) * free

    found: NDArray[np.float64] = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return found


def gather() -> Iterator[Annotated]:
    """Yield annotated requests to learn from."""
    random, read = Random(5), catalogs()
    judged = list(ranking.gather())
    asked, answered = requests_to(read), answers()
    read |= {name: load(MEANT / f"{name}.yaml").catalog for name in sorted(answered.keys() - read.keys())}
    for name, catalog in read.items():
        said = asked.get(name, [])
        rank_by(ranking.learn([one for one in judged if one.catalog != name]))
        asking.judge_by(asking.learn(name))
        reader = RequestReader(catalog, SlotFiller(catalog))
        for asks in (True, False):
            acts = [one for one in asking.written() if one.catalog == name and one.asks is asks]
            told = [(one.text, (one.goal,) if one.goal else ()) for one in acts]
            yield from _annotated(reader, f"{name}, {'asking' if asks else 'telling'}, acts", 1.0, told)
        told = [(text, ()) for text in answered.get(name, [])]
        yield from _annotated(reader, f"{name}, answers", _EXAMPLE, told)
        if not said:
            continue
        found = [(one.text, one.goals) for one in said]
        known = [one for one in found if len(one[1]) == 1 and reader.rank(fold(one[0]))[0].goal == one[1][0]]
        yield from _annotated(reader, name, min(1.0, _MOST / len(found)), found)
        yield from _annotated(reader, f"{name}, pairs", _PAIRED, _pairs(random, known))
        others = [(one.text, ()) for other in asked if other != name for one in asked[other]]
        beyond = random.sample(others, _BEYOND)
        yield from _annotated(reader, f"{name}, beyond", _PAIRED / 5, beyond)
        examples = [(text, (goal.name,)) for goal in catalog.goals.values() for text in goal.examples]
        yield from _annotated(reader, f"{name}, examples", _EXAMPLE, examples)
        beside = [(f"{one}. {other}", goals) for (one, goals), (other, _) in zip(known, beyond, strict=False)]
        yield from _annotated(reader, f"{name}, with what is beyond", _PAIRED / 2, beside)


def rank_by(weights: Mapping[str, float]) -> None:
    """Rank goals by other weights, in this process."""
    assert isinstance(RANKED_BY, dict)
    RANKED_BY.update(weights)


def _pairs(random: Random, singles: Sequence[Said]) -> Iterator[Said]:
    for _ in range(_PAIRS):
        (one, goals), (other, others) = random.sample(singles, 2)
        if goals != others:
            yield one.rstrip(".?! ") + random.choice(_JOINTS) + other, goals + others


def _annotated(
    reader: RequestReader, name: str, count: float, said: Sequence[Said] | Iterator[Said]
) -> Iterator[Annotated]:
    for text, goals in said:
        joinable = reader.joinable(text, fold(text))
        if 0 < len(joinable.pieces) <= _LONGEST:
            yield Annotated.of(name, count, joinable, goals)


def main() -> None:
    """Learn the weights and write them."""
    argparse.ArgumentParser(description="Learn what joining pieces of an utterance counts.").parse_args()
    weights = learn(list(gather()))
    print(json.dumps(weights))
    _WRITTEN.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
