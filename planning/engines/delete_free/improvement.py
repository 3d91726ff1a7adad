"""Make a plan cheaper, one replacement at a time, and know when no plan is cheaper.

First another plan is made that favours what many can share. Then each step in turn is forbidden, what the plan holds
besides counts as paid, and the cheapest repair is looked for (`find_supporters`). With every gain the task is narrowed
to what can still be part of a cheaper plan, so that the next looks are quicker; where nothing but the plan itself is
left, or each of its steps turns out to be in every plan that is left, it is proved to be a cheapest one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from planning.engines.delete_free.narrowing import ROUNDING, narrow
from planning.engines.delete_free.relaxed_plans import find_tidy
from planning.task.index import Reduced
from planning.task.operators import Arrays

UNAVOIDABLE = float("inf")


class Improvement:
    """A plan on its way to a cheaper one: `steps` is always a plan, in a valid order and with no step to spare.

    `gains` counts the replacements that paid; `proved` says that no plan is cheaper.
    """

    def __init__(
        self,
        arrays: Arrays,
        initial: Collection[int],
        goal: Sequence[int],
        ruled_out: Collection[int],
        steps: Sequence[int],
    ) -> None:
        self.steps = list(steps)
        self.gains = 0
        self.proved: bool = False
        self._tried: dict[int, float] = {}
        self._origin: list[int] = list(range(len(arrays.costs)))
        self._narrow(narrow(arrays, initial, goal, ruled_out, self.steps), self.steps)

    @property
    def narrowed(self) -> Reduced:
        """The task as far as the plan so far narrows it; its operators come from the task at the beginning."""
        return Reduced(self._task.arrays, self._task.goal, self._origin)

    def share(self) -> None:
        """Try another plan, for which an operator is the cheaper the more others can use what it adds.

        This finds what pays only together, which no replacement of a single step does.
        """
        arrays = self._task.arrays
        uses = [max((len(arrays.users[atom]) for atom in added), default=1) for added in arrays.adds]
        costs = [cost / max(1, used) for cost, used in zip(arrays.costs, uses, strict=True)]
        self._accept_if_cheaper(self._plan_with(costs))

    def run(self, tick: Callable[[], None]) -> None:
        """Improve until no replacement of a single step pays; `tick` may stop it before any try, by raising."""
        if not self.proved:
            tick()
            self.share()
        while not self.proved:
            tick()
            step = self._choose()
            if step is None:
                return
            self._tried[self._origin[step]] = self.gains
            found = self._replace(step)
            if not found:
                self._tried[self._origin[step]] = UNAVOIDABLE
                self.proved = all(self._tried.get(self._origin[other]) == UNAVOIDABLE for other in self._plan)
            else:
                self._accept_if_cheaper(found)

    def _choose(self) -> int | None:
        """Choose the step to replace: what was not tried since the last gain; longest ago first, then the dearest."""
        costs = self._task.arrays.costs
        left = [step for step in self._plan if self._tried.get(self._origin[step], -1) < self.gains]
        return min(left, key=lambda step: (self._tried.get(self._origin[step], -1), -costs[step]), default=None)

    def _replace(self, step: int) -> list[int]:
        """Make a plan without a step, for which what the rest of the plan does anyway costs nothing; empty if none."""
        arrays, goal = self._task.arrays, self._task.goal
        costs = arrays.costs.copy()
        for other in _find_kept(arrays, goal, self._plan, step):
            costs[other] = 0.0
        for other in self._plan:
            if self._tried.get(self._origin[other]) == UNAVOIDABLE:
                costs[other] = 0.0
        return self._plan_with(costs, step)

    def _plan_with(self, costs: Sequence[float], *ruled_out: int) -> list[int]:
        arrays, goal = self._task.arrays, self._task.goal
        return find_tidy(arrays, costs, (), goal, ruled_out) or []

    def _accept_if_cheaper(self, found: list[int]) -> None:
        if self._cost(found) < self._cost(self._plan) - ROUNDING:
            self.gains += 1
            self._narrow(narrow(self._task.arrays, (), self._task.goal, (), found), found)
            self.steps = [self._origin[step] for step in self._plan]

    def _narrow(self, task: Reduced, plan: Sequence[int]) -> None:
        place = {operator: number for number, operator in enumerate(task.origin)}
        self._task = task
        self._plan = [place[step] for step in plan]
        self._origin = [self._origin[operator] for operator in task.origin]
        self.proved = len(self._plan) == len(self._origin)

    def _cost(self, steps: Sequence[int]) -> float:
        return sum(self._task.arrays.costs[step] for step in steps)


def _find_kept(arrays: Arrays, goal: Sequence[int], plan: Sequence[int], step: int) -> set[int]:
    """Find the steps of a plan that it would have also without one of them: not those that are only there for it."""
    support: dict[int, int] = {}
    for other in plan:
        for atom in arrays.adds[other]:
            support.setdefault(atom, other)
    kept: set[int] = {step}
    waiting = [support[atom] for atom in goal]
    while waiting:
        other = waiting.pop()
        if other not in kept:
            kept.add(other)
            waiting.extend([support[atom] for atom in arrays.needs[other]])
    return kept - {step}
