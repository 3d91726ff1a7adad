"""Solve a task with an engine, and let nothing out that an independent replay has not accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from planning.engines import ENGINES, Engine
from planning.errors import quote
from planning.model import GaveUp, Limits, PlanningResult, Solved, Task
from planning.order import order_for_conversation
from planning.tidy import drop_redundant
from planning.validate import InvalidPlan, OverBudget, validate

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
