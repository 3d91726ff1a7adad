"""A task, live: how far it is, what it lacks, its stages and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import JsonValue
from streamlit.delta_generator import DeltaGenerator

from catalog.load.demo_files import TASK_DEMOS
from catalog.values import Kind
from dialogue.tasks.inputs import read_handed_over
from dialogue.tasks.reporting.progress import ListProgress, lists_of, progress_of
from dialogue.tasks.state.provenance import hides
from dialogue.tasks.state.task import TaskValue
from language.responses.tasks import on_page
from language.responses.tasks.on_page import NOT_KEPT
from language.responses.tasks.report import JUDGES
from pages.frame.frame import Mark, Route, follow, keep_drawn
from pages.frame.problems import Trouble, tried
from pages.shell import address
from pages.shell.commands import attempt
from pages.shell.confirm import ConfirmButtons, draw_button
from pages.shell.frame import announce, download, escape_markdown, guarded
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, folded, hint, icon, problem, shorten
from pages.tasks.missing import draw_judging, draw_missing
from pages.tasks.node import ask, draw_node, how_it_came, why_unmet
from pages.tasks.page_state import TaskPage, read_page, status_tag
from pages.tasks.tree import draw_tree, tree_graph
from pages.views.graph import draw_graph
from pages.views.media import data_table, draw_figure, draw_file, file_of
from pages.views.plans import skill_label
from planning.hierarchy.files.load import LoadedTask

CANCEL_WORDS = "It ends for good. What was done so far is kept."
FOLLOW_S = 0.5
"""How often a page looks whether something happened."""
_LONGEST = 4_000
_MOST = 50
_ITEMS, _FAILED = 100, 10
"""Items of a list that are drawn, and of those that failed, how many are drawn first."""
_PICTURES = {"met": "done", "unmet": "failed", "waiting": "person", "unchecked": "later"}
_TONES = {"met": "good", "unmet": "bad", "waiting": "warn", "unchecked": ""}


def draw_outcome(page: TaskPage) -> None:
    draw(
        "task-results-head",
        [el("h2", "", on_page.RESULTS), *([] if page.report.results else [hint(on_page.NO_RESULTS)])],
    )
    with st.container(key="task-results"):  # always there: what follows keeps its place, and is not made anew
        for result in page.report.results:
            found = page.task.find(page.catalog, result.name)
            if found is not None:
                _draw_result(page, result.name, page.catalog.facts[found.fact].value, found)
    draw("task-criteria", [*criteria(page)])
    for one in page.report.criteria:
        if one.by == "model":
            with st.expander(escape_markdown(on_page.JUDGE_IT.format(criterion=shorten(one.text, 80)))):
                draw_judging(page, one.number, f"outweigh-{one.number}")
    draw("task-lists", [*lists(page)])


def _draw_result(page: TaskPage, name: str, kind: Kind, found: TaskValue) -> None:
    value = found.value
    with st.container(border=True, key=f"task-result-{name}"):
        draw(f"task-result-head-{name}", [el("h3", "capital", page.fact(name))])
        if hides(page.catalog, page.task, found):
            draw(f"task-result-hidden-{name}", [hint(icon("authorize"), " ", on_page.HIDDEN)])
            if not st.toggle("Show it", key=f"task-reveal-{name}"):
                return
        parts = value if kind.item is not None and isinstance(value, list) else [value]
        for number, part in enumerate(parts[:_MOST]):
            _draw_value(page, f"{name}-{number}", kind.item or kind, part, page.fact(name))
        if len(parts) > _MOST:
            draw(f"task-result-more-{name}", [hint(f"And {len(parts) - _MOST:,} more.")])
        draw(f"task-result-how-{name}", how_it_came(page, name), ask)


def _draw_value(page: TaskPage, key: str, kind: Kind, value: JsonValue, label: str) -> None:
    if not isinstance(value, Mapping):
        text = kind.show(value)
        lines = [el("p", "", line) for line in shorten(text, _LONGEST).split("\n") if line.strip()]
        draw(f"task-value-{key}", [el("div", "said-result", lines)])
    elif kind.shown_as in ("picture", "document"):
        draw_file(partial(services().tasks.file, page.id), file_of(value), key=f"task-download-{key}")
    elif kind.shown_as == "chart" and isinstance(figure := value.get("plotly"), dict):
        draw_figure(figure, key=f"task-chart-{key}")
    elif kind.shown_as == "table":
        draw(f"task-table-{key}", [el("div", "", data_table(value, label))])
    else:
        draw(f"task-value-{key}", [el("p", "", shorten(kind.show(dict(value)), _LONGEST))])


def criteria(page: TaskPage) -> Iterator[Node]:
    if not page.report.criteria:
        return
    rows = [
        el(
            "li",
            f"criterion {one.standing}",
            el(
                "span",
                f"tag {_TONES[one.standing]}",
                icon(_PICTURES[one.standing]),
                f" {on_page.STANDINGS[one.standing]}",
            ),
            el("span", "capital", one.text),
            el("small", "muted", shorten(one.found, 300)) if one.found and one.found != one.text else None,
            el("small", "muted", JUDGES[one.by])
            if one.by in ("person", "model") and one.standing != "waiting"
            else None,
            why_unmet(page, one.number) if one.standing == "unmet" else None,
            key=f"criterion-{one.number}",
        )
        for one in sorted(page.report.criteria, key=lambda one: one.standing != "unmet")
    ]
    met = sum(one.standing == "met" for one in page.report.criteria)
    yield el("h2", "counted", on_page.CRITERIA, el("small", "muted", f" {met} of {len(rows)} met"))
    yield el("ul", "criteria", rows, aria_label=on_page.CRITERIA)


def lists(page: TaskPage) -> Iterator[Node]:
    """Draw what is done for each item of a list, with what failed."""
    found = lists_of(page.task, page.catalog)
    if not found:
        return
    yield el("h2", "counted", on_page.ITEMS)
    yield from (_list(page, one) for one in found)


def _list(page: TaskPage, one: ListProgress) -> Node:
    done, failed, running = map(one.count, ("done", "failed", "running"))
    words = on_page.say_items(one.total, done, failed, running)
    items = sorted(one.items, key=lambda item: item.standing != "failed")
    rows = [
        el(
            "li",
            f"item {item.standing}",
            icon({"done": "done", "failed": "failed"}.get(item.standing, "running")),
            el(
                "span",
                "",
                on_page.say_item(item.number, shorten(item.name, 80)),
                ": ",
                on_page.ITEM_STATES[item.standing],
            ),
            el("small", "muted", shorten(item.reason, 300)) if item.reason else None,
        )
        for item in items[:_ITEMS]
    ]
    more = f"And {len(items) - len(rows):,} more." if len(items) > len(rows) else ""
    share = f"{100 * (done + failed) / one.total:.0f}%" if one.total else "0%"
    return el(
        "div",
        "of-list",
        el(
            "p",
            "",
            el("strong", "capital", skill_label(page.catalog, one.skill)),
            f", {page.fact(one.listed)}: {words}",
        ),
        el("div", "meter", el("span", vars={"--done": share}), aria_hidden="true"),
        el("ul", "items", rows[: min(failed, _FAILED)]) if failed else None,
        hint(f"And {failed - _FAILED:,} more failed.") if failed > _FAILED else None,
        folded("All items", el("ul", "items", rows), hint(more) if more else None),
        key=f"list-{one.skill}-{one.listed}",
    )


def draw_task(task_id: str) -> None:
    """Draw a task, and draw the page again as soon as something happened in it.

    It is no fragment of its own: two that run side by side may leave on the page what the last run did not draw.
    """
    _draw(task_id)
    follow("task", lambda: _mark(read_page(task_id)), FOLLOW_S)


def _mark(page: TaskPage) -> Mark:
    return page.id, page.task.seq, (page.view.busy, page.view.fault)


def _draw(task_id: str) -> None:
    with guarded("the task"):
        page = read_page(task_id)
        keep_drawn("task", _mark(page))
        _draw_head(page)
        with _place("task-asked"):
            draw_missing(page)
        with st.container(key="task-body"):
            left, right = st.columns([1, 1], gap="medium")
        with left, st.container(border=True, key="task-stages"):
            _draw_stages(page)
        with right:
            with _place("task-node-place"):
                if page.chosen is not None:
                    with st.container(key="task-node-shown"):
                        draw_node(page, page.chosen, act)
            with st.container(border=True, key="task-outcome"):
                draw_outcome(page)


def _place(key: str) -> DeltaGenerator:
    """Make a place for what comes and goes: what follows keeps its own, and is not made anew."""
    return st.container(key=key)


def _draw_head(page: TaskPage) -> None:
    progress = progress_of(page.task, page.catalog)
    words = on_page.say_progress(progress.solved, progress.stages, progress.done, progress.steps)
    parts = progress.stages + max(progress.steps, progress.stages)
    share = 100 if page.status in ("done", "unmet") else 100 * (progress.solved + progress.done) // max(1, parts)
    generated = sorted(page.task.description.generated)
    announce(f"{on_page.STATUS_WORDS[page.status]} {words}")
    pause, resume = (partial(attempt, do, page.id) for do in (services().tasks.pause, services().tasks.resume))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="task-head"):
        draw("task-status", [el("p", "headed", status_tag(page.status), on_page.STATUS_WORDS[page.status])])
        if page.status in ("working", "missing"):
            st.button("Pause", icon=":material/pause:", key="task-pause", on_click=pause)
        if page.status == "paused":
            st.button("Resume", icon=":material/play_arrow:", key="task-resume", on_click=resume)
        if page.task.ending is None:
            cancel = partial(services().tasks.cancel, page.id)
            asked = ConfirmButtons("Cancel this task?", CANCEL_WORDS, "Cancel the task", "Let it go on", cancel)
            draw_button("Cancel…", "task-cancel", asked)
    draw(
        "task-progress",
        [
            hint(f"{words}.", on_page.say_reason(shorten(page.task.reason))),
            problem(failures) if (failures := on_page.say_failures(len(page.report.failures))) else None,
            hint(made_up)
            if (made_up := on_page.say_generated([on_page.PARTS[one.value] for one in generated]))
            else None,
            el("div", "meter", el("span", vars={"--done": f"{share}%"}), aria_hidden="true"),
        ],
    )
    with _place("task-halted"):
        if page.view.fault:
            draw("task-fault", [problem(page.view.fault)])
        if page.status == "working" and not page.view.busy:
            st.button("Go on", icon=":material/play_arrow:", key="task-go-on", on_click=resume)


def _draw_stages(page: TaskPage) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        draw("task-stages-head", [el("h2", "", on_page.STAGES)])
        drawn: bool = st.toggle("As a graph", key="task-as-graph")
        tree = partial(services().tasks.export_tree, page.id)
        download(on_page.DOWNLOAD_STAGES, tree, f"task-{page.id[:8]}-stages.json", "application/json")
    with _place("task-graph-place"):
        if drawn:
            nodes, edges = tree_graph(page)
            draw_graph("task-graph", nodes, edges, chosen={page.node}, on_node=select, tallest=560)
    draw("task-tree", draw_tree(page), act)


def select(node: str) -> None:
    """Look at a hypothesis, or at none, where it is the one that is looked at."""
    address.write("node", None if st.query_params.get("node") == node else node)
    st.query_params.pop("step", None)


def act(clicked: Mapping[str, Any]) -> None:
    what = str(clicked.get("what", ""))
    match clicked.get("do"):
        case "node":
            select(what)
        case "select" | "step":
            skill = what.removeprefix("skill:")
            address.write("step", None if st.query_params.get("step") == skill else skill)


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
