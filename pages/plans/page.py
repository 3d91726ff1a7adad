"""Plans: every plan of a conversation, what the planner was given, and what each step would make true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from catalog.wording.grammar import count
from dialogue.services import UnknownCatalog, UnknownSession
from dialogue.services.analyses import Landmarks, PlannedTask
from dialogue.state.conversation import all_known
from dialogue.state.goal_status import refusal_of
from dialogue.state.plans import PlanRecord
from pages.assistant.drill_down import draw_drill_down
from pages.catalog.goal_plans import way_list
from pages.shell import address
from pages.shell.address import Selection, page_file
from pages.shell.clicks import clicked
from pages.shell.frame import bar, choose, download, go_on, missing_session, notice, result_of
from pages.shell.root import services
from pages.shell.sheet import Node, button, copy_button, draw, el, empty, folded, hint, icon, row, table
from pages.views import long_lists
from pages.views.graph import GraphEdge, GraphNode, draw_graph, write_file
from pages.views.plan_steps import draw_plan_graph, plan_graph, step_buttons
from pages.views.plans import StepView, goal_facts, goals_of_plan, view_steps
from pages.views.snapshot_view import SnapshotView
from pages.views.timeline import goals_title, plan_details, timeline
from planning.model import SEPARATOR, Atom, Predicate, known

SECTIONS = {"graph": "Graph", "states": "States", "landmarks": "Landmarks", "ways": "Other ways", "pddl": "PDDL"}


def _act(act: Mapping[str, Any]) -> None:
    """Follow a click: a plan changes the plan looked at, all else is looked at beside it."""
    what = address.read_selection(str(act.get("what", "")))
    match act.get("do"):
        case "select" if what and what.kind == "plan":
            st.query_params["plan"] = what.name
            address.select(None)
        case "select" | "on":
            address.select(what, onward=act.get("do") == "on")
        case "view" if act.get("view") in ("how", "why", "chain", "what"):
            address.select(what, act["view"])
        case "full":
            st.query_params["full"] = "yes" if act.get("full") else "no"
        case "ask" if what:
            session = st.query_params.get("session", "")
            st.session_state.update({"panel": "what-if", "what-if-about": what.name})
            st.session_state["go_on"] = ("assistant", {"session": session, "panel": "What if?"})
        case "earlier":
            long_lists.show_more(str(act.get("what")))


def _chosen(seen: SnapshotView) -> PlanRecord:
    wanted = st.query_params.get("plan") or (seen.chosen.name if seen.chosen and seen.chosen.kind == "plan" else "")
    plans = seen.conversation.plans.all
    return next((record for record in plans if str(record.plan_id) == wanted), plans[-1])


def _draw_plan(seen: SnapshotView, record: PlanRecord) -> None:
    section = choose("Section", SECTIONS, "graph", key="section")
    if section == "graph":
        _draw_graph(seen, record)
    elif section == "states":
        planned = result_of(services().analyses.task(seen.snapshot, record), "states", "Replaying the plan")
        if planned is not None:
            rows = state_rows(seen, planned)
            words = "The plan has no steps, or the catalog has changed since it was made."
            draw("states", [rows or empty("problem", "Nothing to replay", words)], _act)
    elif section == "landmarks":
        _draw_landmarks(seen, record)
    elif section == "ways":
        ways = result_of(services().analyses.ways(seen.snapshot, record), "ways", "Looking for other ways")
        if ways is not None:
            draw("ways", way_list(seen, record, ways), _act)
    else:
        _draw_pddl(seen, record)


def _draw_graph(seen: SnapshotView, record: PlanRecord) -> None:
    if record.plan.steps:
        views = view_steps(seen.catalog, seen.conversation, record)
        draw("plan-steps", [step_buttons(views, seen.chosen, "Steps of the plan")], _act)
        draw_plan_graph(seen, record, "plans-graph", address.select, tallest=720)
        nodes, edges, _ = plan_graph(seen, record)
        title = f"Plan {record.plan_id} for {goals_title(seen, record)}"
        name = f"plan-{record.plan_id}.html"
        download("Download as one HTML file", lambda: write_file(title, nodes, edges), name, "text/html")
    draw("plan-details", plan_details(seen, record), _act)


def _draw_landmarks(seen: SnapshotView, record: PlanRecord) -> None:
    found = result_of(services().analyses.landmarks(seen.snapshot, record), "landmarks", "Looking for landmarks")
    if found is None:
        return
    goals = goals_of_plan(seen.conversation, record)
    ended = [goal.ending for goal in goals if goal.ending]
    reached = frozenset(goal.goal for goal in goals if goal.status == "achieved")
    seen = seen.as_of(ended[0].seq) if ended else seen
    if not found.atoms:
        words = "Nothing has to hold in every plan, or no plan reaches the goal from where the conversation stands."
        draw("no-landmarks", [empty("goal", "No landmarks", words)])
        return
    declined = any(refusal_of(seen.catalog, seen.conversation, goal) for goal in goals)
    nodes, edges, selections = landmark_graph(seen, record, found, reached, declined=declined)
    draw(
        "landmark-hint",
        [
            hint(
                "Facts that every plan for this goal must make true at some point, in an "
                "order in which they can; with what was learned on the way put in.",
            )
        ],
    )
    draw(
        "landmark-list",
        [
            el(
                "ol",
                "steps",
                [el("li", "", atom_chip(seen, atom)) for atom in found.atoms],
                aria_label="Landmarks",
            )
        ],
        _act,
    )
    if found.disjunctive:
        _draw_choices(seen, found)
    chosen = {key for key, what in selections.items() if what.is_same(seen.chosen)}
    draw_graph(
        "landmark-graph",
        nodes,
        edges,
        chosen=chosen,
        tallest=720,
        on_node=lambda key: address.select(selections[key]) if key in selections else None,
    )


def _draw_choices(seen: SnapshotView, found: Landmarks) -> None:
    listed = [el("li", "", [atom_chip(seen, atom) for atom in one]) for one in found.disjunctive]
    draw(
        "landmark-choices",
        [
            hint("Besides, every plan needs one of each of these, though not always the same one."),
            el("ul", "steps", listed, aria_label="Facts of which every plan needs one"),
        ],
        _act,
    )


def _draw_pddl(seen: SnapshotView, record: PlanRecord) -> None:
    planned = result_of(services().analyses.task(seen.snapshot, record), "pddl", "Writing the task as PDDL")
    if planned is None:
        return
    pddl = planned.pddl
    draw(
        "pddl-hint",
        [
            hint(
                "The task as it was when this plan was made, for any STRIPS planner. Symbols are "
                "made of labels where these tell them apart; the table tells what each stands for.",
            ),
            *map(hint, pddl.notes),
        ],
    )
    for name, text in (("domain", pddl.domain), ("problem", pddl.problem)):
        download(f"Download {name}.pddl", text, f"{name}.pddl", "text/plain")
        draw(
            f"pddl-{name}",
            [
                copy_button(text, f"Copy {name}.pddl"),
                el("pre", "code", text, tabindex="0", role="region", aria_label=f"{name}.pddl"),
            ],
        )
    if planned.strips is not None:
        draw("pddl-strips", [hint(f"For planners that read no costs, without them. {planned.strips.notes[0]}")])
        for name, text in (("domain", planned.strips.domain), ("problem", planned.strips.problem)):
            download(f"Download {name}-strips.pddl", text, f"{name}-strips.pddl", "text/plain")
    symbols = table((), [row(el("code", "", symbol), seen.text(words)) for symbol, words in pddl.symbols.items()])
    draw("pddl-symbols", [folded(f"{len(pddl.symbols)} symbols", symbols)])


def main() -> None:
    go_on()
    session_id = address.session_id()
    if session_id is None:
        notice(
            "no-session",
            "next",
            "No conversation is open",
            "Plans belong to a conversation. Begin one, play a demo, "
            "or open one from the list, and every plan made in it can be read here.",
        )
        _leads()
        return
    try:
        snapshot = services().snapshot(session_id)
    except (UnknownSession, UnknownCatalog) as trouble:
        missing_session(trouble)
        return
    seen = SnapshotView(snapshot, address.selection(), address.view(), st.query_params.get("full") == "yes")
    if not seen.conversation.plans.all:
        notice("no-plans", "next", "No plans yet", "Nothing has been asked for in this conversation so far.")
        _leads()
        return
    record = _chosen(seen)
    words = f"{seen.catalog.label}, conversation {session_id[:4]}"
    bar("Plans", words)
    listed = SnapshotView(snapshot, Selection("plan", str(record.plan_id)), seen.view)
    left, right = st.columns([4, 7], gap="medium")
    with left, st.container(border=True, key="plan-list"):
        draw("plans-list", [el("h2", "unseen", "All plans"), *timeline(listed, long_lists.shown("plans"))], _act)
    with right:
        if seen.chosen and seen.chosen.kind != "plan":
            draw_drill_down(seen, _act)
        with st.container(border=True, key="plan-card"):
            _draw_plan(seen, record)


def _leads() -> None:
    with st.container(horizontal=True, horizontal_alignment="center"):
        if clicked("Open the assistant", key="no-plan-assistant", type="primary"):
            st.switch_page(page_file("assistant"))
        if clicked("Play a demo", key="no-plan-demo"):
            st.switch_page(page_file("demo"))


def state_rows(seen: SnapshotView, planned: PlannedTask) -> Node | None:
    """Draw a table: each step, and what it adds to what is known or agreed."""
    replayed = planned.states
    if not replayed:
        return None
    views = view_steps(seen.catalog, seen.conversation, planned.record)
    rows = [row("At first", None, count(len(replayed[0]), "atom")), *(_state_row(seen, one, replayed) for one in views)]
    return table(("Step", "Adds", "Holds then"), rows, "states")


def _state_row(seen: SnapshotView, view: StepView, replayed: Sequence[frozenset[Atom]]) -> Node:
    after, new = replayed[view.index + 1], replayed[view.index + 1] - replayed[view.index]
    return el(
        "tr",
        "",
        el(
            "td",
            view.step.kind.value,
            icon(view.step.kind.value, "kind"),
            f" {view.index + 1}. {view.title} ",
            el("small", "muted", view.detail),
        ),
        el("td", "adds", [atom_chip(seen, atom) for atom in sorted(new)] or el("small", "muted", "nothing new")),
        el("td", "", count(len(after), "atom")),
    )


def atom_chip(seen: SnapshotView, atom: Atom) -> Node:
    """Draw an atom as a button, or as plain text where there is nothing to select."""
    selection = _select(atom)
    if selection is None:
        return el("span", "chip", say_atom(seen, atom))
    return button("chip", say_atom(seen, atom), act={"do": "select", "what": str(replace(selection, at=seen.at))})


def say_atom(seen: SnapshotView, atom: Atom) -> str:
    match atom.predicate:
        case Predicate.KNOWN:
            return seen.fact(atom.subject)
        case Predicate.AUTHORIZED:
            return f"consent: {seen.skill(atom.subject)}"
        case Predicate.DONE:
            return f"carried out: {seen.skill(atom.subject)}"
        case Predicate.CONFIRMED:
            return f"confirmed: {seen.skill(atom.subject.partition(SEPARATOR)[0])}"
    goal = seen.catalog.goals.get(atom.subject)
    return f"goal: {atom.subject if goal is None else goal.label}"


def _select(atom: Atom) -> Selection | None:
    if atom.predicate is Predicate.ACHIEVED:
        return None
    return Selection("fact" if atom.predicate is Predicate.KNOWN else "skill", atom.subject.partition(SEPARATOR)[0])


def landmark_graph(
    seen: SnapshotView,
    record: PlanRecord,
    found: Landmarks,
    reached: frozenset[str] = frozenset(),
    *,
    declined: bool = False,
) -> tuple[list[GraphNode], list[GraphEdge], dict[str, Selection]]:
    """Make the graph of landmarks; `reached` are the goals that were, and a fact is known by a subtype, too."""
    wanted = set(goal_facts(seen.catalog, seen.conversation, record))
    holding = {
        Predicate.KNOWN: {
            atom.subject for atom in found.atoms if all_known(seen.catalog, seen.conversation, (atom.subject,))
        },
        Predicate.AUTHORIZED: seen.conversation.authorized,
        Predicate.CONFIRMED: seen.conversation.situation.confirmed,
        Predicate.DONE: seen.conversation.situation.done,
        Predicate.ACHIEVED: reached,
    }
    nodes: list[GraphNode] = []
    selections: dict[str, Selection] = {}
    for atom in found.atoms:
        key = f"{atom.predicate.value}:{atom.subject}"
        consent = atom.predicate is Predicate.AUTHORIZED
        got = atom.subject in holding.get(atom.predicate, ())
        title, state = (
            say_atom(seen, atom),
            "known" if got and atom.predicate is Predicate.KNOWN else "done" if got else "still to get",
        )
        is_goal = atom.predicate is Predicate.ACHIEVED or (atom == known(atom.subject) and atom.subject in wanted)
        no = is_goal and got and declined
        nodes.append(
            GraphNode(
                key,
                "authorize" if consent else "no" if no else "goal" if is_goal else "fact",
                title,
                "declined" if no else state,
                "authorize" if consent else "fact",
                "" if got else "later",
                "done" if got else "",
                f"{title}: {state}",
            )
        )
        selection = _select(atom)
        if selection is not None:
            selections[key] = replace(selection, at=seen.at)
    edges = [
        GraphEdge(f"{a.predicate.value}:{a.subject}", f"{b.predicate.value}:{b.subject}", "comes before")
        for a, b in sorted(found.direct)
    ]
    return nodes, edges, selections


if __name__ == "__main__":
    main()
