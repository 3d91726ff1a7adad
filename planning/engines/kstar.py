"""K* (Lee, Katz and Sohrabi 2023, On K* Search for Top-k Planning), as the package kstar-planner brings it.

Asked for one plan it is A* with LM-cut and symmetries, and proves that plan cheapest. Asked for k it gives the k
cheapest plans, which differ in whatever way: in a useless step, say. What planners are compared with is here too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from planning.engines.external import BadPlanFile, PlannerCall, Sas, read_plan, solve_by_calling
from planning.engines.protocol import Cancelled, Package
from planning.model import Limits, Plan, PlanningResult, Task

PACKAGE = Package("kstar-planner", "kstar_planner", "kstar", "Python 3.11 to 3.13 on Linux")
BINARY = Path("builds", "release", "bin", "downward")
PLANS = "plans.json"
SYMMETRIES = (
    "sym=structural_symmetries(time_bound=0,search_symmetries=oss,stabilize_initial_state=false,"
    "keep_operator_symmetries=true)"
)


@dataclass(frozen=True)
class KStarEngine:
    """K* for one plan."""

    name: str = "kstar"
    package: Package = PACKAGE
    ignores_costs: bool = False
    proves_optimality: bool = True
    heeds_budget: bool = False

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
        """Call the search on the task, written as SAS+."""
        binary = self.package.locate(self.name) / BINARY
        search = (
            "kstar(lmcut(transform=undo_to_origin()),k=1,find_unordered_plans=false,dump_plan_files=false,"
            f"json_file_to_dump={PLANS},symmetries=sym)"
        )
        command = (str(binary), "--symmetries", SYMMETRIES, "--search", search)
        note = "Proved cheapest: A* with LM-cut and symmetries."
        return solve_by_calling(
            PlannerCall(command, _read, note, self.proves_optimality), self.name, task, limits, cancelled
        )


def _read(folder: Path, sas: Sas) -> Plan:
    try:
        written = json.loads((folder / PLANS).read_text(encoding="ascii", errors="replace"))
        steps = [f"({step})" for step in written["plans"][0]["actions"]]
    except (OSError, ValueError, LookupError, TypeError) as trouble:
        raise BadPlanFile("K* says that it found a plan, but wrote none that can be read.") from trouble
    return read_plan("\n".join(steps), sas.operators)
