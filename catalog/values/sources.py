"""Where the cells of a table come from: the documents, sheets and cells that each of its rows rests on.

A table that was read from a file says so under `sources`: the `places` it comes from, each a sheet of a document with
the letters of its columns, and for each of its `rows` the rows there (the number of a place, and of a row, as a
spreadsheet counts them). Code that drops rows drops their entries, code that adds rows up puts their entries together,
and a new column of figures gets the letters of the columns that it rests on. So every figure can be traced back to the
cells of the documents (where-provenance: Buneman, Khanna and Tan 2001).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

MAX_PLACES = 1_000
MAX_RESTS = 200_000
"""Rows of documents that the rows of one table may rest on, counted together."""
_LETTERS = re.compile(r"[A-Z]{1,3}(:[A-Z]{1,3})?")
_KEYS = ("attachment", "name", "sheet", "columns")


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of one sheet of a document: `C2:C14, C17`. `attachment` is the digest of the document."""

    attachment: str
    name: str
    sheet: str
    cells: str

    def __str__(self) -> str:
        """Say where they are: `ledger.xlsx, July, C2:C14`."""
        return ", ".join(part for part in (self.name, self.sheet, self.cells) if part)


def are_sources(sources: object, columns: Sequence[object], count: int) -> bool:
    """Return whether something says properly what each of so many rows of a table rests on."""
    if not isinstance(sources, Mapping) or set(sources) != {"places", "rows"}:
        return False
    places, rows = sources["places"], sources["rows"]
    if not isinstance(places, list) or not isinstance(rows, list) or len(rows) != count or len(places) > MAX_PLACES:
        return False
    if not all(_is_place(place, columns) for place in places) or not all(isinstance(row, list) for row in rows):
        return False
    rests = [rest for row in rows for rest in row]
    return len(rests) <= MAX_RESTS and all(_is_rest(rest, len(places)) for rest in rests)


def _is_place(place: Any, columns: Sequence[object]) -> bool:
    if not isinstance(place, Mapping) or set(place) != set(_KEYS) or not isinstance(place["columns"], Mapping):
        return False
    texts = [place[key] for key in _KEYS[:3]]
    letters = place["columns"]
    return (
        all(isinstance(text, str) and len(text) <= 255 for text in texts)
        and set(letters) <= set(columns)
        and all(isinstance(one, str) and _LETTERS.fullmatch(one) for one in letters.values())
    )


def _is_rest(rest: Any, places: int) -> bool:
    return (
        isinstance(rest, list)
        and len(rest) == 2
        and all(isinstance(number, int) and not isinstance(number, bool) for number in rest)
        and 0 <= rest[0] < places
        and 1 <= rest[1] <= 10_000_000
    )


def cells_of(table: JsonValue, row: int, column: str | None = None) -> tuple[Cells, ...]:
    """List the cells that a row of a table rests on (from 0), or of it one column; nothing where that is not known."""
    sources = table.get("sources") if isinstance(table, Mapping) else None
    if not isinstance(sources, Mapping):
        return ()
    places: Any = sources["places"]
    rows: Any = sources["rows"]
    found: dict[tuple[str, str, str], dict[str, list[int]]] = {}
    for place, number in rows[row]:
        where, letters = places[place], places[place]["columns"]
        there = found.setdefault((where["attachment"], where["name"], where["sheet"]), {})
        for name in letters if column is None else (column,) if column in letters else ():
            there.setdefault(letters[name], []).append(number)
    return tuple(
        Cells(*where, ", ".join(span for letters, numbers in there.items() for span in _spans(letters, numbers)))
        for where, there in found.items()
        if there
    )


def _spans(letters: str, rows: Iterable[int]) -> Iterator[str]:
    """Write cells of one column, or of several beside each other, with rows that follow on as one span."""
    first, _, last = letters.partition(":")
    runs: list[list[int]] = []
    for row in sorted(set(rows)):
        if runs and runs[-1][-1] == row - 1:
            runs[-1] = [runs[-1][0], row]
        else:
            runs.append([row, row])
    for begin, end in runs:
        one, other = f"{first}{begin}", f"{last or first}{end}"
        yield one if one == other else f"{one}:{other}"
