"""Documents put together from sections: Markdown, HTML and Word. What comes from files is text, never markup."""

from __future__ import annotations

import base64
import html
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from catalog.demos.reports.tables import FIGURE, VALUE, CellFigures, SourcedTable
from catalog.demos.reports.words import written
from catalog.skills import File
from catalog.values.sources import cells_of

HEAD = ("Figure", "Value", "Source")
_LONGEST_SOURCE = 160
_NUMBER = re.compile(r"-?€?\d[\d,]*(?:\.\d+)?")
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|])")
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}th,td{border:1px solid #ccc;padding:.3rem .6rem;text-align:left}"
    "td:nth-child(2){text-align:right}img{max-width:100%}"
)


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its heading, what it says, the figures that this rests on (amounts of money or not), and a picture."""

    title: str
    text: str = ""
    figures: SourcedTable | None = None
    picture: File | None = None
    in_money: bool = False

    @property
    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield each figure as it is shown: its name, its value, and where it comes from."""
        if self.figures is None:
            return
        value = self.figures.value
        for at, (name, figure) in enumerate(zip(self.figures.frame[FIGURE], self.figures.frame[VALUE], strict=True)):
            source = "; ".join(map(str, cells_of(value, at, VALUE)))
            cut = source if len(source) <= _LONGEST_SOURCE else f"{source[: _LONGEST_SOURCE - 1]}…"
            yield _clean(str(name)), written(str(name), float(figure), in_money=self.in_money), _clean(cut)


def in_markdown(title: str, sections: Sequence[Section]) -> str:
    """Write Markdown; pictures are left out."""
    lines = [f"# {_escaped(title)}", ""]
    for section in (one for one in sections if one.text or one.figures is not None):
        lines += [f"## {_escaped(section.title)}", ""]
        lines += [_escaped(line) + "\n" for line in section.text.splitlines() if line.strip()]
        rows = list(section.rows)
        if rows:
            lines += [_row(HEAD), _row(("---", "---:", "---")), *(_row(tuple(map(_escaped, row))) for row in rows), ""]
    return "\n".join(lines).rstrip() + "\n"


def in_html(title: str, sections: Sequence[Section]) -> str:
    """Write a page that needs nothing from elsewhere: pictures are in it."""
    parts = [f"<h1>{html.escape(_clean(title))}</h1>"]
    for section in sections:
        parts.append(f"<h2>{html.escape(_clean(section.title))}</h2>")
        parts += [f"<p>{html.escape(_clean(line))}</p>" for line in section.text.splitlines() if line.strip()]
        rows = [*section.rows]
        if rows:
            body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
            head = "".join(f"<th>{name}</th>" for name in HEAD)
            parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
        if section.picture is not None:
            shown = base64.b64encode(section.picture.data).decode()
            parts.append(f'<img alt="{html.escape(_clean(section.title))}" src="data:image/png;base64,{shown}">')
    head = f'<meta charset="utf-8"><title>{html.escape(_clean(title))}</title><style>{_STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def in_word(title: str, sections: Sequence[Section]) -> bytes:
    from docx import Document
    from docx.shared import Inches

    document = Document()
    document.core_properties.author, document.core_properties.title = "Planglass", _clean(title)[:200]
    document.add_heading(_clean(title), 0)
    for section in sections:
        document.add_heading(_clean(section.title), 1)
        for line in section.text.splitlines():
            if line.strip():
                document.add_paragraph(_clean(line))
        if rows := list(section.rows):
            table = document.add_table(rows=1, cols=len(HEAD), style="Light Grid Accent 1")
            for row in (HEAD, *rows):
                cells = table.rows[0].cells if row is HEAD else table.add_row().cells
                for cell, text in zip(cells, row, strict=True):
                    cell.text = text
            document.add_paragraph()
        if section.picture is not None:
            document.add_picture(io.BytesIO(section.picture.data), width=Inches(6))
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def sources_of(sections: Sequence[Section]) -> dict[str, JsonValue]:
    """List what a document says with the cells that it rests on: paragraphs by the figures that they quote, figures.

    A paragraph has its words in place of a name, and no value.
    """
    figures, titles = CellFigures(), []
    for section in sections:
        for line in filter(None, map(str.strip, section.text.splitlines())):
            if quoted := list(_quoted(line, section, sections)):
                figures.add(line, float("nan"), *quoted)
                titles.append(section.title)
        if section.figures is not None:
            names = [str(name) for name in section.figures.frame[FIGURE]]
            figures.take(section.figures, *names)
            titles += [section.title] * len(names)
    table = figures.table
    table.frame.insert(0, "section", titles)
    return table.value


def _quoted(
    line: str, section: Section, sections: Sequence[Section]
) -> Iterator[tuple[SourcedTable, str, Sequence[int]]]:
    """Yield the figures that a paragraph quotes: of its own section any, of another one those that are plain to see."""
    others = [one for one in sections if one is not section]
    for number in dict.fromkeys(_NUMBER.findall(line)):
        told = [section, *(others if set(number) & set("€,.") else ())]
        for figures, name in ((one.figures, name) for one in told for name, shown, _ in one.rows if shown == number):
            if figures is not None:
                yield figures, VALUE, figures.row_of(name)
                break


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", _clean(text))


def _clean(text: str) -> str:
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Cn", "Co") else c for c in text)
