"""Reading tables from CSV files and Excel workbooks, with the cells that each row comes from.

Nothing in a file is run: of a formula the result is taken that the program left there which saved the file, and what a
cell of a CSV file looks like does not matter. Macros are never looked at. A file is read row by row, no further than a
table may be long.
"""

from __future__ import annotations

import csv
import io
import math
import re
import zipfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from typing import Any

from pydantic import JsonValue

from catalog.skills.protocol import File
from catalog.values.documents import text_of, type_of
from catalog.values.media import MAX_CELL, MAX_COLUMNS, MAX_ROWS

MAX_UNPACKED = 200_000_000
"""Bytes that a workbook or a document may have once it is unpacked: a small file can hold a huge one."""
MAX_LINE = 2_000_000
"""Characters of a line of a CSV file."""
_DELIMITERS = ",;\t|"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_UNITS = "$€£¥%"
_GROUPS = re.compile("(?<=\\d)[\u00a0\u202f'\u2019](?=\\d{3}(?!\\d))")
_SPACED = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
_NUMBER = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d+)?|[-+]?\d+(\.\d+)?")
_COMMA_NUMBER = re.compile(r"[-+]?\d{1,3}(\.\d{3})+(,\d+)?|[-+]?\d+(,\d+)?")
_LEADING_ZERO = re.compile(r"[-+]?0\d")

Cell = str | int | float | bool | None
Grid = Sequence[Sequence[Cell]]


class UnreadableFile(ValueError):
    """A file holds no table that can be read; the message says why, and where."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of cells, with its name; a CSV file is one without a name.

    With `comma`, that is what usually parts the decimals in its texts; None: what parts them cannot be told.
    """

    name: str
    cells: Grid
    comma: bool | None = False


def read_table(file: File) -> dict[str, JsonValue]:
    """Read the table of a file: the rows of its first sheet, and of all others that have the same columns.

    Raises UnreadableFile.
    """
    digest = sha256(file.data).hexdigest()
    found = [_table_of(sheet) for sheet in read_sheets(file) if any(map(_is_filled, sheet.cells))]
    if not found:
        raise UnreadableFile("There is nothing in it.")
    first = found[0]
    alike = [one for one in found if one.columns == first.columns]
    places: list[JsonValue] = []
    rows: list[JsonValue] = []
    rests: list[JsonValue] = []
    for place, one in enumerate(alike):
        letters: dict[str, JsonValue] = {name: letter_of(at) for name, at in zip(one.columns, one.places, strict=True)}
        places.append({"attachment": digest, "name": file.name[-255:], "sheet": one.sheet, "columns": letters})
        rests += [[[place, number]] for number, _ in one.rows]
        rows += [list(cells) for _, cells in one.rows]
    if len(rows) > MAX_ROWS:
        raise UnreadableFile(f"It has {len(rows):,} rows, and at most {MAX_ROWS:,} are read.")
    return {"columns": list(first.columns), "rows": rows, "sources": {"places": places, "rows": rests}}


def read_sheets(file: File) -> tuple[Sheet, ...]:
    """Read all sheets of a file as they are. Raises UnreadableFile."""
    match type_of(file.media_type):
        case "csv":
            return (_read_csv(file.data),)
        case "xlsx":
            return _read_workbook(file.data)
    raise UnreadableFile(f"It is of the type {file.media_type}, which holds no table.")


def letter_of(place: int) -> str:
    """Return the letters of a column, counted from 0: A … Z, AA …"""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def number_of(text: str, *, comma: bool = False) -> int | float | None:
    """Read a number as it is written in a table; with `comma` that is what parts the decimals.

    What stands around it (%, a sign of a currency) is left out. Thousands may be parted by the other mark, by
    apostrophes or by narrow spaces, and by usual ones before a decimal comma.
    """
    bare = text.strip().strip(_UNITS).strip()
    if bare.startswith("(") and bare.endswith(")"):
        bare = f"-{bare[1:-1].strip(_UNITS)}"
    bare = _GROUPS.sub("", bare)
    if comma and "," in bare:
        bare = _SPACED.sub("", bare)
    if not (_COMMA_NUMBER if comma else _NUMBER).fullmatch(bare) or _LEADING_ZERO.match(bare):
        return None
    plain = bare.replace(".", "").replace(",", ".") if comma else bare.replace(",", "")
    try:
        value = Decimal(plain)
    except InvalidOperation:
        return None
    whole = value == value.to_integral_value() and "." not in plain
    return int(value) if whole and abs(value) < 2**53 else float(value)


# CSV files


def _read_csv(data: bytes) -> Sheet:
    text = text_of(data) or ""
    start = re.search(r"[^\ufeff\s]", text)
    if start is not None and start[0] == "<":
        raise UnreadableFile("It holds a web page (or another text with tags) and no table.")
    first = _LINE.match(text, text.rfind("\n", 0, start.start()) + 1) if start else None
    delimiter = max(_DELIMITERS, key=first[0].count) if first else ","
    return Sheet("", tuple(_read_rows(text, delimiter)), comma=delimiter == ";")


def _read_rows(text: str, delimiter: str) -> Iterator[tuple[Cell, ...]]:
    reader = csv.reader(_lines(text), delimiter=delimiter, strict=True)
    try:
        for number, row in enumerate(reader, start=1):
            if number > MAX_ROWS + 1:
                raise UnreadableFile(f"It has more than {MAX_ROWS:,} rows.")
            yield tuple(cell.strip() or None for cell in row)
    except csv.Error as error:
        raise UnreadableFile(f"Its line {reader.line_num:,} is no proper CSV: {error}.") from None


def _lines(text: str) -> Iterator[str]:
    """Yield lines one by one, so that no more of a large file is taken apart than is read."""
    for number, line in enumerate(_LINE.finditer(text), start=1):
        if line.end() - line.start() > MAX_LINE:
            raise UnreadableFile(f"Its line {number:,} has more than {MAX_LINE:,} characters.")
        yield line[0]


# workbooks


def check_unpacked(data: bytes, noun: str) -> None:
    """Check how large a packed file is once it is unpacked. Raises UnreadableFile."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as zipped:
            size = sum(one.file_size for one in zipped.infolist())
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError):
        raise UnreadableFile(f"The {noun} is damaged: it cannot be unpacked.") from None
    if size > MAX_UNPACKED:
        raise UnreadableFile(f"Unpacked, the {noun} has {size:,} bytes, and may have {MAX_UNPACKED:,}.")


def _read_workbook(data: bytes) -> tuple[Sheet, ...]:
    check_unpacked(data, "workbook")
    try:
        blank: set[_Where] = set()
        with _opened(data, results=True) as book:
            sheets = tuple(_read_sheet(sheet, blank) for sheet in _shown(book))
        with _opened(data, results=False) as book:
            bare = next(_formulas_without_result(book, {one.name: one.cells for one in sheets}, blank), None)
    except UnreadableFile:
        raise
    except Exception as error:  # whatever a damaged part of it makes the library raise
        raise UnreadableFile(f"The workbook is damaged: it cannot be read ({type(error).__name__}).") from None
    if bare is not None:
        raise UnreadableFile(
            f"The formula in {bare} has no result. Open the workbook in a spreadsheet program and save it; formulas "
            "are not worked out here."
        )
    return sheets


_Where = tuple[str, int, int]
"""A cell: its sheet, and its row and column from 0."""


def _formulas_without_result(book: Any, results: Mapping[str, Grid], blank: Container[_Where]) -> Iterator[str]:
    """Yield where formulas are that the file holds no result of; an empty text (`blank`) is one."""
    for sheet in _shown(book):
        there = results[sheet.title[:255]]
        for row, cells in enumerate(sheet.iter_rows(max_col=MAX_COLUMNS + 1)):
            for at, cell in enumerate(cells):
                if cell.data_type == "f" and (sheet.title[:255], row, at) not in blank:
                    known = row < len(there) and at < len(there[row]) and there[row][at] is not None
                    if not known:
                        yield f"{sheet.title}, {letter_of(at)}{row + 1}"


@contextmanager
def _opened(data: bytes, *, results: bool) -> Iterator[Any]:
    """Open a workbook row by row: results of formulas, or what was written."""
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=results, keep_links=False)
    try:
        yield book
    finally:
        book.close()


def _shown(book: Any) -> Iterator[Any]:
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            sheet.reset_dimensions()  # what a file says of its size may be wrong
            yield sheet


def _read_sheet(sheet: Any, blank: set[_Where]) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    name = sheet.title[:255]
    for number, row in enumerate(sheet.iter_rows(max_col=MAX_COLUMNS + 1)):
        blank.update(
            (name, number, at) for at, cell in enumerate(row) if cell.value is None and cell.data_type == "str"
        )
        cells = [_cell(cell.value) for cell in row]
        while cells and cells[-1] is None:
            cells.pop()
        rows.append(tuple(cells))
        if len(rows) > MAX_ROWS + 100:
            raise UnreadableFile(f"The sheet {sheet.title} has more than {MAX_ROWS:,} rows.")
    width = max(map(len, rows), default=0)
    return Sheet(name, tuple((*row, *[None] * (width - len(row))) for row in rows), comma=None)


def _cell(value: object) -> Cell:
    match value:
        case float() if not math.isfinite(value):
            return str(value)
        case None | bool() | int() | float():
            return value
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
        case date() | time():
            return value.isoformat()
        case _:
            return str(value).strip()[:MAX_CELL] or None


# tables


@dataclass(frozen=True, slots=True)
class _Table:
    sheet: str
    columns: tuple[str, ...]
    places: tuple[int, ...]
    rows: tuple[tuple[int, tuple[Cell, ...]], ...]


def _is_filled(row: Sequence[Cell]) -> bool:
    return any(cell is not None for cell in row)


def _table_of(sheet: Sheet) -> _Table:
    """Take the first row that holds anything for the names of the columns."""
    at = next(at for at, row in enumerate(sheet.cells) if _is_filled(row))
    head = sheet.cells[at]
    last = max(place for place, cell in enumerate(head) if cell is not None)
    where = f"{sheet.name}: " if sheet.name else ""
    if last >= MAX_COLUMNS:
        raise UnreadableFile(f"{where}there are more than {MAX_COLUMNS} columns.")
    places = tuple(range(last + 1))
    rows = []
    for number, row in enumerate(sheet.cells[at + 1 :], start=at + 2):
        if any(cell is not None for cell in row[last + 1 :]):
            raise UnreadableFile(f"{where}row {number} has more cells than there are columns ({last + 1}).")
        if _is_filled(row):
            rows.append((number, (*row[: last + 1], *[None] * (last + 1 - len(row)))))
    if not rows:
        raise UnreadableFile(f"{where}there are names of columns, but no rows.")
    columns = tuple(_names(head, places))
    return _Table(sheet.name, columns, places, _with_numbers(rows, len(columns), comma=sheet.comma))


def _names(head: Sequence[Cell], places: Iterable[int]) -> Iterator[str]:
    seen: set[str] = set()
    for place in places:
        name = plain = str(head[place] if head[place] is not None else f"column {letter_of(place)}")[:200]
        number = 1
        while name in seen:
            number += 1
            name = f"{plain} ({number})"
        seen.add(name)
        yield name


def _with_numbers(
    rows: Sequence[tuple[int, tuple[Cell, ...]]], width: int, *, comma: bool | None
) -> tuple[tuple[int, tuple[Cell, ...]], ...]:
    """Read the texts of a column as numbers, where all of them are; of one that is mixed nothing is changed.

    Which mark parts the decimals is told by the columns of which only one reading is possible; where they say nothing,
    `comma` does. Where that says nothing either, a column of which two readings differ stays text.
    """
    columns = [[row[at] for _, row in rows] for at in range(width)]
    readings = [{mark: _read_numbers(cells, comma=mark) for mark in (False, True)} for cells in columns]
    sure = {mark for read in readings for mark in read if read[mark] is not None and read[not mark] is None}
    usual = sure.pop() if len(sure) == 1 else comma
    if usual is None:
        readings = [read if read[True] == read[False] else {True: None, False: None} for read in readings]
    columns = [read[bool(usual)] or read[not usual] or cells for read, cells in zip(readings, columns, strict=True)]
    return tuple((number, cells) for (number, _), cells in zip(rows, zip(*columns, strict=True), strict=True))


def _read_numbers(cells: Sequence[Cell], *, comma: bool) -> list[Cell] | None:
    """Read all texts of a column as numbers of one unit; None where they are none, or there are no texts."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    read = [number_of(text, comma=comma) for text in texts]
    if not texts or None in read or len({frozenset(text).intersection(_UNITS) for text in texts}) > 1:
        return None
    numbers = iter(read)
    return [next(numbers) if isinstance(cell, str) else cell for cell in cells]
