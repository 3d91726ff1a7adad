"""The engines of our own: a plan within milliseconds, then a cheaper one until it is proved cheapest or time is up.

A task never deletes anything, so the relaxed plans that other planners search with are plans. What is done is each
time the next best use of the time that is left (an anytime portfolio, in one thread):

1. One pass over the operators finds a plan by what looks cheapest (h_add), or proves that there is none. Where the
   operators are those of a catalog, their index is made once (`planning/task/index.py`).
2. Its cost narrows the task to what a cheaper plan can hold (`delete_free.py`). Where that is little, replacing single
   steps mostly proves the plan cheapest; where it is very much, that comes first: a program may not be solved in time.
3. A linear program bounds what every plan costs, and its shares of operators lead to another plan
   (`mip_program.py`).
4. Single steps of a plan that is dearer than the bound are replaced, and plans that are drawn at random are merged with
   it (`merging.py`), for a part of the time.
5. Integers (HiGHS) close the gap, or narrow it: what is open when the time is up is said with the plan. Rounding inside
   HiGHS never decides: costs are counted in whole units (`Scale`), and where they cannot be, a millionth of the cost
   stays open, and is reported as the gap.

Where the plan would go over the budget of the task, one within it is searched for (`budget.py`).

`native` does this for a short while, and answers; `optimal` goes on from that answer up to the limits of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, nextafter
from typing import TYPE_CHECKING

from planning.engines.budget import Purse
from planning.engines.delete_free import PlanImprovement, find_first, find_tidy, narrow
from planning.engines.protocol import OWN, Cancelled, Package
from planning.engines.search import FoundPlan, MemoryWatch, NoPlan, OutOfTime, Stopped, Watch, search
from planning.engines.set_additive import find_sharing
from planning.model import Limits, PlanningResult, Task
from planning.task.index import Arrays, IndexedTask, TaskPart, index_task
from planning.task.spending import SHARES, Allowance, count_whole, fits, say_money, take_scale

if TYPE_CHECKING:
    from planning.engines.mip_program import Relaxed

HIGHS = Package("highspy", "highspy")
BUDGET_MS = 150.0
"""Work on making a plan cheaper, in milliseconds: more than it takes on most catalogs of a thousand skills."""
REPLACED, MERGED = 1 / 6, 1 / 2
"""Parts of it for replacing single steps and for merging plans before integers are tried."""
MANY = 2_000
"""Operators from which on steps are replaced before a program is written, for twice that part, and units are long."""
FIRST = "Each thing that is needed is got by what looks cheapest for it alone (h_add): a cheaper plan may exist."
UNDECIDED = 1e-6
"""The share of a cost that calculating with the tolerance of HiGHS cannot decide."""
FEW = 20
"""Operators up to which replacing single steps is quicker than a program, and mostly proves as much."""
IN_TIME = "the best that was found in the time"


@dataclass(frozen=True, slots=True)
class CheapestPlan:
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
        if not self.gap:
            return f"Proved cheapest: {self.how}."
        if self.gap >= 1:
            return "The best plan in the time: how much dearer it is than the cheapest one is not known."
        if self.gap <= UNDECIDED:
            return f"At most a millionth dearer than the cheapest plan: {self.how}."
        dearer = ceil(1_000 * self.gap / (1 - self.gap)) / 1_000
        return f"At most {dearer:.1%} dearer than the cheapest plan: {self.how}."


Improve = Callable[[TaskPart, list[int], "Relaxed", float], list[int]]
"""Makes a plan of a narrowed task cheaper, by a grain at least, or leaves it as it is; it is told the relaxation."""


def keep(_task: TaskPart, steps: list[int], _relaxed: Relaxed, _grain: float) -> list[int]:
    return steps


def find_cheapest(
    task: IndexedTask,
    first: Sequence[int],
    watch: Watch,
    allowance: Allowance | None = None,
    improve: Improve = keep,
) -> CheapestPlan:
    """Find a cheapest plan, starting from a first one; with an allowance, among the plans that it allows.

    Once the relaxation has led to a plan that it does not prove cheapest, that one is handed to `improve`.
    """
    narrowed, steps, proved = _narrow(task, first, watch, allowance)
    if proved or len(steps) == len(narrowed.arrays.costs):
        bound, how = _cost(narrowed.arrays, steps), "nothing else can be part of a cheaper one"
    else:
        steps, bound, how = _prove(narrowed, steps, watch, allowance, improve)
    return CheapestPlan([narrowed.origin[step] for step in steps], _cost(narrowed.arrays, steps), bound, how)


def find_within(
    task: IndexedTask, cheapest: CheapestPlan, budget: float, currency: str, watch: Watch, *, start: Sequence[int] = ()
) -> CheapestPlan | NoPlan:
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
) -> tuple[TaskPart, list[int], bool]:
    """Narrow the task by the first plan; without an allowance that one is improved by what is quickly done.

    Return also whether that has proved the plan cheapest.
    """
    proved = False
    if allowance is None:
        improvement = PlanImprovement(task.arrays, task.initial, task.goal, task.ruled_out, first)
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
    narrowed: TaskPart, steps: list[int], watch: Watch, allowance: Allowance | None, improve: Improve
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
    task: TaskPart, steps: list[int], watch: Watch, allowances: Sequence[Allowance], grain: float, *, improve: Improve
) -> tuple[list[int], float, str]:
    """Find a plan such that none is cheaper by a grain, or the best one in the time.

    Return also what every plan costs at least, to less than a grain, and by what that was found, if not by the
    program without integers.
    """
    with watch.apart():  # it is loaded once
        from planning.engines.mip_program import Infeasible, IntegerProgram

    arrays, goal = task.arrays, task.goal
    program = IntegerProgram(arrays, goal, watch, allowances)
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


@dataclass(frozen=True)
class NativeEngine:
    """h_add, replacements of single steps, mathematical programming: for at most `budget_ms` of work of its thread.

    Without a budget it is as fast as can be. A task that uses its budget up (the note says so) may get another plan on
    another machine; any other gets the same plan everywhere.
    """

    budget_ms: float = BUDGET_MS
    name: str = "native"
    package: Package = OWN
    ignores_costs: bool = False
    proves_optimality: bool = False
    heeds_budget: bool = True

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:

        def work() -> FoundPlan | NoPlan:
            watch = Watch(limits, cancelled)
            watch.tick()
            counted = index_task(task)
            found = None if counted is None else self.find(counted, watch)
            return NoPlan() if counted is None or found is None else self.fit(task, counted, found, watch)

        return search(self.name, work)

    def find(self, task: IndexedTask, watch: Watch) -> FoundPlan | None:
        """Find a plan without regard to the budget, and make it cheaper; None where there is none."""
        first = find_first(task)
        return None if first is None else self._improve(task, first, watch)

    def fit(self, task: Task, counted: IndexedTask, found: FoundPlan, watch: Watch) -> FoundPlan | NoPlan:
        """Return a plan that is within the budget of the task; where it goes over that, another one is searched for."""
        if task.budget is None or fits(found.plan.amounts.money, task.budget):
            return found
        return Purse(counted, task.budget, task.currency, watch, self.budget_ms).search(_steps(counted, found))

    def _improve(self, task: IndexedTask, first: list[int], watch: Watch) -> FoundPlan:
        """Improve as long as the budget lasts, and say how far that went."""
        if self.budget_ms <= 0:
            return FoundPlan(task.plan(first), FIRST)
        until = watch.within(self.budget_ms / 1_000, long_units=len(task.arrays.costs) > MANY)

        def improve(narrowed: TaskPart, steps: list[int], relaxed: Relaxed, grain: float) -> list[int]:
            from planning.engines.merging import merge

            steps = self._replace(PlanImprovement(narrowed.arrays, (), narrowed.goal, (), steps), until, REPLACED)
            return merge(narrowed, steps, relaxed, grain, until.within(MERGED * self.budget_ms / 1_000))

        steps = first
        try:
            steps = self._begin(task, first, until)
            best = find_cheapest(task, steps, until, improve=improve)
        except Stopped:
            if watch.cancelled():
                raise
            return FoundPlan(task.plan(steps), FIRST)
        return FoundPlan(task.plan(best.steps), best.note, best.gap if best.gap < 1 else None)

    def _begin(self, task: IndexedTask, first: list[int], until: Watch) -> list[int]:
        """Improve the first plan of a very large task step by step; that of any other is left as it is."""
        if len(task.arrays.costs) <= MANY:
            return first
        improvement = PlanImprovement(task.arrays, task.initial, task.goal, task.ruled_out, first)
        return self._replace(improvement, until, 2 * REPLACED) if len(improvement.narrowed.origin) > MANY else first

    def _replace(self, improvement: PlanImprovement, until: Watch, part: float) -> list[int]:
        watch = until.within(part * self.budget_ms / 1_000)
        with suppress(OutOfTime):
            improvement.run(watch.tick)
        return improvement.steps


@dataclass(frozen=True)
class OptimalEngine:
    """The plan of `native`, improved until it is proved cheapest; at the limits the best one found, never a dearer one.

    The gap is what the proof leaves open. Only where a limit is reached before there is any plan, it gives up.
    """

    start: NativeEngine = NativeEngine()
    name: str = "optimal"
    package: Package = HIGHS
    ignores_costs: bool = False
    proves_optimality: bool = True
    heeds_budget: bool = True

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
        """Find a cheapest plan; at the time limit the best one found, with its gap."""

        def work() -> FoundPlan | NoPlan:
            watch = Watch(limits, cancelled)
            watch.tick()
            counted = index_task(task)
            freely = None if counted is None else self.start.find(counted, watch)
            if counted is None or freely is None:
                return NoPlan()
            begun: FoundPlan | NoPlan | None = None
            with suppress(Stopped):  # what a plan takes at least may still be proved
                begun = self.start.fit(task, counted, freely, watch)
            if isinstance(begun, NoPlan) or (begun is not None and begun.gap == 0):
                return begun
            try:
                return self._prove(task, counted, freely, begun, watch)
            except Stopped as stop:
                if begun is None or cancelled():
                    raise
                return replace(begun, note=f"{begun.note} {stop}")

        return search(self.name, work)

    def _prove(
        self, task: Task, counted: IndexedTask, freely: FoundPlan, begun: FoundPlan | None, watch: Watch
    ) -> FoundPlan | NoPlan:
        """Find a cheapest plan, from one without regard to the budget and one within it, if there is any."""
        best: CheapestPlan | NoPlan = (cheapest := find_cheapest(counted, _steps(counted, freely), watch))
        if task.budget is not None:
            start = () if begun is None else _steps(counted, begun)
            best = find_within(counted, cheapest, task.budget, task.currency, watch, start=start)
        if isinstance(best, NoPlan):
            return best
        if begun is not None and begun.gap is not None and begun.gap < best.gap and fits(begun.plan.cost, best.cost):
            return begun  # the time was up before as much was proved again
        return FoundPlan(counted.plan(best.steps), best.note, best.gap)


def _steps(task: IndexedTask, found: FoundPlan) -> list[int]:
    """Return the steps of a plan by their places among the operators."""
    return [task.operators.named[step.name] for step in found.plan.steps]
