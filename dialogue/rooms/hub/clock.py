"""The clock of a room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from dialogue.log.streams import Clock


class RoomClock:
    """The clock of a room and its log: it stands still while something is decided and written down.

    So what is decided by the time and what the log says of the time are the same, and a replay comes to the same.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._stopped: datetime | None = None

    def __call__(self) -> datetime:
        return self._stopped or self._clock()

    @contextmanager
    def stopped(self) -> Iterator[datetime]:
        """Let it stand still; hold the lock of the room."""
        before = self._stopped
        self._stopped = before or self._clock()
        try:
            yield self._stopped
        finally:
            self._stopped = before
