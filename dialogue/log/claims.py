"""The right of a process to write to a stream, shared by its threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic

from dialogue.log.stores.protocol import StoreFailed

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.01, 0.25


class SharedClaim:
    """Taken in the store by the first thread of this process that needs it, and given back by the last.

    Each time that it is taken, `taken` is called first: what other processes wrote meanwhile is to be taken up.
    """

    def __init__(self, take: Callable[[], AbstractContextManager[object] | None], taken: Callable[[], object]) -> None:
        self._take = take
        self._taken = taken
        self._lock = threading.Lock()
        self._claim: AbstractContextManager[object] | None = None
        self._holders = 0

    @contextmanager
    def held(self, wait_s: float, ended: threading.Event) -> Iterator[None]:
        """Hold it, as soon as no other process does. Raises StoreFailed where that takes too long, or all is ended."""
        with self._lock:
            if not self._holders:
                claim = self._wait(monotonic() + wait_s, ended)
                claim.__enter__()
                try:
                    self._taken()
                except BaseException:
                    claim.__exit__(None, None, None)
                    raise
                self._claim = claim
            self._holders += 1
        try:
            yield
        finally:
            with self._lock:
                self._holders -= 1
                if not self._holders and self._claim is not None:
                    claim, self._claim = self._claim, None
                    claim.__exit__(None, None, None)

    def _wait(self, until: float, ended: threading.Event) -> AbstractContextManager[object]:
        pause_s = _FIRST_WAIT_S
        while (claim := self._take()) is None:
            if ended.wait(pause_s) or monotonic() > until:
                raise StoreFailed("Another process is at work on it all the time. Nothing was written; try again.")
            pause_s = min(2 * pause_s, _LONGEST_WAIT_S)
        return claim
