"""The walks: what a user does, and what of the product runs for it.

Counts are the same at each run, on any machine and under any load. So the walks run in a process of their own, in which
strings hash alike and libraries use one thread; clocks stand still, the programs on the path are made up, and time
limits that would cut something off are put so far away that they never do. What is learned once for all is learned
before, without the hooks, which would make it take twice as long.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, chdir, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.structure.sources import ROOT
from benchmarks.structure.tracing import Trace, tracing

if TYPE_CHECKING:
    from dialogue.services import Services

SAID = "I'd like a loan of $12,000"
WARM_UP = "hello"
"""First utterance of a warm-up conversation, so that nothing is done for the first time."""
ROOM_SAID = "simulate 4000 reais for 36 months"
TASK = ROOT / "catalog" / "demos" / "reports" / "tasks" / "board_pack.yaml"
"""A task of the demo of reports; it stops where the staff list is missing."""
LINE, PRINTED = "git stauts", "git: 'stauts' is not a git command. See 'git --help'."
LEARNED = ROOT / "build" / "tests" / "cache"
"""What is learned once is kept with what tests have learned (`tests/kept.py`)."""
PROGRAMS = ("cat", "git", "grep", "ls", "sort")
FAR_S = 3_600.0
"""Seconds for what may not be cut off."""
_FIXED = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
_LIMITS = (
    ("dialogue.rooms.hub.hub", "TOGETHER_S"),  # else the bots of a round may be heard in several
    ("dialogue.rooms.hub.hub", "GATHER_S"),
    ("dialogue.tasks.running.manager", "SHOWN_S"),
    ("dialogue.agents.terminal.session", "AFTER_SECONDS"),
    ("dialogue.agents.terminal.wrapped.relay", "BEFORE_SECONDS"),
    ("dialogue.agents.terminal.wrapped.relay", "UNLIKELY_SECONDS"),
)


@dataclass(frozen=True)
class Walked:
    """What ran in a walk: the product's files, its functions (file:name:line), calls of patterns, transactions."""

    files: frozenset[str]
    functions: frozenset[str]
    patterns: int
    transactions: int


def walk_all() -> dict[str, Walked]:
    """Walk all walks in a process of its own; return what ran, by the name of the walk."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PLANGLASS_", "PYTHON"))}
    environment = {**kept, **_FIXED, "PLANGLASS_CACHE": str(LEARNED)}
    done = subprocess.run(
        [sys.executable, "-m", __spec__.name], cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True
    )
    found = json.loads(done.stdout.splitlines()[-1])
    return {
        name: Walked(frozenset(one["files"]), frozenset(one["functions"]), one["patterns"], one["transactions"])
        for name, one in found.items()
    }


def trace_utterance() -> Trace:
    """Trace an utterance in this process, with its deepest stack."""
    trace = Trace(keep_stack=True)
    with tempfile.TemporaryDirectory() as home:
        _learn(Path(home), rooms=False)
        with tracing(trace), closing(_services(Path(home))) as services:
            _utterance(services, partial(_traced, trace))
    return trace


Traced = Callable[[], Any]
"""Returns a context within which what runs is counted."""


@contextmanager
def _traced(trace: Trace) -> Iterator[None]:
    trace.on = True
    try:
        yield
    finally:
        trace.on = False


def _walk() -> dict[str, Trace]:
    traces: dict[str, Trace] = {}
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        _learn(home)
        put_limits_away()
        for name, walk in WALKS.items():
            traces[name] = trace = Trace()
            with tracing(trace):
                walk(home, partial(_traced, trace))
    return traces


def put_limits_away() -> None:
    """Put off what goes by the time: limits that would cut something off, and looks for other processes."""
    from dialogue.log.stores.sqlite import SqliteStore

    SqliteStore.follow = lambda *_: None  # type: ignore[method-assign]
    for module, name in _LIMITS:
        found = import_module(module)
        if not hasattr(found, name):
            raise LookupError(f"{module} has no {name} any more: say in benchmarks/structure/walks.py what it is now.")
        setattr(found, name, FAR_S)


def _services(home: Path) -> Services:
    os.environ["PLANGLASS_HOME"] = str(home)  # before the product is imported
    from dialogue.services import make_services

    return make_services(home, clock=lambda: datetime(2026, 11, 2, 9, tzinfo=UTC))


def _learn(home: Path, *, rooms: bool = True) -> None:
    """Have everything learned that is learned once, and be kept in memory and on disk."""
    with closing(_services(home)) as services:
        from language.readers.time_lexicon import words_of_time

        words_of_time(SAID)  # as learning does, of each word once; but not where what was learned is kept already
        services.warm("banking").result()
        if rooms:
            services.rooms.warm()


def _utterance(services: Services, traced: Traced) -> str:
    services.warm("banking").result()
    services.say(other := services.start("banking"), WARM_UP)
    services.wait(other, FAR_S)
    session = services.start("banking")
    with traced():
        services.say(session, SAID)
        services.wait(session, FAR_S)
    return session


def say_something(home: Path, traced: Traced) -> None:
    """Say something first thing in a conversation with the banking assistant, until the assistant waits."""
    with closing(_services(home)) as services:
        _utterance(services, traced)


def ask_why(home: Path, traced: Traced) -> None:
    """Click on why? of what is asked after that, until the answer is there."""
    from explain.model import Question, QuestionKind

    with closing(_services(home)) as services:
        session = _utterance(services, ExitStack)
        pending = services.snapshot(session).conversation.questions.pending
        if pending is None:
            raise LookupError(f"{SAID!r} leads to no question that could be asked about.")
        with traced():
            seen = services.snapshot(session)
            services.analyses.explanation(seen, Question(QuestionKind.WHY, pending.asked.subject)).result()


def speak_in_room(home: Path, traced: Traced) -> None:
    """Ask for a simulation in finch's room, until its bots have answered."""
    with closing(_services(home)) as services:
        for trial in (ExitStack, traced):
            room = services.rooms.open()
            services.rooms.join(room, "Ana")
            services.rooms.wait(room, FAR_S)
            with trial():
                services.rooms.say(room, "Ana", ROOM_SAID)
                services.rooms.wait(room, FAR_S)


def give_task(home: Path, traced: Traced) -> None:
    """Hand a task over, until it stops for want of a document."""
    from planning.hierarchy.files.load import load_task

    with closing(_services(home)) as services:
        given = load_task(TASK, services.loaded("reports"))
        with traced():
            task = services.tasks.give(given)
            services.tasks.wait(task, FAR_S)
        if not services.tasks.view(task).task.open_requests:
            raise LookupError(f"The task {TASK.stem} stops nowhere.")


def mistype_in_shell(home: Path, traced: Traced) -> None:
    """Run a mistyped line in the shell, as the relay tells of it: before it runs, and after it has failed."""
    from dialogue.agents.learning.learner import Learner
    from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
    from dialogue.agents.terminal.advisers import make_advisers
    from dialogue.agents.terminal.calls import TERMINAL_LEARNER
    from dialogue.agents.terminal.session import ShellParticipants, TerminalSession
    from dialogue.agents.terminal.sessions import KeptSession
    from dialogue.agents.terminal.wrapper import look_around
    from dialogue.cli.shell import ShellLearning
    from dialogue.log.stores import embedded_url, open_store

    programs, folder = home / "programs", home / "folder"
    for path in (programs, folder):
        path.mkdir()
    for name in PROGRAMS:
        (programs / name).touch(mode=0o755)
    clock = lambda: datetime(2026, 11, 2, 9, tzinfo=UTC)  # noqa: E731
    advisers = make_advisers({"PATH": str(programs)}, folder=home)
    advisers.warm()
    agents = tuple(replace(agent, limit_s=FAR_S, execute_s=FAR_S) for agent in advisers.declared)
    chooses = ORCHESTRATORS["max"](OrchestratorOptions())
    replied: dict[int, threading.Event] = {1: threading.Event(), 2: threading.Event()}
    with chdir(folder), closing(open_store(embedded_url(home))) as store:
        session = TerminalSession(
            ShellParticipants(agents, chooses),
            ShellLearning(chooses, "", Learner(TERMINAL_LEARNER, store, clock, home), "walked"),
            KeptSession("walked", store, clock),
            reply=lambda number, _: replied[number].set(),
            surroundings=partial(look_around, os.getpid(), "bash"),
            shell="bash",
            edits=True,
        )
        with traced():
            session.before(1, LINE, None, known=True)
            replied[1].wait()
            session.after(2, LINE, PRINTED, 1)
            replied[2].wait()
            session.shown(2)
            session.close(0)


WALKS: Mapping[str, Callable[[Path, Traced], None]] = {
    "an utterance": say_something,
    "a click on why?": ask_why,
    "a message in a room": speak_in_room,
    "a task to its first stop": give_task,
    "a line in the shell": mistype_in_shell,
}


def main() -> None:
    """Walk all walks in this process, and print what ran as JSON, on the last line."""
    found = {
        name: {
            "files": sorted(trace.files),
            "functions": sorted(trace.functions),
            "patterns": trace.patterns,
            "transactions": trace.transactions,
        }
        for name, trace in _walk().items()
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
