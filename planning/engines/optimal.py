"""Plans that are proved cheapest, as the optional package highspy allows."""

from __future__ import annotations

from dataclasses import dataclass

from planning.engines.delete_free.relaxed_plans import find_first
from planning.engines.package import Package
from planning.engines.protocol import Cancelled
from planning.engines.search import Found, NoPlan, Watch, search
from planning.model import Limits, PlanningResult, Task
from planning.task.index import index_task

PACKAGE = Package("highspy", "highspy", "optimal")


@dataclass(frozen=True)
class OptimalEngine:
    """A mathematical program on the narrowed task (`cheapest.py`); what a proof leaves open is the gap."""

    name: str = "optimal"
    package: Package = PACKAGE
    ignores_costs: bool = False
    proves_optimality: bool = True
    heeds_budget: bool = True

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
        """Find a cheapest plan; at the time limit the best one found, with its gap."""
        if not self.package.is_installed:
            raise self.package.missing(self.name)
        from planning.engines.mip.cheapest import find_cheapest, find_within

        def work() -> Found | NoPlan:
            watch = Watch(limits, cancelled)
            watch.tick()
            counted = index_task(task)
            first = None if counted is None else find_first(counted)
            if counted is None or first is None:
                return NoPlan()
            found = find_cheapest(counted, first, watch)
            if task.budget is not None:
                within = find_within(counted, found, task.budget, task.currency, watch)
                if isinstance(within, NoPlan):
                    return within
                found = within
            return Found(counted.plan(found.steps), found.note, found.gap)

        return search(self.name, work)
