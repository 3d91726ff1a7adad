"""Beginning with a plan while a cheaper one is still searched for, and changing over to that one.

A step that is in every plan (an action landmark) and can be applied at once may be taken first, whatever is found
later: nothing is ever deleted, so any plan stays valid with that step moved to its front, and costs the same.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from planning.landmarks import CommonMarks, Marks
from planning.model import Operator, Plan, StepKind, Task
from planning.plans.solve import InvalidPlan, drop_redundant, order_for_conversation, validate
from planning.task.index import Operators, index_task, keep_operators


def begin_safely(task: Task, plan: Plan) -> Plan | None:
    """Order a valid plan so that it begins with a step that is in every plan; None where it has no such step.

    That is a call that needs nothing more, or a question whose answer goes nowhere where consent is needed, so that no
    other plan would ask for that first. Nor may the catalog prefer that the step comes after others.
    """
    landmarks = find_action_landmarks(task, plan)
    for place, step in enumerate(plan.steps):
        if step.name in landmarks and _may_come_first(task, step):
            return Plan((step, *plan.steps[:place], *plan.steps[place + 1 :]))
    return None


def _may_come_first(task: Task, step: Operator) -> bool:
    if not step.needs <= task.initial or (step.kind, step.subject) in task.preferred:
        return False
    if step.kind is StepKind.ASK:
        return not _may_need_consent(keep_operators(task.operators).whole, step)
    return step.kind is StepKind.SKILL


def _may_need_consent(operators: Operators, question: Operator) -> bool:
    """Return whether the answer to a question, or what it can stand for, may go where consent is needed."""
    atoms, users = operators.atoms, operators.arrays.users
    reached = [operators.number[atom] for atom in question.adds]
    for atom in reached:
        for user in map(operators.at, users[atom]):
            if atoms[atom].subject in user.sensitive:
                return True
            if user.kind is StepKind.MAP:
                reached += [number for number in map(operators.number.__getitem__, user.adds) if number not in reached]
    return False


def find_action_landmarks(task: Task, plan: Plan) -> frozenset[str]:
    """Find the operators that are in every plan, by name, from a valid one: no other ones of `find_landmarks`.

    A budget is not heeded: with one, there may be more.
    """
    indexed = index_task(task)
    assert indexed is not None, "a valid plan reaches the goal"
    marks = Marks(indexed.arrays, [indexed.operators.named[step.name] for step in plan.steps])
    applied = marks.mark_applied()
    common = CommonMarks(indexed.arrays, indexed.initial, indexed.ruled_out, marks.on)
    common.look_at(indexed.arrays.regress(tuple(indexed.goal)))
    every = reduce(or_, [common.at[atom] for atom in indexed.goal], 0)
    return frozenset([indexed.operators.at(step).name for step, mark in applied.items() if mark & every])


def change_over(task: Task, plan: Plan) -> Plan | None:
    """Return what is left to do of a plan that was made before some steps were taken; None where it does not hold.

    The task is that of now. Steps that would add nothing are left out, and the others put in order for it.
    """
    operators = keep_operators(task.operators)
    places = [operators.named.get(step.name) for step in plan.steps if not step.adds <= task.initial]
    rest = Plan(tuple([operators.whole.at(place) for place in places if place is not None]))
    try:
        validate(task, rest)
    except InvalidPlan:
        return None
    return order_for_conversation(task, drop_redundant(task, rest))
