"""CONTRIBUTING.md is one short page; each recipe has a page of its own, which names its files, and is in the list."""

from __future__ import annotations

import re

from tests.docs.documents import ROOT, links, table_rows

FOLDER = ROOT / "docs" / "how-to"
LIST = FOLDER / "README.md"
RECIPES = {path.name for path in FOLDER.glob("*.md") if "**Files:** " in path.read_text(encoding="utf-8")}
LISTED = set(
    re.findall(r"\]\(([\w-]+\.md)\)", " ".join(row[0] for row in table_rows(LIST.read_text(encoding="utf-8"))))
)
FIRST_PAGE_BYTES = 6_000


def test_every_change_in_the_list_has_a_recipe_that_names_its_files() -> None:
    assert {"decision.md"} == LISTED - RECIPES  # it is a file of its own, and touches none


def test_every_recipe_is_in_the_list_and_on_the_first_page() -> None:
    named = {target.rpartition("/")[2] for target in links(ROOT / "CONTRIBUTING.md")}
    assert RECIPES - LISTED == RECIPES - named == set()


def test_the_first_page_is_short() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_bytes()) <= FIRST_PAGE_BYTES
