"""The frame of every search: limits of time and memory, and its end: a plan, a proof that there is none, or neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from time import monotonic, perf_counter, thread_time

import psutil

from planning.engines.protocol import Cancelled
from planning.model import GaveUp, Limits, Plan, PlanningResult, Solved, Unsolvable

MIB = 2**20


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
            raise OutOfTime(self.say_time())

    def within(self, seconds: float, *, long_units: bool = False) -> Watch:
        """Make a watch that also stops after so many seconds of work from now on.

        Where there are `long_units`, each counts in full, and a pause does, too.
        """
        return _WorkWatch(self, seconds, long_units)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Leave work out of account that is not done for this task; time that passes counts all the same."""
        yield

    def left(self) -> float:
        return max(0.0, self.deadline - monotonic())

    def say_time(self) -> str:
        return f"The search took longer than the {self.limits.time_s:g} seconds it may take."

    def say_memory(self) -> str:
        return f"The search took more than the {self.limits.memory_mib:g} MiB of memory it may take."


UNITS = 4
"""Units of work, at least, that use up the time of a watch: what takes longer between two ticks counts for no more."""


class _WorkWatch(Watch):
    """Stops a search also where its thread has worked for so long.

    What else happens meanwhile makes no difference, so that the same task gets the same plan: neither what the rest of
    the machine does, nor a pause in which garbage is collected or the whole machine stands still.
    """

    def __init__(self, watch: Watch, seconds: float, long_units: bool) -> None:
        super().__init__(watch.limits, watch.cancelled)
        self.deadline = watch.deadline
        self._outer, self._long_units = watch, long_units
        self._unused, self._longest = seconds, inf if long_units else seconds / UNITS
        self._began = monotonic()
        self._begun = self._seen = thread_time()

    def within(self, seconds: float, *, long_units: bool = False) -> Watch:
        return _WorkWatch(self, seconds, long_units or self._long_units)

    def tick(self) -> None:
        """Note one unit of work; stop also where there was enough of it."""
        self._outer.tick()
        self._count()
        if self._unused <= 0:
            raise OutOfTime(self.say_time())

    @contextmanager
    def apart(self) -> Iterator[None]:
        self._count()
        with self._outer.apart():
            yield
        self._seen = thread_time()

    def left(self) -> float:
        """Return the seconds on the clock in which what is left of the work is done, at the pace so far."""
        self._count()
        worked = self._seen - self._begun
        pace = max(1.0, (monotonic() - self._began) / worked) if worked > 0 else 1.0
        return min(self._outer.left(), max(0.0, self._unused) * pace)

    def _count(self) -> None:
        now = thread_time()
        self._unused -= min(now - self._seen, self._longest)
        self._seen = now


class MemoryWatch(Watch):
    """Stops a search also where this process has used up its memory."""

    MEMORY_EVERY = 32

    def __init__(self, limits: Limits, cancelled: Cancelled) -> None:
        super().__init__(limits, cancelled)
        self.ticks = 0
        self.watch = Watch(limits, cancelled)
        self.process = psutil.Process()
        self.memory_at_start: int = self.process.memory_info().rss

    @classmethod
    def like(cls, watch: Watch) -> MemoryWatch:
        other = cls(watch.limits, watch.cancelled)
        other.deadline = watch.deadline
        other.watch = watch
        return other

    def tick(self) -> None:
        """Note one unit of work; look at the memory now and then."""
        self.watch.tick()
        if self.ticks % self.MEMORY_EVERY == 0:
            used = (self.process.memory_info().rss - self.memory_at_start) / MIB
            if used > self.limits.memory_mib:
                raise Stopped(self.say_memory())
        self.ticks += 1

    @contextmanager
    def apart(self) -> Iterator[None]:
        with self.watch.apart():
            yield

    def left(self) -> float:
        return self.watch.left()


OUT_OF_REACH = "The goal is out of reach, whatever is asked and called."
OUT_OF_MEMORY = "The search ran out of memory."


@dataclass(frozen=True, slots=True)
class FoundPlan:
    """A plan, what is to be said of it, and the share of its cost that a cheaper one could save at most."""

    plan: Plan
    note: str
    gap: float | None = None


@dataclass(frozen=True, slots=True)
class NoPlan:
    """It is proved that there is no plan; `because` says how."""

    because: str = OUT_OF_REACH


def search(engine: str, work: Callable[[], FoundPlan | NoPlan], note: str = "") -> PlanningResult:
    """Do the work of a search; a limit that stops it makes it give up. The note is for that."""
    began = perf_counter()
    try:
        found = work()
    except Stopped as stop:
        return GaveUp(str(stop), engine, {"search": perf_counter() - began}, note)
    except MemoryError:
        return GaveUp(OUT_OF_MEMORY, engine, {"search": perf_counter() - began}, note)
    seconds = {"search": perf_counter() - began}
    if isinstance(found, NoPlan):
        return Unsolvable(engine, seconds, found.because)
    return Solved(found.plan, engine, seconds, found.note, found.gap)
