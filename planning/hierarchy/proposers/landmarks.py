"""Splits cut at landmarks: what every way to the results has to establish, in an order in which it can.

Where there is no way, what one diagnosis says is missing is taken for given, information as if it were there and
functions as if there were such skills; so the stages that really need it are those that get stuck. Each attempt takes
another diagnosis, or other places to cut at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from catalog.model import Catalog
from catalog.values.base import listed, shortened
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.hierarchy.proposers.protocol import SplitOccasion
from planning.hierarchy.situation import uses_of
from planning.hierarchy.split import LEAST, MOST, Split, SplitGain, goal_of
from planning.hierarchy.tree import Impossible, Missing, MissingKind
from planning.landmarks import find_fact_landmarks
from planning.model import Limits, Operator, PlanGoal, Predicate, Solved, StepKind, known
from planning.plans.solve import solve
from planning.task.compilation import compile_operators, compile_task
from planning.task.grounding import close

USUAL = 7
_TRIES = 20
LIMITS = Limits(time_s=5.0)
NAMED = 5
"""Results that the text of a stage names."""


def propose_at_landmarks(occasion: SplitOccasion) -> Split | None:
    """Cut at landmarks into 5 to 10 stages; where there are fewer landmarks, each is the end of a stage."""
    verdict = occasion.verdict
    lacking = verdict.least if isinstance(verdict, Impossible) and verdict.sets else ((),)
    ways: dict[int, LandmarkPlan | None] = {}
    dice = Random(f"{occasion.seed}/{occasion.number}")  # noqa: S311 - it decides where to cut, nothing else
    for turn in range(_TRIES):
        number = occasion.number - 1 + turn
        which = number % len(lacking)
        if which not in ways:
            ways[which] = find_way(occasion, lacking[which])
        way = ways[which]
        split = None if way is None else _cut(occasion, way, dice if number else None)
        if split is not None and occasion.is_new(split) and not occasion.is_circle(split):
            return split
    return None


@dataclass(frozen=True, slots=True)
class LandmarkPlan:
    """A plan, and after which of its steps (from 1) landmarks hold that were not there: each step, and these facts."""

    steps: tuple[Operator, ...]
    marks: tuple[tuple[int, tuple[str, ...]], ...]
    requests: bool


def find_way(occasion: SplitOccasion, lacking: Sequence[Missing], more: Sequence[Operator] = ()) -> LandmarkPlan | None:
    """Plan as if nothing were lacking, with more operators, and find the landmarks that something after them needs."""
    catalog, goal = occasion.catalog, PlanGoal(facts=goal_of(occasion.catalog, occasion.description))
    functions = [_stand_in(catalog, one) for one in lacking if one.kind is MissingKind.FUNCTION]
    given = [fact for one in lacking if one.kind is MissingKind.INFORMATION and not one.consent for fact in one.facts]
    situation = replace(occasion.situation, known=occasion.known.union(given))
    operators = [*compile_operators(catalog), *more, *functions] if more or functions else None
    task = compile_task(catalog, situation, goal, operators)
    found = solve(task, ENGINES[DEFAULT_ENGINE], LIMITS)
    if not isinstance(found, Solved):
        return None
    steps = found.plan.steps
    needed = task.goal.union(*(step.needs for step in steps))
    open_marks = {atom for atom in find_fact_landmarks(task) & needed if atom.predicate is Predicate.KNOWN}
    marks = []
    for number, step in enumerate(steps, start=1):
        if reached := sorted(open_marks & step.adds):
            marks.append((number, tuple(atom.subject for atom in reached)))
            open_marks -= step.adds
    return LandmarkPlan(steps, tuple(marks), requests=bool(functions))


def _stand_in(catalog: Catalog, missing: Missing) -> Operator:
    return Operator(
        kind=StepKind.SKILL,
        subject="a function that is missing",
        needs=frozenset(map(known, missing.inputs)),
        adds=close(catalog, missing.facts),
        cost=1.0,
        mode=listed(missing.facts),
        outcome="done",
        inputs=missing.inputs,
        outputs=missing.facts,
    )


def _cut(occasion: SplitOccasion, way: LandmarkPlan, dice: Random | None) -> Split | None:
    """Cut a plan into stages that each end at landmarks; evenly at first, then at random.

    A stage ends with the landmarks that are needed after it, and starts from what its steps use.
    """
    marks = way.marks
    if len(marks) < 2:
        return None
    most = min(len(marks), MOST)
    count = min(most, USUAL) if dice is None else dice.randint(min(most, LEAST), most)
    if dice is None:
        cuts = [len(marks) * number // count for number in range(1, count)]
    else:
        cuts = sorted(dice.sample(range(1, len(marks)), count - 1))
    catalog, there = occasion.catalog, set(occasion.known)
    goal = PlanGoal(facts=goal_of(catalog, occasion.description)).atoms
    stages, begin = [], 0
    for first, last in zip([0, *cuts], [*cuts, len(marks)], strict=True):
        end = marks[last - 1][0] if last < len(marks) else len(way.steps)
        made = {fact for _, facts in marks[first:last] for fact in facts}
        needed = goal.union(*(step.needs for step in way.steps[end:]))
        results = tuple(fact for fact in catalog.facts if fact in made and known(fact) in needed)
        inputs = uses_of(catalog, way.steps[begin:end], frozenset(map(known, results)), there)[Predicate.KNOWN]
        labels = [shortened(catalog.facts[fact].label) for fact in results]
        stages.append(occasion.describe_stage(listed(labels, limit=NAMED), inputs, results))
        there.update(results)
        begin = end
    adds = (SplitGain.SEARCH, SplitGain.FUNCTION) if way.requests else (SplitGain.SEARCH,)
    return Split(proposer="landmarks", stages=tuple(stages), adds=adds)
