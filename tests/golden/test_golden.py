"""What the program says is what it said when that was recorded: `python -m tests.golden --diff` prints all differences.

Where a difference is intended, `make golden` records what is so now. The logs of stories are compared where stories are
played (`tests/stories/test_stories.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.golden.commands import record_commands
from tests.golden.conversations import record_explanations
from tests.golden.lines import Line, assert_recorded, read_lines
from tests.kept import KEPT


@pytest.mark.parametrize(("section", "record"), [("explain", record_explanations), ("commands", record_commands)])
def test_everything_is_said_as_it_was_recorded(
    section: str, record: Callable[[], Iterator[Line]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANGLASS_HOME", str(KEPT))  # what skills make for themselves is made once
    assert_recorded(section, read_lines(section), record())
