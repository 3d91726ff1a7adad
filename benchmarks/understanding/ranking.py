"""Learn what each kind of evidence for a goal counts.

    PLANGLASS_SKILLS=benchmarks python -m benchmarks.understanding.ranking

It learns from the requests for development with at most one goal (`benchmarks.understanding.requests`), to seven
catalogs; what is said to the other catalogs, and answers to questions, ask for none of the goals of one. It prints what
the goals of each catalog are ranked at by weights that were learned from the other catalogs, and writes
`language/intents/ranking.json`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.meant.__main__ import HERE as MEANT
from benchmarks.understanding import asking
from benchmarks.understanding.requests import answers, catalogs, requests_to
from catalog.load import load
from catalog.model import Catalog
from language.intents import ranking
from language.intents.ranking import GOAL, NONE, OF_ASKING
from language.intents.reader import RequestReader
from language.slots.filler import SlotFiller
from language.text.request_frames import DEED_WORDS, deeds_in
from language.text.words import blank, fold

_WRITTEN = Path(ranking.__file__).with_name("ranking.json")
_PENALTY = 0.5
"""What large weights cost, beside the number of requests."""
_MOST = 150
"""Requests to one catalog that count in full: more of them share what these count."""
_BEYOND, _ANSWER, _EXAMPLE, _EXAMPLES = 0.1, 0.1, 0.2, 10
"""What requests to other catalogs, answers, and the catalog's own examples count; and the most that all these do."""
_OTHERS, _ANSWERS, _ANSWERED = 150, 60, 150
"""How many of them each catalog has; of answers, made up and said."""
_ANSWERING = (
    "yes please",
    "no",
    "it is {}",
    "the {}",
    "{}",
    "that would be {}",
    "I think {}, but I am not sure",
    "{}, thank you",
    "{} and {}",
    "{}, {}, or so",
    "my number is 4711",
    "on Friday",
    "$400",
    "I don't know",
)
_DOING = ("{} the {}", "please {} my {}", "can you {} this {} for me?", "{} that {} of Monday")
_NAMES = ["Oslo", "Mill Lane, the lower end", "Greta Moss", "Anna", "the green one", "Harbour Street 4", "a bicycle"]


@dataclass(frozen=True)
class Judged:
    """The evidence of one text, the place of its goal (the last one for none), and what it counts."""

    catalog: str
    goals: NDArray[np.float32]
    none: NDArray[np.float32]
    right: int
    weight: float

    @property
    def is_act(self) -> bool:
        """Return whether it is a sentence to learn asking from: these count more than any other."""
        return self.weight > 1


def gather() -> Iterator[Judged]:
    """Yield what there is to learn from."""
    random, read = Random(7), catalogs()
    said, answered = requests_to(read), answers()
    for name, catalog in read.items():
        own = [one for one in said[name] if len(one.goals) < 2]
        known = {one.text for one in said[name]}
        beyond = [one.text for other in read if other != name for one in said[other] if one.text not in known]
        rows = [(one.text, next(iter(one.goals), None), min(1.0, _MOST / len(own))) for one in own]
        rows += [(text, None, _BEYOND) for text in random.sample(beyond, min(_OTHERS, len(beyond)))]
        rows += _beside(random, name, catalog, answered.get(name, []))
        yield from _judged(name, catalog, rows)
    for name in sorted(answered.keys() - read.keys()):
        catalog = load(MEANT / f"{name}.yaml").catalog
        yield from _judged(name, catalog, _beside(random, name, catalog, answered[name]))
    asking.judge_by(asking.learn())


def _beside(
    random: Random, name: str, catalog: Catalog, answered: Sequence[str]
) -> list[tuple[str, str | None, float]]:
    """Return what else there is to learn from for a catalog: acts, answers, and its own examples."""
    acts = [(one.text, one.goal, one.counts) for one in asking.written() if one.catalog == name]
    said = [*_answers(random, catalog), *random.sample(answered, min(_ANSWERED, len(answered)))]
    said += list(_otherwise(random, catalog))
    examples = [(text, goal.name) for goal in catalog.goals.values() for text in goal.examples]
    counts = min(_EXAMPLE, _EXAMPLES / len(examples))
    return [*acts, *((text, None, _ANSWER) for text in said), *((text, goal, counts) for text, goal in examples)]


def _otherwise(random: Random, catalog: Catalog) -> Iterator[str]:
    """Yield requests to do something else with what goals are about: "undo the loan application please"."""
    spoken = deeds_in(fold(text) for goal in catalog.goals.values() for text in (goal.label, *goal.examples))
    labels = [fold(goal.label) for goal in catalog.goals.values()]
    for deed in sorted(DEED_WORDS - spoken):
        for form in _DOING:
            yield form.format(deed, random.choice(labels))


def _answers(random: Random, catalog: Catalog) -> Iterator[str]:
    said = [option for fact in catalog.facts.values() for option in fact.value.declared_options] + _NAMES
    for _ in range(_ANSWERS):
        yield random.choice(_ANSWERING).format(random.choice(said), random.choice(said))


def _judged(name: str, catalog: Catalog, rows: Sequence[tuple[str, str | None, float]]) -> Iterator[Judged]:
    """Judge texts; whether they ask for anything, by what was learned from the other catalogs."""
    asking.judge_by(asking.learn(name))
    filler, places = SlotFiller(catalog), list(catalog.goals)
    reader = RequestReader(catalog, filler)
    asked = [blank(fold(text), [idle for _, idle in filler.frames.around(text, reader.goal_of)]) for text, _, _ in rows]
    _, (goals, none), _ = reader.classifier.evidence(asked)
    for (_, goal, weight), evidence, rest in zip(rows, goals, none, strict=True):
        yield Judged(name, evidence, rest, len(places) if goal is None else places.index(goal), weight)


def learn(data: Sequence[Judged]) -> dict[str, float]:
    """Return the weights that make the goals of requests likeliest; asking counts what the others leave open."""
    names = (*GOAL, *NONE)
    of_asking = np.array([name in OF_ASKING for name in names])
    others = _fit([one for one in data if not one.is_act], np.zeros(len(names)), ~of_asking)
    found = _fit(data, others, of_asking)
    return {name: round(float(weight), 3) for name, weight in zip(names, found, strict=True)}


def _fit(data: Sequence[Judged], start: NDArray[np.float64], free: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the likeliest weights; those that are not free stay as they are."""
    count = len(GOAL)
    tables = []
    for _, rows in groupby(data, key=lambda one: one.catalog):
        ones = list(rows)
        right = np.array([one.right for one in ones])
        weight = np.array([one.weight for one in ones])
        tables.append((np.stack([one.goals for one in ones]), np.stack([one.none for one in ones]), right, weight))

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        value, slope = _PENALTY * float(weights @ weights), 2 * _PENALTY * weights
        for goals, none, right, counts in tables:
            scores = np.column_stack([goals @ weights[:count], none @ weights[count:]])
            likely = np.exp(scores - scores.max(axis=1, keepdims=True))
            likely /= likely.sum(axis=1, keepdims=True)
            places = np.arange(len(right)), right
            value -= float(counts @ np.log(likely[places] + 1e-12))
            likely[places] -= 1
            likely *= counts[:, None]
            slope[:count] += np.einsum("tg,tgf->f", likely[:, :-1], goals)
            slope[count:] += likely[:, -1] @ none
        return value, slope * free

    found: NDArray[np.float64] = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return found


def show(catalog: str, data: Sequence[Judged], weights: Mapping[str, float]) -> None:
    """Print how the goals of a catalog are ranked by weights."""
    counted = dict.fromkeys(("first", "begun", "wrong", "requests", "begun beyond", "beyond"), 0)
    for one in data:
        likely = ranking.rank((one.goals[None], one.none[None]), weights)[0]
        best, asks = int(likely[:-1].argmax()), one.right < len(likely) - 1
        sure = float(likely[best]) >= 0.5
        counted["requests" if asks else "beyond"] += 1
        counted["first"] += asks and best == one.right
        counted["begun"] += asks and sure and best == one.right
        counted["wrong"] += asks and sure and best != one.right
        counted["begun beyond"] += sure and not asks
    print(f"{catalog:12}" + ", ".join(f"{name} {number}" for name, number in counted.items()))


def main() -> None:
    """Learn the weights, show how they do for catalogs that were left out, and write them."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    data = list(gather())
    for catalog in dict.fromkeys(one.catalog for one in data):
        rest = [one for one in data if one.catalog != catalog]
        show(catalog, [one for one in data if one.catalog == catalog], learn(rest))
    weights = learn(data)
    print(json.dumps(weights))
    _WRITTEN.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
