"""The index of decisions lists each of them once, and says what is superseded as the decisions do."""

from __future__ import annotations

import re
from collections import Counter

from tests.docs.documents import ROOT, table_rows

FOLDER = ROOT / "docs" / "decisions"
FILES = sorted(FOLDER.glob("[0-9]*.md"))
ROWS = table_rows((FOLDER / "README.md").read_text(encoding="utf-8"))


def _file(row: list[str]) -> str:
    link = re.fullmatch(r"\[\d+\]\((.+)\)", row[0])
    assert link is not None, row
    return link[1]


def test_every_decision_is_in_the_index_once() -> None:
    assert Counter(map(_file, ROWS)) == Counter(file.name for file in FILES)


def test_decisions_are_numbered_without_gaps() -> None:
    assert [int(file.name[:4]) for file in FILES] == list(range(1, len(FILES) + 1))


def test_what_is_superseded_says_so_at_its_head_and_in_the_index() -> None:
    """Both name the same later decisions."""
    in_index = {_file(row): set(re.findall(r"\d+", row[2].split(":")[0])) for row in ROWS}
    at_head = {}
    for file in FILES:
        head = file.read_text(encoding="utf-8").split("\n\n")[1]
        superseded = head.startswith("> Superseded")
        at_head[file.name] = set(re.findall(r"\[decision (\d+)\]", head)) if superseded else set()
    assert in_index == at_head


def test_a_number_in_the_index_is_that_of_its_decision() -> None:
    assert all(int(_file(row)[:4]) == int(row[0][1 : row[0].index("]")]) for row in ROWS)
