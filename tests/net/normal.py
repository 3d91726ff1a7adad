"""What is made alike before recordings are compared, all of it here.

Reasons of events are compared as their sentences. `BATCHES` is for the day on which the entries of a transaction are
one; until then it changes nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from dialogue.state.masking import WordsOf, write_out
from tests.golden.lines import normalise as rounded
from tests.seeds import ROOT

Entry = dict[str, Any]
_LONGEST = 4_000
"""Characters of a text that are kept as they are."""

VOLATILE = frozenset({"seconds", "explained_seconds", "took_ms"})
"""Fields of events that hold measured times."""
_ID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[0-9a-f]{32}\b")
"""Ids of streams, and keys that are made from them: drawn at random for each walk."""
_TOOK = re.compile(r"\btook (?:less than a second|about \d[\d.,]* (?:s|min|h)\b)")
"""What is said of measured times."""


def one_by_one(event: Entry) -> Iterable[Entry]:
    """Yield the events that were written in one entry, which is one. Where that changes, take them apart here."""
    yield event


BATCHES: Callable[[Entry], Iterable[Entry]] = one_by_one
"""Applied to each entry of a stream."""


def stream(log: Iterable[Any], home: Path | None = None, words_of: WordsOf = str) -> list[Entry]:
    """Return the entries of a stream as they are compared: kinds and all fields, in their order.

    When something happened is left out: clocks stand still in walks.
    """
    return flat((write_out(entry, words_of)["event"] for entry in log), home)


def flat(events: Iterable[Entry], home: Path | None = None) -> list[Entry]:
    found: list[Entry] = alike([_without_times(one) for event in events for one in BATCHES(event)], home)
    return found


def alike(value: Any, home: Path | None = None) -> Any:
    """Name ids by the order in which they come, round what is measured in fractions, and resolve reasons.

    Folders of this machine are named, and of a long text, such as that of a catalog, only the digest is kept.
    """
    known: dict[str, str] = {}

    def text(said: str) -> str:
        said = said.replace(str(ROOT), "REPOSITORY").replace(str(home), "HOME")
        if len(said) > _LONGEST:
            return f"{len(said)} characters, {hashlib.sha256(said.encode()).hexdigest()[:16]}"
        said = _TOOK.sub("took some time", said)
        return _ID.sub(lambda found: known.setdefault(found[0], f"id-{len(known) + 1}"), said)

    def walk(one: Any) -> Any:
        if isinstance(one, str):
            return text(one)
        if isinstance(one, Mapping):
            if "attachment" in one and str(one.get("name", "")).endswith(".docx"):
                one = {**one, "attachment": "digest of a Word document"}  # which holds the moment it was made
            return {text(str(key)): walk(_coarse(inner) if key == "score" else inner) for key, inner in one.items()}
        return [walk(inner) for inner in one] if isinstance(one, (list, tuple)) else one

    return walk(rounded(value))


def _coarse(score: Any) -> Any:
    """Round a score, whose sixth digit depends on whether a model was learned just now or read from the disk."""
    return round(score, 3) if isinstance(score, float) else score


def _without_times(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(_kept(value))
    return [_without_times(one) for one in value] if isinstance(value, (list, tuple)) else value


def _kept(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, one in value.items():
        if key not in VOLATILE:
            yield key, _without_times(one)
