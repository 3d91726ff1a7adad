"""What reaching a goal will take, as far as that can be told beforehand: for certain, likely, or possibly.

A plan is made in the hope that everything goes well, and that people can be asked for anything. So it is no forecast.
*Certain* is what every way to the goal brings about: the landmarks of the task without the questions that cannot be
asked (`planning/landmarks.py`). *Likely* is what a plan needs that does without them. *Possible* is what any way at all
might use, whatever comes out (`catalog/analysis/dependencies.py`); what is not even possible is not needed.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from catalog.analysis.dependencies import Contributors, what_leads_to
from catalog.model import Catalog, Goal
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.landmarks import find_landmarks
from planning.model import (
    AnyStep,
    Atom,
    Certainty,
    Limits,
    Needs,
    Operator,
    PlanGoal,
    Predicate,
    Situation,
    Solved,
    StepKind,
    Task,
)
from planning.plans.solve import solve
from planning.task.compilation import ask_operator, compile_task
from planning.task.index import close_forward

_LIMITS = Limits(time_s=2.0)
_KNOWN_BY = (StepKind.ASK, StepKind.SKILL, StepKind.MAP)


def list_vain(catalog: Catalog) -> frozenset[str]:
    """List the questions that cannot be asked, by the names of their operators."""
    return frozenset(ask_operator(catalog, fact.name).name for fact in catalog.facts.values() if not fact.fillable)


def find_needs(catalog: Catalog, situation: Situation, wanted: PlanGoal, steps: Sequence[AnyStep] = ()) -> Needs:
    """Find what a goal takes from a situation on, and how sure that is; `steps` are those of the plan followed."""
    task = compile_task(catalog, replace(situation, pruned=situation.pruned | list_vain(catalog)), wanted)
    way = find_way(catalog, situation, wanted, steps)
    landmarks = find_landmarks(task)
    leading = [operator for operator in _list_leading(task) if not operator.adds <= task.initial]
    return Needs(
        tuple(way),
        _grade(
            [atom.subject for atom in landmarks.atoms if atom.predicate is Predicate.KNOWN],
            [fact for step in way for fact in (*step.inputs, *step.outputs)],
        ),
        _grade(_pick(landmarks.actions, StepKind.ASK), _pick(way, StepKind.ASK), _pick(leading, StepKind.ASK)),
        _grade(
            _pick(landmarks.actions, StepKind.AUTHORIZE),
            _pick(way, StepKind.AUTHORIZE),
            _pick(leading, StepKind.AUTHORIZE),
        ),
        lambda: sorted(list_possible(catalog, wanted).facts),
    )


def find_way(catalog: Catalog, situation: Situation, wanted: PlanGoal, steps: Sequence[AnyStep] = ()) -> list[AnyStep]:
    """Find the likely way: the plan being followed (`steps`), up to a question that people cannot be asked.

    From there it will be another one, and only then is anything planned.
    """
    way: list[AnyStep] = list(
        takewhile(lambda step: step.kind is not StepKind.ASK or catalog.facts[step.subject].fillable, steps)
    )
    if not steps or len(way) < len(steps):
        then = replace(
            situation,
            known=situation.known.union(
                *(
                    (step.subject,) if step.kind is StepKind.ASK else step.outputs
                    for step in way
                    if step.kind in _KNOWN_BY
                )
            ),
            authorized=situation.authorized.union(_pick(way, StepKind.AUTHORIZE)),
            done=situation.done.union(_pick(way, StepKind.SKILL)),
            pruned=situation.pruned | list_vain(catalog),
        )
        solved = solve(compile_task(catalog, then, wanted), ENGINES[DEFAULT_ENGINE], _LIMITS)
        way = [*way, *solved.plan.actions] if isinstance(solved, Solved) else []
    return way


def _list_leading(task: Task) -> list[Operator]:
    """List what can be done from here on and leads to the goal, nearest to the goal first."""
    reached = close_forward(task.initial, task.operators)
    giving: defaultdict[Atom, list[Operator]] = defaultdict(list)
    for operator in task.operators:
        if operator.needs <= reached:
            for atom in operator.adds - task.initial:
                giving[atom].append(operator)
    found: dict[str, Operator] = {}
    waiting = deque(sorted(task.goal))
    seen = set(waiting)
    while waiting:
        for operator in giving[waiting.popleft()]:
            found.setdefault(operator.name, operator)
            fresh = sorted(operator.needs - seen)
            seen.update(fresh)
            waiting.extend(fresh)
    return list(found.values())


def list_possible(catalog: Catalog, wanted: PlanGoal) -> Contributors:
    """List what any way to a goal might use, whatever comes out of its calls."""
    goals = [catalog.goals[name] for name in wanted.goals]
    if wanted.facts or wanted.skills:
        goals.append(Goal(name="what is wanted", facts=wanted.facts, skills=wanted.skills))
    found = [what_leads_to(catalog, goal) for goal in goals]
    return Contributors(
        frozenset[str]().union(*(one.facts for one in found)),
        tuple(dict.fromkeys(skill for one in found for skill in one.skills)),
        frozenset[tuple[str, str]]().union(*(one.modes for one in found)),
    )


def _grade(certain: Iterable[str], likely: Iterable[str], possible: Iterable[str] = ()) -> dict[str, Certainty]:
    """Give each its certainty: that of the first list that it is in."""
    graded: dict[str, Certainty] = {}
    for certainty, names in zip(Certainty, (certain, likely, possible), strict=True):
        for name in names:
            graded.setdefault(name, certainty)
    return graded


def _pick(steps: Iterable[AnyStep], kind: StepKind) -> list[str]:
    return [step.subject for step in steps if step.kind is kind]
