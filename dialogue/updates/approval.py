"""Approval of a whole plan: asked once before it runs, with every step, who gets what, and what cannot be undone.

It is wanted where the catalog says so (`settings.approval`) or the user does. What leaves the approved envelope (a call
that was not in the plan, more money than was named) stops and asks again.
"""

from __future__ import annotations

from catalog.model import Effect
from catalog.model.settings import ApprovalPolicy
from dialogue.context import TurnContext
from dialogue.log.events import Approved, Asked, Authorized, Confirmed, PlannedStep
from dialogue.state.conversation import all_known
from dialogue.state.plans import PlanRecord
from planning.model import StepKind, call_name


def needs_approval(turn: TurnContext, step: PlannedStep) -> bool:
    """Return whether the plan must be approved before a step: questions may be put, and mappings applied, without."""
    conversation = turn.conversation
    plan, goal = conversation.plan, conversation.goal
    wanted = turn.catalog.settings.approval is ApprovalPolicy.PLAN or conversation.goals.approves
    if not wanted or plan is None or goal is None or step.kind in (StepKind.ASK, StepKind.MAP):
        return False
    approved = conversation.questions.approved.get(conversation.purpose)
    if approved is None:
        return True
    calls = {call_name(one.subject, one.mode or "") for one in plan.left if one.kind is StepKind.SKILL}
    return (
        not calls <= approved.calls or conversation.goals.spent.get(goal.goal_id, 0.0) + _money(plan) > approved.money
    )


def ask_approval(turn: TurnContext) -> None:
    """Ask whether the plan may be carried out as it is."""
    catalog, conversation = turn.catalog, turn.conversation
    plan, goal = conversation.plan, conversation.goal
    assert plan is not None and goal is not None
    calls = [step for step in plan.left if step.kind is StepKind.SKILL]
    acting = dict.fromkeys(step.subject for step in calls if catalog.skills[step.subject].effect is Effect.IRREVERSIBLE)
    question = turn.language.plans.approval_question(
        catalog,
        goal.label,
        plan.left,
        _money(plan),
        tuple(acting),
        again=conversation.purpose in conversation.questions.approved,
    )
    turn.journal.add(Asked(about="plan", subject=goal.goal, text=question, plan_id=plan.plan_id))
    turn.reply(question, "question")


def approve(turn: TurnContext, heard: int) -> None:
    """Record the approval of the plan being followed, with the consents and go-aheads whose values it showed."""
    conversation, plan, goal = turn.conversation, turn.conversation.plan, turn.conversation.goal
    if plan is None or goal is None:
        return
    calls = tuple((step.subject, step.mode or "") for step in plan.left if step.kind is StepKind.SKILL)
    money = conversation.goals.spent.get(goal.goal_id, 0.0) + _money(plan)
    turn.journal.add(Approved(plan_id=plan.plan_id, calls=calls, money=money, heard=heard))
    for step in plan.left:
        if step.kind is StepKind.AUTHORIZE:
            turn.journal.add(Authorized(subject=step.subject, facts=step.inputs, heard=heard))
        elif step.kind is StepKind.CONFIRM and step.mode and all_known(turn.catalog, turn.conversation, step.inputs):
            confirmed = Confirmed(skill=step.subject, mode=step.mode, facts=step.inputs, heard=heard)
            turn.journal.add(confirmed)


def _money(plan: PlanRecord) -> float:
    """Return what the calls of a plan are charged at, all of them: what is done already counts with what is left."""
    return plan.plan.amounts.money if plan.plan.amounts else 0.0
