"""The changelog and the README are short, and tell of the version that this is."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.docs.documents import ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
VERSIONS = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


def test_the_newest_version_is_that_of_the_package() -> None:
    assert re.match(rf"{re.escape(VERSION)} \(\d{{4}}-\d\d-\d\d\)\n", VERSIONS[0])


@pytest.mark.parametrize("version", VERSIONS, ids=[one.split(" ")[0] for one in VERSIONS])
def test_each_change_is_one_line_under_added_changed_or_fixed(version: str) -> None:
    _, *lines = filter(None, re.sub(r"\]\([^)]*\)", "]", version).splitlines())
    heads = [line for line in lines if not line.startswith("- ")]
    assert lines[0] == heads[0]
    assert set(heads) <= {"### Added", "### Changed", "### Fixed"}
    assert [line for line in lines if len(line) > 240] == []


@pytest.mark.parametrize(("document", "most"), [("CHANGELOG.md", 14_000), ("README.md", 8_000)])
def test_what_is_read_first_is_short(document: str, most: int) -> None:
    assert len((ROOT / document).read_bytes()) <= most
