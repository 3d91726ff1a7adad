"""Explore: every outcome of every skill and every answer to every question, explored in advance."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from catalog.model import Catalog
from catalog.wording.grammar import count, quote
from dialogue.exploration.jobs import ExplorationProgress, Inquiry
from dialogue.exploration.report import ExplorationReport, Trace, say_move
from dialogue.exploration.scripted_environment import EnvironmentMove
from dialogue.exploration.transition import Retold, write_story
from dialogue.log.events import Replied
from dialogue.services import Snapshot
from dialogue.state.conversation import project
from dialogue.state.plans import PlanRecord
from pages.explore import findings as explorewords
from pages.shell import address
from pages.shell.address import Selection
from pages.shell.clicks import clicked
from pages.shell.frame import announce, bar, download, guarded, notice, result_of
from pages.shell.root import catalog_labels, services
from pages.shell.sheet import Node, button, dots, draw, el, empty, hint, icon
from pages.views.plan_steps import draw_plan_graph, step_buttons
from pages.views.plans import fact_label, view_steps
from pages.views.snapshot_view import SnapshotView
from pages.views.timeline import plan_details

POLL_S = 0.5


def _ends() -> str:
    limits = services().settings.limits
    return (
        f"It ends by itself after {limits.explore_seconds:,g} seconds or {limits.explore_states:,} states, and tells "
        "what it has found."
    )


def _act(act: Mapping[str, Any]) -> None:
    """Follow a click: another trace, another move of it, or something in its plan."""
    what = str(act.get("what", ""))
    match act.get("do"):
        case "trace":
            st.session_state["explored_show"] = what
            st.query_params["trace"] = what
            st.query_params.pop("move", None)
            address.select(None)
        case "move":
            st.query_params["move"] = what
        case "back":
            st.session_state["explored_back"] = explorewords.button_key(what)
        case "select":
            address.select(address.read_selection(what))


def _choose() -> tuple[Inquiry, bool] | None:
    """Let catalog, goal and known facts be chosen; return whether the exploration was requested."""
    names = services().catalogs()
    with st.container(horizontal=True, key="bar", vertical_alignment="center"):
        heading = st.container()
        name = st.selectbox(
            "Catalog", names, format_func=catalog_labels().__getitem__, key="explored", bind="query-params", width=260
        )
    catalog = services().loaded(name).catalog
    words = f"{catalog.label}: everything that people and skills can do"
    with heading:
        bar("What can happen", words)
    if not catalog.goals:
        notice("no-goals", "goal", "No goals", "This catalog declares no goals, so there is nothing to ask for.")
        return None
    return _ask(name, catalog)


def _ask(name: str, catalog: Catalog) -> tuple[Inquiry, bool]:
    goals = list(catalog.goals)
    with st.container(border=True, key="explore-ask"):
        left, right = st.columns([2, 3])
        goal = left.selectbox(
            "Goal",
            goals,
            format_func=lambda goal: catalog.goals[goal].label,
            key=f"goal_{name}",
        )
        known = right.multiselect(
            "Known from the start",
            list(catalog.facts),
            format_func=lambda fact: fact_label(catalog, fact),
            placeholder="nothing",
            key=f"known_{name}",
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            asked = clicked("Explore everything", key="explore-all", type="primary", icon=":material/route:")
            failures = st.toggle("Skills may also fail with an error", key=f"failures_{name}")
    return Inquiry(name, goal, tuple(known), failures), asked


@guarded("the exploration")
def _wait(inquiry: Inquiry) -> None:
    """Show the progress of an exploration, and let it be stopped."""
    look = services().explorations.look(inquiry)
    if look is None or look.status != "running":
        st.rerun()
    progress = look.progress
    words = "Waiting for its turn: explorations run one at a time."
    if progress is not None:
        words = f"{count(progress.states, 'state')} so far, {progress.open:,} still to be looked into."
    draw(
        "walking",
        [
            el(
                "div",
                "notice",
                dots(),
                el("h2", "", "Exploring everything that can happen"),
                el("p", "", words),
                hint(_ends()),
            )
        ],
    )
    with st.container(horizontal=True, horizontal_alignment="center"):
        if clicked("Stop here", key="explore-stop", icon=":material/stop_circle:"):
            services().explorations.stop(inquiry)


def _draw_report(inquiry: Inquiry, report: ExplorationReport) -> None:
    named = explorewords.traces(report)
    chosen = st.query_params.get("trace", "")
    chosen = chosen if chosen in named else next(iter(named), "")
    catalog = services().loaded(inquiry.catalog).catalog
    back = st.session_state.pop("explored_back", None)
    left, right = st.columns([6, 7], gap="medium")
    with left:
        draw("explored-report", explorewords.report_view(catalog, report, chosen), _act, show=back)
    with right, st.container(border=True, key="trace-card"):
        if chosen:
            _draw_trace(inquiry, chosen, *named[chosen])
        else:
            draw("no-trace", [empty("next", "Nothing to show", "No conversation leads anywhere here.")])


def _draw_trace(inquiry: Inquiry, chosen: str, title: str, trace: Trace) -> None:
    stage = services().explorations.stage(inquiry.catalog)
    digest = services().loaded(inquiry.catalog).digest
    retold = result_of(services().analyses.retold(stage, digest, inquiry, trace), "trace", "Playing the conversation")
    if retold is None:
        return
    asked = st.query_params.get("move", "")
    at = int(asked) if asked.isdigit() and int(asked) < len(trace) else len(trace) - 1
    seen = moment(stage.catalog, retold, at, address.selection())
    words = "Choose a move to see what the assistant says to it, and its plan at that moment."
    back = button("small back", "Back to the report", act={"do": "back", "what": chosen})
    head = [back, el("h3", "", title), hint(words), move_list(stage.catalog, trace, at)]
    draw("trace-moves", head, _act, show=st.session_state.pop("explored_show", None))
    if not inquiry.known:
        story = partial(write_story, stage, inquiry.catalog, trace, title)
        download("Download as a story", story, "story.yaml", "application/yaml")
    draw("trace-words", [el("h4", "", f"After move {at + 1}"), *words_then(seen, retold, at)])
    record = plan_then(seen)
    if record is None:
        return
    if record.plan.steps:
        views = view_steps(seen.catalog, seen.conversation, record)
        draw("trace-steps", [step_buttons(views, seen.chosen, "Steps of the plan")], _act)
        draw_plan_graph(seen, record, "trace-graph", address.select, tallest=420)
    draw("trace-plan", plan_details(seen, record), _act)


def _draw(inquiry: Inquiry, look: ExplorationProgress | None) -> None:
    label = services().loaded(inquiry.catalog).catalog.goals[inquiry.goal].label
    if look is None:
        notice(
            "not-walked",
            "glass",
            f"{quote(label)} has not been explored yet",
            "Press “Explore everything”. The assistant then runs every possible conversation: "
            "each question is answered and not answered, each skill comes back with each of its outcomes. "
            "No skill is really called.",
        )
    elif look.status == "failed" or (look.status == "done" and look.report is None):
        notice(
            "walk-failed",
            "problem",
            f"The exploration of {quote(label)} failed",
            "Something went wrong on the way, and nothing that was found until then is kept. Conversations are not "
            "touched by it. Try again, or another goal; if it happens again, the server's log says what it was.",
        )
        announce("The exploration failed.")
    elif look.report is not None:
        announce("Everything that can happen was explored." if look.report.complete else "The exploration was stopped.")
        _draw_report(inquiry, look.report)


def main() -> None:
    chosen = _choose()
    if chosen is None:
        return
    inquiry, asked = chosen
    if asked:
        services().explorations.start(inquiry)
        for name in ("trace", "move"):
            st.query_params.pop(name, None)
    look = services().explorations.look(inquiry)
    if look is not None and look.status == "running":
        announce("Exploring everything that can happen.")
        st.fragment(_wait, run_every=POLL_S)(inquiry)
    else:
        _draw(inquiry, look)


def move_list(catalog: Catalog, trace: Trace, at: int) -> Node:
    """Draw the moves of a trace as a list of buttons; `at` is the one whose moment is shown."""
    return el(
        "ol",
        "moves",
        [
            el("li", "", _draw_move(catalog, number, move, pressed=number == at), key=f"move{number}")
            for number, move in enumerate(trace)
        ],
        aria_label="What happens, move by move",
    )


def _draw_move(catalog: Catalog, number: int, move: EnvironmentMove, *, pressed: bool) -> Node:
    return button(
        "move",
        el("span", "number", str(number + 1)),
        icon("skill" if move.of_skill else "person"),
        el("span", "", say_move(catalog, move)),
        act={"do": "move", "what": str(number)},
        pressed=pressed,
    )


def moment(catalog: Catalog, retold: Retold, at: int, chosen: Selection | None) -> SnapshotView:
    """See the conversation as it was after a move."""
    log = retold.log[: retold.done[at]]
    return SnapshotView(Snapshot("", catalog, log, project(log)), chosen, "how")


def plan_then(seen: SnapshotView) -> PlanRecord | None:
    """Return the plan of a moment: the one that is followed, else the last one there was."""
    plans = seen.conversation.plans.all
    return seen.conversation.plan or (plans[-1] if plans else None)


def words_then(seen: SnapshotView, retold: Retold, at: int) -> list[Node]:
    """Draw what the assistant says to a move."""
    before = retold.done[at - 1] if at else 0
    said = [entry.event.text for entry in seen.snapshot.log[before:] if isinstance(entry.event, Replied)]
    if not said:
        return [hint("The assistant says nothing to that; it goes on.")]
    face = el("span", "face", icon("glass"))
    return [
        el("div", "chat", [el("div", "message", face, el("div", "bubble", el("p", "", seen.text(t)))) for t in said])
    ]


if __name__ == "__main__":
    main()
