"""Tables and figures that know their cells: filter, add up, compare.

A table is a value of the kind `table`, with sources (`catalog.values.sources`). Figures are a table with the columns
`figure` and `value`: each row is a figure with a name, and rests on the cells that it was made of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, cast

import pandas as pd
from pydantic import JsonValue

from catalog.skills.sheets import Sheet, UnreadableFile, number_of

FIGURE, VALUE = "figure", "value"
_QUARTER = re.compile(r"(\d{4})-Q([1-4])")
_AMOUNTS = frozenset(
    "amount amounts amt total totals sum net gross value revenue revenues turnover income cost costs expense expenses"
    " pay budget spend spent spending sales salary salaries wage wages fee fees payment payments paid debit credit"
    " betrag umsatz summe kosten preis brutto netto montant importe".split()
)
"""Words of names of columns that are added up before others, such as counts."""
_THINGS = frozenset(
    "invoice order account customer item row year years month week day date quarter key index sku age jahr monat"
    " kunde".split()
)
"""Words of names of columns that say which one it is, unless a word for an amount stands there, too."""
_NEVER_ADDED = frozenset(
    "id ids no nr number num code codes zip postcode postal phone tel fax ref reference rank position pos lat latitude"
    " lon longitude price rate ratio percent percentage pct share average avg mean median per unit version iban isbn"
    " ean nummer plz".split()
)
"""Words of names of columns that tell apart or are shares: adding such a column up means nothing."""
_TOTAL = re.compile(
    r"(?:(?:grand |sub-? ?|overall )?totals?\b.*|.+ (?:sub-?)?totals?|sub-?totals?|(?:zwischen|gesamt)?summe|gesamt"
    r"|overall|all|all .{1,20}s|sum|totale?s?)\s*:?",
    re.IGNORECASE,
)
"""What stands in a row that adds others up."""
_FEW = 12
"""Groups that a column may have to be one by which sums are made."""


@dataclass(frozen=True)
class SourcedTable:
    """A table with what its rows rest on: for each row the numbers of a place and of a row there."""

    frame: pd.DataFrame
    places: tuple[Mapping[str, Any], ...]
    rests: tuple[tuple[tuple[int, int], ...], ...]

    @classmethod
    def of(cls, value: object) -> SourcedTable:
        """Take a value of the kind table; without sources it rests on nothing."""
        if not isinstance(value, Mapping):
            raise TypeError(f"a table is expected, and this is of the type {type(value).__name__}")
        sources = value.get("sources") or {"places": [], "rows": [[] for _ in value["rows"]]}
        rests = tuple(tuple((int(place), int(row)) for place, row in rests) for rests in sources["rows"])
        return cls(pd.DataFrame(value["rows"], columns=value["columns"]), tuple(sources["places"]), rests)

    @property
    def value(self) -> dict[str, JsonValue]:
        rows = [[_plain(cell) for cell in row] for row in self.frame.itertuples(index=False, name=None)]
        sources = {"places": list(self.places), "rows": [[list(rest) for rest in rests] for rests in self.rests]}
        made = {"columns": list(self.frame.columns), "rows": rows, "sources": sources}
        return cast("dict[str, JsonValue]", made)

    def where(self, holds: Callable[[Mapping[Hashable, Any]], bool]) -> SourcedTable:
        kept = [at for at, row in enumerate(self.frame.to_dict("records")) if holds(row)]
        return SourcedTable(
            self.frame.iloc[kept].reset_index(drop=True), self.places, tuple(self.rests[at] for at in kept)
        )

    def need(self, *columns: str) -> SourcedTable:
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
        cells = pd.to_numeric(self.frame[column], errors="coerce")
        return round(float((cells if rows is None else cells.iloc[list(rows)]).sum()), 2)

    def measure(self, named: str = "") -> str:
        """Return the column that is added up: the named one, or the only one it can be. Raises UnreadableFile."""
        if named:
            found = self.column(named)
        else:
            amounts = [name for name in self.frame.columns if self._is_added(str(name))]
            strong = [name for name in amounts if _words_of(name) & _AMOUNTS]
            if len(strong or amounts) != 1:
                raise UnreadableFile(
                    f"{' and '.join((strong or amounts)[:4])} could each be what is to be added up. Name one, such as"
                    f" 'add up the {(strong or amounts)[0]} column'."
                    if amounts
                    else f"There is no column of numbers to add up. There are: {self._names}."
                )
            (found,) = strong or amounts
        odd = [at for at, cell in enumerate(self.frame[found]) if isinstance(cell, str) and cell.strip()]
        if odd:
            odd.sort(key=lambda at: number_of(self.frame[found].iloc[at]) is not None)  # what is no number at all first
            cell = self.frame[found].iloc[odd[0]]
            why = "is text" if number_of(cell) is None else "has another unit, or can be read in two ways"
            raise UnreadableFile(
                f"{found} cannot be added up: {self._where(odd[0], found)} {why}: {cell!r}. Put it right in the file."
            )
        if not pd.api.types.is_numeric_dtype(self.frame[found]):
            raise UnreadableFile(f"{found} holds no numbers to add up. There are: {self._names}.")
        return found

    def _is_added(self, name: str) -> bool:
        """Return whether a column could be added up: numbers for the most part, and no numbers of entries or years."""
        cells = [cell for cell in self.frame[name] if not (pd.isna(cell) or cell == "")]
        read = [
            number_of(cell) if isinstance(cell, str) else None if isinstance(cell, bool) else cell for cell in cells
        ]
        numbers = [number for number in read if number is not None]
        if 2 * len(numbers) < len(cells) or not numbers or _words_of(name) & _NEVER_ADDED:
            return False
        if _words_of(name) & (_AMOUNTS | _THINGS):
            return bool(_words_of(name) & _AMOUNTS)
        whole = all(float(number).is_integer() for number in numbers)
        steps = {later - one for one, later in pairwise(numbers)}
        return not (
            whole and ((steps == {1} and len(numbers) > 2) or all(1900 <= number <= 2100 for number in numbers))
        )

    def grouping(self, named: str = "") -> str:
        """Return the column by which sums are made: the named one, or the one of the fewest groups that is no date.

        Raises UnreadableFile where none fits: with a row without a group, or with more groups than are told apart.
        """
        texts = [str(name) for name in self.frame.columns if not pd.api.types.is_numeric_dtype(self.frame[name])]
        if named:
            texts = [self.column(named)]
        sizes = {name: self.frame[name].nunique() for name in texts}
        empty = {name: [at for at, cell in enumerate(self.frame[name]) if pd.isna(cell)] for name in texts}
        fit = [name for name in texts if 1 <= sizes[name] <= _FEW and not empty[name]]
        if fit:
            odd = {
                name: self.frame[name].map(_is_day).all() or bool(_words_of(name) & (_NEVER_ADDED | _THINGS))
                for name in fit
            }
            return min(fit, key=lambda name: (sizes[name] < 2, odd[name], sizes[name]))
        reasons = [
            f"{name} is empty in {self._where(empty[name][0], name)}" if empty[name]
            else f"{name} has {sizes[name]} different values, and at most {_FEW} groups are told apart"
            for name in texts[:3]
        ]  # fmt: skip
        raise UnreadableFile(f"No column puts the rows into groups: {'; '.join(reasons) or 'all hold numbers'}.")

    def column(self, named: str) -> str:
        """Return the column of a name, however it is written. Raises UnreadableFile with the columns that there are."""
        wanted = _plain_name(named)
        alike = [
            str(name) for name in self.frame.columns if _plain_name(str(name)) in {wanted, wanted.removesuffix("s")}
        ]
        if len(alike) != 1:
            raise UnreadableFile(f"There is no column {named!r}. There are: {self._names}.")
        return alike[0]

    def check_totals(self) -> None:
        """Check that no row is a total of others, which would count twice. Raises UnreadableFile."""
        for at, row in enumerate(self.frame.itertuples(index=False, name=None)):
            told = [cell.strip() for cell in row if isinstance(cell, str)]
            label = next((cell for cell in told if _TOTAL.fullmatch(cell)), None)
            if label is not None:
                raise UnreadableFile(
                    f"It seems to hold a row of totals, {self._where(at)} ({label!r}), which would count twice. "
                    "Take such rows out of the file."
                )

    def _where(self, at: int, column: str = "") -> str:
        if not self.rests[at]:
            return f"row {at + 1}"
        place, number = self.rests[at][0]
        sheet, letter = self.places[place]["sheet"], self.places[place]["columns"].get(column, "")
        return f"{f'{sheet}, ' if sheet else ''}{f'cell {letter}{number}' if letter else f'row {number}'}"

    @property
    def _names(self) -> str:
        return ", ".join(map(str, self.frame.columns))

    @property
    def dates(self) -> str | None:
        """Return the first column that holds days only, as ISO 8601 writes them."""
        return next((str(name) for name in self.frame.columns if self.frame[name].map(_is_day).all()), None)

    def in_quarter(self, quarter: str) -> SourcedTable:
        """Keep the rows of a quarter (2025-Q3) by the first column of days. Raises UnreadableFile if there is none."""
        column, read = self.dates, _QUARTER.fullmatch(quarter)
        if column is None or read is None:
            raise UnreadableFile("There is no column of days such as 2025-07-01.")
        year, last = read[1], 3 * int(read[2])
        months = {f"{year}-{month:02}" for month in range(last - 2, last + 1)}
        return self.where(lambda row: str(row[column])[:7] in months)

    def figure(self, name: str) -> float | None:
        found = self.frame.loc[self.frame[FIGURE] == name, VALUE]
        return None if found.empty else float(found.iloc[0])

    def row_of(self, name: str) -> list[int]:
        return [int(str(at)) for at in self.frame.index[self.frame[FIGURE] == name]]


@dataclass
class CellFigures:
    """Figures that are put together, each with the cells that it rests on."""

    _rows: list[tuple[str, float]] = field(default_factory=list)
    _places: list[dict[str, Any]] = field(default_factory=list)
    _rests: list[tuple[tuple[int, int], ...]] = field(default_factory=list)

    def add(self, name: str, value: float, *rests: tuple[SourcedTable, str, Sequence[int] | None]) -> float:
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

    def take(self, figures: SourcedTable, *names: str) -> None:
        for name in names:
            if (value := figures.figure(name)) is not None:
                self.add(name, value, (figures, VALUE, figures.row_of(name)))

    @property
    def table(self) -> SourcedTable:
        return SourcedTable(pd.DataFrame(self._rows, columns=[FIGURE, VALUE]), tuple(self._places), tuple(self._rests))

    @property
    def value(self) -> dict[str, JsonValue]:
        return self.table.value

    def _place(self, place: Mapping[str, Any], column: str) -> int:
        wanted = {**place, "columns": {VALUE: place["columns"][column]}}
        if wanted not in self._places:
            self._places.append(wanted)
        return self._places.index(wanted)


def check_sheets(value: Mapping[str, Any], sheets: Sequence[Sheet]) -> None:
    """Check that no sheet is left out whose headings are nearly those of the table. Raises UnreadableFile."""
    read = {place["sheet"] for place in value["sources"]["places"]}
    wanted = {_plain_name(name) for name in value["columns"]}
    for sheet in sheets:
        head = {_plain_name(str(cell)) for row in sheet.cells[:1] for cell in row if cell is not None}
        if sheet.name not in read and 2 * len(head & wanted) >= len(wanted):
            raise UnreadableFile(
                f"The sheet {sheet.name} has other headings than {', '.join(sorted(read))}, and would be left out. "
                "Write them alike, or take the sheet out."
            )


def sums_of(table: SourcedTable, by: str = "", measure: str = "") -> tuple[SourcedTable, SourcedTable]:
    """Add up a table: the sums by its groups, and the figures of it (total, groups, number of rows).

    What is added up, and by which column, is named or is the only one that it can be. Raises UnreadableFile.
    """
    measure = table.measure(measure)
    table.check_totals()
    by = table.grouping(by)
    figures, sums = CellFigures(), CellFigures()
    figures.add(f"Total {measure}", table.total(measure), (table, measure, None))
    for name, rows in table.groups(by):
        figures.add(name, sums.add(name, table.total(measure, rows), (table, measure, rows)), (table, measure, rows))
    figures.add("Rows", len(table.frame), (table, measure, None))
    frame = sums.table.frame.rename(columns={FIGURE: by, VALUE: measure})
    places = tuple({**place, "columns": {measure: place["columns"][VALUE]}} for place in sums.table.places)
    return SourcedTable(frame, places, sums.table.rests), figures.table


def add_up(tables: Sequence[SourcedTable]) -> SourcedTable:
    names = dict.fromkeys(name for table in tables for name in table.frame[FIGURE])
    figures = CellFigures()
    for name in names:
        parts = [(table, VALUE, table.row_of(name)) for table in tables]
        figures.add(name, sum(table.figure(name) or 0.0 for table in tables), *parts)
    return figures.table


def _plain_name(name: str) -> str:
    return re.sub(r"[^a-z0-9%]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold()).strip()


def _words_of(name: object) -> frozenset[str]:
    """Return the words of the name of a column; a sign of percent is one."""
    return frozenset(_plain_name(str(name)).replace("%", " percent ").split())


def _is_day(cell: object) -> bool:
    return isinstance(cell, str) and re.match(r"\d{4}-\d{2}-\d{2}", cell) is not None


def _plain(cell: Any) -> JsonValue:
    """Return a cell as JSON: numpy's numbers become plain ones, whole ones integers, what is missing nothing."""
    if cell is None or (isinstance(cell, float) and pd.isna(cell)):
        return None
    plain: JsonValue = cell.item() if hasattr(cell, "item") else cell
    return int(plain) if isinstance(plain, float) and plain.is_integer() and abs(plain) < 2**53 else plain
