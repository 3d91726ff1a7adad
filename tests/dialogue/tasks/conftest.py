"""A workshop for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dialogue.tasks import workshop
from tests.dialogue.tasks.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workshop]:
    workshop.CALLS.clear()
    workshop.KEYS.clear()
    workshop.LOOKED_UP.clear()
    workshop.BEFORE.clear()
    workshop.AFTER.clear()
    made = Workshop(tmp_path / "shop")
    yield made
    made.close()
    workshop.BEFORE.clear()
