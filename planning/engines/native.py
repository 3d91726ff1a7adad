"""The engine of our own: a plan within about a millisecond, then a cheaper one for as long as there is time.

A task here never deletes anything, so the relaxed plans that other planners search with are plans. The first one comes
from one pass over the operators (`relaxed.py`), or that pass proves that there is none. Then steps are replaced for as
long as it pays (`improve.py`). Where the operators are those of a catalog (`planning/compiled.py`), their arrays are
made once; a turn only says what holds, what is wanted and what is ruled out.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from planning.compiled import keep_operators
from planning.engines.improve import Improvement
from planning.engines.protocol import Cancelled
from planning.engines.relaxed import extract, find_supporters, tidy
from planning.engines.watch import OutOfTime, Stopped, Watch
from planning.model import GaveUp, Limits, Plan, PlanningResult, Solved, Task, Unsolvable

BUDGET_MS = 150.0
"""What improving may take: more than it does on catalogs of a thousand skills."""
OUT_OF_REACH = "The goal is out of reach even if every operator is applied."
FIRST = "Cheapest supporters by h_add, costs respected; not improved: a cheaper plan may exist."


@dataclass(frozen=True)
class NativeEngine:
    """h_add with best supporters, then replacements of single steps, for at most `budget_ms`.

    Without a budget it is as fast as can be. A task that uses its budget up (the note says so) may get another plan on
    another machine; any other gets the same plan everywhere. Memory is linear in the task, and so is not watched.
    """

    budget_ms: float = BUDGET_MS
    name: str = "native"
    ignores_costs: bool = False

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
        """Find a plan, and make it cheaper within the budget."""
        began = perf_counter()

        def seconds() -> dict[str, float]:
            return {"search": perf_counter() - began}

        try:
            watch = Watch(limits, cancelled)
            watch.tick()
            found = self._search(task, watch)
        except Stopped as stop:
            return GaveUp(str(stop), self.name, seconds())
        except MemoryError:
            return GaveUp("The search ran out of memory.", self.name, seconds())
        if found is None:
            return Unsolvable(self.name, seconds(), OUT_OF_REACH)
        return Solved(found[0], self.name, seconds(), found[1])

    def _search(self, task: Task, watch: Watch) -> tuple[Plan, str] | None:
        operators = keep_operators(task.operators)
        whole = operators.whole
        number, arrays = whole.number, whole.arrays
        wanted = task.goal - task.initial
        if not wanted <= number.keys():
            return None
        initial = sorted([number[atom] for atom in task.initial if atom in number])
        goal = sorted([number[atom] for atom in wanted])
        supporters = find_supporters(arrays, arrays.costs, initial, goal, operators.ruled_out)
        if supporters is None:
            return None
        steps = tidy(arrays, initial, goal, extract(arrays, supporters, goal))
        note = FIRST
        if self.budget_ms > 0:
            improvement = Improvement(arrays, initial, goal, operators.ruled_out, steps)
            note = self._improve(improvement, watch)
            steps = improvement.steps
        return Plan(tuple([whole[step] for step in steps])), note

    def _improve(self, improvement: Improvement, watch: Watch) -> str:
        """Improve as long as the budget lasts, and say how far that went."""
        watch.allow(self.budget_ms / 1_000)
        done = "Cheapest supporters by h_add, costs respected"
        try:
            improvement.run(watch.tick)
        except OutOfTime:
            return f"{done}; {_say_gains(improvement.gains)} when the time for it was up: a cheaper plan may exist."
        if improvement.proved:
            return f"{done}; {_say_gains(improvement.gains)}: no plan is cheaper."
        return f"{done}; {_say_gains(improvement.gains)}, until replacing no single step paid."


def _say_gains(gains: int) -> str:
    return "not improved" if not gains else "improved once" if gains == 1 else f"improved {gains} times"
