"""Fast Downward (Helmert 2006) from the package up-fast-downward: its search, without its driver and translator."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from planning.engines.external import BadPlanFile, PlannerCall, Sas, read_plan, solve_by_calling
from planning.engines.protocol import Cancelled, Package
from planning.model import Limits, Plan, PlanningResult, Task

PACKAGE = Package("up-fast-downward", "up_fast_downward", "fast-downward", "Linux on x86_64")
BINARY = Path("downward", "builds", "release", "bin", "downward")
PLAN = "plan"


def lama(cost_type: str) -> str:
    """Write LAMA's first search (Richter and Westphal 2010): greedy, by FF's heuristic and landmarks in turn.

    With the cost type `one` all steps count the same, which is what Fast Downward calls `lama-first`; with `plusone`,
    LAMA's second search, costs count, and one more for each step.
    """
    return (
        f"let(hlm,eval_modify_costs(landmark_sum(lm_reasonable_orders_hps(lm_rhw()),pref=false),cost_type={cost_type}),"
        f"let(hff,eval_modify_costs(ff(),cost_type={cost_type}),"
        f"lazy_greedy([hff,hlm],preferred=[hff,hlm],cost_type={cost_type},reopen_closed=false)))"
    )


COST_AWARE = lama("plusone")


@dataclass(frozen=True)
class FastDownwardEngine:
    """One of Fast Downward's searches; without another choice a greedy one that minds costs."""

    search: str = COST_AWARE
    note: str = "LAMA's greedy search, costs plus one: a cheaper plan may exist."
    name: str = "fast-downward"
    package: Package = PACKAGE
    ignores_costs: bool = False
    proves_optimality: bool = False
    heeds_budget: bool = False

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
        """Call the search on the task, written as SAS+."""
        binary = self.package.locate(self.name) / BINARY
        command = (str(binary), "--internal-plan-file", PLAN, "--search", self.search)
        return solve_by_calling(
            PlannerCall(command, _read, self.note, self.proves_optimality), self.name, task, limits, cancelled
        )


def _read(folder: Path, sas: Sas) -> Plan:
    file = folder / PLAN
    if not file.exists():
        raise BadPlanFile("Fast Downward says that it found a plan, but wrote none.")
    return read_plan(file.read_text(encoding="ascii", errors="replace"), sas.operators)
