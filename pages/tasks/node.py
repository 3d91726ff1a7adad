"""One hypothesis in full: its description, what planning said, its attempts, and its plan with the calls made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from catalog.wording.grammar import capitalize
from dialogue.log.events import PlannedStep
from dialogue.tasks.reporting.progress import attempt_of, calls_of, step_standing, why_in_vain
from dialogue.tasks.state.events import CallEnded, CallFailed
from dialogue.tasks.state.task import TaskCall
from explain.tasks import TaskQuestion, TaskQuestionKind, figures_of
from explain.tasks.answers import answer_about_task
from explain.tasks.words import say_adds, say_criterion, say_entries, say_split, why_stuck
from language.responses.tasks import on_page
from language.responses.tasks.on_page import ENTRIES, FIGURES, HOW_IT_CAME, WHY_SO, WHY_UNMET
from pages.shell import address
from pages.shell.sheet import (
    Child,
    Node,
    because,
    button,
    card,
    draw,
    el,
    folded,
    hint,
    icon,
    pairs,
    row,
    shorten,
    table,
)
from pages.tasks.page_state import TaskPage
from pages.tasks.tree import state_of, why_discarded
from pages.views.graph import draw_graph
from pages.views.plan_steps import goal_node, step_buttons, step_graph
from pages.views.plans import StepState, StepView, goal_links, link_steps, step_detail, step_title
from planning.hierarchy.proposers import MODEL
from planning.hierarchy.split import goal_of
from planning.hierarchy.tree import Hypothesis, Planned

_LONGEST_CHOICE = 60
"""Characters of a paragraph that are shown where it can be chosen."""
_MOST = 60
"""Figures that can be chosen."""


def why_it_stands(page: TaskPage, one: Hypothesis) -> Node:
    question = TaskQuestion(TaskQuestionKind.WHY, one.id)
    return folded(WHY_SO, _answer(page, question), key=f"why-{one.id}")


def why_unmet(page: TaskPage, number: int) -> Node | None:
    """Say why a criterion is not met, to be folded out."""
    question = TaskQuestion(TaskQuestionKind.WHY_UNMET, criterion=number)
    answer = _answer(page, question)[1:]  # that it is not met stands above
    return folded(WHY_UNMET, answer) if answer else None


def how_it_came(page: TaskPage, name: str) -> Iterator[Node]:
    """Draw the way to how a result came about; where it is open, the answer, and its figures to choose from."""
    chosen, _, number = page.how.partition("=")
    is_open = chosen == name
    act = {"do": "how", "what": "" if is_open else name}
    yield button("chip", icon("eye"), f" {HOW_IT_CAME}", act=act, pressed=is_open, key=f"how-{name}")
    if not is_open:
        return
    figures = figures_of(page.record, name)[:_MOST]
    at = int(number) if number.isdecimal() and int(number) < len(figures) else None
    if figures:
        yield el("div", "chips", [_figure(name, n, text, at) for n, text in enumerate(figures)], role="group",
                 aria_label=FIGURES)  # fmt: skip
    figure = None if at is None else figures[at]
    answer = _answer(page, TaskQuestion(TaskQuestionKind.HOW, fact=name, figure=figure))
    yield el("section", "drill", answer, key=f"answer-{name}")


def _figure(name: str, number: int, text: str, chosen: int | None) -> Node:
    pressed = number == chosen
    act = {"do": "how", "what": name if pressed else f"{name}={number}"}
    return button("chip", shorten(text, _LONGEST_CHOICE), act=act, pressed=pressed, key=f"figure-{name}-{number}")


def _answer(page: TaskPage, question: TaskQuestion) -> list[Node]:
    return because(answer_about_task(page.record, question), _entries)


def _entries(entries: tuple[int, ...]) -> Node | None:
    return el("small", "muted", f" {proof}", title=ENTRIES) if (proof := say_entries(entries)) else None


def ask(clicked: Mapping[str, Any]) -> None:
    """Open or close how a result came about, or choose a figure in it."""
    address.write("how", str(clicked.get("what", "")) or None)


_STATES = {
    "done": StepState.DONE,
    "running": StepState.RUNNING,
    "waiting": StepState.WAITING,
    "failed": StepState.FAILED,
    "later": StepState.LATER,
}
_DRAWN = 60
_LONGEST = 4_000
OnAct = Callable[[Mapping[str, Any]], None]


def draw_node(page: TaskPage, one: Hypothesis, on_act: OnAct) -> None:
    """Draw a hypothesis, and its plan where there is one."""
    draw("task-node", head(page, one), on_act, show=one.id)
    if one.plan is None:
        return
    views = steps_of(page, one, one.plan)
    if not views:
        return
    chosen = next((view.selection for view in views if view.step.subject == page.step), None)
    draw("task-node-steps", [step_buttons(views, chosen, "Steps of the plan")], on_act)
    steps = [view.step for view in views]
    goal = goal_of(page.catalog, one.description)
    parts = page.facts(goal)
    nodes, edges = step_graph(
        page.catalog,
        views,
        [*link_steps(page.catalog, steps), *goal_links(page.catalog, steps, goal)],
        goal_node(len(steps), ", ".join(parts), parts, reached=all(v.state is StepState.DONE for v in views)),
    )
    draw_graph(
        "task-plan-graph",
        nodes,
        edges,
        chosen={str(view.index) for view in views if view.step.subject == page.step},
        tallest=440,
        on_node=lambda key: (
            on_act({"do": "step", "what": views[int(key)].step.subject})
            if key.isdecimal() and int(key) < len(views)
            else None
        ),
    )
    draw("task-node-calls", list(calls(page, one, one.plan)))


def head(page: TaskPage, one: Hypothesis) -> list[Node]:
    state = state_of(page, one)
    shown = attempt_of(page.task.tree, one)
    found = [number for number, attempt in enumerate(one.attempts, start=1) if attempt.split or attempt.trouble]
    attempts = [_attempt(page, one, number, shown) for number in found]
    why = capitalize(why_stuck(page.catalog, one.verdict))
    return [
        card(
            one.description.text,
            {"do": "node", "what": one.id},
            "Close this stage",
            pairs(_pairs(page, one, on_page.NODE_STATES[state], f"{why}." if why and one.plan is None else "")),
            [el("h4", "", "Attempts to split it"), el("ol", "attempts", attempts)] if attempts else None,
            hint(on_page.NO_SPLIT) if one.attempts and not attempts else None,
            hint(on_page.NO_PLAN) if state == "open" else None,
            why_it_stands(page, one) if state != "open" else None,
            key=one.id,
            cls=" close-by",
        )
    ]


def _pairs(page: TaskPage, one: Hypothesis, state: str, why: str) -> Iterator[tuple[Child, Child]]:
    of = one.description
    made_up = {on_page.PARTS[part.value] for part in of.generated}
    yield "State", state
    yield capitalize(on_page.IN_ONE_PIECE), why or None
    yield "Mission", of.mission
    yield "Context", of.context
    yield "For each", ", ".join(f"{page.fact(item)} of {page.fact(listed)}" for item, listed in of.each.items())
    yield "Starts from", _chips(page, tuple(of.inputs))
    ends = [
        el(
            "p",
            "",
            page.fact(name),
            el("small", "muted", f" with {', '.join(result.sections)}") if result.sections else "",
        )
        for name, result in of.results.items()
    ]
    yield "Ends with", ends
    criteria = [el("p", "capital-line", say_criterion(page.catalog, criterion)) for criterion in of.criteria]
    yield "Criteria", criteria
    yield on_page.GENERATED, ", ".join(sorted(made_up))


def _chips(page: TaskPage, names: tuple[str, ...]) -> Node | None:
    return el("span", "wanted", [el("span", "chip", page.fact(name)) for name in names]) if names else None


def _attempt(page: TaskPage, one: Hypothesis, number: int, shown: int | None) -> Node:
    attempt = one.attempts[number - 1]
    words = [say_split(attempt.split, attempt.proposer, attempt.trouble)]
    if attempt.split is not None:
        words.append(say_adds(attempt.split))
        if number != shown:
            words.append(f"Discarded: {why_discarded(page, one, number)}")
    return el(
        "li",
        "taken" if number == shown else "",
        el("strong", "", f"Attempt {number}: "),
        " ".join(words),
        _told(page, one, number),
    )


def _told(page: TaskPage, one: Hypothesis, number: int) -> Node | None:
    """Show what a language model was told for an attempt, and what it answered."""
    asked = sum(attempt.proposer == MODEL for attempt in one.attempts[:number])
    told = page.task.told.get(("split", one.id, asked)) if one.attempts[number - 1].proposer == MODEL else None
    if told is None or not told.sent:
        return None
    said = [el("p", "", shorten(line, _LONGEST)) for line in (told.sent, *told.replies)]
    return folded(on_page.TOLD_TO_MODEL, said)


def steps_of(page: TaskPage, one: Hypothesis, plan: Planned) -> tuple[StepView, ...]:
    views = []
    for index, step in enumerate(plan.steps):
        planned = PlannedStep(**{name: getattr(step, name) for name in type(step).model_fields})
        state = _STATES[step_standing(page.task, page.catalog, one, step)]
        title, detail = step_title(page.catalog, planned), step_detail(page.catalog, planned)
        views.append(StepView(index, planned, state, title, detail))
    return tuple(views)


def calls(page: TaskPage, one: Hypothesis, plan: Planned) -> Iterator[Node]:
    made: dict[int, TaskCall] = {}
    for step in plan.steps:
        if not page.step or step.subject == page.step:
            made |= {call.entry: call for call in calls_of(page.task, page.catalog, step)}
    if not made:
        return
    yield el("h4", "", "Calls")
    listed = [made[entry] for entry in sorted(made)]
    items = any(call.begun.items for call in listed)
    heads = ("Skill", "Item", "Came back with") if items else ("Skill", "Came back with")
    yield table(heads, [_call(page, call, items=items) for call in listed[-_DRAWN:]], "calls")
    if len(listed) > _DRAWN:
        yield hint(f"And {len(listed) - _DRAWN:,} more before them.")


def _call(page: TaskPage, call: TaskCall, *, items: bool) -> Node:
    skill = page.catalog.skills.get(call.begun.skill)
    numbers = ".".join(str(number) for _, number in call.begun.items)
    vain = why_in_vain(page.task, page.catalog, call)
    match call.ended:
        case CallEnded():
            outcome = skill.modes[call.begun.mode].outcomes.get(call.ended.outcome) if skill else None
            label = outcome.label if outcome else call.ended.outcome
            said = el("span", "tag warn" if vain else "tag good", icon("problem" if vain else "done"), f" {label}")
        case CallFailed():
            said = el("span", "tag bad", icon("failed"), " failed")
        case _:
            said = el("span", "tag", icon("running"), f" {on_page.STEP_STATES['running']}")
    name = skill.label if skill else call.begun.skill
    came: list[Child] = [said, el("span", "block", shorten(vain, 200)) if vain else None]
    return row(el("span", "block", name), *([numbers] if items else []), came)
