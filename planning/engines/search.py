"""What is the same around every search: it is timed, and ends with a plan, a proof that there is none, or early."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from planning.engines.watch import Stopped
from planning.model import GaveUp, Plan, PlanningResult, Solved, Unsolvable

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
