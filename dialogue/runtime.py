"""The runtime of streams: which of them this process has open, who may work on them, and when they are worked on.

An app (the assistant, rooms, tasks) says how a stream is opened and what a step of work on it is. Here stands what is
the same for all: each stream is open once, one thread of one process works on it at a time, what the store did not
keep is taken up again, and a stream that was deleted or damaged meanwhile, or is idle, is closed.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from operator import methodcaller
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

from catalog.skills.failures import describe_trouble
from dialogue.log.stores.protocol import Conflict, DamagedStream, StoreFailed, StreamId, UnknownStream

IDLE_S = 900.0
"""Seconds that a stream is held in memory after its last use: a short conversation takes 65 kB."""
TRIES = 3
"""Attempts in a row at work that the store did not keep; at each, the store waits for its database."""
PATIENCE_S = 60.0
"""Seconds to wait for another process to release a stream that is to be written to."""
RETRY_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before the next attempts at work that the store did not keep; the last one is repeated."""
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.01, 0.25
_T = TypeVar("_T")
_P = ParamSpec("_P")
_MOST_WAITING = 256
"""Turns that wait for skills, or for each other, before they count like any other."""
_log = logging.getLogger(__name__)


class TurnPool:
    """Threads that do what is submitted, each in one of a number of slots; what waits for a slot can be cancelled."""

    def __init__(self, slots: int) -> None:
        self.ended = threading.Event()
        """Set once it is closed."""
        self._threads = ThreadPoolExecutor(slots + _MOST_WAITING, thread_name_prefix="turn")
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._free, self._returning = slots, 0
        self._changed = threading.Condition()
        self._mine = threading.local()

    def submit(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Do some work as soon as a slot is free. Raises RuntimeError where the pool is closed."""
        future: Future[_T] = Future()
        with self._changed:
            if self.ended.is_set():
                raise RuntimeError("no work is taken any more: the pool is closed")
            self._waiting.append((future, partial(work, *args, **kwargs)))
            self._begin()
        return future

    def close(self) -> None:
        """Wait for what is being worked on; drop the rest."""
        with self._changed:
            self.ended.set()
            for future, _ in self._waiting:
                if future.cancel():
                    future.set_running_or_notify_cancel()
            self._waiting.clear()
        self._threads.shutdown(wait=True)

    def _begin(self) -> None:
        """Begin what waits, as far as slots are free that no lender comes back to."""
        while self._waiting and self._free > self._returning:
            future, work = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                self._free -= 1
                self._threads.submit(self._work, future, work)

    def _work(self, future: Future[Any], work: Callable[[], Any]) -> None:
        self._mine.held = True
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)
        self._give_back()

    def _give_back(self) -> None:
        self._mine.held = False
        with self._changed:
            self._free += 1
            self._begin()
            self._changed.notify()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let others have the slot that this thread holds, if it does, and wait for one afterwards."""
        if not getattr(self._mine, "held", False):
            yield
            return
        self._give_back()
        try:
            yield
        finally:
            with self._changed:
                self._returning += 1
                self._changed.wait_for(lambda: self._free > 0)
                self._returning -= 1
                self._free -= 1
            self._mine.held = True


class SharedClaim:
    """The right of this process to work on a stream, shared by its threads.

    It is taken in the store by the first thread that needs it, and given back by the last. Each time that it is taken,
    `taken` is called first: what other processes wrote meanwhile is to be taken up.
    """

    def __init__(
        self,
        take: Callable[[], AbstractContextManager[object] | None],
        taken: Callable[[], object],
        pool: TurnPool,
    ) -> None:
        """While a thread of the `pool` waits for it, the slot of that is lent."""
        self._take, self._taken, self._pool = take, taken, pool
        self._lock = threading.Lock()
        self._working = threading.Lock()
        self._claim: AbstractContextManager[object] | None = None
        self._holders = 0

    @contextmanager
    def held(self, wait_s: float) -> Iterator[None]:
        """Hold it, as soon as no other process does. Raises StoreFailed where that takes too long, or all is ended."""
        if not self._take_now():
            with self._pool.lent():
                self._wait(time.monotonic() + wait_s)
        try:
            yield
        finally:
            with self._lock:
                self._holders -= 1
                if not self._holders and self._claim is not None:
                    claim, self._claim = self._claim, None
                    claim.__exit__(None, None, None)

    @property
    def is_idle(self) -> bool:
        """Whether no thread of this process has it, or waits for it to work."""
        return not (self._holders or self._working.locked())

    def work(self, is_due: Callable[[], bool], step: Callable[[], object]) -> None:
        """Do steps as long as one is due; return at once if another thread does, which then does these, too.

        Where another process works, wait until it has done so, or has died.
        """
        while is_due() and self._working.acquire(blocking=False):
            try:
                with self.held(threading.TIMEOUT_MAX):
                    if is_due():
                        step()
            finally:
                self._working.release()

    def _wait(self, until: float) -> None:
        pause_s = _FIRST_WAIT_S
        while not self._pool.ended.wait(pause_s) and time.monotonic() < until:
            if self._take_now():
                return
            pause_s = min(2 * pause_s, _LONGEST_WAIT_S)
        raise StoreFailed("Another process is at work on it all the time. Nothing was written; try again.")

    def _take_now(self) -> bool:
        """Take it where no other process has it; return whether this one has it now."""
        with self._lock:
            if not self._holders:
                claim = self._take()
                if claim is None:
                    return False
                claim.__enter__()
                try:
                    self._taken()
                except BaseException:
                    claim.__exit__(None, None, None)
                    raise
                self._claim = claim
            self._holders += 1
            return True


class OpenStream(Protocol):
    """What an app holds of a stream that is open in this process."""

    @property
    def rests(self) -> bool:
        """Whether all of it is on record, and nothing runs: it may be closed, and opened again."""
        ...

    def catch_up(self) -> object:
        """Take up what other processes have written. Raises UnknownStream or DamagedStream."""
        ...

    def work(self) -> object: ...

    def close(self) -> None:
        """Begin nothing more."""
        ...


_O = TypeVar("_O", bound=OpenStream)


class OpenStreams(Generic[_O]):
    """The streams of an app that are open in this process, each once.

    One that was deleted or damaged meanwhile is closed. So is one that rests and was not used for `IDLE_S`: it is read
    from the store when it is used again. The methods may be called on any thread.
    """

    def __init__(self, restore: Callable[[str], _O], go_on: Callable[[str, _O], object] | None = None) -> None:
        """`restore` opens a stream that is in the store; then `go_on` takes up what the end of a process cut off."""
        self._restore, self._go_on = restore, go_on
        self._open: dict[str, _O] = {}
        self._used: dict[str, float] = {}
        self._tidied = time.monotonic()
        self._lock = threading.RLock()

    def add(self, stream_id: str, opened: _O) -> None:
        with self._lock:
            self._open[stream_id] = opened
            self._close_idle(stream_id)

    def open(self, stream_id: str) -> _O:
        """Return a stream, restored if need be. Raises UnknownStream or DamagedStream."""
        with self._lock:
            self._close_idle(stream_id)
            opened = self._open.get(stream_id)
            if opened is not None:
                return opened
            opened = self._open[stream_id] = self._restore(stream_id)
        if self._go_on is not None:
            self._go_on(stream_id, opened)
        return opened

    def current(self, stream_id: str) -> _O:
        """Return a stream with what other processes have written to it by now. Raises what `use` does."""
        self.use(stream_id, methodcaller("catch_up"))
        return self.open(stream_id)

    def use(self, stream_id: str, act: Callable[[_O], _T]) -> _T:
        """Do something with a stream; one that turns out to be deleted, damaged or changed without a claim is closed.

        Raises UnknownStream, DamagedStream or Conflict then: it is read anew when it is used again.
        """
        opened = self.open(stream_id)
        try:
            return act(opened)
        except (UnknownStream, DamagedStream, Conflict):
            self._drop(stream_id, opened)
            raise

    def delete(self, stream_id: str, delete: Callable[[], object]) -> None:
        with self._lock:  # or who looks at it meanwhile would have it read again before it is gone
            opened = self._open.pop(stream_id, None)
            if opened is not None:
                opened.close()
            delete()

    def catch_up(self, stream_id: str = "") -> None:
        """Take up what other processes have written to a stream that is open here; without an id, to any."""
        with self._lock:
            opened = [(one, held) for one, held in self._open.items() if stream_id in ("", one)]
        for one, held in opened:
            try:
                held.catch_up()
            except (UnknownStream, DamagedStream):
                self._drop(one, held)

    def stop(self) -> None:
        """Begin nothing more."""
        with self._lock:
            opened = list(self._open.values())
        for one in opened:
            one.close()

    def _drop(self, stream_id: str, opened: _O) -> None:
        with self._lock:
            if self._open.get(stream_id) is opened:
                del self._open[stream_id]
        opened.close()

    def _close_idle(self, used: str) -> None:
        """Note that a stream is used now, and close, from time to time, those that were not for long."""
        now = self._used[used] = time.monotonic()
        if now < self._tidied + IDLE_S / 10:
            return
        self._tidied = now
        for one in [one for one, at in self._used.items() if at <= now - IDLE_S and one != used]:
            opened = self._open.get(one)
            if opened is None or opened.rests:
                del self._used[one]
                if opened is not None:
                    self._drop(one, opened)


class Streams(OpenStreams[_O]):
    """Open streams that the threads of a pool work on in the background."""

    def __init__(
        self,
        restore: Callable[[str], _O],
        pool: TurnPool,
        go_on: Callable[[str, _O], object] | None = None,
        at_rest: Callable[[str], object] | None = None,
    ) -> None:
        """`at_rest` is called when nothing more can be done for a stream now."""
        super().__init__(restore, go_on)
        self._pool, self._at_rest = pool, at_rest
        self._jobs: dict[str, list[Future[None]]] = {}
        self._errors: dict[str, tuple[int, BaseException]] = {}

    def close(self) -> None:
        """Wait for what is being worked on; drop the rest."""
        self._pool.close()

    def start(self, stream_id: str, *, again: bool = False) -> None:
        """Have a stream worked on; one that is worked on already, once more after that.

        What the last work on it ended in is forgotten, unless that is done `again` for it.
        """
        with self._lock, suppress(RuntimeError):  # it is closed
            if not again:
                self._errors.pop(stream_id, None)
            self._jobs[stream_id] = [*self._left(stream_id), self._pool.submit(self._run, stream_id)]

    def take_over(self, stream_id: str) -> None:
        """Finish what a process had begun that has died."""
        with suppress(RuntimeError):  # it is closed
            self._pool.submit(self._take_over, stream_id)

    def is_busy(self, stream_id: str) -> bool:
        """Return whether a stream is worked on, or waits for a thread."""
        return bool(self._left(stream_id))

    def error_of(self, stream_id: str) -> BaseException | None:
        """Return what the last work on a stream ended in, if that was an error."""
        with self._lock:
            return self._errors.get(stream_id, (0, None))[1]

    def wait(self, stream_id: str, timeout_s: float) -> bool:
        """Wait until no thread works on a stream; return whether that is so."""
        until = time.monotonic() + timeout_s
        with self._pool.lent():  # they may need its slot
            while jobs := self._left(stream_id):
                if wait(jobs, timeout=max(0.0, min(until - time.monotonic(), threading.TIMEOUT_MAX))).not_done:
                    return False
        return True

    def finish(self, stream_id: str) -> None:
        """Do the work here that no thread has begun, and wait for the rest."""
        self.open(stream_id)
        for job in self._left(stream_id):
            if job.cancel():
                self._run(stream_id)
        self.wait(stream_id, threading.TIMEOUT_MAX)

    def _left(self, stream_id: str) -> list[Future[None]]:
        with self._lock:
            left = [job for job in self._jobs.pop(stream_id, ()) if not job.done()]
            if left:
                self._jobs[stream_id] = left
            return left

    def _take_over(self, stream_id: str) -> None:
        with suppress(UnknownStream):
            self.current(stream_id)
            self.start(stream_id)

    def _run(self, stream_id: str) -> None:
        error = self._try(stream_id)
        with self._lock:
            times = self._errors.pop(stream_id, (0, None))[0]
            if error is not None:
                self._errors[stream_id] = times + 1, error
        if error is not None and (self._pool.ended.is_set() or not isinstance(error, Exception)):
            return  # the process ends
        if isinstance(error, StoreFailed):  # there may be room on the disk by then
            timer = threading.Timer(RETRY_S[min(times, len(RETRY_S) - 1)], partial(self.start, stream_id, again=True))
            timer.daemon = True
            timer.start()
        if self._at_rest is not None:
            self._at_rest(stream_id)

    def _try(self, stream_id: str) -> BaseException | None:
        """Work on a stream, and return what that ended in. Ids stay out of logs: one is the only way to its stream."""
        failed: BaseException | None = None
        for _ in range(TRIES):
            try:
                self.use(stream_id, methodcaller("work"))
            except UnknownStream:
                return None  # it was deleted
            except Conflict:  # the claim was lost: what is on disk stands, and is gone on with
                _log.warning("a stream was written to elsewhere")
            except StoreFailed as error:
                _log.error("what was done could not be kept: %s", describe_trouble(error))
                failed = error
                if self._pool.ended.is_set():
                    break
            except BaseException as error:
                _log.error("the work on a stream stopped: %s", describe_trouble(error))
                return error
            else:
                return None
        return failed


class OtherProcesses:
    """Follows the store for the apps of this process, by the kinds of their streams."""

    def __init__(self, apps: Mapping[str, Streams[Any]]) -> None:
        self._apps = apps

    def moved_on(self, stream: StreamId) -> None:
        """Show what another process has written."""
        if stream.kind in self._apps:
            self._apps[stream.kind].catch_up(stream.id)

    def abandoned(self, stream: StreamId) -> None:
        if stream.kind in self._apps:
            self._apps[stream.kind].take_over(stream.id)

    def missed(self) -> None:
        """Show what may have been written while nothing was heard."""
        for app in self._apps.values():
            app.catch_up()
