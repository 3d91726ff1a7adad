"""Plan for several requests with any engine, or say what is missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from catalog.model import Catalog
from planning.diagnosis.diagnose import Diagnosis, diagnose
from planning.engines import Engine
from planning.joint.compilation import NOWHERE, compile_joint, list_unfillable
from planning.joint.model import JointPlan, JointRequest, JointTask, RequestsRefused
from planning.model import Atom, GaveUp, Limits, Operator, Plan, PlanningResult, Situation, Solved, Unsolvable
from planning.plans.solve import DEFAULT_LIMITS, solve, validate
from planning.task.compilation import want
from planning.task.errors import PlanningError, quote
from planning.task.spending import fits


def plan_joint(
    catalog: Catalog,
    requests: Sequence[JointRequest],
    engine: Engine,
    limits: Limits = DEFAULT_LIMITS,
    situation: Situation = NOWHERE,
) -> JointPlan | RequestsRefused:
    """Plan for requests; what the catalog cannot serve is refused, with what is missing for it."""
    try:
        joint = compile_joint(catalog, requests, situation)
    except PlanningError as fault:
        return RequestsRefused(str(fault))
    result = solve_joint(joint, engine, limits)
    if isinstance(result, JointPlan):
        return result
    if isinstance(result, GaveUp):
        return RequestsRefused(result.reason)
    missing = _find_missing(joint, situation)
    named = " and ".join(quote(requests[place].goal) for place in missing) or "that together"
    return RequestsRefused(f"There is no way to {named} with what this catalog has.", missing)


def solve_joint(
    joint: JointTask, engine: Engine, limits: Limits = DEFAULT_LIMITS, *, earlier: Collection[str] = ()
) -> JointPlan | Unsolvable | GaveUp:
    """Plan for all requests at once; one after the other where a request would otherwise exceed its budget.

    `earlier` are names of operators of the catalog, as many of which are kept as can be.
    """
    kept = frozenset(name for name, base in joint.bases.items() if base.name in earlier) if earlier else frozenset()
    result = solve(joint.task, engine, limits, earlier=kept)
    if not isinstance(result, Solved):
        return result
    planned = _put_together(joint, result)
    spent = [Plan(part).amounts.money for part in planned.parts()]
    if all(fits(money, budget) for money, budget in zip(spent, joint.budgets, strict=True)):
        return planned
    return _solve_in_turn(joint, engine, limits, kept)


def _solve_in_turn(
    joint: JointTask, engine: Engine, limits: Limits, earlier: Collection[str]
) -> JointPlan | Unsolvable | GaveUp:
    """Plan for each request from where the plan of the one before it ends, within its own budget."""
    state, steps = joint.task.initial, list[Operator]()
    result: PlanningResult | None = None
    for goal, budget in zip(joint.goals, joint.budgets, strict=True):
        result = solve(replace(joint.task, initial=state, goal=goal, budget=budget), engine, limits, earlier=earlier)
        if not isinstance(result, Solved):
            return result
        steps += result.plan.steps
        state = state.union(*(step.adds for step in result.plan.steps))
    assert isinstance(result, Solved)
    return _put_together(joint, replace(result, plan=Plan(tuple(steps))))


def _put_together(joint: JointTask, result: Solved) -> JointPlan:
    plan, ends, uses = arrange(joint, result.plan)
    validate(joint.task, plan)
    return JointPlan(joint, plan, replace(result, plan=plan), ends, uses)


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


def arrange(joint: JointTask, plan: Plan) -> tuple[Plan, tuple[int, ...], tuple[frozenset[int], ...]]:
    """Put the steps that a request needs after those of the requests before it; among them, their order stays.

    Return also the number of steps after which each request is served, and the places of the steps that each needs.
    """
    first: dict[Atom, int] = {}
    for number, step in enumerate(plan.steps):
        for atom in step.adds - joint.task.initial:
            first.setdefault(atom, number)
    taken: dict[int, Operator] = {}
    ends: list[int] = []
    needed = [_find_needed(plan.steps, first, goal) for goal in joint.goals]
    for numbers in needed:
        taken |= {number: plan.steps[number] for number in sorted(numbers)}
        ends.append(len(taken))
    places = {number: place for place, number in enumerate(taken)}
    uses = tuple(frozenset(places[number] for number in numbers) for numbers in needed)
    return Plan(tuple(taken.values())), tuple(ends), uses


def _find_needed(steps: Sequence[Operator], first: dict[Atom, int], goal: Iterable[Atom]) -> set[int]:
    needed: set[int] = set()
    waiting = list(goal)
    while waiting:
        number = first.get(waiting.pop())
        if number is not None and number not in needed:
            needed.add(number)
            waiting.extend(steps[number].needs)
    return needed
