"""What the program does is what it did when that was recorded: `python -m tests.golden --diff` prints all differences.

Where a difference is intended, `make golden` records what is so now.
"""

from __future__ import annotations

from itertools import islice

import pytest

from tests.golden.lines import find_differences, read_lines
from tests.golden.sections import SECTIONS
from tests.kept import KEPT

SHOWN = 5
LONGEST = 60


@pytest.mark.parametrize("section", SECTIONS)
def test_everything_is_as_it_was_recorded(section: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANGLASS_HOME", str(KEPT))  # what is learned of the catalogs is learned once
    differences = list(find_differences(section, read_lines(section), SECTIONS[section]()))
    shown = ["\n".join(islice(difference.splitlines(), LONGEST)) for difference in differences[:SHOWN]]
    told = "\n\n".join((f"{len(differences)} lines differ. The first:", *shown))
    assert not differences, f"{told}\n\nAll: python -m tests.golden --diff --only {section}"
