"""Tasks: work that is planned in stages, followed live, supplied with what it lacks, and checked."""

from __future__ import annotations

from language.responses.tasks.on_page import NO_SUCH_TASK, NO_SUCH_TASK_WORDS
from pages.frame.frame import Frame
from pages.shell.sheet import shorten
from pages.tasks.course import draw_task
from pages.tasks.doors import TASK
from pages.tasks.lobby import draw_lobby
from pages.tasks.look import TaskLook, look_at


def _heading(look: TaskLook) -> tuple[str, str]:
    return shorten(look.task.title, 120), f"task {look.id[:4]}, {look.catalog.label}"


if __name__ == "__main__":
    Frame(
        TASK, look_at, _heading, lambda look: draw_task(look.id), draw_lobby, (NO_SUCH_TASK, NO_SUCH_TASK_WORDS)
    ).draw()
