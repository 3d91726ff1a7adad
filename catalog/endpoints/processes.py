"""Calls in processes of their own, under time limits that really cut off: who is late is killed.

A worker process loads one function and answers one call after the other, each a value with a JSON form. Workers are
forked from a server (`catalog.endpoints.fork_server`) that has loaded what they share, and are kept for the next call.
One that was killed is replaced in the background; one that is not ready in time goes on starting. Neither server nor
workers outlive this process, and none imports its main module. Agents run in them; skills can.
"""

from __future__ import annotations

import itertools
import json
import os
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from queue import SimpleQueue
from typing import Any

from catalog.endpoints.confinement import Confinement, environment
from catalog.endpoints.fork_server import send_command
from catalog.endpoints.threads import Late, Raised, Value

STARTING_S = 30.0
"""Seconds that a worker may take until it has loaded its function."""
LARGEST_BYTES = 4 * 1024 * 1024
"""Of an answer, where a pool has no limit of its own."""
_BOOT = (
    "import sys, json; path, *given = json.loads(sys.argv[1]); sys.path[:] = path; "
    "from catalog.endpoints.fork_server import main; main(*given)"
)
_ENDING_S = 5.0
_LONGEST_S = 86_400.0
"""Seconds that are waited at most, where a limit is longer."""
Came = Value[Any] | Raised | Late
"""What came of a call."""


class WorkerFailed(Exception):
    """A call failed in its process: by an error of type `error`, raised at `place`; its message stays there.

    Without a `trace`, there was no answer that can be read, and `error` is a clause that says why. `loading` says that
    the function could not be had in the first place.
    """

    def __init__(self, error: str, place: str = "", trace: str = "", *, loading: bool = False) -> None:
        self.error = error
        self.place = place
        self.trace = trace
        self.loading = loading
        super().__init__(f"{error} at {place}" if place else error)


@dataclass(frozen=True, slots=True)
class Function:
    """What a worker runs: `name` is `package.module:callable`, or `/folder/file.py:callable`.

    It is called once, with `given`, a JSON list as text, and returns the function that answers requests.
    """

    name: str
    given: str = "[]"


class Workers:
    """Worker processes, shared by all threads. Close them when done."""

    def __init__(
        self,
        preload: Sequence[str] = (),
        most: int = 8,
        largest: int = LARGEST_BYTES,
        confinement: Confinement | None = None,
    ) -> None:
        """Start nothing yet. `preload` are modules that workers share; `most` run one function at the same time.

        An answer may have `largest` bytes. Without a `confinement`, workers may do what this process may.
        """
        self.largest = largest
        self._preload = list(preload)
        self._most = most
        self._confinement = confinement
        self._numbers = itertools.count(1)
        self._idle: defaultdict[Function, list[_Worker]] = defaultdict(list)
        self._busy: Counter[Function] = Counter()
        self._lock = threading.Lock()
        self._server: _Server | None = None

    def close(self) -> None:
        """Kill all workers, and end the server. Calls under way fail."""
        with self._lock:
            self._most = 0
            for worker in itertools.chain.from_iterable(self._idle.values()):
                worker.close()
            self._idle.clear()
            if self._server is not None:
                self._server.close()

    def begin(self, place: int, request: Request) -> Call | Came:
        """Hand a request to a worker: one that waits for work, or else a new one."""
        began = time.monotonic()
        with self._lock:
            if self._busy[request.function] >= self._most:
                return Late(0.0, busy=True)
            try:
                worker = self._take(request.function)
            except OSError as error:
                return Raised(error, time.monotonic() - began)
            if request.load and worker.ready:
                self._idle[request.function].append(worker)
                return Value(None, time.monotonic() - began)
            self._busy[request.function] += 1
        sent = b"" if request.load else json.dumps(request.given).encode() + b"\n"
        return Call(place, request, worker, began, sent)

    def end(self, call: Call, *, keep: bool) -> None:
        """Keep a worker for the next call, or kill it; then one that takes its place is started."""
        worker, function = call.worker, call.request.function
        with self._lock:
            self._busy[function] -= 1
            idle = self._idle[function]
            if keep and not idle and self._most:
                idle.append(worker)
                return
            worker.close()  # one that waits for work ends by that
            if not keep and self._server is not None:
                self._server.tell({"worker": worker.number})
                if worker.ready and not idle and self._most:
                    idle.append(self._start(function))

    def _take(self, function: Function) -> _Worker:
        while idle := self._idle[function]:
            worker = idle.pop()
            if worker.is_there:
                return worker
            worker.close()
        return self._start(function)

    def _start(self, function: Function) -> _Worker:
        number = next(self._numbers)
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        if self._server is None:
            self._server = _Server(self._preload, self._confinement)
            weakref.finalize(self, self._server.close)
        self._server.tell({"worker": number, "function": function.name, "given": json.loads(function.given)}, theirs)
        return _Worker(number, ours)


@dataclass(frozen=True, slots=True)
class Request:
    """One call by a worker: what it is given has a JSON form, as has the answer.

    Where it is to `load` only, the worker gets its function ready, and the answer is None.
    """

    workers: Workers
    function: Function
    given: Any
    limit_s: float
    load: bool = False


def call_all(requests: Sequence[Request]) -> list[Came]:
    """Make all calls at once; return what came of each. Who is late, or answers too much, is killed."""
    came: dict[int, Came] = {}
    with selectors.DefaultSelector() as selector:
        for place, request in enumerate(requests):
            call = request.workers.begin(place, request)
            if isinstance(call, Call):
                selector.register(call.worker, call.waits_for, call)
            else:
                came[place] = call
        while len(came) < len(requests):
            calls: list[Call] = [key.data for key in selector.get_map().values()]
            ready = selector.select(max(0.0, min(call.deadline for call in calls) - time.monotonic()))
            for call in [key.data for key, _ in ready]:
                if (result := call.go_on()) is not None:
                    came[call.place] = result
                else:
                    selector.modify(call.worker, call.waits_for, call)
            now = time.monotonic()
            for call in calls:
                if call.place not in came and call.deadline <= now:
                    came[call.place] = Late(now - call.began, starting=not call.worker.ready)
                if (result := came.get(call.place)) is not None:
                    selector.unregister(call.worker)
                    call.request.workers.end(call, keep=call.leaves_worker(result))
    return [came[place] for place in range(len(requests))]


class _Server:
    """The process that workers are forked from. A thread hands it commands, so that nobody has to wait for it."""

    def __init__(self, preload: Sequence[str], confinement: Confinement | None) -> None:
        self._preload = list(preload)
        self._confinement = confinement
        self._scratch = ""
        self._commands: SimpleQueue[tuple[dict[str, Any], socket.socket | None] | None] = SimpleQueue()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="workers", daemon=True)
        self._thread.start()

    def tell(self, command: dict[str, Any], worker: socket.socket | None = None) -> None:
        """Have it start the worker whose end of a socket is given, or kill one. Return at once."""
        self._commands.put((command, worker))

    def close(self) -> None:
        """End it; with it end all workers."""
        self._closed.set()
        self._commands.put(None)
        if (control := self._control) is not None:
            with suppress(OSError):
                control.shutdown(socket.SHUT_RDWR)  # should it not listen just now
        self._thread.join(2 * _ENDING_S)

    def _work(self) -> None:
        while (given := self._commands.get()) is not None:
            command, worker = given
            for _ in range(2):  # somebody may have killed it
                try:
                    send_command(self._running(), command, worker)
                    break
                except OSError:
                    self._end()
            if worker is not None:
                worker.close()  # that of the worker stays open; if there is none, whoever waits for it is told
        self._end()

    def _running(self) -> socket.socket:
        if self._closed.is_set():
            raise OSError("closed")
        if self._control is None:
            self._control, theirs = socket.socketpair()
            limits = self._confinement
            if limits is not None and not self._scratch:
                self._scratch = tempfile.mkdtemp(prefix="planglass-workers-")
            with theirs:
                confined = [asdict(limits), self._scratch] if limits is not None else None
                given = json.dumps([sys.path, theirs.fileno(), self._preload, confined])
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
            self._scratch = ""


class _Worker:
    """Our end of a worker process. It is `ready` once it has loaded its function."""

    def __init__(self, number: int, requests: socket.socket) -> None:
        self.number = number
        self.ready = False
        self.started = time.monotonic()
        self._requests = requests
        self.fileno = requests.fileno
        self.send = requests.send
        self.recv = requests.recv
        self.close = requests.close

    @property
    def is_there(self) -> bool:
        """Return whether it has not ended, and has nothing more to say."""
        try:
            return bool(self._requests.recv(1, socket.MSG_PEEK)) and not self.ready
        except BlockingIOError:
            return True
        except OSError:
            return False


@dataclass(slots=True)
class Call:
    """A call under way."""

    place: int
    request: Request
    worker: _Worker
    began: float
    to_send: bytes
    came: bytes = b""
    broken: bool = False

    @property
    def deadline(self) -> float:
        """When it is late."""
        return self.began + min(self.request.limit_s, _LONGEST_S)

    @property
    def waits_for(self) -> int:
        """What its selector waits for."""
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self.to_send and self.worker.ready else 0)

    def leaves_worker(self, result: Came) -> bool:
        """Return whether the worker can be used after this."""
        if isinstance(result, Late):
            return not self.worker.ready and time.monotonic() - self.worker.started < STARTING_S
        return not self.broken

    def go_on(self) -> Value[Any] | Raised | None:
        """Send and receive what can be without waiting; return what came, once it is complete."""
        with suppress(BlockingIOError):
            try:
                if self.to_send and self.worker.ready:
                    self.to_send = self.to_send[self.worker.send(self.to_send) :]
                part = self.worker.recv(1 << 16)
            except ConnectionError:
                part = b""
            self.came += part
            if not part:
                return self._fail("its process ended before it answered")
        if len(self.came) > self.request.workers.largest:
            return self._fail("its process answered too much")
        return self._read() if self.came.endswith(b"\n") else None

    def _read(self) -> Value[Any] | Raised | None:
        seconds = time.monotonic() - self.began
        try:
            answer = json.loads(self.came)
            self.came = b""
            if "error" in answer:
                self.broken = not self.worker.ready
                return Raised(WorkerFailed(**answer), seconds)
            if self.worker.ready:
                return Value(answer["value"], seconds)
            self.worker.ready = answer["ready"]
        except (ValueError, TypeError, LookupError, RecursionError):
            return self._fail("its process answered no JSON")
        return Value(None, seconds) if self.request.load else None

    def _fail(self, error: str) -> Raised:
        self.broken = True
        return Raised(WorkerFailed(error), time.monotonic() - self.began)
