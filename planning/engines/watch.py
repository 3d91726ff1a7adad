"""The limits of a search: time, and whether anybody still waits for its result."""

from __future__ import annotations

from time import monotonic

from planning.engines.protocol import Cancelled
from planning.model import Limits


class Stopped(Exception):
    """A search reached a limit; the text says which."""


class OutOfTime(Stopped):
    """A search has used up its time: what it has found so far may still be handed out."""


class Watch:
    """Stops a search at its limits; it ticks with every unit of work."""

    def __init__(self, limits: Limits, cancelled: Cancelled) -> None:
        self.limits = limits
        self.cancelled = cancelled
        self.deadline = monotonic() + limits.time_s

    def tick(self) -> None:
        """Note one unit of work; stop the search where it was cancelled or has used up its time."""
        if self.cancelled():
            raise Stopped("The search was cancelled.")
        if monotonic() >= self.deadline:
            raise OutOfTime(f"The search took longer than the {self.limits.time_s:g} seconds it may take.")

    def allow(self, seconds: float) -> None:
        """Allow so many seconds from now on, if the limit does not come first."""
        self.deadline = min(self.deadline, monotonic() + seconds)
