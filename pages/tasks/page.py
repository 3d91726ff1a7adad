"""Tasks: work that is planned in stages, followed live, supplied with what it lacks, and checked."""

from __future__ import annotations

import streamlit as st

from dialogue.log.stores.protocol import UnknownStream
from language.responses.tasks.on_page import NO_SUCH_TASK, NO_SUCH_TASK_WORDS
from pages.shell.frame import bar, notice
from pages.shell.sheet import shorten
from pages.tasks import doors, lobby
from pages.tasks.course import draw_task
from pages.tasks.look import look_at


def _missing() -> None:
    notice("missing", "glass", NO_SUCH_TASK, NO_SUCH_TASK_WORDS)
    with st.container(horizontal=True, horizontal_alignment="center"):
        st.button("See all tasks", type="primary", on_click=doors.go)


def main() -> None:
    task_id = st.query_params.get("task")
    if not task_id:
        lobby.draw_lobby()
        return
    try:
        look = look_at(task_id)
    except UnknownStream:
        _missing()
        return
    with st.container(horizontal=True, key="bar", vertical_alignment="center", gap="small"):
        bar(shorten(look.task.title, 120), f"task {task_id[:4]}, {look.catalog.label}")
        st.button("All tasks", icon=":material/folder_open:", type="tertiary", key="all-tasks", on_click=doors.go)
    draw_task(task_id)


if __name__ == "__main__":
    main()
