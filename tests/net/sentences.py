"""How the sentences of all development sets are understood: goals, values, acts, questions, and the rest as a digest.

Sets that are for measuring alone are not among them: what is made of their sentences is for nobody to look at.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.rooms import __file__ as _rooms
from catalog.load import load
from catalog.load.demo_files import DEMOS
from language.interpretation import Context, Interpretation
from language.understanding import DEFAULT, UNDERSTANDERS
from tests.net import normal, walks
from tests.net.normal import Entry
from tests.net.recordings import Line, line

_BENCHMARKS = Path(_rooms).parents[1]
SETS = {
    "understanding": ("data/development", "data/development-2", "data/development-3", "data/banking"),
    "questions": ("questions_dev", "questions_dev2", "questions_dev3"),
    "beyond": ("beyond_dev", "served_dev", "served_dev2"),
    "meant": ("first", "second", "third", "fourth"),
}
IN_EVERY_RUN = {"banking": 10, "accounting": 10}
"""Of these catalogs so many sentences are read in every run: what is learned of them is learned by other tests, too."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a set, with the catalog that it is said to, and the day."""

    catalog: str
    text: str
    today: str

    @property
    def name(self) -> str:
        return f"{self.catalog} / {self.today} / {self.text}"


def sentences() -> list[Sentence]:
    """List the sentences of all sets, each once."""
    found: dict[Sentence, None] = {}
    for folder, names in SETS.items():
        for name in names:
            file = _BENCHMARKS / folder / f"{name}.jsonl"
            for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
                catalog = row.get("catalog") or ("banking" if name == "data/banking" else "accounting")
                said = [*row.get("conversation", ()), row["question"]] if "question" in row else row.get("lines")
                for text in said or [row["text"]]:
                    found[Sentence(catalog, text, row["today"])] = None
    return list(found)


def sample() -> list[Sentence]:
    """Return the sentences of every run: spread evenly over those of a catalog."""
    every = sentences()
    chosen = []
    for catalog, most in IN_EVERY_RUN.items():
        of = [one for one in every if one.catalog == catalog]
        chosen += of[:: len(of) // most][:most]
    return chosen


def record(chosen: Iterable[Sentence]) -> Iterator[Line]:
    """Understand sentences, each as the first of a conversation; a line is a catalog."""
    by_catalog: dict[str, list[Sentence]] = {}
    for one in chosen:
        by_catalog.setdefault(one.catalog, []).append(one)
    with walks.at_home():
        for name, said in by_catalog.items():
            reader = UNDERSTANDERS[DEFAULT](load(_file_of(name)).catalog)
            for one in said:
                meaning = reader.understand(one.text, Context(today=date.fromisoformat(one.today)))
                yield line(one.name, [read(one.text, meaning)])


def _file_of(name: str) -> str:
    if name in DEMOS:
        return name
    return str(next(_BENCHMARKS.glob(f"*/{name}.yaml")))


def read(text: str, meaning: Interpretation) -> Entry:
    """Return what is made of a sentence, so that a difference can be read; a digest stands for all of it."""
    whole = normal.alike(meaning.model_dump(mode="json"))
    entry: Entry = {"text": text, "digest": _digest(whole)}
    for name, value in whole.items():
        if name in ("goals", "candidates") and value:
            entry[name] = [_request(one) for one in value]
        elif name == "values" and value:
            entry[name] = {one["fact"]: one["value"] for one in value}
        elif name == "acts" and value:
            entry[name] = [f"{one['act']}: {one['span']['text']}" for one in value]
        elif name in ("question", "control", "topic", "term", "unclear", "preference", "task", "errors") and value:
            entry[name] = {k: v for k, v in value.items() if v} if isinstance(value, Mapping) else value
    return entry


def _request(one: Mapping[str, Any]) -> str:
    said = [f"{value['fact']}={json.dumps(value['value'], ensure_ascii=False)}" for value in one["values"]]
    said += [f"{other['fact']}@{other['to']}" for other in one["references"]]
    return f"{one['goal']}({', '.join(said)})"


def _digest(whole: Any) -> str:
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:12]
