"""Each change that CONTRIBUTING.md describes says which files it touches, and is in the list at the top."""

from __future__ import annotations

import re

from tests.docs.documents import ROOT, table_rows

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE))
CHANGES = re.findall(r"\[([^\]]+)\]\(#", " ".join(row[0] for row in table_rows(SECTIONS["What to change for what"])))


def test_every_change_in_the_list_has_a_recipe_that_names_its_files() -> None:
    recipes = {heading.lower(): text for heading, text in SECTIONS.items()}
    assert [change for change in CHANGES if "**Files:** " not in recipes.get(change, "")] == []


def test_every_recipe_is_in_the_list() -> None:
    assert {heading.lower() for heading, text in SECTIONS.items() if "**Files:** " in text} == set(CHANGES)
