"""Say what would make an unsolvable goal solvable: information that a person could give, or skills that nobody has.

The answers are minimal sets of such gaps, ranked. Each is verified: with the gaps filled a plan is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catalog.model import Catalog
from planning.diagnosis.assumptions import Candidates, find_best, find_without_people
from planning.diagnosis.minimal_sets import Bounds
from planning.diagnosis.model import Diagnosis, Gap, GapKind, GapSet
from planning.diagnosis.reachability import ReachabilityAnalysis, analyse
from planning.diagnosis.repair import fill, find_money
from planning.model import Operator, Situation, Task, Wanted
from planning.task.compilation import compile_task
from planning.task.spending import fits

__all__ = ["BOUNDS", "BOUNDS_WITHOUT_PEOPLE", "Bounds", "Diagnosis", "Gap", "GapKind", "GapSet", "diagnose"]

BOUNDS = Bounds(sets=5, work=2_500)
BOUNDS_WITHOUT_PEOPLE = Bounds(sets=3, work=1_500)
STOPPED = "The search for what would help was ended at its limit: there may be ways that ask for less."
MORE = "These are the ways that ask for least; there may be more."


def diagnose(
    catalog: Catalog,
    situation: Situation,
    goal: Iterable[str] | Wanted,
    operators: Sequence[Operator] | None = None,
    *,
    bounds: Bounds = BOUNDS,
    without_people: Bounds = BOUNDS_WITHOUT_PEOPLE,
) -> Diagnosis:
    """Find what is missing for a goal: the sets of gaps that ask least, and those that ask nothing of people.

    `operators` are those of `compile_operators(catalog)`, where they are at hand.
    """
    task = compile_task(catalog, situation, goal, operators)
    analysis = analyse(catalog, situation, task)
    if analysis.reached.has(analysis.task.goal):
        return Diagnosis(over_budget=_find_over_budget(analysis, task))
    best, alone = find_best(analysis, bounds), find_without_people(analysis, without_people)
    first = _rank(analysis, best, bounds)
    there = {_identify(one) for one in first}
    others = (one for one in _rank(analysis, alone, without_people) if _identify(one) not in there)
    searches = ((best, bounds), (alone, without_people))
    return Diagnosis((*first, *others), _note(*searches), more=not _is_all(best, bounds))


def _identify(one: GapSet) -> frozenset[tuple[GapKind, str]]:
    return frozenset((gap.kind, gap.subject) for gap in one.gaps)


def _is_all(found: Candidates, bounds: Bounds) -> bool:
    return found.all_found and len(found.sets) <= bounds.sets


def _note(*searches: tuple[Candidates, Bounds]) -> str:
    """Say what was not looked into."""
    if not all(found.lightest for found, _ in searches):
        return STOPPED
    return "" if all(_is_all(found, bounds) for found, bounds in searches) else MORE


def _find_over_budget(analysis: ReachabilityAnalysis, task: Task) -> float | None:
    """Find the least money that a plan takes, if that is more than may be spent."""
    if task.budget is None:
        return None
    money = find_money(analysis)
    return None if fits(money, task.budget) else money


def _rank(analysis: ReachabilityAnalysis, found: Candidates, bounds: Bounds) -> list[GapSet]:
    """Verify sets, put the cheaper of equally heavy ones first, and keep as many as are to be told."""
    filled = [(weight, fill(analysis, gaps)) for weight, gaps in found.sets]
    return [one for _, one in sorted(filled, key=lambda pair: (pair[0], pair[1].cost))[: bounds.sets]]
