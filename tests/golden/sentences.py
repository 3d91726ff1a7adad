"""Section `understand`: what is made of every annotated sentence that there is.

Of the sets for measuring, which nobody who works on the understander reads, there are a sample and its digests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from benchmarks.understanding.score import SEALED, SPLITS, load_queries
from catalog.load import load
from catalog.model import Catalog
from dialogue.cli.conversation import understood_json
from dialogue.policy.together import Planner
from language.interpretation import Context, Understander
from language.understanding import DEFAULT, UNDERSTANDERS
from planning.engines import DEFAULT_ENGINE, ENGINES
from tests.golden.lines import Line, normalise, without
from tests.language.measure import SETS, load_cases

BANKING = SPLITS["development"].with_name("banking.jsonl")
SAMPLED = 3
"""Of the sets that are for measuring, one request in so many."""


def record_accounting() -> Iterator[Line]:
    """Read the requests to the accounting assistant."""
    catalog = load("accounting").catalog
    understander = UNDERSTANDERS[DEFAULT](catalog)
    for split in SPLITS:
        for query in load_queries(split)[:: SAMPLED if split in SEALED else 1]:
            line = _read(catalog, understander, f"{split} {query.name}", query.text, Context(today=query.today))
            yield _seal(line) if split in SEALED else line


def record_banking() -> Iterator[Line]:
    """Read what is said to the bank."""
    catalog = load("banking").catalog
    understander = UNDERSTANDERS[DEFAULT](catalog)
    for name in SETS:
        for number, case in enumerate(load_cases(name, catalog), start=1):
            yield _read(catalog, understander, f"{name} {number} {case.group}", case.text, case.context)
    yield from _read_file(catalog, understander, BANKING)


def _read_file(catalog: Catalog, understander: Understander, path: Path) -> Iterator[Line]:
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        context = Context(today=date.fromisoformat(row["today"]))
        yield _read(catalog, understander, f"{path.stem} {row['id']}", row["text"], context)


def _read(catalog: Catalog, understander: Understander, name: str, text: str, context: Context) -> Line:
    meaning = understander.understand(text, context)
    return {
        "id": name,
        "text": text,
        "printed": normalise(understood_json(catalog, meaning, Planner(ENGINES[DEFAULT_ENGINE]))),
        "meaning": normalise(meaning.model_dump(mode="json", exclude_defaults=True)),
    }


def _seal(line: Line) -> Line:
    """Keep of a line only what shows whether it has changed, however sure the understander was."""
    text = json.dumps(_unsure(without(line, "id")), sort_keys=True)
    return {"id": line["id"], "digest": hashlib.sha256(text.encode()).hexdigest()[:16]}


def _unsure(value: object) -> object:
    if isinstance(value, dict):
        return {key: _unsure(one) for key, one in value.items() if key != "confidence"}
    return [_unsure(one) for one in value] if isinstance(value, list) else value
