"""A workshop in a process of its own, which can be killed at any point; its skills count their calls on the disk."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from unittest.mock import patch

from catalog.skills import SkillInput
from dialogue.log.stores import SqliteStore
from dialogue.log.stores.protocol import StoredEntry, StreamId
from dialogue.tasks.state.requests import NeedFunction, SettleCall
from tests.dialogue.tasks import workshop
from tests.dialogue.tasks.workshop import Workshop

BILL = """task: Bill it
confirmed: true
inputs: {planks: {value: [oak, ash, elm]}, screws: {value: six}}
results: [bill]
"""
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload([__name__])


def start(work: object, *given: object) -> tuple[BaseProcess, Connection]:
    """Run a function of this module in a process of its own; it gets the other end of a pipe first."""
    here, there = _context.Pipe()
    process = _context.Process(target=work, args=(there, *given), daemon=True)  # type: ignore[arg-type]
    process.start()
    there.close()
    return process, here


def note(file: Path, *words: str) -> None:
    """Write words down so that they stay, whatever becomes of the process."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write("\t".join(words) + "\n")
        lines.flush()
        os.fsync(lines.fileno())


def noted(file: Path) -> list[list[str]]:
    """Read what was noted."""
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def effects(home: Path) -> Counter[str]:
    """Count what the skills did, by the skill and the values that it got."""
    return Counter(f"{skill}: {values}" for skill, values in noted(home / "effects.txt"))


def acknowledged(home: Path, what: str) -> list[str]:
    """List what was acknowledged to whoever said it."""
    return [words[1] for words in noted(home / "said.txt") if words[0] == what]


def count_on_disk(home: Path) -> None:
    """Have the skills of this process write down what they do."""

    def through(skill: str, values: Mapping[str, SkillInput]) -> None:
        note(home / "effects.txt", skill, ", ".join(map(str, values.values())))

    workshop.AFTER[:] = [through]


def bill(_pipe: Connection, home: Path, points: Sequence[int]) -> None:
    """Bill a table, whichever process has begun with it; at one of some points, this one is killed.

    Points are counted from 1: before and after each write, and before and after each call. What was acknowledged is
    noted.
    """
    ticks, lock = itertools.count(1), threading.Lock()

    def tick(*_given: object) -> None:
        with lock:
            if next(ticks) in points:
                os.kill(os.getpid(), signal.SIGKILL)

    def append(store: SqliteStore, stream: StreamId, entries: Sequence[StoredEntry]) -> None:
        tick()
        written(store, stream, entries)
        tick()

    count_on_disk(home)
    workshop.AFTER.append(tick)
    workshop.BEFORE.update(dict.fromkeys(("saw", "screw", "wax_it", "send_bill"), tick))
    written = SqliteStore.append
    with patch.object(SqliteStore, "append", append):
        shop = Workshop(home)
        if not acknowledged(home, "given"):
            task = shop.tasks.give(shop.read(BILL))
            note(home / "said.txt", "given", task)
        (task,) = acknowledged(home, "given")
        shop.tasks.resume(task)
        while asked := shop.state(shop.quiet(task)).open_requests:
            _answer(shop, task, asked[0].entry, home)
        shop.close()


def _answer(shop: Workshop, task: str, request: int, home: Path) -> None:
    """Consent; say of a call in doubt what came of it, as the disk tells, and see to it by hand if nothing did."""
    asked = shop.state(task).requests[request].request
    if isinstance(asked, SettleCall):
        sent = any(what.startswith("send_bill") for what in effects(home))
        shop.tasks.settle(task, request, {"bill": "sent, as somebody found out"} if sent else None)
    elif isinstance(asked, NeedFunction):
        shop.tasks.hand_over_words(task, "bill", "sent by hand")
    else:
        shop.tasks.consent(task, request, yes=True)
        note(home / "said.txt", "consented", str(request))


def watch(pipe: Connection, home: Path, task: str) -> None:
    """Go on with a task that another process is at work on, and hand something over."""
    count_on_disk(home)
    shop = Workshop(home)
    shop.tasks.resume(task)
    shop.tasks.hand_over(task, "screws", "six")
    pipe.send("handed over")
    shop.quiet(task)
    pipe.send(str(shop.state(task).ending))
    shop.close()


def hang(pipe: Connection, home: Path, task: str) -> None:
    """Go on with a task, and never come back from the first call."""
    workshop.BEFORE["saw"] = lambda _values: (pipe.send("calling"), threading.Event().wait())[0]  # type: ignore[func-returns-value]
    shop = Workshop(home)
    shop.tasks.resume(task)
    shop.quiet(task)
