"""What the planner was given: the task of a plan as it was when it was made, its states, landmarks and PDDL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dialogue.conversation import PlanRecord
from dialogue.events import PlannedStep
from dialogue.projection import project
from dialogue.record import goals_of, record_of
from pages.components.address import Selection
from pages.components.graph import GraphEdge, GraphNode
from pages.components.planview import StepView, goal_facts, view_steps
from pages.components.seen import Seen
from pages.components.sheet import Node, button, el, icon
from planning.compile import compile_task
from planning.landmarks import find_landmarks
from planning.model import Atom, Operator, Plan, Predicate, Situation, Task
from planning.validate import InvalidPlan, validate


@dataclass(frozen=True, slots=True)
class Modelled:
    """A plan with the task it solves, both as of the moment of planning."""

    record: PlanRecord
    task: Task
    situation: Situation


def model_of(seen: Seen, record: PlanRecord) -> Modelled:
    """Rebuild the task that a plan was made for, from the log up to that moment."""
    then = project(seen.snapshot.log[: record.began - 1])
    goal = goal_facts(seen.conversation, record.plan.goal_id)
    return Modelled(record, compile_task(seen.catalog, then.situation, goal), then.situation)


def states(modelled: Modelled) -> tuple[frozenset[Atom], ...]:
    """Replay a plan: the state before its first step, and after each; empty if it cannot be replayed."""
    found = [_operator(modelled.task, step) for step in modelled.record.plan.steps]
    steps = tuple(operator for operator in found if operator is not None)
    if len(steps) < len(found):
        return ()
    try:
        return validate(modelled.task, Plan(steps))
    except InvalidPlan:
        return ()


def _operator(task: Task, step: PlannedStep) -> Operator | None:
    same = (step.kind, step.subject, step.mode, step.outcome)
    return next((o for o in task.operators if (o.kind, o.subject, o.mode, o.outcome) == same), None)


def state_rows(seen: Seen, modelled: Modelled) -> Node | None:
    """Draw a table: each step, and what it adds to what is known or agreed."""
    replayed = states(modelled)
    if not replayed:
        return None
    views = view_steps(seen.catalog, seen.conversation, modelled.record)
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
                el("tr", "", el("td", "", "At first"), el("td", ""), el("td", "", f"{len(replayed[0])} atoms")),
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
        el("td", "", f"{len(after)} atoms"),
    )


def atom_chip(seen: Seen, atom: Atom) -> Node:
    """Draw an atom as a button."""
    if atom.predicate is Predicate.KNOWN:
        return button("chip", seen.fact(atom.subject), act={"do": "select", "what": f"fact:{atom.subject}"})
    return button("chip", f"consent: {seen.skill(atom.subject)}", act={"do": "select", "what": f"skill:{atom.subject}"})


def landmark_graph(
    seen: Seen, record: PlanRecord
) -> tuple[list[GraphNode], list[GraphEdge], dict[str, Selection]] | None:
    """Make the graph of the landmarks of a plan's goal, with what was learned put in; None if there are none."""
    goal = next((g for g in goals_of(seen.conversation) if g.goal_id == record.plan.goal_id), None)
    if goal is None:
        return None
    told = record_of(seen.catalog, seen.conversation, goal)
    found = find_landmarks(compile_task(seen.catalog, told.learned, told.goal))
    nodes: list[GraphNode] = []
    selections: dict[str, Selection] = {}
    for atom in found.atoms:
        key = f"{atom.predicate.value}:{atom.subject}"
        consent = atom.predicate is not Predicate.KNOWN
        got = atom.subject in (seen.conversation.authorized if consent else seen.conversation.known)
        title = f"consent: {seen.skill(atom.subject)}" if consent else seen.fact(atom.subject)
        kind = "authorize" if consent else "goal" if atom.subject in told.goal else "fact"
        state = "" if got else "later"
        nodes.append(
            GraphNode(
                key,
                kind,
                title,
                "got" if got else "still to get",
                "authorize" if consent else "fact",
                state,
                "done" if got else "",
                f"{title}: {'got' if got else 'still to get'}",
            )
        )
        selections[key] = Selection("skill" if consent else "fact", atom.subject)
    edges = [
        GraphEdge(f"{a.predicate.value}:{a.subject}", f"{b.predicate.value}:{b.subject}", "comes before")
        for a, b in sorted(found.direct)
    ]
    return (nodes, edges, selections) if nodes else None


def atom_of(key: str) -> Atom:
    """Read the atom that a node of the landmark graph stands for."""
    predicate, _, subject = key.partition(":")
    return Atom(Predicate(predicate), subject)
