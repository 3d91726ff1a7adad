"""Tasks as services show them, and what the services of tasks need of the others."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date, datetime

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.model.loaded import Loaded
from catalog.problems import CatalogError, Problem
from catalog.values import Kind
from dialogue.log.stores import StreamRow
from dialogue.log.stores.protocol import StreamId
from dialogue.log.streams import Log
from dialogue.tasks.running.manager import Tools
from dialogue.tasks.state.events import TASK, TaskGiven
from dialogue.tasks.state.task import Task
from language.responses.events import UNREADABLE
from planning.hierarchy.files.load import LoadedTask, read_task


@dataclass(frozen=True, slots=True)
class TaskRow:
    id: str
    title: str
    started: datetime
    updated: datetime
    entries: int
    file: str = ""
    """The catalog's."""
    conversation: str = ""
    """The conversation that handed it over, if one did."""


class AnsweredBefore(LookupError):
    """A request is not open any more; `entry` is that of the same answer, if it got just that one, and counts."""

    def __init__(self, why: str, entry: int | None = None) -> None:
        super().__init__(why)
        self.entry = entry


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task as it stands: its state, the catalog with what was supplied to it, its log, and whether it is at work.

    `fault` says why it stopped, where an error of the program kept it from going on; what it had done is kept.
    """

    id: str
    task: Task
    catalog: Catalog
    log: Log
    busy: bool
    fault: str = ""


@dataclass(frozen=True, slots=True)
class CheckedTask:
    """A task file that was read: the task, where it can be handed over, and else what is wrong with it."""

    loaded: LoadedTask | None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskMeans:
    """What tasks need of the services.

    `loaded` returns the catalog of a task with what was supplied to it, `tools` what a manager works with, `today` the
    day, and `allowed` the endpoints that skills may be supplied for. `named` loads a catalog by its name, and `read`
    reads words as a value of a kind (it raises Unreadable).
    """

    loaded: Callable[[Task], Loaded]
    tools: Callable[[StreamId], Tools]
    today: Callable[[], date]
    allowed: Callable[[], Collection[str]]
    named: Callable[[str], Loaded]
    read: Callable[[Kind, str], JsonValue]


def row_of_task(stream: StreamRow) -> TaskRow:
    event = TASK.opening_of(stream)
    if not isinstance(event, TaskGiven):
        return TaskRow(stream.stream_id, UNREADABLE, stream.started, stream.updated, stream.entries)
    title = event.title or event.description.text
    return TaskRow(
        stream.stream_id, title, stream.started, stream.updated, stream.entries, event.file, event.conversation
    )


def check_task(text: str, file: str, catalog: Loaded | None) -> CheckedTask:
    """Read the text of a task file; without a catalog, it has to name a demo."""
    try:
        return CheckedTask(read_task(text, file, catalog))
    except CatalogError as error:
        return CheckedTask(None, error.problems)
