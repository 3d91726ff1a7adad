"""A pool of threads for turns: so many work at the same time, and one that waits for another counts as none."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_MOST_WAITING = 256
"""Turns that wait for skills, or for each other, before they count like any other."""


class TurnPool:
    """Threads that do what is submitted, each in one of a number of slots; what waits for a slot can be cancelled."""

    def __init__(self, slots: int) -> None:
        self.ended = threading.Event()
        """Set once it is closed."""
        self._threads = ThreadPoolExecutor(slots + _MOST_WAITING, thread_name_prefix="turn")
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._free, self._returning = slots, 0
        self._changed = threading.Condition()
        self._mine = threading.local()

    def submit(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Do some work as soon as a slot is free. Raises RuntimeError where the pool is closed."""
        future: Future[_T] = Future()
        with self._changed:
            if self.ended.is_set():
                raise RuntimeError("no work is taken any more: the pool is closed")
            self._waiting.append((future, partial(work, *args, **kwargs)))
            self._begin()
        return future

    def close(self) -> None:
        """Wait for what is being worked on; drop the rest."""
        with self._changed:
            self.ended.set()
            for future, _ in self._waiting:
                if future.cancel():
                    future.set_running_or_notify_cancel()
            self._waiting.clear()
        self._threads.shutdown(wait=True)

    def _begin(self) -> None:
        """Begin what waits, as far as slots are free that no lender comes back to."""
        while self._waiting and self._free > self._returning:
            future, work = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                self._free -= 1
                self._threads.submit(self._work, future, work)

    def _work(self, future: Future[Any], work: Callable[[], Any]) -> None:
        self._mine.held = True
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)
        self._give_back()

    def _give_back(self) -> None:
        self._mine.held = False
        with self._changed:
            self._free += 1
            self._begin()
            self._changed.notify()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let others have the slot that this thread holds, if it does, and wait for one afterwards."""
        if not getattr(self._mine, "held", False):
            yield
            return
        self._give_back()
        try:
            yield
        finally:
            with self._changed:
                self._returning += 1
                self._changed.wait_for(lambda: self._free > 0)
                self._returning -= 1
                self._free -= 1
            self._mine.held = True
