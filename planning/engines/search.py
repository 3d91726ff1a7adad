"""The frame of every search: limits of time and memory, and its end: a plan, a proof that there is none, or neither."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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

    def within(self, seconds: float) -> Watch:
        """Make a watch that also stops after so many seconds of work from now on."""
        return _WorkWatch(self, seconds)

    def forgive(self, seconds: float) -> None:
        """Leave work out of account that is not done for this task; time that passes counts all the same."""

    def left(self) -> float:
        """Return the seconds that are left."""
        return max(0.0, self.deadline - monotonic())

    def say_time(self) -> str:
        """Say that the time is used up."""
        return f"The search took longer than the {self.limits.time_s:g} seconds it may take."

    def say_memory(self) -> str:
        """Say that the memory is used up."""
        return f"The search took more than the {self.limits.memory_mib:g} MiB of memory it may take."


class _WorkWatch(Watch):
    """Stops a search also where its thread has worked for so long.

    What else the machine does meanwhile makes no difference: the same task gets the same plan.
    """

    def __init__(self, watch: Watch, seconds: float) -> None:
        super().__init__(watch.limits, watch.cancelled)
        self.deadline = watch.deadline
        self.began, self.begun = monotonic(), thread_time()
        self.worked = self.begun + seconds
        if isinstance(watch, _WorkWatch):
            self.worked = min(self.worked, watch.worked)

    def tick(self) -> None:
        """Note one unit of work; stop also where there was enough of it."""
        super().tick()
        if thread_time() >= self.worked:
            raise OutOfTime(self.say_time())

    def forgive(self, seconds: float) -> None:
        """Leave work out of account that is not done for this task."""
        self.worked += seconds

    def left(self) -> float:
        """Return the seconds on the clock in which what is left of the work is done, at the pace so far."""
        now = thread_time()
        pace = max(1.0, (monotonic() - self.began) / (now - self.begun)) if now > self.begun else 1.0
        return min(super().left(), max(0.0, self.worked - now) * pace)


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
        """Make a watch that also looks at the memory, from now on."""
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

    def forgive(self, seconds: float) -> None:
        """Leave work out of account that is not done for this task."""
        self.watch.forgive(seconds)

    def left(self) -> float:
        """Return the seconds that are left."""
        return self.watch.left()


OUT_OF_REACH = "The goal is out of reach, whatever is asked and called."
OUT_OF_MEMORY = "The search ran out of memory."


@dataclass(frozen=True, slots=True)
class Found:
    """A plan, what is to be said of it, and the share of its cost that a cheaper one could save at most."""

    plan: Plan
    note: str
    gap: float | None = None


@dataclass(frozen=True, slots=True)
class NoPlan:
    """It is proved that there is no plan; `because` says how."""

    because: str = OUT_OF_REACH


def search(engine: str, work: Callable[[], Found | NoPlan], note: str = "") -> PlanningResult:
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
