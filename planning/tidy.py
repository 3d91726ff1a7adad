"""Drop the steps that a plan can do without."""

from __future__ import annotations

from collections import defaultdict

from planning.model import Atom, Operator, Plan, Task
from planning.reachability import close_forward


def drop_redundant(task: Task, plan: Plan) -> Plan:
    """Drop steps for as long as the goal is still reached: the dearest first, of equals the last.

    The plan must be valid. Searches that do not prove their plans shortest leave such steps behind.
    """
    kept = list(range(len(plan.steps)))
    doubtful = set(kept) - _find_needed(task, plan)
    if not doubtful:
        return plan
    for number in sorted(doubtful, key=lambda number: (-plan.steps[number].cost, -number)):
        without = [other for other in kept if other != number]
        if task.goal <= close_forward(task.initial, (plan.steps[other] for other in without)):
            kept = without
    return Plan(_sequence(task, [plan.steps[number] for number in kept]))


def _find_needed(task: Task, plan: Plan) -> set[int]:
    """Find steps that alone add what the goal, or a step so found, needs: there is no use in trying without them."""
    achievers: dict[Atom, list[int]] = defaultdict(list)
    for number, step in enumerate(plan.steps):
        for atom in step.adds - task.initial:
            achievers[atom].append(number)
    needed: set[int] = set()
    waiting = list(task.goal)
    while waiting:
        alone = achievers[waiting.pop()]
        if len(alone) == 1 and alone[0] not in needed:
            needed.add(alone[0])
            waiting.extend(plan.steps[alone[0]].needs)
    return needed


def _sequence(task: Task, steps: list[Operator]) -> tuple[Operator, ...]:
    """Put steps in an order in which they can be applied: what a dropped step did first, a later one may have to do."""
    state = task.initial
    ordered: list[Operator] = []
    while steps:
        step = next(step for step in steps if step.needs <= state)
        steps.remove(step)
        ordered.append(step)
        state |= step.adds
    return tuple(ordered)
