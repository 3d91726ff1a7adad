"""CPU time, of this process and of those that it waited for."""

from __future__ import annotations

import gc
from collections.abc import Callable
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import process_time
from typing import TypeVar

Given = TypeVar("Given")
Found = TypeVar("Found")

LEAST, USUAL, MOST = 3, 9, 99
ENOUGH_S, PLENTY_S = 0.1, 1.0
"""Work is repeated nine times, what is quick up to 99 times until it has taken 0.1 s; what is slow three times once it
has taken a second, and what takes longer than that once."""


def spend() -> float:
    """Return the CPU seconds used so far."""
    children = getrusage(RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def clock(prepare: Callable[[], Given], work: Callable[[Given], Found]) -> tuple[float, Found]:
    """Return the median milliseconds of some work, and its result.

    Each time it is done on something prepared anew, off the clock. Garbage is collected as ever, except that what was
    there before is left alone: a benchmark holds more than an assistant does.
    """
    times: list[float] = []
    gc.collect()
    gc.freeze()
    try:
        while True:
            given = prepare()
            began = spend()
            found = work(given)
            times.append(spend() - began)
            if _is_enough(times):
                return 1_000 * median(times), found
    finally:
        gc.unfreeze()


def _is_enough(times: list[float]) -> bool:
    count, total = len(times), sum(times)
    slow = times[0] > PLENTY_S or (count >= LEAST and total > PLENTY_S)
    return slow or count == MOST or (count >= USUAL and total > ENOUGH_S)
