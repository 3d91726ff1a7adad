"""A task, live: how far it is, what it lacks, its stages and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dialogue.log.stores.protocol import UnknownStream
from dialogue.tasks.telling.progress import progress_of
from language.responses.tasks.on_page import (
    DOWNLOAD_STAGES,
    PARTS,
    STAGES,
    STATUS_WORDS,
    say_failures,
    say_generated,
    say_progress,
    say_reason,
)
from pages.shell.commands import attempt
from pages.shell.confirm import Confirmation, draw_button
from pages.shell.frame import announce, download, guarded
from pages.shell.root import services
from pages.shell.sheet import draw, el, hint, problem, shorten
from pages.tasks.look import Look, look_at, status_tag
from pages.tasks.missing import draw_missing
from pages.tasks.node import draw_node
from pages.tasks.outcome import draw_outcome
from pages.tasks.tree import draw_tree, tree_graph
from pages.views.graph import draw_graph

CANCEL_WORDS = "It ends for good. What was done so far is kept."
FOLLOW_S = 0.5
"""How often a page looks whether something happened."""


def draw_task(task_id: str) -> None:
    """Draw a task, and draw the page again as soon as something happened in it.

    It is no fragment of its own: two that run side by side may leave on the page what the last run did not draw.
    """
    _draw(task_id)
    st.fragment(_follow, run_every=FOLLOW_S)(task_id)


def _follow(task_id: str) -> None:
    try:
        seen = _mark(look_at(task_id))
    except UnknownStream:
        seen = None
    if seen != st.session_state.get("task_drawn"):
        st.rerun()


def _mark(look: Look) -> tuple[str, int, bool, str]:
    return look.id, look.task.seq, look.view.busy, look.view.fault


def _draw(task_id: str) -> None:
    with guarded("the task"):
        look = look_at(task_id)
        st.session_state["task_drawn"] = _mark(look)
        _draw_head(look)
        with _place("task-asked"):
            draw_missing(look)
        with st.container(key="task-body"):
            left, right = st.columns([1, 1], gap="medium")
        with left, st.container(border=True, key="task-stages"):
            _draw_stages(look)
        with right:
            with _place("task-node-place"):
                if look.chosen is not None:
                    with st.container(key="task-node-shown"):
                        draw_node(look, look.chosen, act)
            with st.container(border=True, key="task-outcome"):
                draw_outcome(look)


def _place(key: str) -> DeltaGenerator:
    """Make a place for what comes and goes: what follows keeps its own, and is not made anew."""
    return st.container(key=key)


def _draw_head(look: Look) -> None:
    progress = progress_of(look.task, look.catalog)
    words = say_progress(progress.solved, progress.stages, progress.done, progress.steps)
    parts = progress.stages + max(progress.steps, progress.stages)
    share = 100 if look.status in ("done", "unmet") else 100 * (progress.solved + progress.done) // max(1, parts)
    generated = sorted(look.task.description.generated)
    announce(f"{STATUS_WORDS[look.status]} {words}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="task-head"):
        draw("task-status", [el("p", "headed", status_tag(look.status), STATUS_WORDS[look.status])])
        if look.status in ("working", "missing"):
            st.button("Pause", icon=":material/pause:", key="task-pause", on_click=_pause, args=(look.id,))
        if look.status == "paused":
            st.button("Resume", icon=":material/play_arrow:", key="task-resume", on_click=_resume, args=(look.id,))
        if look.task.ending is None:
            cancel = partial(services().tasks.cancel, look.id)
            asked = Confirmation("Cancel this task?", CANCEL_WORDS, "Cancel the task", "Let it go on", cancel)
            draw_button("Cancel…", "task-cancel", asked)
    draw(
        "task-progress",
        [
            hint(f"{words}.", say_reason(shorten(look.task.reason))),
            problem(failures) if (failures := say_failures(len(look.report.failures))) else None,
            hint(made_up) if (made_up := say_generated([PARTS[one.value] for one in generated])) else None,
            el("div", "meter", el("span", vars={"--done": f"{share}%"}), aria_hidden="true"),
        ],
    )
    with _place("task-halted"):
        if look.view.fault:
            draw("task-fault", [problem(look.view.fault)])
        if look.status == "working" and not look.view.busy:
            st.button("Go on", icon=":material/play_arrow:", key="task-go-on", on_click=_resume, args=(look.id,))


def _pause(task_id: str) -> None:
    attempt(services().tasks.pause, task_id)


def _resume(task_id: str) -> None:
    attempt(services().tasks.resume, task_id)


def _draw_stages(look: Look) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        draw("task-stages-head", [el("h2", "", STAGES)])
        drawn: bool = st.toggle("As a graph", key="task-as-graph")
        tree = partial(services().tasks.export_tree, look.id)
        download(DOWNLOAD_STAGES, tree, f"task-{look.id[:8]}-stages.json", "application/json")
    with _place("task-graph-place"):
        if drawn:
            nodes, edges = tree_graph(look)
            draw_graph("task-graph", nodes, edges, chosen={look.node}, on_node=select, tallest=560)
    draw("task-tree", draw_tree(look), act)


def select(node: str) -> None:
    """Look at a hypothesis, or at none, where it is the one that is looked at."""
    if st.query_params.get("node") == node:
        st.query_params.pop("node", None)
    else:
        st.query_params["node"] = node
    st.query_params.pop("step", None)


def act(clicked: Mapping[str, Any]) -> None:
    what = str(clicked.get("what", ""))
    match clicked.get("do"):
        case "node":
            select(what)
        case "select" | "step":
            skill = what.removeprefix("skill:")
            if st.query_params.get("step") == skill:
                st.query_params.pop("step", None)
            else:
                st.query_params["step"] = skill
