"""Tables and figures that know their cells: filter, add up, compare.

A table is a value of the kind `table`, with sources (`catalog.values.sources`). Figures are a table with the columns
`figure` and `value`: each row is a figure with a name, and rests on the cells that it was made of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pandas as pd
from pydantic import JsonValue

from catalog.skills.sheets import UnreadableFile

FIGURE, VALUE = "figure", "value"
_QUARTER = re.compile(r"(\d{4})-Q([1-4])")
_MEASURES = ("amount", "total", "value", "price", "pay", "cost", "sum", "revenue", "budget", "units")
"""Names of columns that are added up first, where there are several columns of numbers."""
_FEW = 12
"""Groups that a column may have to be one by which sums are made."""


@dataclass(frozen=True)
class Table:
    """A table with what its rows rest on: for each row the numbers of a place and of a row there."""

    frame: pd.DataFrame
    places: tuple[Mapping[str, Any], ...]
    rests: tuple[tuple[tuple[int, int], ...], ...]

    @classmethod
    def of(cls, value: object) -> Table:
        """Take a value of the kind table; without sources it rests on nothing."""
        if not isinstance(value, Mapping):
            raise TypeError(f"a table is expected, and this is of the type {type(value).__name__}")
        sources = value.get("sources") or {"places": [], "rows": [[] for _ in value["rows"]]}
        rests = tuple(tuple((int(place), int(row)) for place, row in rests) for rests in sources["rows"])
        return cls(pd.DataFrame(value["rows"], columns=value["columns"]), tuple(sources["places"]), rests)

    @property
    def value(self) -> dict[str, JsonValue]:
        """Return the value of the kind table."""
        rows = [[_plain(cell) for cell in row] for row in self.frame.itertuples(index=False, name=None)]
        sources = {"places": list(self.places), "rows": [[list(rest) for rest in rests] for rests in self.rests]}
        made = {"columns": list(self.frame.columns), "rows": rows, "sources": sources}
        return cast("dict[str, JsonValue]", made)

    def where(self, holds: Callable[[Mapping[Hashable, Any]], bool]) -> Table:
        """Keep the rows for which something holds."""
        kept = [at for at, row in enumerate(self.frame.to_dict("records")) if holds(row)]
        return Table(self.frame.iloc[kept].reset_index(drop=True), self.places, tuple(self.rests[at] for at in kept))

    def need(self, *columns: str) -> Table:
        """Return the table, if it has some columns. Raises UnreadableFile."""
        missing = [name for name in columns if name not in self.frame.columns]
        if missing:
            raise UnreadableFile(
                f"There is no column {' or '.join(map(repr, missing))}. There are: {', '.join(self.frame.columns)}."
            )
        return self

    def groups(self, column: str) -> Iterable[tuple[str, list[int]]]:
        """Yield the numbers of the rows that have the same in a column, in the order of the table."""
        for name, rows in self.frame.groupby(column, sort=False).groups.items():
            yield str(name), [int(str(row)) for row in rows]

    def total(self, column: str, rows: Sequence[int] | None = None) -> float:
        """Add up a column, to the cent."""
        cells = pd.to_numeric(self.frame[column], errors="coerce")
        return round(float((cells if rows is None else cells.iloc[list(rows)]).sum()), 2)

    @property
    def numbers(self) -> tuple[str, ...]:
        """List the columns of numbers, those that are mostly added up first."""
        found = [str(name) for name in self.frame.columns if pd.api.types.is_numeric_dtype(self.frame[name])]
        rank = {name: at for at, name in enumerate(_MEASURES)}
        return tuple(sorted(found, key=lambda name: min((rank[m] for m in rank if m in name.casefold()), default=99)))

    @property
    def by(self) -> str | None:
        """Return the column by which sums are made: of those of text the one with the fewest groups, two at least."""
        texts = [str(name) for name in self.frame.columns if not pd.api.types.is_numeric_dtype(self.frame[name])]
        sizes = {name: self.frame[name].nunique() for name in texts}
        fit = [name for name in texts if 2 <= sizes[name] <= _FEW]
        return min(fit, key=lambda name: sizes[name], default=None)

    @property
    def dates(self) -> str | None:
        """Return the first column that holds days only, as ISO 8601 writes them."""
        return next((str(name) for name in self.frame.columns if self.frame[name].map(_is_day).all()), None)

    def in_quarter(self, quarter: str) -> Table:
        """Keep the rows of a quarter (2025-Q3) by the first column of days. Raises UnreadableFile if there is none."""
        column, read = self.dates, _QUARTER.fullmatch(quarter)
        if column is None or read is None:
            raise UnreadableFile("There is no column of days such as 2025-07-01.")
        year, last = read[1], 3 * int(read[2])
        months = {f"{year}-{month:02}" for month in range(last - 2, last + 1)}
        return self.where(lambda row: str(row[column])[:7] in months)

    def figure(self, name: str) -> float | None:
        """Return the figure of a name, if this is a table of figures that has it."""
        found = self.frame.loc[self.frame[FIGURE] == name, VALUE]
        return None if found.empty else float(found.iloc[0])

    def row_of(self, name: str) -> list[int]:
        """Return the rows of the figure of a name."""
        return [int(str(at)) for at in self.frame.index[self.frame[FIGURE] == name]]


@dataclass
class Figures:
    """Figures that are put together, each with the cells that it rests on."""

    _rows: list[tuple[str, float]] = field(default_factory=list)
    _places: list[dict[str, Any]] = field(default_factory=list)
    _rests: list[tuple[tuple[int, int], ...]] = field(default_factory=list)

    def add(self, name: str, value: float, *rests: tuple[Table, str, Sequence[int] | None]) -> float:
        """Add a figure that rests on rows of a column of some tables (all rows where that is None); return it."""
        found = [
            (self._place(table.places[place], column), number)
            for table, column, rows in rests
            for at in (range(len(table.rests)) if rows is None else rows)
            for place, number in table.rests[at]
            if column in table.places[place]["columns"]
        ]
        self._rows.append((name, round(value, 2)))
        self._rests.append(tuple(dict.fromkeys(found)))
        return value

    def take(self, figures: Table, *names: str) -> None:
        """Take figures over from others, by their names."""
        for name in names:
            if (value := figures.figure(name)) is not None:
                self.add(name, value, (figures, VALUE, figures.row_of(name)))

    @property
    def table(self) -> Table:
        """Return them as a table."""
        return Table(pd.DataFrame(self._rows, columns=[FIGURE, VALUE]), tuple(self._places), tuple(self._rests))

    @property
    def value(self) -> dict[str, JsonValue]:
        """Return them as a value of the kind table."""
        return self.table.value

    def _place(self, place: Mapping[str, Any], column: str) -> int:
        wanted = {**place, "columns": {VALUE: place["columns"][column]}}
        if wanted not in self._places:
            self._places.append(wanted)
        return self._places.index(wanted)


def sums_of(table: Table) -> tuple[Table, Table]:
    """Add up a table: the sums by its groups, and the figures of it (total, groups, number of rows)."""
    if not table.numbers:
        raise UnreadableFile("There is no column of numbers to add up.")
    measure, by = table.numbers[0], table.by
    figures, sums = Figures(), Figures()
    figures.add(f"Total {measure}", table.total(measure), (table, measure, None))
    for name, rows in table.groups(by) if by else ():
        figures.add(name, sums.add(name, table.total(measure, rows), (table, measure, rows)), (table, measure, rows))
    figures.add("Rows", len(table.frame), (table, measure, None))
    made = sums.table if by else figures.table
    frame = made.frame.rename(columns={FIGURE: by or FIGURE, VALUE: measure})
    places = tuple({**place, "columns": {measure: place["columns"][VALUE]}} for place in made.places)
    return Table(frame, places, made.rests), figures.table


def add_up(tables: Sequence[Table]) -> Table:
    """Add up the figures of several tables by their names."""
    names = dict.fromkeys(name for table in tables for name in table.frame[FIGURE])
    figures = Figures()
    for name in names:
        parts = [(table, VALUE, table.row_of(name)) for table in tables]
        figures.add(name, sum(table.figure(name) or 0.0 for table in tables), *parts)
    return figures.table


def _is_day(cell: object) -> bool:
    return isinstance(cell, str) and re.match(r"\d{4}-\d{2}-\d{2}", cell) is not None


def _plain(cell: Any) -> JsonValue:
    """Return a cell as JSON: numpy's numbers become plain ones, whole ones integers, what is missing nothing."""
    if cell is None or (isinstance(cell, float) and pd.isna(cell)):
        return None
    plain: JsonValue = cell.item() if hasattr(cell, "item") else cell
    return int(plain) if isinstance(plain, float) and plain.is_integer() and abs(plain) < 2**53 else plain
