"""One thread of one process at a time at an embedded database.

SQLite before 3.51.3 may corrupt a database in WAL mode where two connections write or checkpoint at the same moment.
Which one is linked is the system's choice, so connections take turns, whatever opens, writes, reads or closes one.
"""

from __future__ import annotations

import fcntl
import os
import threading
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType

from dialogue.log.stores.protocol import StoreFailed

PATIENCE_S = 5.0
"""So long a turn is waited for. One takes milliseconds: only a program that was suspended takes longer."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.0005, 0.02


class OneAtATime:
    """A lock of the threads of this process, and within it a lock on a file, which ends with the process."""

    def __init__(self, path: Path) -> None:
        """Open the file, readable by its owner only. Raises OSError."""
        self._threads = threading.Lock()
        self._path = path
        self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def __enter__(self) -> None:
        """Wait for a turn. Raises StoreFailed where that takes too long."""
        self._threads.acquire()
        try:
            self._wait()
        except BaseException:
            self._threads.release()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back; explicitly, as a process that was forked meanwhile holds the file, too."""
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)
        self._threads.release()

    def _wait(self) -> None:
        until, pause_s = monotonic() + PATIENCE_S, _FIRST_PAUSE_S
        while self._file is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() > until:
                    raise StoreFailed(
                        f"Another program has been using {self._path.name} for {PATIENCE_S:g} s: it may be suspended. "
                        "Nothing was written; let it go on, or end it."
                    ) from None
                sleep(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
            else:
                return

    def close(self) -> None:
        """Close the file; threads take turns all the same."""
        with self._threads:
            if self._file is not None:
                os.close(self._file)
                self._file = None
