"""Background jobs with a cache: each result is computed once for its key."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

KEPT = 100
"""Number of cached results; the least recently used one is dropped first."""
_Result = TypeVar("_Result")


class Jobs:
    """A thread pool with a cache. A failure is not cached: the next request tries again."""

    def __init__(self, threads: int = 2, kept: int = KEPT) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="compute")
        self._kept = kept
        self._jobs: dict[Hashable, Future[Any]] = {}
        self._lock = threading.Lock()

    def compute(self, key: Hashable, work: Callable[[], _Result]) -> Future[_Result]:
        """Return the job of a key, begun if need be. The key names everything that the result depends on."""
        with self._lock:
            job = self._jobs.pop(key, None)
            if job is None or job.cancelled() or (job.done() and job.exception() is not None):
                job = self._pool.submit(work)
            self._jobs[key] = job
            for old in list(self._jobs)[: -self._kept]:
                self._jobs.pop(old).cancel()  # nothing happens to what runs already
            return job

    def close(self) -> None:
        """Finish running jobs, and start no more."""
        self._pool.shutdown(wait=True, cancel_futures=True)
