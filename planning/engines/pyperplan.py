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

from planning.engines.delete_free.reduction import Numbered, reduce_task
from planning.engines.package import Package
from planning.engines.protocol import Cancelled
from planning.engines.search import Found, MemoryWatch, NoPlan, search
from planning.model import Limits, Plan, PlanningResult, Task

PACKAGE = Package("pyperplan", "pyperplan")
SMALL = 400
"""Operators up to which LM-cut is used: it recurses as deep as a chain of them is long."""
EFFORT = 6_000
"""Evaluations of LM-cut times operators, after which A* gives way: about 0.1 s."""
IGNORES_COSTS = "pyperplan ignores costs: every step counts the same."


class Silence:
    """Stands in for `logging` inside pyperplan, whose calls would configure the root logger of the whole process."""

    def info(self, *_: object) -> None:
        """Say nothing."""

    debug = info


for module in (a_star, lm_cut, relaxation):
    module.logging = Silence()
lm_cut.repr = lambda _: ""  # it writes out every operator it cuts for a log that nobody reads, and fails on integers


class WorkedEnough(Exception):
    """A* has had its share of work, and gives way to greedy search."""


class WatchedTask(PyperplanTask):  # type: ignore[misc]
    """A pyperplan task that ticks at each expansion, and branches only where that can matter."""

    def __init__(self, numbered: Numbered, watch: MemoryWatch) -> None:
        operators = [
            PyperplanOperator(number, needs, adds, ()) for number, (needs, adds) in enumerate(numbered.operators)
        ]
        super().__init__("planglass", frozenset(numbered.facts), numbered.initial, numbered.goal, operators)
        self.numbered = numbered
        self.watch = watch

    def get_successor_states(self, state: frozenset[int]) -> Iterator[tuple[Any, frozenset[int]]]:
        """Apply the operators of one disjunctive landmark, of which every plan holds one (see `Numbered.branch`)."""
        self.watch.tick()
        for number in self.numbered.branch(state):
            operator = self.operators[number]
            yield operator, state | operator.add_effects


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
        """Evaluate a node, for its share of the effort."""
        self.watch.tick()
        self.left -= self.price
        if self.left < 0:
            raise WorkedEnough
        return super().__call__(node)

    def find_cut(self, state: frozenset[int]) -> list[Any]:
        """Find the cut, in the order of the operators."""
        return sorted(super().find_cut(state), key=lambda operator: operator.name)


class Ff(relaxation.hFFHeuristic):  # type: ignore[misc]
    """FF's heuristic (Hoffmann and Nebel 2001), which here gives the length of a true plan."""

    def __init__(self, task: WatchedTask) -> None:
        super().__init__(task)
        self.watch = task.watch

    def __call__(self, node: Any) -> Any:
        """Evaluate a node."""
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

        def work() -> Found | NoPlan:
            watch = MemoryWatch(limits, cancelled)
            watch.tick()
            numbered = reduce_task(task)
            if numbered is None:
                return NoPlan()
            steps, note = self._search(WatchedTask(numbered, watch))
            return Found(Plan(tuple(numbered.origin[step.name] for step in steps)), f"{note} {IGNORES_COSTS}")

        return search(self.name, work, IGNORES_COSTS)

    def _search(self, task: WatchedTask) -> tuple[list[Any], str]:
        if self.effort is None or len(task.operators) <= SMALL:
            try:
                return a_star.astar_search(task, LmCut(task, self.effort)), "A* with LM-cut: no plan is shorter."
            except WorkedEnough:
                pass
        found = a_star.greedy_best_first_search(task, Ff(task), use_relaxed_plan=True)
        return found, "Greedy search with FF's preferred operators: a shorter plan may exist."
