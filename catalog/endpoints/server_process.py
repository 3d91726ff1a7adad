"""Our side of the process that workers are forked from (`catalog.endpoints.fork_server`): started, told, and ended."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from catalog.endpoints.confinement import Confinement, environment
from catalog.endpoints.fork_server import send_command

_BOOT = (
    "import sys, json; path, *given = json.loads(sys.argv[1]); sys.path[:] = path; "
    "from catalog.endpoints.fork_server import main; main(*given)"
)
_ENDING_S = 5.0
_SCRATCH = "planglass-workers-"
Ends = Sequence[socket.socket | IO[bytes]]
"""What a new worker gets: its end of a socket, and a file for large values where it has one."""


class ServerProcess:
    """The process that workers are forked from. A thread hands it commands, so that no caller waits for it."""

    def __init__(self, preload: Sequence[str], confinement: Confinement | None, after: int) -> None:
        self._preload, self._after = list(preload), after
        self._confinement = confinement
        self._scratch, self._lock = "", -1
        self._commands: SimpleQueue[tuple[dict[str, Any], Ends] | None] = SimpleQueue()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="workers", daemon=True)
        self._thread.start()

    def tell(self, command: dict[str, Any], ends: Ends = ()) -> None:
        """Have it start the worker whose ends are given, or kill one. Return at once."""
        self._commands.put((command, ends))

    def close(self) -> None:
        self._closed.set()
        self._commands.put(None)
        if (control := self._control) is not None:
            with suppress(OSError):
                control.shutdown(socket.SHUT_RDWR)  # should it not listen just now
        self._thread.join(2 * _ENDING_S)

    def _work(self) -> None:
        while (given := self._commands.get()) is not None:
            command, ends = given
            for _ in range(2):  # it may have been killed
                try:
                    send_command(self._running(), command, [one.fileno() for one in ends])
                    break
                except OSError:
                    self._end()
            for one in ends:
                one.close()  # that of the worker stays open; if there is none, its waiter is told
        self._end()

    def _running(self) -> socket.socket:
        if self._closed.is_set():
            raise OSError("closed")
        if self._control is None:
            self._control, theirs = socket.socketpair()
            limits = self._confinement
            if limits is not None and not self._scratch:
                self._scratch, self._lock = _make_scratch()
            with theirs:
                confined = [asdict(limits), self._scratch] if limits is not None else None
                given = json.dumps([sys.path, theirs.fileno(), self._preload, confined, self._after])
                self._process = subprocess.Popen(  # noqa: S603 - this program, with arguments of its own
                    [sys.executable, "-c", _BOOT, given],
                    pass_fds=[theirs.fileno()],
                    env=environment(os.environ, limits.variables) if limits is not None else None,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # what is typed to stop this program is not for it
                )
        return self._control

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            try:
                self._process.wait(_ENDING_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)
            os.close(self._lock)
            self._scratch = ""


def _make_scratch() -> tuple[str, int]:
    """Make a folder, and lock it for as long as this process lives; remove those whose processes are gone."""
    for left in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*"):
        with suppress(OSError):
            if left.lstat().st_uid == os.getuid():
                lock = lock_folder(left)
                shutil.rmtree(left, ignore_errors=True)
                os.close(lock)
    while True:
        made = Path(tempfile.mkdtemp(prefix=_SCRATCH))
        with suppress(OSError):
            lock = lock_folder(made)
            if made.is_dir():  # else another process has just swept it as abandoned
                return str(made), lock
            os.close(lock)


def lock_folder(folder: Path) -> int:
    """Lock a folder. Raises OSError where another process has, or it is gone."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise
    return held
