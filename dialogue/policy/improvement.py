"""Plans that are begun with while a cheaper one is searched for, and changed for that one afterwards (decision 40)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from catalog.model import Catalog
from dialogue.log.events import Kept, PlannedStep
from dialogue.policy.joint import JointAnswer, Planner, find_rest, open_together, plan_for
from dialogue.policy.protocol import Decision, Proceed, Replanned
from dialogue.state.conversation import Conversation
from dialogue.state.plans import PlanRecord
from language.content import NO_REASON, Reason
from planning.engines import FIRST
from planning.model import Plan, Solved, Task
from planning.plans.early_start import begin_safely, change_over
from planning.plans.solve import solve
from planning.task.compilation import compile_task
from planning.task.index import keep_operators
from planning.task.spending import ROUNDING

FEW = 250
"""Operators of a task below which planning mostly ends within a few milliseconds."""


def plan_early(catalog: Catalog, conversation: Conversation, planner: Planner, cause: int | None) -> Replanned | None:
    """Return a first plan for the goal on top that may be begun with at once, and how to improve it.

    None where no such plan is found, the task is small, or the engine has no first plan: then it plans to the end. That
    there is no plan, and why, is also left to it.
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


def choose_cheaper(
    catalog: Catalog, conversation: Conversation, plan: PlanRecord, step: PlannedStep, found: JointAnswer | None
) -> Decision:
    """Return the change from the plan being followed to what was found, if what is left of that one is cheaper.

    Else the step that comes next, with what is known now of how good the plan is.
    """
    result, rest = found.result if found else None, find_rest(catalog, conversation, plan)
    other = change_over(rest.task, result.plan) if rest and isinstance(result, Solved) else None
    if not (rest and isinstance(result, Solved) and other):
        return Proceed(step, Kept(plan_id=plan.plan_id, cause=plan.began, note=Reason(code="nothing_cheaper")))
    counts_all = any(one.adds <= rest.task.initial for one in result.plan.steps)
    added = Reason(code="bound_counts_all") if result.gap and counts_all else NO_REASON
    if other.cost + ROUNDING >= rest.plan.cost:
        note = _bound(result, _find_whole(rest.task, plan), added)
        return Proceed(step, Kept(plan_id=plan.plan_id, cause=plan.began, note=note))
    discarded = plan.discard(Reason(code="found_cheaper", number=rest.plan.cost, other=other.cost), plan.began)
    note = _bound(result, other, added)
    return Replanned(replace(result, plan=other), discarded, plan.began, note=note)


def _find_whole(task: Task, plan: PlanRecord) -> Plan:
    """Find the operators of all steps of a plan, also of those that were carried out."""
    operators = keep_operators(task.operators)
    return Plan(tuple(operators.whole[operators.named[step.operator]] for step in plan.plan.steps))


def _bound(result: Solved, shown: Plan, added: Reason) -> Reason:
    """Tell what was found of how good a plan is; where likelihoods count, with what the plan that is shown costs."""
    found, costs = result.note, ""
    if result.counts_likelihoods:
        found, costs = result.note.removesuffix(result.plan.costs_said).rstrip(), shown.costs_said
    parts = tuple(filter(None, (Reason(text=found), added, Reason(text=costs))))
    return Reason(code="notes", of=parts) if parts else NO_REASON
