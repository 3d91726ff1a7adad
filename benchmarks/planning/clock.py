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

MOST = 9
LEAST = 3
ENOUGH_S = 1.0
"""Work is repeated until it has taken this long, three times at least and nine at most; what takes longer, once."""


def spend() -> float:
    """Give the CPU seconds used so far."""
    children = getrusage(RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def clock(prepare: Callable[[], Given], work: Callable[[Given], Found]) -> tuple[float, Found]:
    """Give the median milliseconds of some work, and what it came to.

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
            if len(times) == MOST or times[0] > ENOUGH_S or (len(times) >= LEAST and sum(times) > ENOUGH_S):
                return 1_000 * median(times), found
    finally:
        gc.unfreeze()
