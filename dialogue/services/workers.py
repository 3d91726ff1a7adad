"""The sessions in memory, and the threads that work on them: one at a time for each session."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from dialogue.log.stores import Conflict
from dialogue.turn import Session

_log = logging.getLogger(__name__)
_Made = TypeVar("_Made")


class Sessions:
    """Holds each session once; `rebuild` restores one from the store."""

    def __init__(self, rebuild: Callable[[str], Session], workers: int) -> None:
        self._rebuild = rebuild
        self._held: dict[str, Session] = {}
        self._jobs: dict[str, list[Future[None]]] = {}
        self._lock = threading.RLock()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="turn")

    def run(self, work: Callable[[], _Made]) -> Future[_Made]:
        """Submit work to the pool."""
        return self._pool.submit(work)

    def add(self, session_id: str, session: Session) -> None:
        """Hold a new conversation."""
        with self._lock:
            self._held[session_id] = session

    def open(self, session_id: str) -> Session:
        """Return a session, restored if need be; work that a crash interrupted is resumed."""
        with self._lock:
            session = self._held.get(session_id)
            if session is not None:
                return session
            session = self._held[session_id] = self._rebuild(session_id)
        if session.journal.state.busy:
            self._submit(session_id, session)
        return session

    def write(self, session_id: str, write: Callable[[Session], None]) -> None:
        """Record an input and start working on it; after a conflict with another process, retry on the new log."""
        session = self.open(session_id)
        try:
            write(session)
        except Conflict:
            self._forget(session_id, session)
            session = self.open(session_id)
            write(session)
        self._submit(session_id, session)

    def wait(self, session_id: str, timeout_s: float) -> bool:
        """Wait until nobody works on a conversation; tell whether that is so."""
        with self._lock:
            jobs = list(self._jobs.get(session_id, ()))
        done, waiting = wait(jobs, timeout=timeout_s)
        for job in done:
            job.result()
        return not waiting

    def delete(self, session_id: str, delete: Callable[[str], None]) -> None:
        """Remove a session, and delete it from the store."""
        with self._lock:  # or who looks at it meanwhile would have it read again before it is gone
            self._held.pop(session_id, None)
            self._jobs.pop(session_id, None)
            delete(session_id)

    def close(self) -> None:
        """Finish the work under way."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _forget(self, session_id: str, session: Session) -> None:
        with self._lock:
            if self._held.get(session_id) is session:
                del self._held[session_id]

    def _submit(self, session_id: str, session: Session) -> None:
        with self._lock:
            jobs = [job for job in self._jobs.get(session_id, ()) if not job.done()]
            jobs.append(self._pool.submit(self._work, session_id, session))
            self._jobs[session_id] = jobs

    def _work(self, session_id: str, session: Session) -> None:
        try:
            session.work()
        except Conflict:
            # Its id is the only way to a conversation, and so is not for logs.
            _log.warning("a conversation was written to or deleted elsewhere: what is on disk stands")
            self._forget(session_id, session)
