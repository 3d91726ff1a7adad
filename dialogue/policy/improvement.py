"""Plans that are begun with while a cheaper one is searched for, and changed for that one afterwards (decision 40)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from catalog.model import Catalog
from dialogue.policy.protocol import Replanned
from dialogue.policy.together import Answer, Planner, find_rest, open_together, plan_for
from dialogue.state.conversation import Conversation
from language.languages import Language
from planning.engines import FIRST
from planning.model import Solved
from planning.plans.beginning import begin_safely, change_over
from planning.plans.solve import solve
from planning.task.compilation import compile_task
from planning.task.spending import ROUNDING

FEW = 250
"""Operators of a task below which planning mostly ends within a few milliseconds."""


def plan_early(catalog: Catalog, conversation: Conversation, planner: Planner, cause: int | None) -> Replanned | None:
    """Return a first plan for the goal on top that may be begun with at once, and how to improve it.

    None where there is none, or nothing to gain.
    """
    first, goals = FIRST.get(planner.engine.name), open_together(catalog, conversation)
    if first is None or len(goals) > 1:
        return None
    task = compile_task(catalog, conversation.situation, goals[0].wanted)
    if len(task.operators) < FEW:
        return None
    result = solve(task, first, planner.limits)
    plan = begin_safely(task, result.plan) if isinstance(result, Solved) else None
    if not isinstance(result, Solved) or plan is None:
        return None
    followed = frozenset(step.name for step in plan.steps)
    improve = partial(plan_for, catalog, conversation, planner, earlier=followed)
    return Replanned(replace(result, plan=plan), cause=cause, improve=improve)


def replace_by_cheaper(
    catalog: Catalog, conversation: Conversation, found: Answer, language: Language
) -> Replanned | None:
    """Return the change from the plan being followed to another one, if what is left of that one is cheaper."""
    plan, result = conversation.plan, found.result
    rest = find_rest(catalog, conversation, plan) if plan else None
    if plan is None or rest is None or not isinstance(result, Solved):
        return None
    cheaper = change_over(rest.task, result.plan)
    if cheaper is None or cheaper.cost + ROUNDING >= rest.plan.cost:
        return None
    reason = language.plans.found_cheaper(rest.plan.cost, cheaper.cost)
    note = result.note if result.gap == 0 else f"{result.note} {language.plans.BOUND_COUNTS_ALL}"
    return Replanned(replace(result, plan=cheaper, note=note), plan.discard(reason, plan.began), plan.began)
