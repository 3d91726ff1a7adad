"""The embedded engine: pyperplan's searches, run in-process, on a task that is built directly, and under limits.

A small task is first given to A* with LM-cut, which proves its plan shortest. Where that would take too much work
(counted, not timed, so that the plan is the same on every machine), and on a large task, greedy best-first search with
FF's preferred operators takes over. pyperplan knows no costs: every step counts the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyperplan.heuristics import lm_cut, relaxation
from pyperplan.search import a_star
from pyperplan.task import Operator as PyperplanOperator
from pyperplan.task import Task as PyperplanTask

from planning.engines.protocol import Cancelled, Package
from planning.engines.search import FoundPlan, MemoryWatch, NoPlan, search
from planning.model import Limits, PlanningResult, Task
from planning.task.index import TaskPart, index_task, reduce_task

PACKAGE = Package("pyperplan", "pyperplan")
SMALL = 400
"""Operators up to which LM-cut is used: it recurses as deep as a chain of them is long."""
EFFORT = 6_000
"""Evaluations of LM-cut times operators, after which A* gives way: about 0.1 s."""
IGNORES_COSTS = "pyperplan ignores costs: every step counts the same."


class QuietLogging:
    """Stands in for `logging` inside pyperplan, whose calls would configure the root logger of the whole process."""

    def info(self, *_: object) -> None:
        """Say nothing."""

    debug = info


for module in (a_star, lm_cut, relaxation):
    module.logging = QuietLogging()
lm_cut.repr = lambda _: ""  # it writes out every operator it cuts for a log that is not read, and fails on integers


class WorkedEnough(Exception):
    """A* has had its share of work, and gives way to greedy search."""


ALWAYS = 0
"""An atom that always holds: the only need of operators that need nothing, which some searches cannot do without."""


class WatchedTask(PyperplanTask):  # type: ignore[misc]
    """A pyperplan task that ticks at each expansion, and branches only where that can matter.

    Its atoms are numbered in the order in which the goal and the operators name them, after `ALWAYS`.
    """

    def __init__(self, task: TaskPart, watch: MemoryWatch) -> None:
        arrays = task.arrays
        rows = zip(map(sorted, arrays.needs), map(sorted, arrays.adds), strict=True)
        order = dict.fromkeys([*sorted(task.goal), *[atom for row in rows for atoms in row for atom in atoms]])
        number = {atom: place for place, atom in enumerate(order, start=ALWAYS + 1)}
        self.needs = [frozenset([number[atom] for atom in needs]) or frozenset((ALWAYS,)) for needs in arrays.needs]
        adds = [frozenset([number[atom] for atom in added]) for added in arrays.adds]
        self.achievers = [[], *[arrays.achievers[atom] for atom in order]]
        operators = [
            PyperplanOperator(number, *sets, ()) for number, sets in enumerate(zip(self.needs, adds, strict=True))
        ]
        goal = frozenset([number[atom] for atom in task.goal])
        super().__init__("planglass", frozenset(range(len(self.achievers))), frozenset((ALWAYS,)), goal, operators)
        self.watch = watch

    def get_successor_states(self, state: frozenset[int]) -> Iterator[tuple[Any, frozenset[int]]]:
        """Apply the operators of one disjunctive landmark, of which every plan holds one."""
        self.watch.tick()
        for number in self._branch(state):
            operator = self.operators[number]
            yield operator, state | operator.add_effects

    def _branch(self, state: frozenset[int]) -> list[int]:
        """Choose operators to branch over: applicable ones, of which every plan from this state holds at least one.

        Nothing is deleted, so such an operator can always be moved to the front of a plan: no other branch is needed to
        find a shortest one (Gefen and Brafman 2012, Pruning Methods for Optimal Delete-Free Planning). The set is
        the smallest of those made from each open goal.
        """
        return min((self._landmark(atom, state) for atom in sorted(self.goals - state)), key=len)

    def _landmark(self, wanted: int, state: frozenset[int]) -> list[int]:
        """Collect applicable operators, going back from an atom through one open need of each operator.

        The first of the atoms gone through to become true in a plan does so by an operator of the result.
        """
        found: set[int] = set()
        seen = {wanted}
        waiting = [wanted]
        while waiting:
            for number in self.achievers[waiting.pop()]:
                missing = self.needs[number] - state
                if not missing:
                    found.add(number)
                elif not missing & seen:
                    need = min(missing, key=lambda atom: (len(self.achievers[atom]), atom))
                    seen.add(need)
                    waiting.append(need)
        return sorted(found)


class LmCut(lm_cut.LmCutHeuristic):  # type: ignore[misc]
    """LM-cut (Helmert and Domshlak 2009) with its own names made integers and its cuts sorted.

    So ties fall alike in every process.
    """

    always_true = -1
    explicit_goal = -2
    goal_operator_name = -3

    def __init__(self, task: WatchedTask, effort: int | None) -> None:
        super().__init__(task)
        self.watch = task.watch
        self.left = float("inf") if effort is None else effort
        self.price = len(task.operators)

    def __call__(self, node: Any) -> Any:
        self.watch.tick()
        self.left -= self.price
        if self.left < 0:
            raise WorkedEnough
        return super().__call__(node)

    def find_cut(self, state: frozenset[int]) -> list[Any]:
        return sorted(super().find_cut(state), key=lambda operator: operator.name)


class Ff(relaxation.hFFHeuristic):  # type: ignore[misc]
    """FF's heuristic (Hoffmann and Nebel 2001), which here gives the length of a true plan."""

    def __init__(self, task: WatchedTask) -> None:
        super().__init__(task)
        self.watch = task.watch

    def __call__(self, node: Any) -> Any:
        self.watch.tick()
        return super().__call__(node)


@dataclass(frozen=True)
class PyperplanEngine:
    """pyperplan 2.1, in-process. `effort` bounds the work of A* (see `EFFORT`); None leaves only the limits."""

    effort: int | None = EFFORT
    name: str = "pyperplan"
    package: Package = PACKAGE
    ignores_costs: bool = True
    proves_optimality: bool = False
    heeds_budget: bool = False

    def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
        """Search for a shortest plan; where that is too much work, for a short one."""

        def work() -> FoundPlan | NoPlan:
            watch = MemoryWatch(limits, cancelled)
            watch.tick()
            indexed = index_task(task)
            reduced = None if indexed is None else reduce_task(indexed, shortest=True)
            if indexed is None or reduced is None:
                return NoPlan()
            steps, note = self._search(WatchedTask(reduced, watch))
            return FoundPlan(indexed.plan(reduced.origin[step.name] for step in steps), f"{note} {IGNORES_COSTS}")

        return search(self.name, work, IGNORES_COSTS)

    def _search(self, task: WatchedTask) -> tuple[list[Any], str]:
        if self.effort is None or len(task.operators) <= SMALL:
            try:
                return a_star.astar_search(task, LmCut(task, self.effort)), "A* with LM-cut: no plan is shorter."
            except WorkedEnough:
                pass
        found = a_star.greedy_best_first_search(task, Ff(task), use_relaxed_plan=True)
        return found, "Greedy search with FF's preferred operators: a shorter plan may exist."
