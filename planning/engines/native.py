"""The engines of our own: a plan within milliseconds, then a cheaper one until it is proved cheapest or time is up.

A task never deletes anything, so the relaxed plans that other planners search with are plans. What is done is each
time the next best use of the time that is left (an anytime portfolio, in one thread):

1. One pass over the operators finds a plan by what looks cheapest (h_add), or proves that there is none. Where the
   operators are those of a catalog, their index is made once (`planning/task/index.py`).
2. Its cost narrows the task to what a cheaper plan can hold (`delete_free.py`). Where that is little, replacing single
   steps mostly proves the plan cheapest; where it is very much, that comes first: a program may not be solved in time.
3. A linear program bounds what every plan costs, and its shares of operators lead to another plan (`optimal.py`).
4. Single steps of a plan that is dearer than the bound are replaced, and plans that are drawn at random are merged with
   it (`merging.py`), for a part of the time.
5. Integers (HiGHS) close the gap, or narrow it: what is open when the time is up is said with the plan.

Where the plan would go over the budget of the task, one within it is searched for (`budget.py`).

`native` does this for a short while, and answers; `optimal` goes on from that answer up to the limits of the search.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from planning.engines.budget import Purse
from planning.engines.delete_free import Improvement, find_first
from planning.engines.optimal import Cheapest, find_cheapest, find_within
from planning.engines.protocol import OWN, Cancelled, Package
from planning.engines.search import Found, NoPlan, OutOfTime, Stopped, Watch, search
from planning.model import Limits, PlanningResult, Task
from planning.task.index import IndexedTask, Reduced, index_task
from planning.task.spending import fits

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
        """Find a plan, and make it cheaper within the budget."""

        def work() -> Found | NoPlan:
            watch = Watch(limits, cancelled)
            watch.tick()
            counted = index_task(task)
            found = None if counted is None else self.find(counted, watch)
            return NoPlan() if counted is None or found is None else self.fit(task, counted, found, watch)

        return search(self.name, work)

    def find(self, task: IndexedTask, watch: Watch) -> Found | None:
        """Find a plan without regard to the budget, and make it cheaper; None where there is none."""
        first = find_first(task)
        return None if first is None else self._improve(task, first, watch)

    def fit(self, task: Task, counted: IndexedTask, found: Found, watch: Watch) -> Found | NoPlan:
        """Return a plan that is within the budget of the task; where it goes over that, another one is searched for."""
        if task.budget is None or fits(found.plan.amounts.money, task.budget):
            return found
        return Purse(counted, task.budget, task.currency, watch, self.budget_ms).search(_steps(counted, found))

    def _improve(self, task: IndexedTask, first: list[int], watch: Watch) -> Found:
        """Improve as long as the budget lasts, and say how far that went."""
        if self.budget_ms <= 0:
            return Found(task.plan(first), FIRST)
        until = watch.within(self.budget_ms / 1_000, long_units=len(task.arrays.costs) > MANY)

        def improve(narrowed: Reduced, steps: list[int], relaxed: Relaxed, grain: float) -> list[int]:
            from planning.engines.merging import merge

            steps = self._replace(Improvement(narrowed.arrays, (), narrowed.goal, (), steps), until, REPLACED)
            return merge(narrowed, steps, relaxed, grain, until.within(MERGED * self.budget_ms / 1_000))

        steps = first
        try:
            steps = self._begin(task, first, until)
            best = find_cheapest(task, steps, until, improve=improve)
        except Stopped:
            if watch.cancelled():
                raise
            return Found(task.plan(steps), FIRST)
        return Found(task.plan(best.steps), best.note, best.gap if best.gap < 1 else None)

    def _begin(self, task: IndexedTask, first: list[int], until: Watch) -> list[int]:
        """Improve the first plan of a very large task step by step; that of any other is left as it is."""
        if len(task.arrays.costs) <= MANY:
            return first
        improvement = Improvement(task.arrays, task.initial, task.goal, task.ruled_out, first)
        return self._replace(improvement, until, 2 * REPLACED) if len(improvement.narrowed.origin) > MANY else first

    def _replace(self, improvement: Improvement, until: Watch, part: float) -> list[int]:
        """Replace single steps for a part of the budget."""
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

        def work() -> Found | NoPlan:
            watch = Watch(limits, cancelled)
            watch.tick()
            counted = index_task(task)
            freely = None if counted is None else self.start.find(counted, watch)
            if counted is None or freely is None:
                return NoPlan()
            begun: Found | NoPlan | None = None
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
        self, task: Task, counted: IndexedTask, freely: Found, begun: Found | None, watch: Watch
    ) -> Found | NoPlan:
        """Find a cheapest plan, from one without regard to the budget and one within it, if there is any."""
        best: Cheapest | NoPlan = (cheapest := find_cheapest(counted, _steps(counted, freely), watch))
        if task.budget is not None:
            start = () if begun is None else _steps(counted, begun)
            best = find_within(counted, cheapest, task.budget, task.currency, watch, start=start)
        if isinstance(best, NoPlan):
            return best
        if begun is not None and begun.gap is not None and begun.gap < best.gap and fits(begun.plan.cost, best.cost):
            return begun  # the time was up before as much was proved again
        return Found(counted.plan(best.steps), best.note, best.gap)


def _steps(task: IndexedTask, found: Found) -> list[int]:
    """Return the steps of a plan by their places among the operators."""
    return [task.operators.named[step.name] for step in found.plan.steps]
