"""What the planner was given: the task of a plan as it was when it was made, its states, landmarks and PDDL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dialogue.log.events import PlannedStep
from dialogue.policy.together import as_one_goal
from dialogue.state.fold import project
from dialogue.state.plans import PlanRecord
from dialogue.state.records import goals_of, record_of
from language.responses.exploration import count
from pages.shell.address import Selection
from pages.shell.sheet import Node, button, el, icon
from pages.views.graph import GraphEdge, GraphNode
from pages.views.plans import StepView, goal_facts, view_steps
from pages.views.seen import Seen
from planning.landmarks import Landmarks, find_landmarks
from planning.model import SEPARATOR, Atom, Operator, Plan, Predicate, Situation, StepKind, Task, Wanted, known
from planning.plans.validation import InvalidPlan, validate
from planning.task.compilation import compile_task


@dataclass(frozen=True, slots=True)
class Modelled:
    """A plan with the task it solves, both as of the moment of planning."""

    record: PlanRecord
    task: Task
    situation: Situation
    wanted: Wanted


def model_of(seen: Seen, record: PlanRecord) -> Modelled:
    """Rebuild the task that a plan was made for, from the log up to that moment."""
    then = project(seen.snapshot.log[: record.began - 1])
    situation, wanted = as_one_goal(seen.catalog, then, record.goals)
    return Modelled(record, compile_task(seen.catalog, situation, wanted), situation, wanted)


def states(modelled: Modelled) -> tuple[frozenset[Atom], ...]:
    """Replay a plan: the state before its first step, and after each; empty if it cannot be replayed."""
    found = [_operator(modelled.task, step) for step in modelled.record.plan.steps]
    steps = tuple(operator for operator in found if operator is not None)
    if len(steps) < len(found):
        return ()
    try:
        return validate(modelled.task, Plan((*steps, *_choices(modelled.task, steps))))[: len(steps) + 1]
    except InvalidPlan:
        return ()


def _choices(task: Task, steps: tuple[Operator, ...]) -> list[Operator]:
    """List the choices among alternatives that a plan comes down to: they are no actions, and so not on record."""
    reached = task.initial.union(*(step.adds for step in steps))
    return [o for o in task.operators if o.kind is StepKind.CHOOSE and o.needs <= reached and o.adds & task.goal]


def _operator(task: Task, step: PlannedStep) -> Operator | None:
    return next((operator for operator in task.operators if operator.name == step.operator), None)


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


def landmarks_of(seen: Seen, record: PlanRecord) -> Landmarks:
    """Find the landmarks of a plan's goal, with what was learned put in."""
    goal = next((g for g in goals_of(seen.conversation) if g.goal_id == record.plan.goal_id), None)
    if goal is None:
        return Landmarks()
    told = record_of(seen.catalog, seen.conversation, goal)
    return find_landmarks(compile_task(seen.catalog, told.learned, told.wanted))


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
