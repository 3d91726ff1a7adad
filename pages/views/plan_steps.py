"""A plan as a graph, and as a row of step buttons that keyboard and screen reader can reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from catalog.model import Catalog
from dialogue.state.plans import PlanRecord
from language.responses.plans import HOW_SURE
from pages.shell.address import Selection
from pages.shell.sheet import Node, button, el, icon, pairs
from pages.views import plans
from pages.views.graph import GraphEdge, GraphNode, draw_graph
from pages.views.snapshot_view import SnapshotView
from planning.model import Needs

_BADGES = {
    plans.StepState.DONE: "done",
    plans.StepState.RUNNING: "running",
    plans.StepState.WAITING: "waiting",
    plans.StepState.NEXT: "next",
    plans.StepState.FAILED: "failed",
    plans.StepState.RULED_OUT: "never",
}

# Of more facts than these, a goal is called by its own name.
_FEW = 2


def draw_plan_graph(
    seen: SnapshotView, record: PlanRecord, key: str, on_select: Callable[[Selection], None], tallest: int = 560
) -> None:
    """Draw a plan: what was known, the steps, and the goal; an arrow says what flows from one to the other."""
    nodes, edges, selections = plan_graph(seen, record)
    chosen = {id_ for id_, at in selections.items() if at.is_same(seen.chosen)} | {
        str(view.index)
        for view in plans.view_steps(seen.catalog, seen.conversation, record)
        if view.matches(seen.chosen)
    }
    draw_graph(
        key,
        nodes,
        edges,
        chosen=chosen,
        tallest=tallest,
        on_node=lambda id_: on_select(selections[id_]) if id_ in selections else None,
    )


def plan_graph(seen: SnapshotView, record: PlanRecord) -> tuple[list[GraphNode], list[GraphEdge], dict[str, Selection]]:
    catalog, steps = seen.catalog, record.plan.steps
    views = plans.view_steps(catalog, seen.conversation, record)
    wanted, goals = plans.goal_facts(catalog, seen.conversation, record), plans.goals_of_plan(seen.conversation, record)
    skills = [skill for goal in goals for skill in goal.skills]
    links = [
        *plans.link_steps(catalog, steps),
        *plans.goal_links(catalog, steps, wanted),
        *plans.skill_links(steps, skills),
    ]
    selections = {f"known:{link.fact}": Selection("fact", link.fact, record.ended) for link in links if link.source < 0}
    selections |= {str(view.index): view.selection for view in views}
    goal = None
    if wanted or skills:
        end = str(len(steps))
        parts = [*map(seen.fact, wanted), *map(seen.skill, skills)]
        declared = catalog.goals.get(goals[0].goal) if len(goals) == 1 else None
        label = seen.text(declared.label) if declared and len(parts) > _FEW else ", ".join(parts)
        declined = plans.outcome_of_plan(catalog, seen.conversation, record) == "declined"
        goal = goal_node(len(steps), label, parts, reached=record.status == "finished", declined=declined)
        selections[end] = (
            Selection("fact", wanted[0], record.ended) if wanted else Selection("skill", skills[0], record.ended)
        )
    nodes, edges = step_graph(catalog, views, links, goal)
    return nodes, edges, selections


def goal_node(steps: int, label: str, parts: Sequence[str], *, reached: bool, declined: bool = False) -> GraphNode:
    """Make the node of what a plan of so many steps leads to, with how that came out."""
    state = "declined" if declined else "done" if reached else ""
    words = {"declined": "declined", "done": "reached"}.get(state, "the goal")
    kind = "no" if declined else "goal"
    return GraphNode(str(steps), kind, label, words, "goal", state, state, f"Goal: {', '.join(parts)}, {words}")


def step_graph(
    catalog: Catalog, views: Sequence[plans.StepView], links: Sequence[plans.PlanLink], goal: GraphNode | None
) -> tuple[list[GraphNode], list[GraphEdge]]:
    """Make the graph of steps: what was known, the steps, the goal, and what flows from one to the other."""
    nodes = [
        GraphNode(
            f"known:{fact}",
            "known",
            plans.fact_label(catalog, fact),
            icon="fact",
            state="done",
            tip=f"{plans.fact_label(catalog, fact)}: known before this plan",
        )
        for fact in dict.fromkeys(link.fact for link in links if link.source < 0)
    ]
    nodes += [
        GraphNode(
            str(view.index),
            view.step.kind.value,
            view.title,
            view.detail,
            view.step.kind.value,
            view.state.value,
            _BADGES.get(view.state, ""),
            view.spoken,
        )
        for view in views
    ]
    nodes += [goal] if goal is not None else []
    edges = [
        GraphEdge(
            f"known:{link.fact}" if link.source < 0 else str(link.source),
            str(link.target),
            plans.skill_label(catalog, link.fact),
            faded=link.target < len(views)
            and views[link.target].state in (plans.StepState.LATER, plans.StepState.NEVER),
        )
        for link in links
    ]
    return nodes, edges


def needs_list(catalog: Catalog, needs: Needs) -> list[Node]:
    """List what people will be asked for and asked to agree to: in any case, probably, and possibly."""
    drawn = []
    for certainty, heading in HOW_SURE.items():
        asked = [("fact", fact) for fact, sure in needs.asks.items() if sure is certainty]
        agreed = [("skill", subject) for subject, sure in needs.consents.items() if sure is certainty]
        chips = [
            button(
                f"chip {certainty.value}",
                plans.fact_label(catalog, name) if kind == "fact" else f"consent: {plans.skill_label(catalog, name)}",
                act={"do": "select", "what": f"{kind}:{name}"},
            )
            for kind, name in (*asked, *agreed)
        ]
        drawn.append((heading, el("span", "chips", chips) if chips else None))
    if not any(chips for _, chips in drawn):
        return []
    return [el("h2", "small-head", "What you will be asked for"), pairs(drawn)]


def step_buttons(views: Sequence[plans.StepView], chosen: Selection | None, label: str) -> Node:
    """Make the row of buttons: number, kind, title and state of each step."""
    return el(
        "ol",
        "steps",
        [
            el(
                "li",
                "",
                button(
                    f"step {view.step.kind.value} {view.state.value}",
                    el("span", "unseen", "Step "),
                    el("span", "number", str(view.index + 1)),
                    icon(view.step.kind.value),
                    el("span", "title", view.title),
                    el("span", "unseen", f", {view.detail}, "),
                    el("span", "state", icon(_BADGES.get(view.state, "later")), plans.STATE_WORDS[view.state]),
                    act={"do": "select", "what": str(view.selection)},
                    pressed=view.matches(chosen),
                ),
            )
            for view in views
        ],
        aria_label=label,
    )
