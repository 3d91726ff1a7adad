from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dialogue.rooms.house import House


@pytest.fixture
def house(home: Path) -> Iterator[House]:
    """Rooms over a store of their own."""
    built = House(home)
    yield built
    built.close()
