"""A watch that stops a search after so many units of work, whatever the clock says."""

from __future__ import annotations

from planning.engines.search import OutOfTime, Watch
from planning.model import Limits
from planning.plans.solve import never


class CountedWatch(Watch):
    """Stops at a tick of which the number is known, so that a search can be interrupted at each of them."""

    def __init__(self, ticks: int) -> None:
        super().__init__(Limits(time_s=600), never)
        self.ticks = ticks

    def tick(self) -> None:
        """Note one unit of work; stop where there was enough of it."""
        if self.ticks == 0:
            raise OutOfTime(self.say_time())
        self.ticks -= 1

    def within(self, seconds: float, *, long_units: bool = False) -> Watch:
        """Share the ticks: only they count."""
        return self
