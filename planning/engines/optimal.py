"""Plans that are proved cheapest by mathematical programming.

A first plan narrows the task to what a cheaper one can hold (`narrow`). On that, the program without integers
(`mip_program.py`) mostly gives a bound that the plan already meets, or shares of operators that lead to such a plan.
Only what is open after that takes integers. Rounding inside HiGHS never decides: costs are counted in whole units
(`Scale`), and where they cannot be, a millionth of the cost stays open, and is reported as the gap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, nextafter
from typing import TYPE_CHECKING

from planning.engines.delete_free import Improvement, find_first, find_tidy, narrow
from planning.engines.search import MemoryWatch, NoPlan, OutOfTime, Stopped, Watch
from planning.engines.set_additive import find_sharing
from planning.task.index import Arrays, IndexedTask, Reduced
from planning.task.spending import Allowance, count_whole, fits, say_money

if TYPE_CHECKING:
    from planning.engines.mip_program import Relaxed

UNDECIDED = 1e-6
"""The share of a cost that calculating with the tolerance of HiGHS cannot decide."""
MOST = 10_000_000
"""Units that a plan may cost: the error of HiGHS is far less than one unit."""
SHARES = 1_000
"""Cost that a plan is scaled to where its costs cannot be counted in units."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Costs in a unit: whole numbers and their remainders, which add up to less than one unit; or else fractions."""

    costs: list[float]
    unit: Fraction
    rest: list[int]
    exact: bool


def take_scale(whole: Sequence[int], most: int) -> Scale:
    """Return the scale for plans that cost less than `most`: costs above it are cut off, as no such plan has them."""
    unit = 1
    while unit * MOST < most or sum(cost % unit for cost in whole if cost <= most) >= unit:
        unit *= 10
        if unit > most:
            return Scale([SHARES * min(cost, 2 * most) / most for cost in whole], Fraction(most, SHARES), [], False)
    units = [float(min(cost // unit, most // unit + 1)) for cost in whole]
    return Scale(units, Fraction(unit), [cost % unit for cost in whole], True)


FEW = 20
"""Operators up to which replacing single steps is quicker than a program, and mostly proves as much."""
IN_TIME = "the best that was found in the time"


@dataclass(frozen=True, slots=True)
class Cheapest:
    """A plan by the places of its steps, what it costs, what every plan costs at least, and how that was found."""

    steps: Sequence[int]
    cost: float
    bound: float
    how: str

    @property
    def gap(self) -> float:
        """Return the share of its cost that a cheaper plan could save at most."""
        return (self.cost - self.bound) / self.cost if self.bound < self.cost else 0.0

    @property
    def note(self) -> str:
        """Say what is proved."""
        if not self.gap:
            return f"Proved cheapest: {self.how}."
        if self.gap >= 1:
            return "The best plan in the time: how much dearer it is than the cheapest one is not known."
        if self.gap <= UNDECIDED:
            return f"At most a millionth dearer than the cheapest plan: {self.how}."
        dearer = ceil(1_000 * self.gap / (1 - self.gap)) / 1_000
        return f"At most {dearer:.1%} dearer than the cheapest plan: {self.how}."


Improve = Callable[[Reduced, list[int], "Relaxed", float], list[int]]
"""Makes a plan of a narrowed task cheaper, by a grain at least, or leaves it as it is; it is told the relaxation."""


def keep(_task: Reduced, steps: list[int], _relaxed: Relaxed, _grain: float) -> list[int]:
    """Leave a plan as it is."""
    return steps


def find_cheapest(
    task: IndexedTask,
    first: Sequence[int],
    watch: Watch,
    allowance: Allowance | None = None,
    improve: Improve = keep,
) -> Cheapest:
    """Find a cheapest plan, starting from a first one; with an allowance, among the plans that it allows.

    Once the relaxation has led to a plan that it does not prove cheapest, that one is handed to `improve`.
    """
    narrowed, steps, proved = _narrow(task, first, watch, allowance)
    if proved or len(steps) == len(narrowed.arrays.costs):
        bound, how = _cost(narrowed.arrays, steps), "nothing else can be part of a cheaper one"
    else:
        steps, bound, how = _prove(narrowed, steps, watch, allowance, improve)
    return Cheapest([narrowed.origin[step] for step in steps], _cost(narrowed.arrays, steps), bound, how)


def find_within(
    task: IndexedTask, cheapest: Cheapest, budget: float, currency: str, watch: Watch, *, start: Sequence[int] = ()
) -> Cheapest | NoPlan:
    """Find a cheapest plan within a budget, from a cheapest one without a budget, and a plan within it if there is one.

    Without such a plan to `start` from, the one that takes least money is searched for.
    """
    money = [operator.amounts.money for operator in task.operators]
    allowance = Allowance(money, budget)
    if allowance.allows(cheapest.steps):
        return cheapest
    within = start or _find_frugal(task, money, allowance, currency, watch)
    if isinstance(within, NoPlan):
        return within
    found = find_cheapest(task, within, watch, allowance)
    bound = min(found.cost, max(found.bound, cheapest.bound))
    return replace(found, bound=bound, how=f"{found.how}, within the budget")


def _find_frugal(
    task: IndexedTask, money: list[float], allowance: Allowance, currency: str, watch: Watch
) -> Sequence[int] | NoPlan:
    """Find a plan that takes no more money than allowed, or prove that there is none."""
    by_money = replace(task, arrays=replace(task.arrays, costs=money))
    first = find_first(by_money)
    assert first is not None
    frugal = find_cheapest(by_money, first, watch)
    allowed = say_money(allowance.budget, currency)
    if not fits(frugal.bound, allowance.budget):
        needed = say_money(frugal.bound, currency)
        return NoPlan(f"Every plan takes at least {needed}, more than the {allowed} that may be spent.")
    if not allowance.allows(frugal.steps):
        needed = say_money(frugal.cost, currency)
        raise Stopped(f"No plan was found that takes at most {allowed}: the least found takes {needed}.")
    return frugal.steps


def _narrow(
    task: IndexedTask, first: Sequence[int], watch: Watch, allowance: Allowance | None
) -> tuple[Reduced, list[int], bool]:
    """Narrow the task by the first plan; without an allowance that one is improved by what is quickly done.

    Return also whether that has proved the plan cheapest.
    """
    proved = False
    if allowance is None:
        improvement = Improvement(task.arrays, task.initial, task.goal, task.ruled_out, first)
        if len(improvement.narrowed.origin) <= FEW:
            improvement.run(watch.tick)
        else:
            improvement.share()
            narrowed = improvement.narrowed
            improvement.accept_if_cheaper(find_sharing(narrowed.arrays, narrowed.arrays.costs, (), narrowed.goal) or [])
        narrowed, steps, proved = improvement.narrowed, improvement.steps, improvement.proved
    else:
        narrowed = narrow(task.arrays, task.initial, task.goal, task.ruled_out, first, also=allowance.money)
        steps = list(first)
    place = {operator: number for number, operator in enumerate(narrowed.origin)}
    return narrowed, [place[step] for step in steps], proved


def _prove(
    narrowed: Reduced, steps: list[int], watch: Watch, allowance: Allowance | None, improve: Improve
) -> tuple[list[int], float, str]:
    """Find a cheapest plan of a narrowed task, or the best one in the time, and what every plan costs at least."""
    whole, smallest = count_whole(narrowed.arrays.costs)
    allowances = []
    if allowance is not None:
        allowances.append(Allowance([allowance.money[operator] for operator in narrowed.origin], allowance.budget))
    watch = MemoryWatch.like(watch)
    bound = Fraction(0)
    how = "by linear programming"
    while most := sum(whole[step] for step in steps):
        scale = take_scale(whole, most)
        grain = 1.0 if scale.exact else UNDECIDED * SHARES / 2  # half: the plan found may cost less than this one
        scaled = replace(narrowed, arrays=replace(narrowed.arrays, costs=scale.costs))
        steps, least, by = _solve(scaled, steps, watch, allowances, grain, improve=improve)
        how = by or how
        least = ceil(least - grain / 2) if scale.exact else least - grain
        bound += scale.unit * Fraction(max(0, least))
        if by == IN_TIME or not scale.exact:
            cost = _cost(narrowed.arrays, steps)
            return steps, min(float(bound * smallest), nextafter(cost, 0.0)), how
        allowances.append(Allowance(scale.costs, least + grain / 2))
        whole = scale.rest
    return steps, _cost(narrowed.arrays, steps), how


def _solve(
    task: Reduced, steps: list[int], watch: Watch, allowances: Sequence[Allowance], grain: float, *, improve: Improve
) -> tuple[list[int], float, str]:
    """Find a plan such that none is cheaper by a grain, or the best one in the time.

    Return also what every plan costs at least, to less than a grain, and by what that was found, if not by the
    program without integers.
    """
    with watch.apart():  # it is loaded once
        from planning.engines.mip_program import Infeasible, Program

    arrays, goal = task.arrays, task.goal
    program = Program(arrays, goal, watch, allowances)
    bound = 0.0
    by = ""
    try:
        relaxed = program.relax()
        bound = relaxed.bound
        steps = _read_off(arrays, goal, relaxed, steps, allowances)
        if bound <= _cost(arrays, steps) - grain / 2 and not allowances:
            steps = improve(task, steps, relaxed, grain)
        cost = _cost(arrays, steps)
        if bound <= cost - grain / 2:
            by = "by integer programming"
            program.cut_off(relaxed, cost - grain / 2)
            steps = _sort(arrays, goal, program.choose(grain / 2))
    except Infeasible:
        pass
    except OutOfTime:
        if chosen := program.interrupted():
            steps = min(steps, _sort(arrays, goal, chosen), key=lambda plan: _cost(arrays, plan))
        return steps, max(bound, program.bound), IN_TIME
    return steps, _cost(arrays, steps), by


def _read_off(
    arrays: Arrays, goal: Sequence[int], relaxed: Relaxed, steps: list[int], allowances: Sequence[Allowance]
) -> list[int]:
    """Return a plan that the relaxation leads to, if it is cheaper: operators cost less the larger their share."""
    costs = [cost * (1.0 - share) + UNDECIDED * cost for cost, share in zip(arrays.costs, relaxed.values, strict=True)]
    for find in (find_tidy, find_sharing):
        found = find(arrays, costs, (), goal)
        if found is not None and all(allowance.allows(found) for allowance in allowances):
            steps = min(steps, found, key=lambda plan: _cost(arrays, plan))
    return steps


def _sort(arrays: Arrays, goal: Sequence[int], chosen: Sequence[int]) -> list[int]:
    """Put chosen operators in a valid order, without those that are not needed."""
    left_out = set(range(len(arrays.costs))).difference(chosen)
    found = find_tidy(arrays, arrays.costs, (), goal, left_out)
    assert found is not None
    return found


def _cost(arrays: Arrays, steps: Iterable[int]) -> float:
    return sum(arrays.costs[step] for step in steps)
