"""A task of a public set, and what is wrong with a file that is none."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.model import Catalog
from planning.model import PlanGoal, Situation, Task
from planning.task.compilation import compile_task


class BadSet(Exception):
    """A file is not what a set consists of: the text says what was found, and what to do."""


@dataclass(frozen=True)
class PublicTask:
    """A task: what can be done, what is known, what is wanted; and the cost of the best plan that was published."""

    name: str
    catalog: Catalog
    situation: Situation
    wanted: PlanGoal
    published: float | None = None

    @property
    def task(self) -> Task:
        """Compile it."""
        return compile_task(self.catalog, self.situation, self.wanted)
