"""One thread of one process at a time at an embedded database.

SQLite before 3.51.3 may corrupt a database in WAL mode where two connections write or checkpoint at the same moment.
Which one is linked is the system's choice, so connections take turns, whatever opens, writes, reads or closes one.
"""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType

from dialogue.log.stores.protocol import StoreFailed

PATIENCE_S = 5.0
"""So long a turn is waited for. One takes milliseconds: only a program that was suspended takes longer."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.0005, 0.005


class OneAtATime:
    """A lock of the threads of this process, and within it locks on files, which end with the process.

    There are two: a process that waits for its turn holds the place of the next one. So one that just had a turn waits.
    """

    def __init__(self, path: Path) -> None:
        """Open the files, readable by their owner only. Raises OSError."""
        self._threads = threading.Lock()
        self._name = path.name
        self._mine = os.urandom(16)
        self._others = 0
        self._turn: int | None = _open(path)
        try:
            self._next = _open(path.with_name(f"{path.name}-next"))
        except OSError:
            os.close(self._turn)
            raise

    def __enter__(self) -> None:
        """Wait for a turn. Raises StoreFailed where that takes too long."""
        self._threads.acquire()
        try:
            if self._turn is not None:
                until = monotonic() + PATIENCE_S
                self._lock(self._next, until)
                try:
                    self._lock(self._turn, until)
                finally:
                    fcntl.flock(self._next, fcntl.LOCK_UN)
                if os.pread(self._turn, len(self._mine), 0) != self._mine:
                    os.pwrite(self._turn, self._mine, 0)
                    self._others += 1
        except BaseException:
            self._threads.release()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back; explicitly, as a process that was forked meanwhile holds the file, too."""
        if self._turn is not None:
            fcntl.flock(self._turn, fcntl.LOCK_UN)
        self._threads.release()

    @property
    def others(self) -> int | None:
        """How often others have had a turn so far; None where the last turn was not this process's.

        A process that gets a turn writes its mark into the file first. So while the mark is this process's own, no
        other one can have written to the database since its last turn.
        """
        turn = self._turn
        with suppress(OSError):  # it is being closed
            return self._others if turn is not None and os.pread(turn, len(self._mine), 0) == self._mine else None
        return None

    def _lock(self, file: int, until: float) -> None:
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() > until:
                    raise StoreFailed(
                        f"Another program has been using {self._name} for {PATIENCE_S:g} s: it may be suspended. "
                        "Nothing was written; let it go on, or end it."
                    ) from None
                sleep(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
            else:
                return

    def close(self) -> None:
        """Close the files; threads take turns all the same."""
        with self._threads:
            if self._turn is not None:
                os.close(self._turn)
                os.close(self._next)
                self._turn = None


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
