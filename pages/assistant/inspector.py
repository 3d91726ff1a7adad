"""The inspector: five panels on one conversation, and the drill-down of what is selected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dialogue.state.plans import PlanRecord
from pages.assistant import panels
from pages.assistant.drill_down import draw_drill_down
from pages.shell.address import Selection
from pages.shell.frame import choose
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, icon
from pages.shell.waiting import result_of
from pages.views.plan_steps import draw_plan_graph, step_buttons
from pages.views.plans import view_steps
from pages.views.seen import Seen
from pages.views.timeline import empty, goals_title, timeline

PANELS = {"plan": "Current plan", "plans": "All plans", "summary": "Summary", "facts": "Facts", "goals": "Goals"}

OnAct = Callable[[Mapping[str, Any]], None]


def draw_inspector(seen: Seen, on_act: OnAct, on_select: Callable[[Selection], None]) -> None:
    """Draw the panel that is chosen, and under it the card of what is selected."""
    panel = choose("Panel", PANELS, "plan", key="panel")
    with st.container(key="panel-box", gap="small"):
        if panel == "plan":
            _current_plan(seen, on_act, on_select)
        elif panel == "summary":
            items = result_of(services().analyses.summary(seen.snapshot), "summary", "Summing up")
            if items is not None:
                draw("panel-summary", panels.summary(seen, items), on_act, cls="panel")
        else:
            lists: dict[str, Callable[[Seen], list[Node]]] = {
                "plans": timeline,
                "facts": panels.facts,
                "goals": panels.goals,
            }
            draw(f"panel-{panel}", lists[panel or "plans"](seen), on_act, cls="panel")
    if seen.chosen is not None:
        with st.container(key="drill-box"):
            draw_drill_down(seen, on_act)


_OUT_OF_REACH = "No combination of skills and questions reaches the goal from here."
_TOO_DEAR = "There is a way to the goal, but it takes more money than may be spent."


def say_no_plan(record: PlanRecord) -> str:
    """Say why there is no plan, and where to read on."""
    if record.plan.missing.over_budget is not None:
        return f"{_TOO_DEAR} The chat says what would help."
    return f"{_OUT_OF_REACH} The chat says what is missing."


def _current_plan(seen: Seen, on_act: OnAct, on_select: Callable[[Selection], None]) -> None:
    plans = seen.conversation.plans.all
    record = seen.conversation.plan or max(plans, key=lambda plan: plan.ended or plan.began, default=None)
    if record is None:
        words = "As soon as you ask for something, the plan for it is drawn here, step by step."
        draw("plan-empty", [empty("next", "No plan yet", words)], cls="panel")
        return
    if not record.plan.steps:
        draw("plan-empty", [empty("problem", "There is no plan", say_no_plan(record))], cls="panel")
        return
    views = view_steps(seen.catalog, seen.conversation, record)
    heading = f"Plan {record.plan_id} for “{goals_title(seen, record)}”"
    how_far = {"finished": "reached its goal", "discarded": "dropped"}.get(
        record.status, f"step {min(record.done + 1, len(views))} of {len(views)}"
    )
    draw(
        "plan-head",
        [
            el("p", "hint", el("strong", "", seen.text(heading)), f", {how_far}"),
            step_buttons(views, seen.chosen, "Steps of the plan"),
        ],
        on_act,
        cls="panel",
    )
    draw_plan_graph(seen, record, "plan-graph", on_select)
    draw("legend", [legend()], cls="panel")


def legend() -> Node:
    """Explain the pictures and colours."""
    kinds = (
        ("ask", "asks you"),
        ("authorize", "asks your consent"),
        ("confirm", "asks you to confirm"),
        ("skill", "runs a skill"),
        ("map", "uses one fact as another"),
    )
    return el(
        "p",
        "legend",
        [el("span", f"key {kind}", icon(kind), words) for kind, words in kinds],
        el("span", "key", el("span", "dash"), "later"),
    )
