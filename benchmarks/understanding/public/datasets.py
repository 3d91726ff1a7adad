"""Loaders of the published files of CLINC150 and BANKING77, and catalogs that know ten examples of each of their goals.

- CLINC150: `data/data_full.json` of https://github.com/clinc/oos-eval (Larson et al., 2019).
- BANKING77: `banking_data/train.csv` and `banking_data/test.csv` of
  https://github.com/PolyAI-LDN/task-specific-datasets (Casanueva et al., 2020). It has no validation split: what a draw
  leaves of the training split stands in for it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random

from catalog.load import loads
from catalog.model import Catalog

EXAMPLES = 10
"""Examples of a goal that a catalog knows."""
DRAWS = (1, 2, 3, 4, 5)
"""The seeds of the draws of examples; a figure is the mean over all of them."""
_VALIDATED = 20
"""Requests a goal for validation, where the set has no split for it."""


@dataclass(frozen=True)
class Request:
    """A request with the goal it is labelled with; none if it is out of scope."""

    text: str
    goal: str | None


@dataclass(frozen=True)
class Dataset:
    """A public set. `train` maps each goal to its texts; `out_of_scope` texts are never trained on."""

    name: str
    train: Mapping[str, Sequence[str]]
    validation: Sequence[Request]
    test: Sequence[Request]

    def draw(self, seed: int, examples: int = EXAMPLES) -> tuple[Catalog, Sequence[Request]]:
        """Make a catalog of some examples of each goal, drawn by a seed, and requests to validate it with."""
        random = Random(seed)
        drawn, left = {}, []
        for goal, texts in sorted(self.train.items()):
            shuffled = random.sample(texts, len(texts))
            drawn[goal] = shuffled[:examples]
            left += [Request(text, goal) for text in shuffled[examples : examples + _VALIDATED]]
        return catalog_of(self.name, drawn), self.validation or left


def load_clinc150(folder: Path) -> Dataset:
    """Load CLINC150 from a folder with `data_full.json`."""
    splits: dict[str, list[list[str]]] = json.loads((folder / "data_full.json").read_text(encoding="utf-8"))

    def requests(split: str) -> list[Request]:
        rows = chain(splits[split], splits[f"oos_{split}"])
        return [Request(text, None if goal == "oos" else goal) for text, goal in rows]

    return Dataset("clinc150", _by_goal(splits["train"]), requests("val"), requests("test"))


def load_banking77(folder: Path) -> Dataset:
    """Load BANKING77 from a folder with `train.csv` and `test.csv`."""

    def rows(split: str) -> list[list[str]]:
        with (folder / f"{split}.csv").open(encoding="utf-8", newline="") as file:
            return [[row["text"].strip(), row["category"]] for row in csv.DictReader(file)]

    return Dataset("banking77", _by_goal(rows("train")), (), [Request(*row) for row in rows("test")])


LOADERS = {"clinc150": load_clinc150, "banking77": load_banking77}


def _by_goal(rows: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text, goal in rows:
        found.setdefault(goal, []).append(text)
    return found


def catalog_of(name: str, examples: Mapping[str, Sequence[str]]) -> Catalog:
    """Make a catalog of goals that are known by their names and examples alone; each is what one skill comes to."""
    ids = {goal: f"g{place}" for place, goal in enumerate(examples)}
    written = {
        "version": 1,
        "name": name,
        "facts": {f"{ids[goal]}_done": {"askable": False, "fillable": False} for goal in examples},
        "skills": {
            f"{ids[goal]}_skill": {
                "endpoint": "python:a:b",
                "modes": {"do": {"outcomes": {"done": {"facts": [f"{ids[goal]}_done"]}}}},
            }
            for goal in examples
        },
        "goals": {
            goal_id(goal): {
                "label": goal.replace("_", " ").rstrip("?").lower(),
                "facts": [f"{ids[goal]}_done"],
                "examples": list(texts),
            }
            for goal, texts in examples.items()
        },
    }
    loaded = loads(json.dumps(written))
    return loaded.catalog


def goal_id(goal: str) -> str:
    """Return the name under which a catalog knows a goal of a set."""
    return goal.rstrip("?").lower()
