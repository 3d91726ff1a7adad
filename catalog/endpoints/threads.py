"""Calls on threads of their own, under time limits: a call that hangs costs no other one's time.

A thread cannot be stopped from outside. A call that is late is given up: its answer, should it come, is dropped, and
its thread is left to itself. Code that may hang for good belongs into a process of its own.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")

_LONGEST_S = 86_400.0
"""Seconds that are waited at most, where a limit is longer."""
_lock = threading.Lock()
_given_up: Counter[int] = Counter()
"""Calls that were given up and still run, by the identity of their owner, which they keep alive."""


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    """One call. `owner` is whose code it runs: while an owner's call that was given up still runs, no other begins."""

    work: Callable[[], T]
    limit_s: float
    owner: object = None


@dataclass(frozen=True, slots=True)
class ReturnedValue(Generic[T]):
    value: T
    seconds: float


@dataclass(frozen=True, slots=True)
class Raised:
    """A call raised, whatever it was: even an exit is a failure of that call alone."""

    error: BaseException
    seconds: float


@dataclass(frozen=True, slots=True)
class Late:
    """A call was not done within its limit.

    `busy`: it was not begun, as an earlier one of its owner still hangs. `starting`: its process was not ready in time.
    """

    seconds: float
    busy: bool = False
    starting: bool = False


@dataclass(slots=True)
class _Call(Generic[T]):
    job: Job[T]
    began: float
    came: SimpleQueue[ReturnedValue[T] | Raised] = field(default_factory=SimpleQueue)
    ended: bool = False
    given_up: bool = False

    def run(self) -> None:
        result: ReturnedValue[T] | Raised
        try:
            result = ReturnedValue(self.job.work(), time.monotonic() - self.began)
        except BaseException as error:
            result = Raised(error, time.monotonic() - self.began)
        with _lock:
            self.ended = True
            if self.given_up:
                _given_up.subtract([id(self.job.owner)])
        self.came.put(result)

    def result(self) -> ReturnedValue[T] | Raised | Late:
        left = self.began + min(self.job.limit_s, _LONGEST_S) - time.monotonic()
        try:
            result = self.came.get(timeout=max(0.0, left))
        except Empty:
            with _lock:
                if not self.ended and self.job.owner is not None:
                    self.given_up = True
                    _given_up.update([id(self.job.owner)])
            return Late(time.monotonic() - self.began)
        return result if result.seconds <= self.job.limit_s else Late(result.seconds)


class Calls(Generic[T]):
    """Calls that have begun, all at once."""

    def __init__(self, jobs: Sequence[Job[T]]) -> None:
        """Begin calls. `results` waits for them."""
        self._calls = [_begin(job) for job in jobs]

    def results(self) -> list[ReturnedValue[T] | Raised | Late]:
        """Wait for each call until its limit; return the results in the order of the calls."""
        return [call.result() if isinstance(call, _Call) else call for call in self._calls]


def run(work: Callable[[], T], limit_s: float) -> ReturnedValue[T] | Raised | Late:
    return Calls([Job(work, limit_s)]).results()[0]


def _begin(job: Job[T]) -> _Call[T] | Late | Raised:
    with _lock:
        if job.owner is not None and _given_up[id(job.owner)] > 0:
            return Late(0.0, busy=True)
    call = _Call(job, time.monotonic())
    try:
        threading.Thread(target=call.run, name="call", daemon=True).start()
    except RuntimeError as error:  # no more threads can be had
        return Raised(error, 0.0)
    return call
