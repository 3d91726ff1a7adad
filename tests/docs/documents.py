"""The documents of the repository as text, for the tests that keep them true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    *sorted(ROOT.glob("*.md")),
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
)
_FENCED = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
_GENERATED = re.compile(r"<!-- begin.*?<!-- end[^>]*-->", re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"")
_HEADING = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)


def name_of(document: Path) -> str:
    """Return the path of a document from the root, as the tests are called by it."""
    return document.relative_to(ROOT).as_posix()


def prose(document: Path) -> str:
    """Return a document without blocks of code and without sections that are measured and written by a program."""
    return _FENCED.sub("", _GENERATED.sub("", document.read_text(encoding="utf-8")))


def code_words(document: Path) -> Iterator[str]:
    """Yield what stands in backticks."""
    return (match[1] for match in _CODE.finditer(prose(document)))


def links(document: Path) -> Iterator[str]:
    """Yield the targets of links and pictures within the repository."""
    for match in _LINK.finditer(_CODE.sub("", prose(document))):
        target = match[1] or match[2]
        if "://" not in target:
            yield target


def anchors(document: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a document."""
    headings = _HEADING.findall(_FENCED.sub("", document.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def table_rows(text: str) -> list[list[str]]:
    """Return the cells of the rows of all tables in a text, without heads and rulers."""
    lines = text.splitlines()
    rows = [index for index, line in enumerate(lines) if line.startswith("|")]
    rulers = {index for index in rows if re.fullmatch(r"\|[\s:|-]+\|", lines[index])}
    body = [index for index in rows if index not in rulers and index + 1 not in rulers]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", lines[index])[1:-1]] for index in body]
