"""Contrastive explanation: plan again with a step forced or forbidden, and compare the two plans.

The question *why this plan and not one with …* is answered by a restriction of the model: the task is solved again in
which only such plans are plans, and what that changes is the answer (Fox, Long and Magazzeni 2017, Explainable
Planning; Krarup et al. 2021, Contrastive Explanations of Plans through Model Restrictions, §4).

*Without* something: the operators that do it are barred. Of a fact these are the question for it, and every step that
takes it; skills may still give it.

*With* something: a plan has one of its operators, and *uses* it. A plan is a set of operators here: it uses one where a
chain of its operators begins there and gives something of the goal at its end, each taking what the one before gives,
and what did not hold at the start. The chains are part of the task: a mark goes from what the forced operators give to
what others make of it, and something of the goal has to bear it. So a cheapest plan of that task is a cheapest one that
uses the step. Only where none does, a cheapest plan is looked at that has the step to spare.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from time import monotonic

from catalog.analysis.horn import Closure, regress
from planning.contrasts import Contrast, Restriction, WhyNot
from planning.engines import Engine
from planning.model import (
    SEPARATOR,
    Atom,
    Limits,
    Operator,
    Plan,
    PlanningResult,
    Solved,
    StepKind,
    Task,
    Unsolvable,
    achieved,
    known,
    operator_name,
)
from planning.plans.alternatives import Alternatives, PlanFeature, part_of
from planning.plans.solve import DEFAULT_LIMITS, never, solve
from planning.task.index import IndexedTask, Operators, index_task, keep_operators
from planning.task.spending import ROUNDING


def contrast(
    task: Task,
    restriction: Restriction,
    engine: Engine,
    limits: Limits = DEFAULT_LIMITS,
    cancelled: Callable[[], bool] = never,
    *,
    earlier: Collection[str] = (),
) -> Contrast:
    """Plan freely, keeping to an `earlier` plan where that is as good, and as restricted; compare the plans.

    The limit of time is for both searches together. Differences are proved as far as the engine proves its plans.
    """
    deadline = monotonic() + limits.time_s
    base = solve(task, engine, replace(limits, time_s=limits.time_s / 2), cancelled, earlier=earlier)
    operators = keep_operators(task.operators)
    places = _find_places(restriction, operators.whole)
    steps = [step.name for step in base.plan.steps] if isinstance(base, Solved) else []
    if isinstance(base, Solved) and restriction.used != places.isdisjoint(map(operators.named.__getitem__, steps)):
        return Contrast(restriction, WhyNot.HELD, base)
    indexed = index_task(task)
    if indexed is None or isinstance(base, Unsolvable) or not (closure := indexed.close()).has(indexed.goal):
        return Contrast(restriction, WhyNot.NO_PLAN, base)

    def plan(restricted: Task) -> PlanningResult:
        rest = replace(limits, time_s=max(0.0, deadline - monotonic()))
        return solve(restricted, engine, rest, cancelled, earlier=steps)

    able = frozenset(place for place in places if not closure.open_needs[place])
    without = Closure(indexed.arrays, indexed.initial, operators.ruled_out | places)
    if restriction.used and able:
        marks = _find_marks(indexed, closure, able)
        result = Unsolvable("") if marks is None else plan(_mark(task, indexed, closure, marks))
        spare = isinstance(result, Unsolvable)
        if spare:
            result = plan(_mark(task, indexed, closure, _Marks(dict.fromkeys(able, (_MARK,)))))
        return _judge(restriction, base, _unmark(result, operators.whole), to_spare=spare)
    if not restriction.used and without.has(indexed.goal):
        result = plan(replace(task, operators=operators.without(operators.ruled_out | places)))
        return _judge(restriction, base, result)
    obstacle = (
        _find_obstacle(indexed, closure, places)
        if restriction.used
        else _find_lost(indexed, without, places, map(operators.named.__getitem__, steps))
    )
    lacking = tuple(operators.atoms[atom] for atom in obstacle[0])
    ruled_out = tuple(operators.whole.at(place) for place in sorted(obstacle[1]))
    return Contrast(restriction, WhyNot.IMPOSSIBLE, base, lacking=lacking, ruled_out=ruled_out)


def contrast_ways(ways: Alternatives, followed: frozenset[PlanFeature]) -> tuple[Contrast, ...]:
    """Compare the ways to a goal with that of them which is followed, or is nearest to it.

    Each is told as one that uses something that the other does not: a skill, the last that it calls, or a question.
    """
    if not ways.ways:
        return ()
    base = min(ways.ways, key=lambda way: len(way.parts ^ followed))
    gap, found = 0.0 if ways.proved else None, []
    for way in ways.ways:
        steps = [step for step in way.plan.steps if part_of(step) in way.parts - base.parts]
        calls = [step for step in steps if step.kind is StepKind.SKILL and step.subject not in base.calls]
        for step in (calls or [one for one in steps if one.kind is StepKind.ASK] or steps)[-1:]:
            skill = step.subject if step.kind is StepKind.SKILL else None
            restriction = Restriction(True, skill, None if calls else step.mode, None if skill else step.subject)
            found.append(_judge(restriction, Solved(base.plan, "", gap=gap), Solved(way.plan, "", gap=gap)))
    return tuple(found)


def _judge(
    restriction: Restriction, base: PlanningResult, result: PlanningResult, *, to_spare: bool = False
) -> Contrast:
    if not isinstance(result, Solved) or not isinstance(base, Solved):
        over = isinstance(result, Unsolvable)  # the goal is in reach: only the budget is in the way
        return Contrast(restriction, WhyNot.OVER_BUDGET if over else WhyNot.UNDECIDED, base, result)
    more = result.plan.cost - base.plan.cost
    verdict = WhyNot.CHEAPER if more < -ROUNDING else WhyNot.DEARER if more > ROUNDING else WhyNot.AS_GOOD
    bounds = [one.plan.cost * (1 - one.gap) - base.plan.cost for one in (base, result) if one.gap is not None]
    least = more if result.gap == 0 else min(more, max(bounds, default=-base.plan.cost))
    spare = to_spare and verdict is not WhyNot.CHEAPER
    return Contrast(restriction, WhyNot.TO_SPARE if spare else verdict, base, result, more, least)


def _find_places(restriction: Restriction, operators: Operators) -> frozenset[int]:
    if restriction.fact is None:
        call = operator_name(StepKind.SKILL, restriction.skill or "", restriction.mode) + SEPARATOR
        return frozenset([place for name, place in operators.named.items() if name.startswith(call)])
    asked = operators.named.get(operator_name(StepKind.ASK, restriction.fact))
    number = operators.number.get(known(restriction.fact))
    users = operators.arrays.users[number] if number is not None and not restriction.used else ()
    takers = [place for place in users if operators.at(place).kind is not StepKind.CHOOSE]
    return frozenset(takers if asked is None else (asked, *takers))


_MARK = achieved(SEPARATOR)
"""Says that the forced step is part of the plan, and where marks are passed on that it is used."""


@dataclass(frozen=True, slots=True)
class _Marks:
    """Atoms that operators add besides, by their places, and operators without cost that pass marks on."""

    added: Mapping[int, tuple[Atom, ...]]
    passed_on: tuple[Operator, ...] = ()


def _find_marks(task: IndexedTask, closure: Closure, forced: frozenset[int]) -> _Marks | None:
    """Mark what forced operators give, as far as it can lead to the goal; None where it cannot."""
    arrays, held = task.arrays, frozenset(task.initial)
    able = [not open_needs for open_needs in closure.open_needs]

    def fresh(places: Iterable[int]) -> list[int]:
        return [atom for place in places if able[place] for atom in arrays.adds[place] if atom not in held]

    def takes(atom: int) -> list[int]:
        makers = (place for place in arrays.achievers[atom] if able[place] and place not in forced)
        return [need for place in makers for need in arrays.needs[place] if need in reached]

    def gives(place: int) -> tuple[Atom, ...]:
        return tuple(marks[atom] for atom in arrays.adds[place] if atom in marks)

    reached = _spread(fresh(forced), lambda atom: fresh(arrays.users[atom]))
    goal = sorted(reached.intersection(task.goal))
    if not goal:
        return None
    marks = {atom: achieved(SEPARATOR.join(("", *task.operators.atoms[atom]))) for atom in _spread(goal, takes)}
    added = {place: gives(place) for place in forced}
    passed_on = [_pass_on(f"{atom}", (marks[atom],), (_MARK,)) for atom in goal]
    for place in sorted({user for atom in marks for user in arrays.users[atom] if able[user]} - forced):
        if given := gives(place):
            chosen = achieved(f"{SEPARATOR}{place}")
            added[place] = (chosen,)
            taken = [atom for atom in arrays.needs[place] if atom in marks]
            passed_on += [_pass_on(f"{place} {atom}", (chosen, marks[atom]), given) for atom in taken]
    return _Marks(added, tuple(passed_on))


def _spread(begin: Iterable[int], follow: Callable[[int], Iterable[int]]) -> frozenset[int]:
    found: set[int] = set()
    stack = list(begin)
    while stack:
        one = stack.pop()
        if one not in found:
            found.add(one)
            stack += follow(one)
    return frozenset(found)


def _pass_on(name: str, needs: Iterable[Atom], adds: Iterable[Atom]) -> Operator:
    return Operator(StepKind.CHOOSE, SEPARATOR, frozenset(needs), frozenset(adds), 0.0, outcome=name)


def _mark(task: Task, indexed: IndexedTask, closure: Closure, marks: _Marks) -> Task:
    """Make a task with marks of all that can lead to the goal, and to the forced step."""
    arrays, whole = indexed.arrays, indexed.operators
    roots = [*indexed.goal, *(need for place in marks.added for need in arrays.needs[place])]
    barred = [place for place, open_needs in enumerate(closure.open_needs) if open_needs]
    leading = regress(arrays, roots, given=frozenset(indexed.initial), barred=barred).clauses
    listed = [
        replace(step, adds=step.adds.union(marks.added.get(place, ())))
        for place, step in ((place, whole.at(place)) for place in sorted({*leading, *marks.added}))
    ]
    return replace(task, goal=task.goal | {_MARK}, operators=(*listed, *marks.passed_on))


def _unmark(result: PlanningResult, operators: Operators) -> PlanningResult:
    """Return a plan in the operators without marks."""
    if not isinstance(result, Solved):
        return result
    places = (operators.named.get(step.name) for step in result.plan.steps)
    return replace(result, plan=Plan(tuple(operators.at(place) for place in places if place is not None)))


Obstacle = tuple[Collection[int], Collection[int]]
"""Atoms that nothing gives, and the places of operators that would, but were ruled out."""


def _find_obstacle(task: IndexedTask, closure: Closure, places: frozenset[int]) -> Obstacle:
    """Go back from operators that cannot be applied to what is out of reach at the root: no operator left adds it."""
    arrays, lacking, blocked, seen = task.arrays, list[int](), places, set[int]()
    while allowed := blocked.difference(task.ruled_out, seen):
        nearest = min(allowed, key=lambda place: (closure.open_needs[place], place))
        seen.add(nearest)
        lacking = [atom for atom in arrays.needs[nearest] if not closure.has((atom,))][:1]
        blocked = frozenset(arrays.achievers[lacking[0]])
    return lacking, blocked.intersection(task.ruled_out)


def _find_lost(task: IndexedTask, closure: Closure, barred: frozenset[int], steps: Iterable[int]) -> Obstacle:
    """Find what barred steps of the plan give and nothing else does, and what would but for what was learned."""
    arrays = task.arrays
    given = (atom for place in steps if place in barred for atom in arrays.adds[place])
    lost = dict.fromkeys(atom for atom in given if not closure.has((atom,)))
    others = {place for atom in lost for place in arrays.achievers[atom]}
    return list(lost), others.intersection(task.ruled_out)
