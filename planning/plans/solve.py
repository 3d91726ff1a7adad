"""Solve a task with an engine, and let nothing out that an independent replay has not accepted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from planning.engines import ENGINES, Engine
from planning.model import Atom, GaveUp, Limits, Operator, Plan, PlanningResult, Solved, Task
from planning.plans.ordering import order_for_conversation
from planning.plans.validation import InvalidPlan, OverBudget, validate
from planning.task.errors import quote
from planning.task.reachability import close_forward


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


DEFAULT_LIMITS = Limits()


def never() -> bool:
    """Tell that a search is not cancelled."""
    return False


def solve(
    task: Task, engine: Engine, limits: Limits = DEFAULT_LIMITS, cancelled: Callable[[], bool] = never
) -> PlanningResult:
    """Search for a plan, drop what it can do without, order it for a conversation, and replay it.

    A plan that does not survive the replay is never handed out: the engine is at fault, and nothing is proved.
    """
    result = engine.solve(task, limits, cancelled)
    if not isinstance(result, Solved):
        return result
    began = perf_counter()
    try:
        validate(task if task.budget is None else replace(task, budget=None), result.plan)
        plan = order_for_conversation(task, drop_redundant(task, result.plan))
        validate(task, plan)
    except InvalidPlan as fault:
        if isinstance(fault, OverBudget) and not engine.heeds_budget:
            return GaveUp(_name_others(engine, fault), result.engine, result.seconds, result.note)
        reason = f"The engine {engine.name} returned a plan that does not hold: {fault}"
        return GaveUp(reason, result.engine, result.seconds, result.note)
    seconds = {**result.seconds, "order": perf_counter() - began}
    return Solved(plan, result.engine, seconds, result.note, result.gap)


def _name_others(engine: Engine, fault: OverBudget) -> str:
    """Say why a plan of an engine that does not look at money is not taken, and which engines do."""
    others = " or ".join(quote(name) for name, other in ENGINES.items() if other.heeds_budget)
    return f"{fault} The engine {quote(engine.name)} does not heed budgets; choose {others}."
