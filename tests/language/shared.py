"""What reads for the demos in tests: made once for all of them, as it keeps nothing of what it reads."""

from __future__ import annotations

from functools import cache

from catalog.load import load
from language.understanding.pipeline import OfflineUnderstander


@cache
def reader_of(demo: str) -> OfflineUnderstander:
    """Return the understander of a demo that asks no language model."""
    return OfflineUnderstander(load(demo).catalog)
