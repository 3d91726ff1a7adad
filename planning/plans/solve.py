"""Solve a task with an engine, and let nothing out that an independent replay has not accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from planning.engines import ENGINES, Engine
from planning.engines.delete_free.relaxed_plans import tidy
from planning.model import GaveUp, Limits, Plan, PlanningResult, Solved, Task
from planning.plans.ordering import order_for_conversation
from planning.plans.validation import InvalidPlan, OverBudget, validate
from planning.task.errors import quote
from planning.task.index import index_task


def drop_redundant(task: Task, plan: Plan) -> Plan:
    """Drop steps for as long as the goal is still reached, the dearest first (`tidy`).

    The plan must be valid. Searches that do not prove their plans shortest leave such steps behind.
    """
    indexed = index_task(task)
    assert indexed is not None, "a valid plan reaches the goal"
    named = indexed.operators.named
    steps = list(dict.fromkeys(named[step.name] for step in plan.steps))
    return indexed.plan(tidy(indexed.arrays, indexed.initial, indexed.goal, steps))


DEFAULT_LIMITS = Limits()


def never() -> bool:
    """Return that a search is not cancelled."""
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
