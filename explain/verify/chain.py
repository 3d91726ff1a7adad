"""The file: how it is read, how its entries are chained, and what opens the commitments to masked values.

An entry names the digest of the entry before it, and the head of an export is that of its last entry and of all that
stands beside the entries. A digest is the SHA-256 of the canonical JSON (RFC 8785) of what it is of.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import rfc8785

FORMAT = "planglass-export-1"
Json = dict[str, Any]


class NoExport(ValueError):
    """The text is no export that can be checked."""


class Wrong(Exception):
    """Something does not follow: the entry at which that is seen, what was expected, and what was found."""

    def __init__(self, seq: int | None, text: str) -> None:
        super().__init__(text if seq is None else f"entry {seq}: {text}")
        self.seq = seq


def demand(seq: int | None, what: str, expected: object, found: object) -> None:
    """Raise `Wrong` unless what is found is as expected."""
    if expected != found or type(expected) is not type(found):
        raise Wrong(seq, f"{what} is {found!r}, expected {expected!r}")


def digest(value: Any) -> str:
    return sha256(rfc8785.dumps(value)).hexdigest()


def read(text: str) -> Json:
    """Read an export. Raises `NoExport` for anything else."""
    try:
        export = json.loads(text, object_pairs_hook=_each_once)
        rfc8785.dumps(export)
    except (ValueError, RecursionError) as error:
        raise NoExport(f"This is no JSON that can be checked: {error}") from None
    if not isinstance(export, dict) or not isinstance(export.get("entries"), list):
        raise NoExport("This is JSON, but no export of a conversation of Planglass: it has no list of entries.")
    if export.get("format") != FORMAT:
        raise NoExport(f"This is of the format {export.get('format', 'before 1')!r}; this checker reads {FORMAT!r}.")
    if not all(isinstance(one, dict) and isinstance(one.get("event"), dict) for one in export["entries"]):
        raise NoExport("This is no export of a conversation: one of its entries holds no event.")
    return export


def _each_once(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def chain(export: Json) -> Json:
    before, entries = "", []
    for entry in export["entries"]:
        entries.append({**entry, "previous": before})
        before = digest(entries[-1])
    beside = {name: value for name, value in export.items() if name not in ("entries", "head")} | {"last": before}
    return {**beside, "entries": entries, "head": digest(beside)}


def check_chain(export: Json) -> str:
    """Return what is proved by the chain. Raises `Wrong` at the first place where it is broken."""
    again = chain(export)
    for place, (one, chained) in enumerate(zip(export["entries"], again["entries"], strict=True), start=1):
        if one.get("seq") != place:
            raise Wrong(place, f"entry {one.get('seq')!r} stands here: one was left out, put in, or moved")
        if one.get("previous") != chained["previous"]:
            raise Wrong(max(place - 1, 1), f"it was changed: entry {place} names another digest of it")
    if export.get("last") != again["last"]:
        raise Wrong(len(export["entries"]), "it was changed, or entries after it were left out: its digest is another")
    demand(None, "the head (of what is claimed beside the entries)", again["head"], export.get("head"))
    return f"{len(export['entries'])} entries, head {export['head']}"


def check_openings(export: Json, openings: Json) -> Iterator[Wrong]:
    """Yield each masked value that is not what its owner says that it is."""
    for place, opening in openings.items():
        seq, _, path = place.partition("/")
        committed = export["entries"][int(seq) - 1].get("commitments", {}).get(path)
        if committed != digest([opening["salt"], opening["value"]]):
            yield Wrong(int(seq), f"the value that was masked at {path!r} is another than was committed to")
