"""Tests in several processes that are forked once all tests are collected.

What is imported, compiled and learned until then is so once for all of them, and not by each. A process is handed one
module after the other, so that what tests of a module share is made once, and in the end parts of modules that others
have. Tests that need the server or the browser go to the first that asks, those that need the database to another, so
that each is started once.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

import pytest

from tests.coverage_floors import save_measured

PART = 12
"""So many tests of a module are handed out at a time."""
SERVERS = {"chromium": "browser", "server": "browser", "postgresql": "postgresql"}
"""Fixtures that start a server or a browser, and what those are called that stay in one process for them."""
BROWSER = SERVERS["chromium"]
_PATIENCE_S = 120
_FORK = multiprocessing.get_context("fork")


class Parts:
    """Numbers of tests that no process has been handed yet."""

    def __init__(self, items: Sequence[pytest.Item]) -> None:
        groups: dict[str, list[int]] = {}
        self._group_of = [_group(item) for item in items]
        for number, group in enumerate(self._group_of):
            groups.setdefault(group, []).append(number)
        ordered = sorted(groups, key=lambda group: (group != BROWSER, group not in SERVERS.values()))
        self._untouched = deque(ordered)
        self._left = {
            group: deque(groups[group][first : first + PART] for first in range(0, len(groups[group]), PART))
            for group in ordered
        }
        self._held: dict[int, str] = {}

    def take(self, process: int) -> list[int]:
        """Hand out a part of the group that a process is at, else a group that none is at, else what others have left.

        What needs the browser stays with the process that has one.
        """
        held = self._held.get(process)
        if held is not None and self._left[held]:
            return self._left[held].popleft()
        if self._untouched:
            self._held[process] = self._untouched.popleft()
            return self._left[self._held[process]].popleft()
        most = max(
            (group for group in self._left if group != BROWSER), key=lambda one: len(self._left[one]), default=""
        )
        return self._left[most].pop() if most and self._left[most] else []

    def give_back(self, process: int, numbers: Sequence[int]) -> None:
        """Take back what a process that died had been handed; the next to ask for it may be any."""
        if numbers:
            self._left[self._group_of[numbers[0]]].appendleft([*numbers])
        held = self._held.pop(process, None)
        if held is not None and self._left[held]:
            self._untouched.appendleft(held)


def _group(item: pytest.Item) -> str:
    started = (SERVERS[name] for name in getattr(item, "fixturenames", ()) if name in SERVERS)
    return min(started, default=str(item.path))


@dataclass
class Worker:
    """A process that runs tests, and what it has been handed and has not finished."""

    process: BaseProcess
    told: Connection
    numbers: list[int] = field(default_factory=list)
    began: bool = False


@dataclass(eq=False)
class _Teller:
    """A plug-in of the process that runs tests: tells the one that collected them what goes on."""

    config: pytest.Config
    told: Connection

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self.told.send(("logstart", nodeid, location))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.told.send(("logreport", self.config.hook.pytest_report_to_serializable(config=self.config, report=report)))

    def pytest_runtest_logfinish(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self.told.send(("logfinish", nodeid, location))

    def take(self) -> list[int]:
        """Ask for more tests; return none where there are no more."""
        self.told.send(("take",))
        numbers: list[int] = self.told.recv()
        return numbers


def _serve(session: pytest.Session, told: Connection, others: Sequence[Connection]) -> None:
    """Run in a process of its own what is handed to it, and tell what goes wrong outside of tests."""
    for other in others:
        other.close()
    try:
        try:
            _run(session, told)
        finally:  # also where the first failure ends it: servers that tests have started are to end
            session._setupstate.teardown_exact(None)
    except KeyboardInterrupt:
        return
    except Exception:
        told.send(("trouble", traceback.format_exc()))
    else:
        told.send(("end",))


def _run(session: pytest.Session, told: Connection) -> None:
    config = session.config
    manager = config.pluginmanager
    manager.unregister(name="terminalreporter")
    capture: Any = manager.getplugin("capturemanager")
    capture.stop_global_capturing()  # into files that all processes would write to
    capture.start_global_capturing()
    teller = _Teller(config, told)
    manager.register(teller)
    numbers = deque(teller.take())
    while numbers and not (session.shouldfail or session.shouldstop):
        item = session.items[numbers.popleft()]
        if not numbers:  # before the last is run: what it shares with the next is kept
            numbers.extend(teller.take())
        after = session.items[numbers[0]] if numbers else None
        config.hook.pytest_runtest_protocol(item=item, nextitem=after)
    save_measured(config)


def _await_threads() -> None:
    """Wait until what modules of tests have begun in the background is done: a forked process has no other threads."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(_PATIENCE_S)
            if thread.is_alive():
                raise pytest.UsageError(f"a module of tests has begun a thread that does not end: {thread.name}")


@dataclass(eq=False)
class Forked:
    """A plug-in that runs tests in a number of processes."""

    count: int

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run all tests, and report on them here."""
        if session.testsfailed or session.config.option.collectonly or len(session.items) < 2:
            return None
        _await_threads()
        session.config.pluginmanager.getplugin("terminalreporter").showfspath = False
        self.session, self.parts = session, Parts(session.items)
        self.numbers = {item.nodeid: number for number, item in enumerate(session.items)}
        self.workers: dict[int, Worker] = {}
        try:
            for number in range(min(self.count, len(session.items))):
                self._begin(number)
            while self.workers:
                self._hear()
        finally:
            for worker in self.workers.values():
                os.kill(worker.process.ident or 0, signal.SIGINT)
            for worker in self.workers.values():
                worker.process.join(_PATIENCE_S)
                worker.process.kill()
        return True

    def _begin(self, number: int) -> None:
        told, tell = _FORK.Pipe()
        others = [worker.told for worker in self.workers.values()]
        process = _FORK.Process(target=_serve, args=(self.session, tell, [*others, told]))
        process.start()
        tell.close()
        self.workers[number] = Worker(process, told)

    def _hear(self) -> None:
        """Wait until processes tell something, and do what follows from it."""
        by_told = {worker.told: number for number, worker in self.workers.items()}
        for told in wait(list(by_told)):
            number = by_told[told]  # type: ignore[index]
            try:
                what, *about = self.workers[number].told.recv()
            except (EOFError, ConnectionResetError):
                self._died(number)
                continue
            self._take_note(number, what, *about)
            if self.session.shouldfail:
                raise self.session.Failed(self.session.shouldfail)
            if self.session.shouldstop:
                raise self.session.Interrupted(self.session.shouldstop)

    def _take_note(self, number: int, what: str, *about: Any) -> None:
        worker, hook = self.workers[number], self.session.config.hook
        match what, about:
            case "take", _:
                numbers = self.parts.take(number)
                worker.numbers.extend(numbers)
                worker.told.send(numbers)
            case "logstart", (nodeid, location):
                worker.began = True
                hook.pytest_runtest_logstart(nodeid=nodeid, location=location)
            case "logreport", (data,):
                report = hook.pytest_report_from_serializable(config=self.session.config, data=data)
                hook.pytest_runtest_logreport(report=report)
            case "logfinish", (nodeid, location):
                worker.began = False
                worker.numbers.remove(self.numbers[nodeid])
                hook.pytest_runtest_logfinish(nodeid=nodeid, location=location)
            case "end", _:
                self.workers.pop(number).process.join()
            case "trouble", (why,):
                raise RuntimeError(f"a process that runs tests cannot go on:\n{why}")

    def _died(self, number: int) -> None:
        """Report the test that a process died of, and have another go on with the rest."""
        worker = self.workers.pop(number)
        worker.process.join()
        if not worker.began:
            raise RuntimeError(f"a process that ran no test just then ended with {worker.process.exitcode}")
        item = self.session.items[worker.numbers.pop(0)]
        why = f"the process that ran this test ended with {worker.process.exitcode}"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", why, "call")
        self.session.config.hook.pytest_runtest_logreport(report=report)
        self.parts.give_back(number, worker.numbers)
        self._begin(number)
