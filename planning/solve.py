"""Solve a task with an engine, and let nothing out that an independent replay has not accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from planning.engines import Engine
from planning.model import GaveUp, Limits, PlanningResult, Solved, Task
from planning.order import order_for_conversation
from planning.tidy import drop_redundant
from planning.validate import InvalidPlan, validate

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
        validate(task, result.plan)
        plan = order_for_conversation(task, drop_redundant(task, result.plan))
        validate(task, plan)
    except InvalidPlan as fault:
        reason = f"The engine {engine.name} returned a plan that does not hold: {fault}"
        return GaveUp(reason, result.engine, result.seconds, result.note)
    return replace(result, plan=plan, seconds={**result.seconds, "order": perf_counter() - began})
