"""The way into a task, and out of it; handing one over."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from catalog.load.demo_files import TASK_DEMOS
from catalog.problems import CatalogError, Problem
from dialogue.services import StoreFailed
from dialogue.tasks.inputs import read_handed_over
from language.responses.tasks.on_page import NOT_KEPT
from pages.frame.frame import Way
from pages.shell.root import services
from pages.shell.sheet import draw, problem
from planning.hierarchy.files.load import LoadedTask

TASK = Way("task", ("node", "step", "how"))


def folder_of(demo: str) -> Path | None:
    """Return the folder that the files of a ready-made task are in."""
    return TASK_DEMOS[demo].parent.parent if demo in TASK_DEMOS else None


def hand_over(given: LoadedTask, files: Mapping[str, bytes], demo: str = "") -> tuple[Problem, ...]:
    """Hand a task over with files that came along, and go there; return what is wrong with its inputs, if anything."""
    try:
        task_id = services().tasks.give(given, read=read_handed_over(files, folder_of(demo)))
    except CatalogError as error:
        return error.problems
    except StoreFailed:
        draw("task-trouble", [problem(NOT_KEPT)])
        return ()
    st.session_state["task_section_next"] = "tasks"
    TASK.go(task_id)
    st.rerun()
    return ()
