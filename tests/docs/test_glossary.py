"""The glossary gives each term once, with a definition, a source and a room that exists."""

from __future__ import annotations

import re

from tests.docs.documents import ROOT, table_rows

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", GLOSSARY, re.DOTALL | re.MULTILINE))
SOURCES = SECTIONS.pop("Sources")
ROWS = [row for section in SECTIONS.values() for row in table_rows(section)]


def test_each_term_has_a_definition_a_source_and_rooms_that_exist() -> None:
    assert ROWS
    assert [row[0] for row in ROWS if re.fullmatch(r"\*\*[^*]+\*\*", row[0]) is None] == []
    assert [term for term, definition, _, _ in ROWS if not definition.endswith(".")] == []
    assert [term for term, _, source, _ in ROWS if not source] == []
    rooms = {term: re.findall(r"`([^`]+)`", room) for term, _, _, room in ROWS}
    assert [term for term, paths in rooms.items() if not paths] == []
    assert [(term, path) for term, paths in rooms.items() for path in paths if not (ROOT / path).exists()] == []


def test_each_term_stands_once_in_the_order_of_the_alphabet() -> None:
    for section in SECTIONS.values():
        terms = [row[0].strip("*") for row in table_rows(section)]
        assert terms == sorted(terms, key=str.casefold)
    assert len({row[0] for row in ROWS}) == len(ROWS)


def test_every_cited_paper_is_among_the_sources() -> None:
    cited = {
        year for row in ROWS for year in re.findall(r"([A-Z][a-z]\w*(?:, \w+)*(?: and \w+| et al\.)? \d{4})", row[2])
    }
    names = {text.split()[0].rstrip(",") for text in cited}
    assert names
    assert [name for name in names if name not in SOURCES] == []
