"""The scene of the tour with a task: too big for one plan, split, supplied with what it lacks, checked and judged.

How far it has got stands in the address, beside the task; each step hands something over, or looks at something.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Literal

import streamlit as st

from catalog.load.demo_files import SAMPLES, TASK_DEMOS
from catalog.values.documents import file_value
from dialogue.log.stores.protocol import UnknownStream
from dialogue.tasks.inputs import read_handed_over
from dialogue.tasks.reporting.progress import attempt_of
from pages.demo.room_scene import POLL_S, SceneStage
from pages.shell import address
from pages.shell.address import page_file
from pages.shell.frame import guarded
from pages.shell.root import services
from pages.shell.sheet import draw, empty
from pages.tasks.page_state import TaskPage, folder_of, read_page
from pages.tasks.progress import draw_task
from planning.hierarchy.files.load import read_task
from planning.hierarchy.tree import Hypothesis

_PAUSE_S, _READING_S, _LONGEST_S = 2.5, 0.045, 14.0
_DEMO = "board_pack"


@dataclass(frozen=True, slots=True)
class SceneStep:
    """What is done next, said before (`ahead`) and after it (`watch`), and the stage that is looked at then."""

    act: Literal["give", "supply", "judge", "look"]
    ahead: str
    watch: str
    shows: Literal["", "stuck", "each"] = ""


@dataclass(frozen=True, slots=True)
class TaskScene:
    """A task that is handed over, and what becomes of it."""

    title: str
    steps: tuple[SceneStep, ...]


TASK_SCENES: dict[str, TaskScene] = {
    "task": TaskScene(
        "A task: too big for one plan",
        (
            SceneStep(
                "give",
                "hand over: “Prepare the board pack for the third quarter”",
                "Three ledgers and a budget are to become a board pack. No plan does that in one piece, so it is split "
                "into stages, each with a description and a plan of its own. Splits that led nowhere stay on record.",
            ),
            SceneStep(
                "look",
                "the stage that is stuck",
                "Six of seven stages have a plan. One lacks a document, however the task is split: the staff list. It "
                "stands at the top, with a place to hand it over.",
                shows="stuck",
            ),
            SceneStep(
                "supply",
                "a person hands over the staff list",
                "The same tree goes on: what was solved stays solved. Steps that do not need each other run at the "
                "same time.",
                shows="stuck",
            ),
            SceneStep(
                "look",
                "the plan of one stage",
                "Each stage has a plan, drawn as in a conversation. This one is carried out for each of three ledgers.",
                shows="each",
            ),
            SceneStep(
                "judge",
                "a person judges the last criterion",
                "A program checked nine criteria: sections, bounds, figures that have to be the same everywhere. The "
                "tenth is a matter of judgement, so a person is asked. The board pack can be downloaded.",
            ),
        ),
    ),
}


def position(scene: TaskScene) -> int:
    line = st.query_params.get("line", "")
    return min(int(line), len(scene.steps)) if line.isdecimal() and st.query_params.get("task") else 0


def draw_task_scene(scene: TaskScene, controls: Callable[[SceneStage], None], *, playing: bool, speed: float) -> None:
    """Draw the task of a scene, with what to watch for above it; `controls` draws that, and how it is played."""
    page = _look()
    at = position(scene) if page else 0
    over = at >= len(scene.steps)
    coming = "The end. Now hand over one of your own." if over else f"Next: {scene.steps[at].ahead}"
    watch = scene.steps[at - 1].watch if at else ""
    step = None if over else partial(_do_next, scene)
    controls(SceneStage(at, len(scene.steps), watch, coming, page is not None and page.view.busy, step))
    if playing and not over:
        st.fragment(_tick, run_every=POLL_S)(scene, speed)
    if page is None:
        draw("scene-empty", [empty("goal", "Nothing is handed over yet", "Play or Step hands over a task.")])
        return
    if over:
        st.page_link(page_file("tasks"), label="Hand over a task of your own", icon=":material/task_alt:")
    draw_task(page.id)


def _look() -> TaskPage | None:
    with suppress(UnknownStream):
        return read_page(st.query_params.get("task", ""))
    return None


def _tick(scene: TaskScene, speed: float) -> None:
    """Take the next step once what happened last could be read."""
    with guarded("the scene"):
        page, at = _look(), position(scene)
        seen = (st.query_params.get("task"), at, page.task.seq if page else 0, page is not None and page.view.busy)
        shown, since = st.session_state.get("scene_seen", (None, 0.0))
        if shown != seen:
            since = monotonic()
            st.session_state["scene_seen"] = (seen, since)
        reading = min(_PAUSE_S + _READING_S * len(scene.steps[at - 1].watch), _LONGEST_S) if at else 0.0
        if at >= len(scene.steps) or seen[3] or monotonic() - since < reading / speed:
            return
        _do_next(scene)
        st.rerun()


def _do_next(scene: TaskScene) -> None:
    page, at = _look(), position(scene)
    if at >= len(scene.steps):
        return
    step = scene.steps[at] if page else scene.steps[0]
    with suppress(LookupError, ValueError):  # it was done in the page itself before
        match step.act:
            case "give":
                st.query_params["task"] = _give()
            case "supply" if page:
                _supply(page)
            case "judge" if page:
                for number in [one.number for one in page.report.criteria if one.standing == "waiting"]:
                    services().tasks.judge(page.id, number, met=True, found="It names the result and the hiring.")
    st.query_params["line"] = str(at + 1)
    address.write("node", _node(page, step.shows) or None if page else None)


def _give() -> str:
    path = TASK_DEMOS[_DEMO]
    given = read_task(path.read_text(encoding="utf-8"), str(path))
    return services().tasks.give(given, read=read_handed_over({}, folder_of(_DEMO)))


def _supply(page: TaskPage) -> None:
    """Hand over the samples of all documents that are missing."""
    found = SAMPLES[Path(page.task.file)]
    for fact in [name for one in page.report.missing if one.kind == "information" for name in one.names]:
        (path,) = found[fact]
        data = path.read_bytes()
        services().tasks.hand_over(page.id, fact, file_value(path.name, data), {path.name: data})


def _node(page: TaskPage, shows: str) -> str:
    """Return the first stage that is stuck, or was; or the first that is done for each item of a list."""
    if not shows:
        return ""
    if shows == "stuck" and page.node:
        return page.node
    root = page.task.tree.root
    names = root.stage_ids(attempt_of(page.task.tree, root) or 1)
    stages: list[Hypothesis] = [page.task.tree.hypotheses[name] for name in names]
    wanted = (one.id for one in stages if (one.description.each if shows == "each" else one.plan is None))
    return next(wanted, "")
