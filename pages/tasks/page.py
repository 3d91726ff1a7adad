"""Tasks: work that is planned in stages, followed live, supplied with what it lacks, and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

import streamlit as st

from catalog.load.demo_files import TASK_DEMOS
from catalog.wording.grammar import count
from dialogue.log.stores.protocol import UnknownStream
from dialogue.services.tasks.views import CheckedTask, TaskRow
from dialogue.tasks.reporting.report import status_of
from dialogue.tasks.state.task import Task
from explain.tasks.words import say_criterion
from language.responses.tasks import on_page
from pages.frame.frame import Frame, Lobby, LobbyRow
from pages.frame.problems import draw_found, draw_text, problem_list, say_trouble, typed_in, verdict
from pages.shell.clicks import clicked
from pages.shell.confirm import hand_on
from pages.shell.frame import announce, bar, choose, download, result_of
from pages.shell.root import catalog_labels, services
from pages.shell.sheet import Node, draw, el, empty, hint, pairs, problem, shorten
from pages.tasks.page_state import read_page, status_tag
from pages.tasks.progress import TASK, draw_task, hand_over
from pages.views import long_lists
from pages.views.plans import fact_label
from planning.hierarchy.files.load import LoadedTask

_OWN = ""  # in place of a ready-made task's name: a file of one's own
_EDITOR = "task-text"


def findings(checked: CheckedTask) -> list[Node]:
    """Say whether a task file can be handed over, what is in it, and what is wrong with it."""
    if checked.loaded is None:
        words = f"{on_page.FAULTS}: {count(len(checked.problems), 'problem')}"
        return [verdict("bad", words), *problem_list(checked.problems)]
    return [verdict("good", on_page.READY, summary(checked.loaded))]


def summary(given: LoadedTask) -> Node:
    task, catalog = given.task, given.catalog.catalog

    def chips(names: Iterator[str] | tuple[str, ...]) -> Node | None:
        listed = [el("span", "chip", fact_label(catalog, name)) for name in names]
        return el("span", "wanted", listed) if listed else None

    criteria = [el("li", "capital-line", say_criterion(catalog, one)) for one in task.criteria]
    return pairs(
        (
            ("Task", task.text),
            ("Catalog", catalog.label),
            ("Mission", task.mission),
            ("Context", task.context),
            ("Starts from", chips(tuple(task.inputs))),
            ("Ends with", chips(tuple(task.results))),
            ("Activities", [el("span", "block", f"{i}. {one.text}") for i, one in enumerate(task.activities, 1)]),
            ("Criteria", el("ul", "", criteria) if criteria else None),
        )
    )


def named_files(given: LoadedTask) -> tuple[str, ...]:
    inputs = given.task.inputs.values()
    names = [name for one in inputs for name in ((one.file,) if one.file else one.files)]
    return tuple(dict.fromkeys(name.replace("\\", "/").rpartition("/")[2] for name in names))


def draw_lobby() -> None:
    """Draw the list of tasks and what it takes to hand one over, or the editor."""
    with st.container(horizontal=True, key="bar", vertical_alignment="center"):
        bar("Tasks", on_page.LOBBY)
    if (wanted := st.session_state.pop("task_section_next", None)) is not None:
        st.session_state["task_section"] = wanted
    section = choose("Section", on_page.LOBBY_SECTIONS, "tasks", key="task_section")
    if section == "write":
        _draw_writing()
        return
    left, right = st.columns([6, 5], gap="medium")
    with left:
        _draw_rows()
    with right, st.container(border=True, key="task-new"):
        _draw_new()


def _draw_new() -> None:
    draw("task-new-head", [el("h2", "", on_page.HAND_OVER)])
    chosen: str = st.selectbox("Task", [*TASK_DEMOS, _OWN], format_func=_name, key="task-choice")
    if chosen in on_page.DEMOS:
        draw("task-choice-words", [hint(on_page.DEMOS[chosen])])
    text, file = "", ""
    if chosen:
        file = str(TASK_DEMOS[chosen])
        text = TASK_DEMOS[chosen].read_text(encoding="utf-8")
    elif (came := st.file_uploader("Task file", ["yaml", "yml"], key="task-file")) is not None:
        file = came.name
        try:
            text = came.getvalue().decode("utf-8")
        except UnicodeDecodeError:
            draw("task-unreadable", [problem(on_page.UNREADABLE)])
    if not text:
        return
    checked = _check(text, file, _catalog("task-catalog") if not chosen else "")
    if checked is None:
        return
    draw("task-new-findings", findings(checked))
    files = _files(checked.loaded, chosen) if checked.loaded is not None else {}
    with st.container(horizontal=True, gap="small"):
        if clicked("Hand it over", type="primary", key="task-give", disabled=checked.loaded is None):
            _give(checked.loaded, files, chosen)
        st.button("Edit it first", key="task-edit", on_click=_edit, args=(text, chosen))


def _name(chosen: str) -> str:
    return chosen.replace("_", " ").capitalize() if chosen else on_page.OWN_FILE


def _catalog(key: str) -> str:
    """Let the catalog be chosen; what was chosen is still chosen when one comes back."""
    labels = catalog_labels()
    names = ["", *labels]
    kept = st.session_state.get("task_catalog", "")
    chosen: str = st.selectbox(
        "Catalog",
        names,
        names.index(kept) if kept in names else 0,
        format_func=lambda one: labels.get(one, on_page.AS_WRITTEN),
        key=key,
    )
    st.session_state["task_catalog"] = chosen
    return chosen


def _edit(text: str, demo: str) -> None:
    st.session_state["task_begun"] = (text, demo)
    st.session_state["task_section_next"] = "write"


def _check(text: str, file: str, catalog: str) -> CheckedTask | None:
    return result_of(services().tasks.check(text, file, catalog), "task-check", "Reading the task")


def _files(given: LoadedTask, demo: str) -> dict[str, bytes]:
    """Ask for the files that a task names; those of a demo are there."""
    names = named_files(given)
    if not names:
        return {}
    if demo:
        draw("task-files-there", [hint(on_page.FILES_THERE)])
        return {}
    draw("task-files-to-come", [hint(on_page.FILES_TO_COME.format(names=shorten(", ".join(names), 300)))])
    came = st.file_uploader("Files", accept_multiple_files=True, key="task-files", max_upload_size=100)
    return {one.name: one.getvalue() for one in came or ()}


def _give(given: LoadedTask | None, files: Mapping[str, bytes], demo: str) -> None:
    if given is not None and (trouble := hand_over(given, files, demo)):
        draw("task-give-trouble", say_trouble(trouble))


def _draw_writing() -> None:
    begun, demo = st.session_state.get("task_begun", (on_page.BEGIN_WITH, ""))
    text = typed_in(_EDITOR, begun)
    left, right = st.columns(2, gap="medium")
    with right:
        catalog = _catalog("task-write-catalog")
        checked = _check(text, "task.yaml", catalog)
        if checked is not None:
            draw_found("task-findings", _EDITOR, findings(checked))
            announce(
                on_page.READY if checked.loaded else f"{on_page.FAULTS}: {count(len(checked.problems), 'problem')}."
            )
        loaded = checked.loaded if checked is not None else None
        files = _files(loaded, demo) if loaded is not None else {}
    with left:
        draw_text(_EDITOR, on_page.EDITOR, begun, checked.problems if checked is not None else ())
        with st.container(horizontal=True, gap="small"):
            if clicked("Hand it over", type="primary", key="task-write-give", disabled=loaded is None):
                _give(loaded, files, demo)
            download("Download", text, "task.yaml", "application/yaml")


def _draw_rows() -> None:
    rows = services().tasks.rows()
    draw("tasks-head", [el("h2", "", on_page.LISTED)])
    if not rows:
        announce(on_page.say_count(0, 0))
        draw("tasks-empty", [empty("goal", on_page.NO_TASKS, on_page.NO_TASKS_WORDS)])
        return
    lobby = Lobby("task", "task-", "its files and results", TASK.go, services().tasks.delete)
    st.fragment(_draw_list, run_every=2.0)(lobby, rows[: long_lists.shown("tasks")])
    long_lists.draw_more("tasks", len(rows))


def _draw_list(lobby: Lobby, rows: tuple[TaskRow, ...]) -> None:
    hand_on()
    there = [(row, task) for row in rows if (task := _task(row)) is not None]
    lobby.draw_rows(_row(row, task) for row, task in there)
    announce(on_page.say_count(len(rows), sum(status_of(task) == "working" for _, task in there)))


def _task(row: TaskRow) -> Task | None:
    with suppress(UnknownStream):  # deleted a moment ago
        return services().tasks.view(row.id).task
    return None


def _row(row: TaskRow, task: Task) -> LobbyRow:
    return LobbyRow(row.id, shorten(row.title, 120), row.id[:4], row.updated, task.seq, status_tag(status_of(task)))


if __name__ == "__main__":
    Frame(
        TASK,
        read_page,
        lambda page: (shorten(page.task.title, 120), f"task {page.id[:4]}, {page.catalog.label}"),
        lambda page: draw_task(page.id),
        draw_lobby,
        (on_page.NO_SUCH_TASK, on_page.NO_SUCH_TASK_WORDS),
    ).draw()
