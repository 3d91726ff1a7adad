"""Input of the planner: the task for which a plan was made, its states, landmarks and PDDL."""

from __future__ import annotations

from collections.abc import Sequence

from dialogue.services.analyses import Landmarks, PlannedTask
from dialogue.state.plans import PlanRecord
from language.responses.exploration import count
from pages.shell.address import Selection
from pages.shell.sheet import Node, button, el, icon
from pages.views.graph import GraphEdge, GraphNode
from pages.views.plans import StepView, goal_facts, view_steps
from pages.views.seen import Seen
from planning.model import SEPARATOR, Atom, Predicate, known


def state_rows(seen: Seen, planned: PlannedTask) -> Node | None:
    """Draw a table: each step, and what it adds to what is known or agreed."""
    replayed = planned.states
    if not replayed:
        return None
    views = view_steps(seen.catalog, seen.conversation, planned.record)
    return el(
        "div",
        "tablebox wide",
        el(
            "table",
            "states",
            el("thead", "", el("tr", "", [el("th", "", word, scope="col") for word in ("Step", "Adds", "Holds then")])),
            el(
                "tbody",
                "",
                el("tr", "", el("td", "", "At first"), el("td", ""), el("td", "", count(len(replayed[0]), "atom"))),
                [_state_row(seen, view, replayed) for view in views],
            ),
        ),
    )


def _state_row(seen: Seen, view: StepView, replayed: Sequence[frozenset[Atom]]) -> Node:
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


def atom_chip(seen: Seen, atom: Atom) -> Node:
    """Draw an atom as a button, or as plain text where there is nothing to select."""
    selection = _select(atom)
    if selection is None:
        return el("span", "chip", say_atom(seen, atom))
    return button("chip", say_atom(seen, atom), act={"do": "select", "what": str(selection)})


def say_atom(seen: Seen, atom: Atom) -> str:
    """Say what an atom is about."""
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
    seen: Seen, record: PlanRecord, found: Landmarks
) -> tuple[list[GraphNode], list[GraphEdge], dict[str, Selection]]:
    """Make the graph of landmarks."""
    wanted = set(goal_facts(seen.catalog, seen.conversation, record))
    holding = {
        Predicate.KNOWN: seen.conversation.facts.known.keys(),
        Predicate.AUTHORIZED: seen.conversation.questions.authorized,
        Predicate.CONFIRMED: seen.conversation.situation.confirmed,
        Predicate.DONE: seen.conversation.situation.done,
    }
    nodes: list[GraphNode] = []
    selections: dict[str, Selection] = {}
    for atom in found.atoms:
        key = f"{atom.predicate.value}:{atom.subject}"
        consent = atom.predicate is Predicate.AUTHORIZED
        got = atom.subject in holding.get(atom.predicate, ())
        title, state = say_atom(seen, atom), "got" if got else "still to get"
        is_goal = atom.predicate is Predicate.ACHIEVED or (atom == known(atom.subject) and atom.subject in wanted)
        nodes.append(
            GraphNode(
                key,
                "authorize" if consent else "goal" if is_goal else "fact",
                title,
                state,
                "authorize" if consent else "fact",
                "" if got else "later",
                "done" if got else "",
                f"{title}: {state}",
            )
        )
        selection = _select(atom)
        if selection is not None:
            selections[key] = selection
    edges = [
        GraphEdge(f"{a.predicate.value}:{a.subject}", f"{b.predicate.value}:{b.subject}", "comes before")
        for a, b in sorted(found.direct)
    ]
    return nodes, edges, selections
