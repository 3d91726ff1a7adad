"""How far a task is: the steps of its plans, and the items of lists that calls are made for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from catalog.model import Catalog
from dialogue.tasks.reporting.report import show_item, why_vain
from dialogue.tasks.state.events import CallFailed, Items
from dialogue.tasks.state.requests import ConfirmCall, NeedConsent
from dialogue.tasks.state.task import Task, TaskCall, hoped_of
from planning.hierarchy.gaps import find_closest
from planning.hierarchy.tree import Hypothesis, PlanStep, Tree
from planning.model import StepKind

StepStanding = Literal["done", "running", "waiting", "failed", "later"]
"""How a step stands; it is waiting where a person has to agree."""


@dataclass(frozen=True, slots=True)
class ItemStanding:
    """An item of a list (by its number, from 1): how the last call for it stands, and why it failed."""

    number: int
    name: str
    standing: Literal["done", "running", "failed"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ListProgress:
    """Calls of a skill for each item of a list: items that no call was made for are not among `items`."""

    skill: str
    listed: str
    total: int
    items: tuple[ItemStanding, ...]

    def count(self, standing: str) -> int:
        return sum(one.standing == standing for one in self.items)


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """How many stages have a plan, and how many steps of the plans are done."""

    stages: int
    solved: int
    steps: int
    done: int


def progress_of(task: Task, catalog: Catalog) -> TaskProgress:
    """Count stages and steps of the attempt that solves the task, or else of the one that it is at."""
    leaves = tuple(_leaves(task, task.tree.root))
    solved = [one for one in leaves if one.plan is not None]
    standings = [step_standing(task, catalog, one, step) for one in solved if one.plan for step in one.plan.steps]
    return TaskProgress(len(leaves), len(solved), len(standings), standings.count("done"))


def attempt_of(tree: Tree, one: Hypothesis) -> int | None:
    """Return the attempt that a hypothesis stands by: the one that solves it, or else lacks least; None for a leaf."""
    return None if one.plan is not None else find_closest(tree, one)


def _leaves(task: Task, one: Hypothesis) -> Iterator[Hypothesis]:
    attempt = attempt_of(task.tree, one)
    if attempt is None:
        yield one
    else:
        for stage in one.stage_ids(attempt):
            yield from _leaves(task, task.tree.hypotheses[stage])


def step_standing(task: Task, catalog: Catalog, leaf: Hypothesis, step: PlanStep) -> StepStanding:
    if step.kind is StepKind.AUTHORIZE:
        return "done" if step.subject in task.consents else _awaited(task, step)
    if step.kind is StepKind.CONFIRM:
        return "done" if (step.subject, step.mode or "") in task.confirmed else _awaited(task, step)
    calls = calls_of(task, catalog, step)
    if any(call.ended is None for call in calls):
        return "running"
    if step.outputs and all(_is_known(task, catalog, fact) for fact in step.outputs):
        return "done"
    if calls and isinstance(calls[-1].ended, CallFailed):
        return "failed"
    return "done" if calls and not step.outputs else "later"


def _awaited(task: Task, step: PlanStep) -> StepStanding:
    for asked in task.open_requests:
        match asked.request:
            case NeedConsent(skill=skill) | ConfirmCall(skill=skill) if skill == step.subject:
                return "waiting"
    return "later"


def _is_known(task: Task, catalog: Catalog, fact: str) -> bool:
    names = catalog.subtypes.get(fact, (fact,))
    return not task.known.isdisjoint(names)


def calls_of(task: Task, catalog: Catalog, step: PlanStep) -> tuple[TaskCall, ...]:
    skill = catalog.skills.get(step.subject) if step.kind is StepKind.SKILL else None
    mode = skill.modes.get(step.mode or "") if skill else None
    if mode is None:
        return ()
    return task.called.get((step.subject, mode.calls or mode.name), ())


def lists_of(task: Task, catalog: Catalog) -> tuple[ListProgress, ...]:
    """List what is done for each item of a list, in the order in which it began."""
    found: dict[tuple[str, Items, int], list[TaskCall]] = {}
    for call in task.calls.values():
        if call.begun.items:
            (entry, _), around = call.begun.items[-1], call.begun.items[:-1]
            found.setdefault((call.begun.skill, around, entry), []).append(call)
    lists = {value.entry: (value.fact, value.value) for there in task.values.values() for value in there.values()}
    return tuple(
        ListProgress(skill, listed, len(value), tuple(_items(task, catalog, listed, calls)))
        for (skill, _, entry), calls in found.items()
        for listed, value in ([lists[entry]] if entry in lists else [])
        if isinstance(value, list)
    )


def _items(task: Task, catalog: Catalog, listed: str, calls: Iterable[TaskCall]) -> Iterator[ItemStanding]:
    last = {call.begun.items[-1][1]: call for call in calls}
    for number, call in sorted(last.items()):
        name = show_item(task, catalog, listed, number)
        reason = why_in_vain(task, catalog, call)
        standing: Literal["done", "running", "failed"]
        standing = "running" if call.ended is None else "done" if reason is None else "failed"
        yield ItemStanding(number, name, standing, reason or "")


def why_in_vain(task: Task, catalog: Catalog, call: TaskCall) -> str | None:
    """Say why a call did not give what its plan hoped for; None where it did, or is under way."""
    if isinstance(call.ended, CallFailed):
        return why_vain(task, catalog, call)
    skill = catalog.skills.get(call.begun.skill)
    outcomes = skill.modes[call.begun.mode].outcomes if skill and call.begun.mode in skill.modes else {}
    hoped = outcomes.get(hoped_of(task, call))
    if call.ended is None or hoped is None or call.ended.outcome not in outcomes:
        return None
    return None if set(hoped.facts) <= set(outcomes[call.ended.outcome].facts) else why_vain(task, catalog, call)
