"""What the page shows of a task: how it stands, and what is selected in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import streamlit as st

from catalog.model import Catalog
from dialogue.services.tasks.views import TaskView
from dialogue.tasks.reporting.record import record_of
from dialogue.tasks.reporting.report import status_of, write_report
from dialogue.tasks.state.task import Task
from explain.tasks import TaskRecord
from language.responses.tasks.on_page import STATUS
from language.responses.tasks.report import Status, TaskReport
from pages.shell.root import services
from pages.shell.sheet import Node, el, icon
from pages.views.plans import fact_label
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
