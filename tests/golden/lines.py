"""Recorded lines: how they are normalised, kept and compared.

A line is a JSON object with an `id` that no other line of its section has. A section is one compressed file, with one
line of JSON a line.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any

from pydantic import JsonValue

DATA = Path(__file__).parent / "data"

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
