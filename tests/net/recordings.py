"""Recordings: how they are kept, and how what differs is told.

A recording is a list of lines, each with an `id` and its `entries`: events of a stream, answers to questions, readings
of sentences, elements of a page. A line is kept as JSON, all lines of a section in one compressed file. A difference
names the section, the line, the entry and the field, with what stood there before and what stands there now.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "recorded"
SHOWN = 12
"""Differences that a test shows."""
_LONGEST = 300
_NAMES = ("kind", "asks", "text", "element", "command")
"""Fields of an entry that tell a reader which it is; the first that it has."""

Entry = dict[str, Any]
Line = dict[str, Any]


def line(name: str, entries: Iterable[Entry]) -> Line:
    return {"id": name, "entries": list(entries)}


def write(section: str, lines: Iterable[Line]) -> int:
    """Write a section; return its size in bytes."""
    text = "".join(f"{_dump(one)}\n" for one in lines)
    data = lzma.compress(text.encode(), preset=9)
    FOLDER.mkdir(exist_ok=True)
    file_of(section).write_bytes(data)
    return len(data)


def read(section: str) -> list[Line]:
    """Read a section; one that was never recorded is empty."""
    return [json.loads(one) for one in text_of(section).split("\n") if one]


def text_of(section: str) -> str:
    """Return a section as it is kept, a line of JSON each."""
    file = file_of(section)
    return lzma.decompress(file.read_bytes()).decode() if file.exists() else ""


def file_of(section: str) -> Path:
    return FOLDER / f"{section}.jsonl.xz"


def differences(section: str, recorded: Iterable[Line], found: Iterable[Line]) -> Iterator[str]:
    """Describe all that differs: lines that are gone or new, and within a line each entry and each field."""
    before, after = _by_id(recorded), _by_id(found)
    for name in dict.fromkeys((*before, *after)):
        where = f"[{section}] {name}"
        if name not in after:
            yield f"{where}: the line is gone"
        elif name not in before:
            yield f"{where}: the line is new"
        else:
            yield from (f"{where} / {told}" for told in _entries(before[name]["entries"], after[name]["entries"]))


def check(section: str, recorded: Iterable[Line], found: Iterable[Line]) -> None:
    """Assert that lines are those that were recorded; show the first differences, and how to see the others."""
    told = list(differences(section, recorded, found))
    assert not told, (
        f"{len(told)} differences. The first:\n\n" + "\n".join(told[:SHOWN]) + f"\n\nAll: python -m tests.net {section}"
        "; python -m tests.net --record --accept records what is so now."
    )


def _entries(before: list[Entry], after: list[Entry]) -> Iterator[str]:
    """Align two lists of entries, first by what is alike in every field, then in their order, by what they are."""
    matcher = SequenceMatcher(None, list(map(_dump, before)), list(map(_dump, after)), autojunk=False)
    for what, i, end_i, j, end_j in matcher.get_opcodes():
        if what != "equal":
            yield from _aligned(i, before[i:end_i], j, after[j:end_j])


def _aligned(i: int, before: list[Entry], j: int, after: list[Entry]) -> Iterator[str]:
    matcher = SequenceMatcher(None, list(map(_name, before)), list(map(_name, after)), autojunk=False)
    for what, a, end_a, b, end_b in matcher.get_opcodes():
        pairs = min(end_a - a, end_b - b) if what in ("equal", "replace") else 0
        for at in range(pairs):
            old, new = before[a + at], after[b + at]
            where = f"entry {i + a + at + 1} ({_name(old)})"
            for path, one, other in _fields(old, new, ""):
                yield f"{where}, {path or 'all of it'}:\n    before {_short(one)}\n    after  {_short(other)}"
        for at in range(a + pairs, end_a):
            yield f"entry {i + at + 1} ({_name(before[at])}) is gone: {_short(before[at])}"
        for at in range(b + pairs, end_b):
            yield f"entry {j + at + 1} ({_name(after[at])}) is new: {_short(after[at])}"


_NOTHING = object()


def _fields(old: Any, new: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield the innermost fields that differ, with their values."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            inner = f"{path}.{key}" if path else key
            yield from _fields(old.get(key, _NOTHING), new.get(key, _NOTHING), inner)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for at, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _fields(one, other, f"{path}[{at}]")
    elif _dump(old) != _dump(new):
        yield path, old, new


def _name(entry: Entry) -> str:
    return next((str(entry[name])[:80] for name in _NAMES if name in entry), "")


def _by_id(lines: Iterable[Line]) -> dict[str, Line]:
    found: dict[str, Line] = {}
    for one in lines:
        name = str(one["id"])
        assert name not in found, f"two lines have the id {name!r}"
        found[name] = json.loads(_dump(one))
    return found


def _dump(value: Any) -> str:
    if value is _NOTHING:
        return "nothing"
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _short(value: Any) -> str:
    text = _dump(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
