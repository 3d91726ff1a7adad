"""Learn what joining pieces of an utterance counts: `python -m benchmarks.understanding.joining SET=FOLDER …`.

It learns from the sets of requests to the two demos that are for development, from pairs of them, and from the
validation splits of the public sets that are given, alone and in pairs; it writes `language/intents/joining.json`. How
pieces are rightly joined is not annotated, only which goals are asked for: learned is a distribution over all ways to
join pieces (a log-linear one) in which those are likely that come to these goals.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random

from benchmarks.understanding.cost import ONE_THREAD

os.environ.update(ONE_THREAD)  # before anything imports numpy

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.understanding.public.datasets import LOADERS, goal_id
from benchmarks.understanding.score import SEALED, SPLITS, load_queries
from catalog.load import load
from language.intents import grouping
from language.intents.grouping import WEIGHTS, Joinable, PieceGroup, is_sure, weigh
from language.intents.reader import RequestReader
from language.slots.filler import SlotFiller
from language.text.words import fold
from tests.language.measure import SETS, load_cases

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
_PAIRS, _READ, _LONGEST = 160, 1_000, 8
"""Pairs made of each set, requests read of a public one, and the most pieces of one."""
_WAYS = 80
"""The likeliest ways by the weights so far are learned from."""
_PENALTY = 0.02
_DRAW = 4
"""The draw of examples with which public sets are read here."""
_OWN, _MADE = 8, 4
"""How often requests to the demos count, and pairs made of them."""
Said = tuple[str, tuple[str, ...]]
"""A text, and the goals that it asks for."""


@dataclass(frozen=True)
class Annotated:
    """An utterance: the features of each way to join its pieces, and which ways come to the right goals."""

    source: str
    count: int
    features: Sequence[Mapping[str, float]]
    right: NDArray[np.bool_]

    @classmethod
    def of(cls, source: str, count: int, joinable: Joinable, goals: Sequence[str]) -> Annotated:
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
        right = [_goals(joinable, parts) in wanted for _, parts in reached[-1]]
        return cls(source, count, [features for features, _ in reached[-1]], np.array(right))


def _goals(joinable: Joinable, parts: Sequence[PieceGroup]) -> list[str]:
    """Return the goals that a way comes to, in alphabetical order."""
    asked = [part for part in parts if part.goal is not None]
    best = joinable.whole.best
    if not asked:
        return [best.goal] if best is not None and is_sure(joinable.whole, best.goal) else []
    return sorted(p.goal for p in asked if p.goal and any(is_sure(judged, p.goal) for judged in (p.judged, *p.alone)))


def learn(data: Sequence[Annotated]) -> dict[str, float]:
    """Return the weights of the features, that of confidence being 1; print how much is joined rightly by them."""
    names = sorted({name for one in data for way in one.features for name in way})
    table = [np.array([[way.get(name, 0.0) for name in names] for way in one.features]) for one in data]
    telling = [i for i, one in enumerate(data) if one.right.any() and not one.right.all()]

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        value, slope = _PENALTY * float(weights @ weights), 2 * _PENALTY * weights
        for i in telling:
            scores = table[i] @ weights
            likely = np.exp(scores - scores.max())
            right = likely * data[i].right
            value += data[i].count * float(np.log(likely.sum()) - np.log(right.sum() + 1e-300))
            slope = slope + data[i].count * ((likely / likely.sum() - right / (right.sum() + 1e-300)) @ table[i])
        return value, slope

    start = np.array([WEIGHTS.get(name, 0.0) for name in names])
    weights = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    for source in dict.fromkeys(one.source for one in data):
        chosen = [bool(one.right[(table[i] @ weights).argmax()]) for i, one in enumerate(data) if one.source == source]
        print(f"{source}: {sum(chosen)} of {len(chosen)} joined rightly")
    scale = weights[names.index("confidence")]
    return {name: round(float(weight / scale), 2) for name, weight in zip(names, weights, strict=True)}


def gather(sets: Mapping[str, Path]) -> Iterator[Annotated]:
    """Yield annotated requests to learn from."""
    random = Random(5)
    books, bank = load("accounting").catalog, load("banking").catalog
    queries = [query for split in SPLITS if split not in SEALED for query in load_queries(split)]
    asked = {"goals", "several goals", "rejects"}
    cases = [case for name in SETS for case in load_cases(name, bank) if case.group in asked]
    for name, catalog, said in (
        ("accounting", books, [(query.text, tuple(goal["goal"] for goal in query.goals)) for query in queries]),
        ("banking", bank, [(case.text, tuple(case.expected)) for case in cases]),
    ):
        reader = RequestReader(catalog, SlotFiller(catalog))
        yield from _annotated(reader, name, _OWN, said)
        yield from _annotated(
            reader, f"{name}, pairs", _MADE, _pairs(random, [one for one in said if len(one[1]) == 1])
        )
    for name, folder in sets.items():
        catalog, validation = LOADERS[name](folder).draw(_DRAW)
        reader = RequestReader(catalog, SlotFiller(catalog))
        drawn = random.sample(validation, min(len(validation), _READ))
        found = [(one.text, () if one.goal is None else (goal_id(one.goal),)) for one in drawn]
        known = [one for one in found if not one[1] or reader.rank(fold(one[0]))[0].goal == one[1][0]]
        yield from _annotated(reader, name, 1, known)
        yield from _annotated(reader, f"{name}, pairs", 1, _pairs(random, [one for one in known if one[1]]))


def _pairs(random: Random, singles: Sequence[Said]) -> Iterator[Said]:
    for _ in range(_PAIRS):
        (one, goals), (other, others) = random.sample(singles, 2)
        if goals != others:
            yield one.rstrip(".?! ") + random.choice(_JOINTS) + other, goals + others


def _annotated(
    reader: RequestReader, name: str, count: int, said: Sequence[Said] | Iterator[Said]
) -> Iterator[Annotated]:
    for text, goals in said:
        joinable = reader.joinable(text, fold(text))
        if 0 < len(joinable.pieces) <= _LONGEST:
            yield Annotated.of(name, count, joinable, goals)


def main() -> None:
    """Learn the weights and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET=FOLDER", help=f"one of {', '.join(LOADERS)}, and its files")
    options = parser.parse_args()
    sets = dict(chosen.split("=", 1) for chosen in options.sets)
    weights = learn(list(gather({name: Path(folder) for name, folder in sets.items()})))
    print(json.dumps(weights))
    _WRITTEN.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
