"""Calls in processes of their own, under time limits that really cut off: who is late is killed.

A worker process loads one function and answers one call after the other, each a value with a JSON form. Workers are
forked from a server (`catalog.endpoints.fork_server`) that has loaded what they share, and are kept for the next call.
One that is confined answers a single call, and then is killed: what it kept of that call reaches no other one, and what
it might still answer is dropped. It is replaced in the background, as is one that was late; one that is not ready in
time goes on starting. Neither server nor workers outlive this process, and none imports its main module. Agents run in
them; skills can.
"""

from __future__ import annotations

import itertools
import json
import os
import selectors
import socket
import tempfile
import threading
import time
import weakref
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Any

from catalog.endpoints.confinement import Confinement
from catalog.endpoints.failures import WorkerFailed, failure_of
from catalog.endpoints.fork_server import AFTER_OTHERS
from catalog.endpoints.server_process import ServerProcess
from catalog.endpoints.threads import Late, Raised, ReturnedValue

STARTING_S = 30.0
"""Seconds that a worker may take until it has loaded its function."""
LARGEST_BYTES = 4 * 1024 * 1024
"""Of an answer, where a pool has no limit of its own."""
_LONGEST_S = 86_400.0
"""Seconds that are waited at most, where a limit is longer."""
CallResult = ReturnedValue[Any] | Raised | Late
"""The result of a call."""


@dataclass(frozen=True, slots=True)
class Filed:
    """What a confined worker answered, and the file with its large values. Close it once it is read."""

    value: Any
    file: IO[bytes]


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
        *,
        kept: bool = False,
        after: int = AFTER_OTHERS,
    ) -> None:
        """Start nothing yet. `preload` are modules that workers share; `most` run one function at the same time.

        Workers are so much nicer than this process (`after`); it can then cut off those that spin.

        An answer may have `largest` bytes. Without a `confinement`, workers may do what this process may. With one,
        each answers one call, and shares a file with this process: a value that came is `Filed`. Where they are `kept`,
        confined ones answer further calls, and share no file.
        """
        self.largest = largest
        self.confined = confinement is not None
        self.for_one_call = self.confined and not kept
        self._preload, self._after = list(preload), after
        self._most = most
        self._confinement = confinement
        self._numbers = itertools.count(1)
        self._idle: defaultdict[Function, list[_Worker]] = defaultdict(list)
        self._busy: Counter[Function] = Counter()
        self._lock = threading.Lock()
        self._server: ServerProcess | None = None

    def close(self) -> None:
        """Kill all workers, and end the server. Calls under way fail."""
        with self._lock:
            self._most = 0
            for worker in itertools.chain.from_iterable(self._idle.values()):
                worker.close()
            self._idle.clear()
            if self._server is not None:
                self._server.close()

    def begin(self, place: int, request: WorkerRequest) -> ProcessCall | CallResult:
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
                return ReturnedValue(None, time.monotonic() - began)
            self._busy[request.function] += 1
        sent = b"" if request.load else json.dumps(request.given).encode() + b"\n"
        call = ProcessCall(place, request, worker, began, sent)
        try:
            worker.put(request.large)
        except OSError as error:
            self.end(call, keep=False)
            return Raised(error, time.monotonic() - began)
        return call

    def end(self, call: ProcessCall, *, keep: bool) -> None:
        """Keep a worker for the next call, or kill it; then one that takes its place is started."""
        worker, function = call.worker, call.request.function
        with self._lock:
            self._busy[function] -= 1
            idle = self._idle[function]
            if keep and not idle and self._most:
                idle.append(worker)
                return
            self._drop(worker)
            if not keep and worker.ready and not idle and self._most:
                with suppress(OSError):  # the next call is told
                    idle.append(self._start(function))

    def _take(self, function: Function) -> _Worker:
        while idle := self._idle[function]:
            worker = idle.pop()
            if worker.is_there:
                return worker
            self._drop(worker)
        return self._start(function)

    def _drop(self, worker: _Worker) -> None:
        worker.close()
        if self._server is not None:
            self._server.tell({"worker": worker.number})

    def _start(self, function: Function) -> _Worker:
        number = next(self._numbers)
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        if self._server is None:
            self._server = ServerProcess(self._preload, self._confinement, self._after)
            weakref.finalize(self, self._server.close)
        ends: list[socket.socket | IO[bytes]] = [theirs]
        values = None
        if self.for_one_call:
            values = tempfile.TemporaryFile(prefix="planglass-values-")  # noqa: SIM115 - it lasts as long as the worker
            ends.append(os.fdopen(os.dup(values.fileno()), "rb"))
        self._server.tell({"worker": number, "function": function.name, "given": json.loads(function.given)}, ends)
        return _Worker(number, ours, values)


@dataclass(frozen=True, slots=True)
class WorkerRequest:
    """One call by a worker: what it is given has a JSON form, as has the answer.

    Where it is to `load` only, the worker gets its function ready, and the answer is None.
    """

    workers: Workers
    function: Function
    given: Any
    limit_s: float
    load: bool = False
    starting_s: float | None = None
    """Seconds for the worker to get ready, where they do not count to the limit."""
    large: Sequence[bytes] = ()
    """Large values, put one after the other into the file of a confined worker."""


def call_all(requests: Sequence[WorkerRequest]) -> list[CallResult]:
    """Make all calls at once and return their results. A worker that is late, or answers too much, is killed."""
    came: dict[int, CallResult] = {}
    with selectors.DefaultSelector() as selector:
        for place, request in enumerate(requests):
            call = request.workers.begin(place, request)
            if isinstance(call, ProcessCall):
                selector.register(call.worker, call.waits_for, call)
            else:
                came[place] = call
        while len(came) < len(requests):
            calls: list[ProcessCall] = [key.data for key in selector.get_map().values()]
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


class _Worker:
    """Our end of a worker process. It is `ready` once it has loaded its function."""

    def __init__(self, number: int, requests: socket.socket, values: IO[bytes] | None) -> None:
        self.number = number
        self.values = values
        self.ready = False
        self.started = time.monotonic()
        self._requests = requests
        self.fileno = requests.fileno
        self.send = requests.send
        self.recv = requests.recv

    def close(self) -> None:
        self._requests.close()
        if self.values is not None:
            self.values.close()

    def put(self, large: Sequence[bytes]) -> None:
        """Put values into its file. Raises OSError where there is no room."""
        if self.values is not None and large:
            for data in large:
                self.values.write(data)
            self.values.flush()

    def give_values(self) -> IO[bytes] | None:
        """Give its file away; the taker closes it."""
        values, self.values = self.values, None
        return values

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
class ProcessCall:
    """A call under way."""

    place: int
    request: WorkerRequest
    worker: _Worker
    began: float
    to_send: bytes
    came: bytearray = field(default_factory=bytearray)
    broken: bool = False
    ready_at: float | None = None

    @property
    def deadline(self) -> float:
        starting_s = self.request.starting_s
        if starting_s is not None and not self.worker.ready:
            return self.began + starting_s
        began = self.began if starting_s is None or self.ready_at is None else self.ready_at
        return began + min(self.request.limit_s, _LONGEST_S)

    @property
    def waits_for(self) -> int:
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self.to_send and self.worker.ready else 0)

    def leaves_worker(self, result: CallResult) -> bool:
        if isinstance(result, Late):
            return not self.worker.ready and time.monotonic() - self.worker.started < STARTING_S
        return not self.broken and (self.request.load or not self.request.workers.for_one_call)

    def go_on(self) -> ReturnedValue[Any] | Raised | None:
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

    def _read(self) -> ReturnedValue[Any] | Raised | None:
        seconds = time.monotonic() - self.began
        try:
            answer = json.loads(self.came)
            self.came.clear()
            if "errors" in answer:
                loading = self.broken = not self.worker.ready
                confined = self.request.workers.confined
                return Raised(failure_of(answer, confined=confined, loading=loading), seconds)
            if self.worker.ready:
                value = answer["value"]
                file = self.worker.give_values()
                return ReturnedValue(value if file is None else Filed(value, file), seconds)
            self.worker.ready = answer["ready"] is True
            self.ready_at = time.monotonic()
        except (ValueError, TypeError, LookupError, RecursionError):
            return self._fail("its process answered no JSON")
        return ReturnedValue(None, seconds) if self.request.load else None

    def _fail(self, error: str) -> Raised:
        self.broken = True
        return Raised(WorkerFailed(error, loading=not self.worker.ready), time.monotonic() - self.began)
