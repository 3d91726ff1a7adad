"""Joint planning for the open goals of one utterance: one plan serves all of them, with a part for each.

A single goal is planned as an ordinary task. Several are compiled to one joint task, so that one call can serve two of
them, and what one produces is there for the next (`planning.joint`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeVar

from catalog.analysis.dependencies import find_result
from catalog.model import Catalog
from dialogue.log.events import PlannedPart, PlannedStep
from dialogue.state.conversation import Conversation
from dialogue.state.goals import StackedGoal
from dialogue.state.plans import PlanRecord
from dialogue.updates.goal_situation import situation_of
from language.interpretation import Coreference
from planning.diagnosis.diagnose import Diagnosis, diagnose
from planning.engines import Engine
from planning.joint import JointPlan, JointRequest, JointTask, compile_joint, solve_joint
from planning.joint.compilation import find_differing
from planning.joint.model import variable_of
from planning.model import (
    GaveUp,
    Limits,
    Operator,
    Plan,
    PlanGoal,
    PlanningResult,
    Situation,
    Solved,
    StepKind,
    Task,
    Unsolvable,
)
from planning.plans.solve import DEFAULT_LIMITS, drop_redundant, solve
from planning.task.compilation import compile_task, want
from planning.task.index import is_solvable, keep_operators
from planning.task.spending import fits


@dataclass(frozen=True, slots=True)
class Planner:
    """The engine that plans, and its limits."""

    engine: Engine
    limits: Limits = DEFAULT_LIMITS


@dataclass(frozen=True, slots=True)
class JointAnswer:
    """The result of planning, in operators of the catalog, and what is missing where there is no plan.

    Of a plan for several goals, `shares` are their places in the group, each with the number of steps of its part, and
    the places of steps before that it needs too.
    """

    result: PlanningResult
    diagnosis: Diagnosis | None = None
    shares: tuple[tuple[int, int, tuple[int, ...]], ...] = ()

    def parts(self, goals: Sequence[StackedGoal]) -> tuple[PlannedPart, ...]:
        return tuple(
            PlannedPart(goal_id=goals[place].goal_id, steps=steps, shared=shared)
            for place, steps, shared in self.shares
        )


Memory = MutableMapping[Hashable, JointAnswer]
"""Results of planning, by the situations and goals that were planned for."""


def open_together(catalog: Catalog, conversation: Conversation) -> tuple[StackedGoal, ...]:
    """List the goals that are planned for together: those on top of the stack that came with one utterance."""
    top, below = conversation.goals.stack[0], conversation.goals.stack[1:]
    if top.heard is None or not _is_declared(catalog, top):
        return (top,)
    return (top, *takewhile(lambda goal: goal.heard == top.heard and _is_declared(catalog, goal), below))


def _is_declared(catalog: Catalog, goal: StackedGoal) -> bool:
    declared = catalog.goals.get(goal.goal)
    return declared is not None and want(declared) == goal.wanted


def plan_for(
    catalog: Catalog,
    conversation: Conversation,
    planner: Planner,
    memory: Memory | None = None,
    *,
    without: frozenset[str] = frozenset(),
    earlier: frozenset[str] = frozenset(),
) -> JointAnswer:
    """Plan for the goal on top and those that came with it, without some operators, and keeping to an earlier plan.

    The earlier one is given by the names of the operators that are left of it. Goals that cannot be reached are left
    out: they are explained when they come to be on top.
    """
    memory = {} if memory is None else memory
    goals = tuple(enumerate(open_together(catalog, conversation)))
    while len(goals) > 1:
        requests = list_requests(catalog, conversation, [goal for _, goal in goals], without)
        tried = any(action.because == "not_fillable" for action in conversation.plans.pruned.values())
        said = tuple((one.goal, one.situation, tuple(one.references.items())) for one in requests)
        key = (said, find_differing(requests), tried, earlier)
        answer = memory.get(key) or _plan_together(catalog, requests, planner, earlier, tried=tried)
        memory[key] = answer
        if isinstance(answer.result, Solved):
            return replace(
                answer, shares=tuple((goals[place][0], steps, before) for place, steps, before in answer.shares)
            )
        joint = compile_joint(catalog, requests)
        free = replace(joint.task, budget=None)
        reachable = tuple(
            goal for goal, wanted in zip(goals, joint.goals, strict=True) if is_solvable(replace(free, goal=wanted))
        )
        if isinstance(answer.result, GaveUp) or reachable == goals or goals[0] not in reachable:
            break
        goals = reachable
    situation, wanted = conversation.situation, conversation.goals.stack[0].wanted
    situation = replace(situation, pruned=situation.pruned | without) if without else situation
    single = (situation, wanted, earlier)
    if single not in memory:
        result = solve(compile_task(catalog, situation, wanted), planner.engine, planner.limits, earlier=earlier)
        impossible = diagnose(catalog, situation, wanted) if isinstance(result, Unsolvable) else None
        memory[single] = JointAnswer(result, impossible)
    return memory[single]


def _plan_together(
    catalog: Catalog, requests: Sequence[JointRequest], planner: Planner, earlier: frozenset[str], *, tried: bool
) -> JointAnswer:
    """Plan for requests; at first with questions that cannot be asked, until they have been tried."""
    if not tried and any(not fact.fillable and fact.askable for fact in catalog.facts.values()):
        first = _in_catalog(
            solve_joint(
                compile_joint(catalog, requests, optimistic=True), planner.engine, planner.limits, earlier=earlier
            )
        )
        if isinstance(first.result, Solved) and find_vain(catalog, first.result.plan.steps):
            return first
    return _in_catalog(solve_joint(compile_joint(catalog, requests), planner.engine, planner.limits, earlier=earlier))


_Step = TypeVar("_Step", Operator, PlannedStep)


def find_vain(catalog: Catalog, steps: Sequence[_Step]) -> tuple[_Step, ...]:
    """Find the questions among steps that cannot be asked."""
    return tuple(step for step in steps if step.kind is StepKind.ASK and not catalog.facts[step.subject].fillable)


def left_over(catalog: Catalog, conversation: Conversation, replaced: int | None = None) -> frozenset[str]:
    """Name the operators that are left of the plan that is replaced: by its number, or the last for the goal on top.

    A plan with a question that cannot be asked was only made to say so: nothing of it is kept.
    """
    goal = conversation.goal.goal_id if conversation.goal else None
    plans = reversed(conversation.plans.all)
    plan = next((one for one in plans if (goal in one.goals if replaced is None else one.plan_id == replaced)), None)
    if plan is None or plan.status == "finished" or find_vain(catalog, plan.plan.steps):
        return frozenset()
    return frozenset(step.operator for step in plan.left)


def _in_catalog(planned: JointPlan | Unsolvable | GaveUp) -> JointAnswer:
    """Translate a joint plan to operators of the catalog; choices, and references that need no step, are left out."""
    if not isinstance(planned, JointPlan):
        return JointAnswer(planned)
    plan, begin = planned.plan, 0
    bases = [None if step.kind is StepKind.CHOOSE else planned.joint.base_of(step) for step in plan.steps]
    places = {old: new for new, old in enumerate(old for old, base in enumerate(bases) if base)}
    shares = []
    for place, (end, uses) in enumerate(zip(planned.ends, planned.uses, strict=True)):
        steps = sum(base is not None for base in bases[begin:end])
        shares.append((place, steps, tuple(places[old] for old in sorted(uses) if old < begin and old in places)))
        begin = end
    there = Plan(tuple(base for base in bases if base))
    return JointAnswer(replace(planned.result, plan=there), None, tuple(shares))


def list_requests(
    catalog: Catalog, conversation: Conversation, goals: Sequence[StackedGoal], without: frozenset[str] = frozenset()
) -> tuple[JointRequest, ...]:
    """Return open goals as requests: each with its initial situation, and references to those before it."""
    return tuple(_request(catalog, conversation, goals, place, without) for place in range(len(goals)))


def _request(
    catalog: Catalog, conversation: Conversation, goals: Sequence[StackedGoal], place: int, without: frozenset[str]
) -> JointRequest:
    goal = goals[place]
    start = situation_of(catalog, conversation, goal)
    said = goal.request.mention.references if goal.request else ()
    before = [(other.goal, other.request.position if other.request else None) for other in goals[:place]]
    references = list_references(catalog, [one for one in said if one.to or not goal.begun], before)
    situation = replace(start.situation, pruned=start.situation.pruned | without)
    return JointRequest(goal.goal, start.values, references, situation)


def as_one_goal(catalog: Catalog, conversation: Conversation, goal_ids: Sequence[int]) -> tuple[Situation, PlanGoal]:
    """Merge open goals to one situation and one goal, as if nothing belonged to one of them alone: to show, not to run.

    What one of them may do, all may.
    """
    goals = [goal for goal in conversation.goals.stack if goal.goal_id in goal_ids]
    if len(goals) < 2:
        return conversation.situation, goals[0].wanted if goals else PlanGoal()
    requests = list_requests(catalog, conversation, goals)
    situations = [request.situation for request in requests if request.situation]
    mappings = compile_joint(catalog, requests).mapped.values()
    merged = replace(
        conversation.situation,
        known=frozenset().union(*(one.known for one in situations)),
        pruned=frozenset.intersection(*(one.pruned for one in situations)),
        cannot_establish=frozenset.intersection(*(one.cannot_establish for one in situations)),
        requested=frozenset((one.inputs[0], one.subject) for one in mappings).union(*(s.requested for s in situations)),
    )
    return merged, PlanGoal(
        tuple(dict.fromkeys(fact for goal in goals for fact in goal.wanted.facts)),
        tuple(dict.fromkeys(skill for goal in goals for skill in goal.wanted.skills)),
        tuple(dict.fromkeys(name for goal in goals for name in goal.wanted.goals)),
    )


def list_references(
    catalog: Catalog, references: Iterable[Coreference], before: Sequence[tuple[str, int | None]]
) -> dict[str, tuple[int, ...]]:
    """Map facts to the places of the requests before, given by goal and position, whose results they refer to.

    A reference to nothing in particular is one to the request just before.
    """
    found: dict[str, tuple[int, ...]] = {}
    for reference in references:
        last = [len(before) - 1] if before else []
        places = [at for at, (_, position) in enumerate(before) if position in reference.to] if reference.to else last
        fitting = tuple(at for at in places if find_result(catalog, before[at][0], reference.fact))
        if fitting:
            found[reference.fact] = fitting
    return found


@dataclass(frozen=True, slots=True)
class RestOfPlan:
    """The remaining steps of a plan, in a task compiled from the current situation."""

    task: Task
    plan: Plan

    @property
    def is_affordable(self) -> bool:
        return fits(self.plan.amounts.money, self.task.budget)

    @property
    def stands(self) -> bool:
        """Whether it leads to all goals of the task, with no step that could be left out."""
        state = self.task.initial
        for step in self.plan.steps:
            if not step.needs <= state:
                return False
            state |= step.adds
        steps = list(self.plan.steps)
        for choice in self.task.operators:
            if choice.kind is StepKind.CHOOSE and choice.needs <= state and not choice.adds <= state:
                steps.append(choice)
                state |= choice.adds
        if not (self.task.goal <= state and self.is_affordable):
            return False
        needed = drop_redundant(self.task, Plan(tuple(steps))).steps
        return sum(step.kind is not StepKind.CHOOSE for step in needed) == len(self.plan.steps)


def find_rest(catalog: Catalog, conversation: Conversation, record: PlanRecord) -> RestOfPlan | None:
    """Find the operators of the steps that are left of a plan; None where one of them cannot be carried out."""
    goals = [goal for goal in open_together(catalog, conversation) if goal.goal_id in record.goals]
    if len(goals) > 1:
        joint = compile_joint(catalog, list_requests(catalog, conversation, goals))
        found = list(_find_in_joint(joint, record, goals))
        return RestOfPlan(joint.task, Plan(tuple(step for step in found if step))) if all(found) else None
    task = compile_task(catalog, conversation.situation, conversation.goals.stack[0].wanted)
    operators = keep_operators(task.operators)
    places = [operators.named.get(step.operator) for step in record.left_for(conversation.goals.stack[0].goal_id)]
    if any(place is None or place in operators.ruled_out for place in places):
        return None
    return RestOfPlan(task, Plan(tuple(operators.whole[place] for place in places if place is not None)))


def _find_in_joint(joint: JointTask, record: PlanRecord, goals: Sequence[StackedGoal]) -> list[Operator | None]:
    """Find the operators of steps: of several for one step, the first that can be carried out by then."""
    named: dict[tuple[str, str], list[Operator]] = {}
    references: dict[tuple[str, str], Operator] = {}
    for step in joint.task.operators:
        if mapping := joint.mapped.get(step.name):
            references[variable_of(step), mapping.subject] = step
        if base := joint.base_of(step):
            named.setdefault((variable_of(step), base.name), []).append(step)
    state, found = joint.task.initial, list[Operator | None]()
    for variable, goal in zip(joint.variables, goals, strict=True):
        for left in record.left_for(goal.goal_id):
            ways = [*named.get(("", left.operator), ()), *named.get((variable, left.operator), ())]
            ways += filter(None, (references.get((variable, left.subject)),))
            chosen = next((way for way in ways if way.needs <= state), next(iter(ways), None))
            state |= chosen.adds if chosen else frozenset()
            found.append(chosen)
    return found
