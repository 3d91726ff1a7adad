"""Plan for several requests with any engine, or say what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from catalog.model import Catalog
from planning.diagnosis.diagnose import Diagnosis, diagnose
from planning.engines import Engine
from planning.joint.compilation import NOWHERE, compile_joint, list_unfillable
from planning.joint.model import JointPlan, JointRequest, JointTask, Refused
from planning.model import Atom, GaveUp, Limits, Operator, Plan, Situation, Solved
from planning.plans.solve import DEFAULT_LIMITS, solve
from planning.plans.validation import validate
from planning.task.compilation import want
from planning.task.errors import PlanningError, quote


def plan_joint(
    catalog: Catalog,
    requests: Sequence[JointRequest],
    engine: Engine,
    limits: Limits = DEFAULT_LIMITS,
    situation: Situation = NOWHERE,
) -> JointPlan | Refused:
    """Plan for requests; what the catalog cannot serve is refused, with what is missing for it."""
    try:
        joint = compile_joint(catalog, requests, situation)
    except PlanningError as fault:
        return Refused(str(fault))
    result = solve(joint.task, engine, limits)
    if isinstance(result, Solved):
        plan = arrange(joint, result.plan)
        validate(joint.task, plan)
        return JointPlan(joint, plan, replace(result, plan=plan))
    if isinstance(result, GaveUp):
        return Refused(result.reason)
    missing = _find_missing(joint, situation)
    named = " and ".join(quote(requests[place].goal) for place in missing) or "that together"
    return Refused(f"There is no way to {named} with what this catalog has.", missing)


def _find_missing(joint: JointTask, situation: Situation) -> dict[int, Diagnosis]:
    """Find what is missing for each request by itself, what it refers to being there."""
    found: dict[int, Diagnosis] = {}
    for place, request in enumerate(joint.requests):
        here = replace(
            situation,
            known=situation.known.union(request.values, request.references),
            pruned=situation.pruned | list_unfillable(joint.catalog),
        )
        diagnosis = diagnose(joint.catalog, here, want(joint.catalog.goals[request.goal]))
        if diagnosis != Diagnosis():
            found[place] = diagnosis
    return found


def arrange(joint: JointTask, plan: Plan) -> Plan:
    """Put the steps that a request needs after those of the requests before it; among them, their order stays."""
    first: dict[Atom, int] = {}
    for number, step in enumerate(plan.steps):
        for atom in step.adds - joint.task.initial:
            first.setdefault(atom, number)
    taken: dict[int, Operator] = {}
    for goal in (*joint.goals, *(step.adds for step in plan.steps)):
        taken |= {number: plan.steps[number] for number in sorted(_find_needed(plan.steps, first, goal))}
    return Plan(tuple(taken.values()))


def _find_needed(steps: Sequence[Operator], first: dict[Atom, int], goal: Iterable[Atom]) -> set[int]:
    needed: set[int] = set()
    waiting = list(goal)
    while waiting:
        number = first.get(waiting.pop())
        if number is not None and number not in needed:
            needed.add(number)
            waiting.extend(steps[number].needs)
    return needed
