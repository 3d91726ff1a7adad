from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dialogue.toys import BEHAVIOUR, Toybox


@pytest.fixture
def box(home: Path) -> Iterator[Toybox]:
    """A conversation over the toys, whose meanings are written in a plain notation."""
    toybox = Toybox(home)
    yield toybox
    BEHAVIOUR.gate.set()
    toybox.services.close()
