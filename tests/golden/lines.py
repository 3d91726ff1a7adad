"""Recorded lines: how they are normalised, kept and compared.

A line is a JSON object with an `id` that no other line of its section has. A section is one compressed file, with one
line of JSON a line.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from catalog.load import load
from dialogue.log.events import Entry
from dialogue.state.masking import write_out
from language.languages import ENGLISH

DATA = Path(__file__).parent / "data"
SHOWN = 5
LONGEST = 60
"""Differences that a test shows, and lines of each."""

Line = dict[str, JsonValue]


def write_lines(name: str, lines: Iterable[Line]) -> int:
    """Write a section; return its size in bytes."""
    text = "".join(f"{_dump(line)}\n" for line in lines)
    data = gzip.compress(text.encode(), compresslevel=9, mtime=0)
    DATA.mkdir(exist_ok=True)
    _file(name).write_bytes(data)
    return len(data)


def read_lines(name: str) -> list[Line]:
    """Read a section as it was recorded."""
    return [json.loads(line) for line in gzip.decompress(_file(name).read_bytes()).decode().splitlines()]


def normalise(value: Any) -> Any:
    """Round what is measured in fractions, so that the last digits of another processor make no difference."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, Mapping):
        return {key: round(one, 2) if key == "confidence" else normalise(one) for key, one in value.items()}
    return [normalise(one) for one in value] if isinstance(value, (list, tuple)) else value


def without(value: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """Return an object without some of its keys."""
    return {key: one for key, one in value.items() if key not in keys}


def write_log(name: str, catalog: str, log: Iterable[Entry]) -> Line:
    """Return the log of a conversation as a line, without how long things took, and with its reasons in words."""
    words_of = partial(ENGLISH.reasons.say, load(catalog).catalog)
    events = [
        {"seq": entry.seq, **without(write_out(entry, words_of)["event"], "seconds", "explained_seconds")}
        for entry in log
    ]
    return {"id": name, "catalog": catalog, "events": normalise(events)}


def find_differences(section: str, recorded: Iterable[Line], computed: Iterable[Line]) -> Iterator[str]:
    """Describe each line that is gone, new or changed: its section and id, and a unified diff of its JSON."""
    before, after = _by_id(recorded), _by_id(computed)
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if old != new:
            what = "new" if old is None else "gone" if new is None else "changed"
            changes = list(unified_diff(_pretty(old), _pretty(new), n=2, lineterm=""))[2:]
            yield "\n".join((f"[{section}] {name}: {what}", *changes))
    if before == after and [*before] != [*after]:
        yield f"[{section}] the same lines, in another order"


def assert_recorded(section: str, recorded: Iterable[Line], computed: Iterable[Line]) -> None:
    """Assert that lines are those recorded; say what the first differences are, and how to see all."""
    found = list(find_differences(section, recorded, computed))
    first = "\n\n".join("\n".join(difference.splitlines()[:LONGEST]) for difference in found[:SHOWN])
    assert not found, (
        f"{len(found)} lines differ. The first:\n\n{first}\n\nAll: python -m tests.golden --diff --only {section}; "
        "make golden records them as they are now."
    )


def _by_id(lines: Iterable[Line]) -> dict[str, Line]:
    found: dict[str, Line] = {}
    for line in lines:
        name = str(line["id"])
        assert name not in found, f"two lines have the id {name!r}"
        found[name] = json.loads(_dump(line))
    return found


def _dump(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _pretty(line: Line | None) -> list[str]:
    return [] if line is None else json.dumps(line, ensure_ascii=False, sort_keys=True, indent=1).splitlines()


def _file(name: str) -> Path:
    return DATA / f"{name}.jsonl.gz"
