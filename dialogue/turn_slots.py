"""A pool of threads for turns: so many work at the same time, and one that waits for somebody else counts as none."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from catalog.model import Catalog
from catalog.skills import SkillInput
from dialogue.caller import Caller, NotReturned, Returned

_P = ParamSpec("_P")
_T = TypeVar("_T")
_MOST_WAITING = 256
"""Turns that wait for skills, or for each other, before they count like any other."""


class TurnPool:
    """Threads that do what is submitted, each in one of a number of slots."""

    def __init__(self, slots: int) -> None:
        """Offer so many slots."""
        self._threads = ThreadPoolExecutor(slots + _MOST_WAITING, thread_name_prefix="turn")
        self._free = threading.Semaphore(slots)
        self._mine = threading.local()
        self.closed = False

    def submit(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Do some work as soon as a slot is free."""

        def in_slot() -> _T:
            with self._free:
                if self.closed:
                    raise CancelledError
                self._mine.held = True
                try:
                    return work(*args, **kwargs)
                finally:
                    self._mine.held = False

        return self._threads.submit(in_slot)

    def close(self) -> None:
        """Wait for what is being worked on; drop the rest."""
        self.closed = True
        self._threads.shutdown(wait=True, cancel_futures=True)

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let others have the slot that this thread holds, if it does, and wait for one afterwards."""
        if not getattr(self._mine, "held", False):
            yield
            return
        self._mine.held = False
        self._free.release()
        try:
            yield
        finally:
            self._free.acquire()
            self._mine.held = True


@dataclass(frozen=True, slots=True)
class LendingCaller:
    """Calls skills as another one does; while a skill works, or hangs, others go on with their turns."""

    caller: Caller
    pool: TurnPool

    def call(self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput]) -> Returned | NotReturned:
        """Call a skill in one mode with a value for each input."""
        with self.pool.lent():
            return self.caller.call(catalog, skill, mode, values)
