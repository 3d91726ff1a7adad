"""The engine of our own: a plan within about a millisecond, then a cheaper one for as long as there is time.

A task never deletes anything, so the relaxed plans that other planners search with are plans. One pass over the
operators finds the first plan (`delete_free.py`), or proves that there is none. Then steps are replaced
for as long as it pays (`delete_free.py`). Where the operators are those of a catalog, their index is made
once (`planning/task/index.py`); a turn only says what holds, what is wanted and what is ruled out. Where the plan
would go over the budget of the task, one within it is searched for (`budget.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from planning.engines.budget import Purse
from planning.engines.delete_free import Improvement, find_first
from planning.engines.protocol import OWN, Cancelled, Package
from planning.engines.search import Found, NoPlan, OutOfTime, Watch, search
from planning.model import Limits, PlanningResult, Task
from planning.task.index import IndexedTask, index_task
from planning.task.spending import fits

BUDGET_MS = 150.0
"""Budget for improving a plan, in milliseconds of work: more than it does on catalogs of a thousand skills."""
FIRST = "Each thing that is needed is got by what looks cheapest for it alone (h_add): a cheaper plan may exist."


@dataclass(frozen=True)
class NativeEngine:
    """h_add with best supporters, then replacements of single steps, for at most `budget_ms` of work of its thread.

    Without a budget it is as fast as can be. A task that uses its budget up (the note says so) may get another plan on
    another machine; any other gets the same plan everywhere. Memory is linear in the task, and so is not watched.
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
            if counted is None:
                return NoPlan()
            found = self._search(counted, watch)
            if task.budget is None or isinstance(found, NoPlan) or fits(found.plan.amounts.money, task.budget):
                return found
            purse = Purse(counted, task.budget, task.currency, watch, self.budget_ms)
            return purse.search([counted.operators.named[step.name] for step in found.plan.steps])

        return search(self.name, work)

    def _search(self, task: IndexedTask, watch: Watch) -> Found | NoPlan:
        steps = find_first(task)
        if steps is None:
            return NoPlan()
        if self.budget_ms <= 0:
            return Found(task.plan(steps), FIRST)
        improvement = Improvement(task.arrays, task.initial, task.goal, task.ruled_out, steps)
        note = self._improve(improvement, watch)
        return Found(task.plan(improvement.steps), note, 0.0 if improvement.proved else None)

    def _improve(self, improvement: Improvement, watch: Watch) -> str:
        """Improve as long as the budget lasts, and say how far that went."""
        watch = watch.within(self.budget_ms / 1_000)
        try:
            improvement.run(watch.tick)
        except OutOfTime:
            return f"{_say_gains(improvement.gains)} until the time for it was up: a cheaper plan may exist."
        if improvement.proved:
            return "It is proved that no plan is cheaper."
        if not improvement.gains:
            return "Replacing any single step would not pay, yet a cheaper plan may exist."
        return f"{_say_gains(improvement.gains)}; replacing any single step pays no more, yet a cheaper plan may exist."


def _say_gains(gains: int) -> str:
    return "Made cheaper once" if gains == 1 else f"Made cheaper {gains} times" if gains else "Not made cheaper"
