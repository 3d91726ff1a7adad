"""A workshop: a catalog whose skills put words together, and the services that carry out tasks with it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from catalog.load import Loaded, loads
from catalog.skills import NO_EFFECT, Result, SkillInput, idempotency_key
from dialogue.caller import SkillCaller
from dialogue.keys import key_of
from dialogue.log.stores import SqliteStore
from dialogue.log.stores.protocol import StreamId
from dialogue.log.streams import Entry
from dialogue.services.tasks.services import TaskServices
from dialogue.services.tasks.tools import CriteriaChecker, loaded_of
from dialogue.services.tasks.views import TaskMeans
from dialogue.tasks.running.manager import Tools
from dialogue.tasks.state.events import TASK
from dialogue.tasks.state.task import Task
from language.readers import read_answer
from planning.hierarchy.files.load import LoadedTask, read_task
from planning.hierarchy.search import Search

CATALOG = """
name: workshop
facts:
  plank: {description: A plank.}
  planks: {list_of: plank, value: {kind: list, most: 50}}
  board: {askable: false}
  boards: {list_of: board, askable: false, value: {kind: list, most: 50}}
  screws: {description: Screws.}
  frame: {askable: false}
  paint: {description: Paint.}
  key: {description: The key of the paint shop., sensitive: true}
  table: {askable: false}
  bill: {askable: false}
  sign: {askable: false}
skills:
  saw: {endpoint: "python:tests.dialogue.tasks.workshop:saw", modes: {one: {inputs: [plank], outcomes: {cut: [board]}}}}
  screw:
    endpoint: "python:tests.dialogue.tasks.workshop:screw"
    modes: {all: {inputs: [boards, screws], outcomes: {done: [frame]}}}
  paint_it:
    endpoint: "python:tests.dialogue.tasks.workshop:paint_it"
    modes: {all: {inputs: [frame, paint], outcomes: {done: [table], peeled: []}}}
  wax_it:
    endpoint: "python:tests.dialogue.tasks.workshop:wax_it"
    cost: 5
    modes: {all: {inputs: [frame], outcomes: {done: [table]}}}
  send_bill:
    endpoint: "python:tests.dialogue.tasks.workshop:send_bill"
    effect: irreversible
    modes: {all: {inputs: [table], outcomes: {sent: [bill]}}}
  spray:
    endpoint: "python:tests.dialogue.tasks.workshop:spray"
    modes: {all: {inputs: [key], outcomes: {done: [sign]}}}
methods:
  by_hand:
    results: [table]
    given: [planks]
    stages:
      - {text: Saw the planks, results: [boards], each: {plank: planks}}
      - {text: Screw them together, results: [frame]}
      - {text: Paint it, results: [table]}
      - {text: Look at it, results: [table]}
      - {text: Look at it once more, results: [table]}
"""
NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
CALLS: list[tuple[str, tuple[JsonValue, ...]]] = []
"""What was called, with the values, in the order of the calls."""
KEYS: dict[tuple[str, tuple[JsonValue, ...]], str] = {}
"""The idempotency key of the last call with these values."""
LOOKED_UP: list[str] = []
"""The keys of calls that were looked up."""
SENT: list[str] = []
"""The keys of calls by which a bill was sent."""
BEFORE: dict[str, Callable[[Mapping[str, SkillInput]], Result[Any] | None]] = {}
"""What a skill does instead, by its name; None: what it always does."""
AFTER: list[Callable[[str, Mapping[str, SkillInput]], object]] = []
"""Who is told of each call that is through."""
_lock = threading.Lock()


def make(skill: str, outcome: str, fact: str) -> Callable[[Mapping[str, SkillInput]], Result]:
    """Make a skill that puts its values together, unless a test has it do something else."""

    def made(values: Mapping[str, SkillInput]) -> Result:
        with _lock:
            CALLS.append((skill, tuple(map(str, values.values()))))
            KEYS[CALLS[-1]] = idempotency_key()
        if skill in BEFORE and (instead := BEFORE[skill](values)) is not None:
            return instead
        for told in AFTER:
            told(skill, values)
        return Result(outcome, {fact: f"{fact}({', '.join(map(str, values.values()))})"})

    return made


saw = make("saw", "cut", "board")
screw = make("screw", "done", "frame")
paint_it = make("paint_it", "done", "table")
wax_it = make("wax_it", "done", "table")
send_bill = make("send_bill", "sent", "bill")
spray = make("spray", "done", "sign")


def bill_looked_up(values: Mapping[str, SkillInput]) -> object:
    """Tell whether a bill was sent, as a test says."""
    LOOKED_UP.append(idempotency_key())
    return Result("sent", {"bill": "number 7"}) if idempotency_key() in SENT else NO_EFFECT


plane = make("plane", "done", "slab")

PLANKS = "inputs: {planks: {value: [oak, ash, elm]}}\n"


class Workshop:
    """Services of tasks over a store in a folder."""

    def __init__(self, home: Path, catalog: str = CATALOG) -> None:
        self.home = home
        self.file = home / "workshop.yaml"
        home.mkdir(parents=True, exist_ok=True)
        self.file.write_text(catalog, encoding="utf-8")
        self.loaded: Loaded = loads(catalog, str(self.file))
        self.store = SqliteStore(home / "tasks.db")
        allowed = (__name__, "tests.dialogue.tasks.bad_skills")
        self.caller = caller = SkillCaller(allowed, trusted=allowed)

        def tools(stream: StreamId) -> Tools:
            return Tools(
                search=lambda task: Search(loaded_of(task).catalog, seed=task.seed, activities=task.activities),
                caller=caller,
                load_input=lambda value: value,
                keep_file=lambda data: self.store.put_file(stream, data),
                check=lambda task, found, number: CriteriaChecker(found, task, lambda value: value).check(number),
                read_results=lambda _catalog, text: ["table"] if "table" in text else [],
                claim=partial(self.store.claim, stream),
                key_of=partial(key_of, stream),
            )

        today = date(2026, 11, 23)
        means = TaskMeans(
            loaded_of,
            tools,
            lambda: today,
            lambda: allowed,
            lambda _name: self.loaded,
            lambda kind, text: read_answer(kind, text, today),
        )
        self.tasks = TaskServices(self.store, lambda: NOW, means)

    def give(self, text: str) -> str:
        """Hand a task over, as the text of its file, and wait until it waits."""
        return self.quiet(self.tasks.give(self.read(text)))

    def read(self, text: str) -> LoadedTask:
        """Read the text of a task file."""
        return read_task(text, str(self.home / "task.yaml"), self.loaded, folder=self.home)

    def quiet(self, task_id: str) -> str:
        """Wait until a task waits for somebody, or is over."""
        assert self.tasks.wait(task_id, 60)
        return task_id

    def state(self, task_id: str) -> Task:
        """Return how a task stands."""
        return self.tasks.view(task_id).task

    def log(self, task_id: str) -> tuple[Entry, ...]:
        """Return its log."""
        return self.tasks.view(task_id).log

    def put(self, task_id: str, entries: tuple[Entry, ...]) -> None:
        """Write entries of a task that somebody else has begun."""
        self.store.append(StreamId(TASK.name, task_id), [TASK.encode(entry) for entry in entries])

    def close(self) -> None:
        """Close it."""
        self.tasks.close()
        self.caller.close()
        self.store.close()


def counted() -> Counter[str]:
    """Count the calls of each skill."""
    return Counter(skill for skill, _ in CALLS)
