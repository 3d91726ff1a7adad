"""What a conversation may have of the task manager: it is the calling system of tasks (row H12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from dialogue.log.events import TaskBegun, TaskSupplied
from language.interpretation import TaskTalk

Delivery = Literal["taken", "late"]
"""Whether what was delivered was taken, or comes too late: the request was answered before."""


class TaskDesk(Protocol):
    """The desk at which one conversation gives tasks to the task manager, and asks about them."""

    def find_inputs(self, results: Sequence[str]) -> tuple[str, ...] | None:
        """List what people hand over for facts that can be had in stages, and only so; None for all others."""
        ...

    def ready_made(self) -> Mapping[str, str]:
        """Return the titles of the tasks that come with the catalog, by their names."""
        ...

    def elsewhere(self) -> Mapping[str, str]:
        """Return the titles of tasks of this catalog that were begun elsewhere, by their ids, last used first."""
        ...

    def deliver(self, entry: int, outgoing: TaskBegun | TaskSupplied) -> Delivery:
        """Give the task manager what was written down for it; a second time changes nothing.

        Raises ValueError where it is not taken, with the reason.
        """
        ...

    def find_result(self, task: int, words: str) -> tuple[str, str] | None:
        """Find the result of a task that words name, or the figure in it (else ""), of those that are there."""
        ...

    def tell(self, talk: TaskTalk) -> str | None:
        """Say what is asked about a task, by its number here or its id; None where there is none."""
        ...
