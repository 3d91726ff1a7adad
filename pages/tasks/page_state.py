"""The way into a task, and what the page shows of it: how it stands, and what is selected in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import streamlit as st

from catalog.load.demo_files import TASK_DEMOS
from catalog.model import Catalog
from dialogue.services.tasks.views import TaskView
from dialogue.tasks.inputs import read_handed_over
from dialogue.tasks.reporting.record import record_of
from dialogue.tasks.reporting.report import status_of, write_report
from dialogue.tasks.state.task import Task
from explain.tasks import TaskRecord
from language.responses.tasks.on_page import NOT_KEPT, STATUS
from language.responses.tasks.report import Status, TaskReport
from pages.frame.frame import Route
from pages.frame.problems import Trouble, tried
from pages.shell.root import services
from pages.shell.sheet import Node, el, icon
from pages.views.plans import fact_label
from planning.hierarchy.files.load import LoadedTask
from planning.hierarchy.tree import Hypothesis

PICTURES: dict[Status, str] = {
    "working": "running", "missing": "problem", "done": "done", "unmet": "problem", "gave_up": "failed",
    "cancelled": "failed", "paused": "waiting",
}  # fmt: skip
_TONES: dict[Status, str] = {"done": "good", "missing": "warn", "unmet": "warn", "gave_up": "bad", "cancelled": "bad"}


@dataclass(frozen=True)
class TaskPage:
    """A task at one moment; `node` is the hypothesis that is looked at, and `step` the skill of a step of its plan.

    `how` is the result of which it is looked at how it came about, with `=` and the number of a figure in it.
    """

    view: TaskView
    node: str = ""
    step: str = ""
    how: str = ""
    states: dict[str, str] = field(default_factory=dict, compare=False)
    """How the hypotheses stand, as far as that was found already."""

    @property
    def id(self) -> str:
        return self.view.id

    @property
    def task(self) -> Task:
        return self.view.task

    @property
    def catalog(self) -> Catalog:
        return self.view.catalog

    @cached_property
    def report(self) -> TaskReport:
        return write_report(self.id, self.task, self.catalog)

    @cached_property
    def record(self) -> TaskRecord:
        return record_of(self.view.log, self.task, self.catalog)

    @property
    def status(self) -> Status:
        return status_of(self.task)

    @property
    def chosen(self) -> Hypothesis | None:
        return self.task.tree.hypotheses.get(self.node)

    def fact(self, name: str) -> str:
        return fact_label(self.catalog, name)

    def facts(self, names: object) -> list[str]:
        return [self.fact(str(name)) for name in names] if isinstance(names, tuple | list | dict) else []


def read_page(task_id: str) -> TaskPage:
    """Take a look at a task. Raises UnknownStream."""
    view = services().tasks.view(task_id)
    return TaskPage(
        view, st.query_params.get("node", ""), st.query_params.get("step", ""), st.query_params.get("how", "")
    )


def status_tag(status: Status) -> Node:
    """Draw how a task stands: a picture and a word."""
    return el("span", f"tag {_TONES.get(status, '')}", icon(PICTURES[status]), f" {STATUS[status]}")


TASK = Route("task", ("node", "step", "how"))


def folder_of(demo: str) -> Path | None:
    """Return the folder that the files of a ready-made task are in."""
    return TASK_DEMOS[demo].parent.parent if demo in TASK_DEMOS else None


def hand_over(given: LoadedTask, files: Mapping[str, bytes], demo: str = "") -> Trouble:
    """Hand a task over with files that came along, and go there; return what is wrong with its inputs, if anything."""
    read = read_handed_over(files, folder_of(demo))
    task_id, trouble = tried(partial(services().tasks.give, given, read=read), NOT_KEPT)
    if task_id is not None:
        st.session_state["task_section_next"] = "tasks"
        TASK.go(task_id)
        st.rerun()
    return trouble
