"""Two processes with one room: the one that posts a message shows it to the bots, so that none is asked twice."""

from __future__ import annotations

import time
from collections.abc import Iterable

PATIENCE_S = 30.0
"""So long nothing may come of what another process has posted; then it is taken to have ended."""
FOLLOW_S = 0.2
"""How often it is looked whether something came of it."""


class Theirs:
    """What another process has posted, and is to show to the bots."""

    def __init__(self) -> None:
        self._entries: set[int] = set()
        self._until = 0.0

    def add(self, entries: Iterable[int]) -> None:
        """Note what another process has posted; even if it is nothing, that process has written something."""
        self._entries.update(entries)
        self._until = time.monotonic() + PATIENCE_S

    def holds(self, entry: int) -> bool:
        """Return whether something is left to another process still."""
        return entry in self._entries and time.monotonic() < self._until
