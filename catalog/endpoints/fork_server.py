"""The process that worker processes are forked from, and what a worker does: answer one request after the other.

The server runs no code but this and what workers share, on one thread, so that it can fork at any time: they share its
memory until they write to it. Its parent sends it a socket for each new worker, over which requests and answers go as
lines of JSON. Once that process is gone, however it ended, the server kills all workers and ends.

What workers print is dropped.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import hashlib
import importlib
import importlib.util
import json
import os
import selectors
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from catalog.endpoints.confinement import Confinement, confine, paths_of, takes_too_much
from catalog.skills.failures import describe_trouble, where_raised

REQUESTS, VALUES = 3, 4
"""File descriptors of a worker: its socket, and a file for large values where it has one."""
HEADER = 8
"""Bytes that say how long a command to the server is."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_ENDING_S = 1.0
_LOOKING_S = 1.0
"""Seconds between two looks at what workers have written."""
AFTER_OTHERS = 5
"""Workers are nicer than the process that waits for them, which can then cut off those that spin."""


def send_command(control: socket.socket, command: dict[str, Any], ends: Sequence[int] = ()) -> None:
    """Send the server an order to start or to kill a worker. Raises OSError where it is gone."""
    text = json.dumps(command).encode()
    data = b"%0*d" % (HEADER, len(text)) + text
    sent = socket.send_fds(control, [data], ends)
    control.sendall(data[sent:])


def main(control_fd: int, preload: list[str], confined: tuple[dict[str, Any], str] | None, after: int) -> NoReturn:
    """Serve until the process that started this one is gone; workers may be `confined`, with a folder for scratch."""
    control = socket.socket(fileno=control_fd)
    limits = WorkerLimits(Confinement.of(confined[0]), Path(confined[1])) if confined is not None else None
    if limits is not None:
        paths_of(limits.confinement)
    Server(control, preload, limits, after).serve()
    os._exit(0)


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What workers may do, and the folder in which each has one for itself, under its process id."""

    confinement: Confinement
    scratch: Path

    def scratch_of(self, pid: int) -> Path:
        return self.scratch / str(pid)


class Server:
    """Forks workers, kills those that it is told to, and buries the dead with all that they have started."""

    def __init__(self, control: socket.socket, preload: list[str], limits: WorkerLimits | None, after: int) -> None:
        self._control, self._preload = control, preload
        self._limits, self._after = limits, after
        self._pids: dict[int, int] = {}
        self._looked = 0.0
        self._woken, self._wakes = os.pipe()
        os.set_blocking(self._wakes, False)
        os.set_blocking(self._woken, False)

    def serve(self) -> None:
        """Carry out commands until the parent is gone."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakes)
        _ask_kernel(_PR_SET_CHILD_SUBREAPER, 1)
        selector = selectors.DefaultSelector()
        selector.register(self._control, selectors.EVENT_READ)
        selector.register(self._woken, selectors.EVENT_READ)
        try:
            while True:
                for key, _ in selector.select(_LOOKING_S if self._pids and self._limits is not None else None):
                    if key.fileobj == self._woken:
                        os.read(self._woken, 4096)
                        self._bury()
                    elif (given := self._receive()) is None:
                        return
                    else:
                        self._obey(*given)
                self._look_at_folders()
        finally:
            for pid in self._pids.values():
                _kill(pid)
            gone = time.monotonic() + _ENDING_S
            while time.monotonic() < gone and (left := _children()):
                for pid in left:
                    _kill(pid)
                    with suppress(ChildProcessError):
                        os.waitpid(pid, 0)
            if self._limits is not None:  # its maker may have been killed
                shutil.rmtree(self._limits.scratch, ignore_errors=True)

    def _look_at_folders(self) -> None:
        """Kill workers that have written more than they may, from time to time."""
        if self._limits is None or time.monotonic() < self._looked + _LOOKING_S:
            return
        for pid in self._pids.values():
            if takes_too_much(str(self._limits.scratch_of(pid)), self._limits.confinement.disk_mib):
                _kill(pid)
        self._looked = time.monotonic()

    def _receive(self) -> tuple[dict[str, Any], list[int]] | None:
        header, fds, _, _ = socket.recv_fds(self._control, HEADER, VALUES - REQUESTS + 1)
        while header and len(header) < HEADER:
            header += self._control.recv(HEADER - len(header))
        length, text = int(header or 0), b""
        while len(text) < length and (part := self._control.recv(length - len(text))):
            text += part
        return (json.loads(text), fds) if text else None

    def _obey(self, command: dict[str, Any], fds: list[int]) -> None:
        number = command["worker"]
        if not fds:
            if number in self._pids:
                _kill(self._pids[number])
            return
        self._share(command["function"].partition(":")[0])
        with suppress(OSError):  # niceness counts among the processes of a group; this counts between groups
            Path("/proc/self/autogroup").write_text(str(self._after), encoding="ascii")
        server = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.nice(self._after)
            _become_worker(server, fds, command, self._limits)
        for fd in fds:
            os.close(fd)
        with suppress(OSError):  # it has done so itself, or has ended
            os.setpgid(pid, pid)
        self._pids[number] = pid

    def _share(self, needed: str) -> None:
        """Load what workers share, in its order, as far as the module of a function where it is among that."""
        while needed in self._preload:
            importlib.import_module(self._preload.pop(0))
            gc.collect()
            gc.freeze()

    def _bury(self) -> None:
        """Take note of workers that have ended, and kill what they have left running."""
        for number, pid in list(self._pids.items()):
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                _kill(pid)  # no other process has its number before it is waited for
                os.waitpid(pid, 0)
                del self._pids[number]
                if self._limits is not None:
                    shutil.rmtree(self._limits.scratch_of(pid), ignore_errors=True)
        for pid in _children() - set(self._pids.values()):  # its parent is gone: it has become ours
            _kill(pid)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _children() -> set[int]:
    """List the processes that this one has to wait for, as far as the system tells."""
    with suppress(OSError):
        return {int(pid) for pid in Path("/proc/self/task", str(os.getpid()), "children").read_text().split()}
    return set()


def _ask_kernel(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value)


def _become_worker(server: int, ends: list[int], command: dict[str, Any], limits: WorkerLimits | None) -> NoReturn:
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setpgid(0, 0)
        _ask_kernel(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != server:
            os._exit(0)
        for place, fd in enumerate([fcntl.fcntl(fd, fcntl.F_DUPFD, VALUES + 1) for fd in ends], REQUESTS):
            os.dup2(fd, place, inheritable=False)
        os.closerange(REQUESTS + len(ends), os.sysconf("SC_OPEN_MAX"))
        gc.enable()
        if limits is not None:
            scratch = limits.scratch_of(os.getpid())
            scratch.mkdir(mode=0o700)
            confine(limits.confinement, str(scratch))  # where that fails, it ends without having run anything
        answer_requests(socket.socket(fileno=REQUESTS), command["function"], command["given"])
    finally:
        os._exit(0)


def answer_requests(requests: socket.socket, function: str, given: list[Any]) -> None:
    """Say that the function is loaded, or that it cannot be; then answer requests until the socket is closed."""
    told: dict[str, Any] = {"ready": True}
    try:
        answer = load(function)(*given)
    except BaseException as error:
        told = {**_describe(error), "words": _words_of(error)}
    with suppress(OSError), requests.makefile("rb") as lines:
        requests.sendall(json.dumps(told).encode() + b"\n")
        if "ready" in told:
            for line in lines:
                try:
                    text = json.dumps({"value": answer(json.loads(line))})
                except BaseException as error:
                    text = json.dumps(_describe(error))
                requests.sendall(text.encode() + b"\n")


def load(function: str) -> Callable[..., Any]:
    """Return a function by its name, `package.module:callable`, or by its file, `/folder/file.py:callable`."""
    place, _, name = function.rpartition(":")
    module = load_file(place) if place.endswith(".py") else importlib.import_module(place)
    found: Callable[..., Any] = getattr(module, name)
    return found


def load_file(file: str) -> ModuleType:
    """Run a file of Python, and return it as a module that can import (`from . import name`) what stands beside it."""
    name = f"file_{hashlib.sha256(file.encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[str(Path(file).parent)])
    assert spec is not None and spec.loader is not None  # it is a file of Python's
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _words_of(error: BaseException) -> str:
    """Return what an error says. It was raised before any call came in: it can hold no value of one."""
    with suppress(Exception):  # a message may be code of the module, too
        said = str(error)
        return said if type(error).__name__ == "EndpointRefused" else f"{type(error).__name__}: {said}"
    return type(error).__name__


def _describe(error: BaseException) -> dict[str, Any]:
    """Describe an error by its type and place. Its message may hold a value, and is dropped."""
    names = [kind.__name__ for kind in type(error).__mro__]
    return {"errors": names, "place": where_raised(error), "trace": describe_trouble(error)[-4_000:]}
