"""What a document holds, for checks of its structure: headings, text, tables, and the figures in them.

Nothing in a document is run or fetched: of a page only the text counts.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

from pydantic import JsonValue

from catalog.skills.protocol import File
from catalog.skills.sheets import UnreadableFile, check_unpacked, number_of, read_sheets
from catalog.values.documents import TypeName, text_of, type_of

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """What a document holds. `text` is all of it, headings and tables included."""

    headings: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Rows, ...] = ()
    blocks: int = 0
    """Of a plain text: how many parts of it empty lines separate."""

    @property
    def text(self) -> str:
        cells = (" ".join(row) for table in self.tables for row in table)
        return "\n".join((*self.headings, *self.paragraphs, *cells))

    def find_figure(self, name: str) -> Decimal | None:
        """Find a figure by its name: the number beside it in a table, or after it and a colon in the text.

        In a table names stand in the first column, or in the one that is called “figure”.
        """
        wanted = _plain(name)
        for table in self.tables:
            at = next((at for at, cell in enumerate(table[0]) if _plain(cell) == "figure"), 0) if table else 0
            for row in table:
                numbers = [number for number in map(number_of, row[at + 1 :]) if number is not None]
                if numbers and _plain(row[at]) == wanted:
                    return Decimal(str(numbers[0]))
        for paragraph in self.paragraphs:
            for line in paragraph.splitlines():
                label, colon, rest = line.partition(":")
                number = number_of(rest.strip().rstrip(".")) if colon and _plain(label) == wanted else None
                if number is not None:
                    return Decimal(str(number))
        return None


READABLE: tuple[TypeName, ...] = ("docx", "md", "txt", "html", "json", "csv", "xlsx")
"""The types of documents whose text can be read."""


def read_json(file: File) -> JsonValue:
    """Read what stands in a JSON document. Raises UnreadableFile."""
    try:
        return json.loads(text_of(file.data) or "")  # type: ignore[no-any-return]
    except (ValueError, RecursionError):
        raise UnreadableFile("Its text is no JSON.") from None


def read_contents(file: File) -> Contents:
    """Read what a document holds. Raises UnreadableFile for one that cannot be read, or holds no text (a picture)."""
    match type_of(file.media_type):
        case "docx":
            return _read_word(file.data)
        case "md" | "txt":
            return _read_markdown(text_of(file.data) or "")
        case "html":
            return _read_page(text_of(file.data) or "")
        case "json":
            return _contents_of_json(read_json(file))
        case "csv" | "xlsx":
            sheets = read_sheets(file)
            grids = tuple(tuple(tuple(map(_written, row)) for row in sheet.cells) for sheet in sheets)
            return Contents(headings=tuple(sheet.name for sheet in sheets if sheet.name), tables=grids)
    raise UnreadableFile(f"It is of the type {file.media_type}, which holds no text that can be read.")


def contents_of(value: JsonValue) -> Contents:
    """Return what a value holds that is no document: the cells of a table, else its text, read as Markdown."""
    if isinstance(value, Mapping) and "columns" in value and isinstance(rows := value.get("rows"), list):
        columns: Any = value["columns"]
        grid = tuple(tuple(map(_written, row)) for row in (columns, *rows) if isinstance(row, list))
        return Contents(headings=tuple(map(str, columns)), tables=(grid,))
    if isinstance(value, str):
        return _read_markdown(value)
    return Contents(paragraphs=(json.dumps(value, ensure_ascii=False),))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" *_:")


def _written(cell: object) -> str:
    return "" if cell is None else str(cell)


def _read_word(data: bytes) -> Contents:
    from docx import Document
    from docx.table import Table

    check_unpacked(data, "document")
    headings: list[str] = []
    paragraphs: list[str] = []
    tables: list[Rows] = []
    try:
        for block in Document(io.BytesIO(data)).iter_inner_content():
            if isinstance(block, Table):
                tables.append(tuple(tuple(cell.text.strip() for cell in row.cells) for row in block.rows))
            elif (style := block.style) is not None and str(style.name).startswith(("Heading", "Title")):
                headings.append(block.text.strip())
            elif block.text.strip():
                paragraphs.append(block.text.strip())
    except Exception as error:  # whatever a damaged part of it makes the library raise
        raise UnreadableFile(f"The document is damaged: it cannot be read ({type(error).__name__}).") from None
    return Contents(tuple(headings), tuple(paragraphs), tuple(tables))


def _read_markdown(text: str) -> Contents:
    headings: list[str] = []
    paragraphs: list[str] = []
    tables: list[list[tuple[str, ...]]] = []
    in_table = False
    lines = [line.strip() for line in text.splitlines()]
    for before, line in pairwise(("", *lines)):
        if before and paragraphs[-1:] == [before] and re.fullmatch("=+|-{3,}", line):
            headings.append(paragraphs.pop())
        elif line.startswith("|"):
            cells = tuple(cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line.strip("|")))
            if not in_table:
                tables.append([])
            if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                tables[-1].append(cells)
        elif heading := re.fullmatch(r"#{1,6}\s+(.*?)\s*#*|\*\*([^*]+)\*\*:?|__([^_]+)__:?", line):
            headings.append(next(filter(None, heading.groups()), ""))
        elif line:
            paragraphs.append(line)
        in_table = line.startswith("|")
    blocks = sum(bool(line) and not before for before, line in pairwise(("", *lines)))
    return Contents(tuple(headings), tuple(paragraphs), tuple(map(tuple, tables)), blocks)


class _Page(HTMLParser):
    """Collects headings, text and tables of a page; scripts and styles are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.paragraphs: list[str] = []
        self.tables: list[list[list[str]]] = []
        self._text: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("script", "style")
        if tag in _BLOCKS:
            self._end_text()
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style") and self._hidden > 0
        if tag in ("td", "th") and self.tables and self.tables[-1]:
            self.tables[-1][-1].append(self._take())
        elif re.fullmatch(r"h[1-6]", tag):
            self.headings.append(self._take())
        elif tag in _BLOCKS:
            self._end_text()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._text.append(data)

    def _take(self) -> str:
        text = " ".join("".join(self._text).split())
        self._text.clear()
        return text

    def _end_text(self) -> None:
        if text := self._take():
            self.paragraphs.append(text)


_BLOCKS = ("p", "div", "li", "table", "tr", "section", "article", "title", "body", "h1", "h2", "h3", "h4", "h5", "h6")


def _read_page(text: str) -> Contents:
    page = _Page()
    page.feed(text)
    page.close()
    tables = tuple(tuple(tuple(row) for row in table if row) for table in page.tables)
    return Contents(tuple(page.headings), tuple(page.paragraphs), tables)


def _contents_of_json(value: JsonValue) -> Contents:
    keys = tuple(value) if isinstance(value, dict) else ()
    return Contents(keys, tuple(_lines(value)))


def _lines(value: JsonValue, name: str = "") -> Iterator[str]:
    match value:
        case dict():
            for key, one in value.items():
                yield from _lines(one, key)
        case list():
            for one in value:
                yield from _lines(one, name)
        case _:
            yield f"{name}: {value}" if name else str(value)
