"""The way into a task, and out of it; handing one over."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import streamlit as st

from catalog.load.demo_files import TASK_DEMOS
from dialogue.tasks.inputs import read_handed_over
from language.responses.tasks.on_page import NOT_KEPT
from pages.frame.frame import Route
from pages.frame.problems import Trouble, tried
from pages.shell.root import services
from planning.hierarchy.files.load import LoadedTask

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
