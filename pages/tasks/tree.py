"""The tree of hypotheses: each with how it stands, its attempts, and why those were discarded that were."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.wording.grammar import count
from dialogue.tasks.reporting.progress import StepStanding, attempt_of, step_standing
from explain.tasks.words import say_refusal, say_split, why_stuck
from language.responses.tasks.on_page import IN_ONE_PIECE, NODE_STATES, NOT_NEEDED, say_stuck
from pages.shell.sheet import Child, Node, button, el, icon
from pages.tasks.page_state import TaskPage
from pages.views.graph import GraphEdge, GraphNode
from planning.hierarchy.tree import ROOT, Hypothesis

_PICTURES = {
    "done": "done", "running": "running", "failed": "failed", "solved": "next", "split": "next", "waits": "waiting",
    "stuck": "problem", "open": "later",
}  # fmt: skip
_WAITING = ("waits", "stuck")


def state_of(page: TaskPage, one: Hypothesis) -> str:
    """Say how a hypothesis stands.

    With a plan it is done, running, failed or solved (nothing of it is under way), with stages done or split; without
    either it waits for a stage, is stuck, or open (not planned yet).
    """
    if one.id not in page.states:
        page.states[one.id] = _find_state(page, one)
    return page.states[one.id]


def _find_state(page: TaskPage, one: Hypothesis) -> str:
    tree = page.task.tree
    if one.plan is not None:
        standings = standings_of(page, one)
        if all(standing == "done" for standing in standings):
            return "done"
        return next((state for state in ("running", "failed") if state in standings), "solved")
    if (solving := tree.solving(one.id)) is not None:
        inner = (state_of(page, tree.hypotheses[name]) for name in one.stage_ids(solving))
        return "done" if all(state == "done" for state in inner) else "split"
    if one.verdict is None:
        return "open"
    return "stuck" if attempt_of(tree, one) is None else "waits"


def standings_of(page: TaskPage, one: Hypothesis) -> list[StepStanding]:
    return [step_standing(page.task, page.catalog, one, step) for step in one.plan.steps] if one.plan else []


def draw_tree(page: TaskPage) -> list[Node]:
    """Draw all hypotheses as a nested list of buttons."""
    return [el("ul", "stages", _stage(page, page.task.tree.hypotheses[ROOT], ""), aria_label="Stages")]


def _stage(page: TaskPage, one: Hypothesis, number: str) -> Node:
    state = state_of(page, one)
    shown = attempt_of(page.task.tree, one)
    return el(
        "li",
        f"stage-of {state}",
        button(
            "node",
            icon(_PICTURES[state]),
            el("span", "number", number) if number else None,
            el("span", "title", one.description.text),
            el("span", "state", NODE_STATES[state]),
            act={"do": "node", "what": one.id},
            pressed=page.node == one.id,
            key=f"node-{one.id}",
        ),
        _said(page, one, state),
        _attempt(page, one, shown) if shown else None,
        [
            el(
                "details",
                "evidence attempt",
                el("summary", "", f"Attempt {n}, discarded: {why_discarded(page, one, n)}"),
                _attempt(page, one, n),
                open="" if page.node.startswith(f"{one.id}.{n}.") else None,
                key=f"attempt-{one.id}.{n}",
            )
            for n in _others(one, shown)
        ],
        key=f"stage-{one.id}",
    )


def _others(one: Hypothesis, shown: int | None) -> Iterator[int]:
    """Yield the attempts that are not shown; what found nothing more is no attempt to be looked at."""
    yield from (n for n, attempt in enumerate(one.attempts, start=1) if n != shown and attempt.split is not None)


def _said(page: TaskPage, one: Hypothesis, state: str) -> Node | None:
    """Say below a stage how far its plan is, or why it is stuck."""
    each = [f"for each {page.fact(item)}" for item in one.description.each]
    if one.plan is not None:
        done = standings_of(page, one).count("done")
        each += [f"{done} of {count(len(one.plan.steps), 'step')} done"] if done and state != "done" else []
    elif why := why_stuck(page.catalog, one.verdict):
        each.append(why if state == "stuck" else f"{IN_ONE_PIECE}: {why}")
    return el("p", "of-stage capital-line", ", ".join(each)) if each else None


def _attempt(page: TaskPage, one: Hypothesis, number: int) -> Child:
    attempt = one.attempts[number - 1]
    if attempt.split is None:
        return None
    stages = page.task.tree.hypotheses
    if attempt.taken:
        inner = [_stage(page, stages[name], str(n)) for n, name in enumerate(one.stage_ids(number), start=1)]
    else:
        inner = [el("li", "stage-of", el("p", "of-stage", stage.text)) for stage in attempt.split.stages]
    return [
        el("p", "of-attempt", icon("next"), say_split(attempt.split, attempt.proposer, attempt.trouble)),
        el("ul", "", inner),
    ]


def why_discarded(page: TaskPage, one: Hypothesis, number: int) -> str:
    attempt = one.attempts[number - 1]
    if attempt.refusals:
        return " ".join(say_refusal(page.catalog, refusal) for refusal in attempt.refusals)
    tree = page.task.tree
    stuck = [tree.hypotheses[name] for name in one.stage_ids(number) if not tree.is_solved(name)]
    if not stuck:
        return NOT_NEEDED
    return say_stuck([stage.description.text for stage in stuck])


def tree_graph(page: TaskPage) -> tuple[list[GraphNode], list[GraphEdge]]:
    """Make a graph of the hypotheses of the attempts that are shown."""
    nodes: list[GraphNode] = []
    edges: list[GraphEdge] = []

    def walk(one: Hypothesis) -> None:
        state = state_of(page, one)
        done, waiting = state == "done", state in _WAITING
        badge = _PICTURES[state] if state not in ("open", "solved", "split") else ""
        nodes.append(
            GraphNode(
                one.id,
                "authorize" if waiting else "fact" if state == "open" else "goal",
                one.description.text,
                NODE_STATES[state],
                "goal" if one.id == ROOT else "fact" if state == "open" else "skill",
                "done" if done else "failed" if waiting else "",
                badge,
                f"{one.description.text}: {NODE_STATES[state]}",
            )
        )
        shown = attempt_of(page.task.tree, one)
        for name in one.stage_ids(shown) if shown else ():
            edges.append(GraphEdge(one.id, name, f"stage of {one.description.text}"))
            walk(page.task.tree.hypotheses[name])

    walk(page.task.tree.root)
    return nodes, edges
