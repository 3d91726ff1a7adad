"""Repair of a task: fill gaps, choose inputs of new skills, plan again, and report the cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from catalog.analysis.horn import Closure
from planning.diagnosis.model import Gap, GapKind, GapSet
from planning.diagnosis.reachability import ReachabilityAnalysis
from planning.engines.delete_free.budget import bound_money
from planning.engines.delete_free.relaxed_plans import find_tidy
from planning.model import Operator, StepKind, known
from planning.task.operators import Arrays

MOST_INPUTS = 3
"""Facts that are named as inputs of a new skill where nothing in the catalog says what it would take."""
NEW_SKILL_COST = 1.0
MOST_MONEY_WORK = 10_000


def fill(analysis: ReachabilityAnalysis, gaps: Sequence[Gap]) -> GapSet:
    """Plan with gaps filled: questions answered, consents given, and new skills that work from what can be had."""
    opened = [analysis.task.operators.named[gap.closed[0].name] for gap in gaps if gap.kind is not GapKind.SKILL]
    withheld = _list_withheld(analysis, opened)
    closure = analysis.reached.copy()
    closure.allow(opened)
    inputs: dict[Gap, tuple[str, ...]] = {}
    waiting = [gap for gap in gaps if gap.kind is GapKind.SKILL]
    while waiting:
        gap, chosen = _choose_next(analysis, closure, waiting, withheld)
        inputs[gap] = chosen
        closure.give(analysis.provides(gap))
        waiting.remove(gap)
    filled = tuple(replace(gap, inputs=inputs.get(gap, ())) for gap in gaps)
    steps = _plan(analysis, opened, [gap for gap in filled if gap.kind is GapKind.SKILL])
    there = [analysis.task.operators[step] for step in steps if step < len(analysis.task.operators)]
    cost = sum(operator.cost for operator in there) + NEW_SKILL_COST * (len(steps) - len(there))
    return GapSet(filled, cost, sum(operator.amounts.money for operator in there))


def _choose_next(
    analysis: ReachabilityAnalysis, closure: Closure, waiting: Sequence[Gap], withheld: Collection[str]
) -> tuple[Gap, tuple[str, ...]]:
    """Choose the new skill that comes next: the first that lacks nothing, else the one that lacks least."""
    best: tuple[int, Gap, tuple[str, ...]] | None = None
    for gap in waiting:
        lacking, inputs = _choose_inputs(analysis, closure, gap, withheld)
        if not lacking:
            return gap, inputs
        if best is None or lacking < best[0]:
            best = lacking, gap, inputs
    assert best is not None, "something is waiting"
    return best[1:]


def find_money(analysis: ReachabilityAnalysis) -> float:
    """Find the least money that reaching the goal takes, or after some work as little as was found."""
    task = analysis.task
    money = [operator.amounts.money for operator in task.operators]
    frugal = find_tidy(replace(task.arrays, costs=money), money, task.initial, task.goal, task.ruled_out)
    assert frugal is not None, "the goal can be reached"
    work = iter(range(MOST_MONEY_WORK))
    return bound_money(task, money, frugal, lambda: next(work, None) is not None).money


def _plan(analysis: ReachabilityAnalysis, opened: Sequence[int], skills: Sequence[Gap]) -> list[int]:
    """Make a plan with some operators allowed, and with new skills, which are numbered after all others."""
    task, arrays = analysis.task, analysis.task.arrays
    if skills:
        needs = [tuple(analysis.number[known(fact)] for fact in gap.inputs) for gap in skills]
        arrays = _with_operators(arrays, needs, [tuple(analysis.provides(gap)) for gap in skills])
    steps = find_tidy(arrays, arrays.costs, task.initial, task.goal, task.ruled_out.difference(opened))
    assert steps is not None, "with the gaps filled, the goal can be reached"
    return steps


def _with_operators(arrays: Arrays, needs: Sequence[tuple[int, ...]], adds: Sequence[tuple[int, ...]]) -> Arrays:
    """Add operators; lists that do not change stay shared."""
    users, achievers, free = arrays.users.copy(), arrays.achievers.copy(), arrays.free.copy()
    for place, (needed, added) in enumerate(zip(needs, adds, strict=True), start=len(arrays.needs)):
        for atom in needed:
            users[atom] = [*users[atom], place]
        for atom in added:
            achievers[atom] = [*achievers[atom], place]
        if not needed:
            free.append(place)
    return replace(
        arrays,
        needs=[*arrays.needs, *needs],
        adds=[*arrays.adds, *adds],
        costs=[*arrays.costs, *(NEW_SKILL_COST for _ in needs)],
        users=users,
        achievers=achievers,
        open_needs=[*arrays.open_needs, *map(len, needs)],
        free=free,
    )


def _list_withheld(analysis: ReachabilityAnalysis, opened: Collection[int]) -> frozenset[str]:
    """List the facts that people declined to give away: a new skill would hardly get them either."""
    declined = (analysis.task.operators[place] for place in analysis.personal if place not in opened)
    return frozenset(fact for operator in declined for fact in operator.sensitive)


def _choose_inputs(
    analysis: ReachabilityAnalysis, closure: Closure, gap: Gap, withheld: Collection[str]
) -> tuple[int, tuple[str, ...]]:
    """Choose what a new skill could work from, and count what it would have to do without.

    That is what a skill takes that would have given the fact; else what goes with the fact where it is needed; else
    what is known; else what skills take most.
    """

    def can_have(fact: str) -> bool:
        return fact not in withheld and _can_have(analysis, closure, fact)

    atoms = analysis.provides(gap)
    task = analysis.task
    for places in (task.arrays.achievers[atoms[0]], task.arrays.users[atoms[0]]):
        ways = [task.operators[place] for place in places if task.operators[place].kind is StepKind.SKILL]
        chosen = _choose_way(ways, gap, can_have)
        if chosen is not None:
            return chosen
    at_hand = [fact for fact in analysis.catalog.facts if fact in analysis.situation.known and can_have(fact)]
    if not at_hand:
        at_hand = sorted(filter(can_have, analysis.catalog.facts), key=lambda fact: -_count_users(analysis, fact))
    return 0, tuple(at_hand[:MOST_INPUTS])


def _choose_way(
    ways: Iterable[Operator], gap: Gap, can_have: Callable[[str], bool]
) -> tuple[int, tuple[str, ...]] | None:
    """Choose the inputs of the operator that lacks least of them, if there is one that does not lack them all."""
    best: tuple[int, tuple[str, ...]] | None = None
    for way in ways:
        wanted = [fact for fact in way.inputs if fact not in gap.facts]
        had = tuple(filter(can_have, wanted))
        if had and (best is None or len(wanted) - len(had) < best[0]):
            best = len(wanted) - len(had), had
    return best


def _can_have(analysis: ReachabilityAnalysis, closure: Closure, fact: str) -> bool:
    """Return whether a fact can be established, other than by a question that slot filling cannot put."""
    atom = analysis.number.get(known(fact))
    if atom is None or not closure.has((atom,)):
        return False
    if atom in analysis.task.initial or fact not in analysis.catalog.facts or analysis.catalog.facts[fact].fillable:
        return True
    sources = (
        analysis.task.operators[place]
        for place in analysis.task.arrays.achievers[atom]
        if not closure.open_needs[place]
    )
    return any(operator.kind is not StepKind.ASK for operator in sources)


def _count_users(analysis: ReachabilityAnalysis, fact: str) -> int:
    return len(analysis.task.arrays.users[analysis.number[known(fact)]])
