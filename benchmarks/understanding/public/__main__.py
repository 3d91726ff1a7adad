"""Score the understander on public sets: `python -m benchmarks.understanding.public clinc150=FOLDER banking77=FOLDER`.

A catalog knows ten examples of each goal and nothing else; the figure is the mean over five fixed draws. The split
`validation` is for development; `test` is for measuring, at the end of a piece of work.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import mean
from time import process_time

from benchmarks.understanding.cost import ONE_THREAD

os.environ.update(ONE_THREAD)  # before anything imports numpy

from benchmarks.understanding.public.datasets import DRAWS, LOADERS, Request, goal_id
from benchmarks.understanding.systems import goals_by_words
from catalog.model import Catalog
from language.interpretation import Context
from language.understanding import DEFAULT, UNDERSTANDERS

_DAY = date(2024, 11, 6)
_SURE = 3.0
"""How many times likelier than one of all goals the likeliest must be: below, the baseline refuses."""
Reader = Callable[[str], Sequence[str]]
"""Tells the goals of a text."""


@dataclass(frozen=True)
class Rates:
    """Percent of requests in scope of which the goal, and no other, was begun; and of those out of scope, none."""

    right: float
    refused: float | None
    begun_wrongly: float
    """Percent of requests in scope for which another goal was begun."""


def rate(reader: Reader, requests: Sequence[Request]) -> Rates:
    """Rate what a reader makes of requests."""
    inside = [(goal_id(one.goal), list(reader(one.text))) for one in requests if one.goal is not None]
    outside = [not reader(one.text) for one in requests if one.goal is None]
    return Rates(
        right=100 * mean(found == [goal] for goal, found in inside),
        refused=100 * mean(outside) if outside else None,
        begun_wrongly=100 * mean(bool(found) and found != [goal] for goal, found in inside),
    )


def understander(catalog: Catalog) -> tuple[Reader, float]:
    """Return a reader by the understander, and the seconds of a processor that it took to learn the catalog."""
    began = process_time()
    made = UNDERSTANDERS[DEFAULT](catalog)
    made.warm()
    took = process_time() - began
    return lambda text: [goal.goal for goal in made.understand(text, Context(today=_DAY)).goals], took


def main() -> None:
    """Print a table of each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", metavar="SET=FOLDER", help=f"one of {', '.join(LOADERS)}, and its files")
    parser.add_argument("--split", choices=("validation", "test"), default="validation")
    parser.add_argument("--draws", type=int, default=len(DRAWS), help="how many of the draws")
    options = parser.parse_args()
    for chosen in options.sets:
        name, _, folder = chosen.partition("=")
        if name not in LOADERS:
            parser.error(f"There is no set {name!r}; there are {', '.join(LOADERS)}.")
        dataset = LOADERS[name](Path(folder))
        found: dict[str, list[Rates]] = {"Planglass": [], "TF-IDF": []}
        seconds = []
        for seed in DRAWS[: options.draws]:
            catalog, validation = dataset.draw(seed)
            requests = dataset.test if options.split == "test" else validation
            reader, took = understander(catalog)
            seconds.append(took)
            found["Planglass"].append(rate(reader, requests))
            found["TF-IDF"].append(rate(goals_by_words(catalog, _SURE / len(catalog.goals)), requests))
        print(
            f"{name}, {options.split}, mean of {len(seconds)} draws of ten examples; learned in {mean(seconds):.1f} s"
        )
        for system, rates in found.items():
            refused = [one.refused for one in rates if one.refused is not None]
            print(
                f"  {system:9s} right {mean(one.right for one in rates):.1f} %"
                f" ({min(one.right for one in rates):.1f} to {max(one.right for one in rates):.1f}), another goal begun"
                f" {mean(one.begun_wrongly for one in rates):.1f} %"
                + (f", out of scope refused {mean(refused):.1f} %" if refused else "")
            )


if __name__ == "__main__":
    main()
