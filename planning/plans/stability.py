"""Plans that stay what they were: of all plans that cost no more than one, find that with most steps of an earlier one.

Costs decide first, and are compared exactly: what is kept never makes a plan dearer, nor longer for an engine that
counts steps alone. Most often the steps of the earlier plan, completed as cheaply as can be, are as cheap; else an
integer program chooses (`mip_program.py`), with the cost of the plan as an allowance, and the steps that are kept as
what is made as many as can be. Steps that cost nothing are kept where they come along: the program does not count them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import floor

from planning.engines.delete_free import find_tidy, narrow
from planning.engines.search import OutOfTime, Watch
from planning.model import Plan, Task
from planning.task.index import Reduced, index_task
from planning.task.spending import Allowance, count_whole

KEEP_MS = 100.0
"""Work on keeping steps, in milliseconds: a limit for very large tasks."""
HALF = 0.5
"""What tells apart numbers of steps."""


def keep_most(task: Task, plan: Plan, earlier: Collection[str], watch: Watch, *, by_length: bool = False) -> Plan:
    """Return a plan that is as cheap, with most of the steps of an earlier one, given by the names of its operators.

    The plan must have no step to spare. With `by_length` the other one is no longer, either.
    """
    indexed = index_task(task)
    assert indexed is not None, "a valid plan reaches the goal"
    named = indexed.operators.named
    steps = [named[step.name] for step in plan.steps]
    wanted = {named[name] for name in earlier if name in named}.difference(indexed.ruled_out)
    if wanted.issubset(steps):
        return plan
    money = None if task.budget is None else [operator.amounts.money for operator in indexed.operators]
    narrowed = narrow(
        indexed.arrays, indexed.initial, indexed.goal, indexed.ruled_out, steps, also=money, kept=wanted
    )  # fmt: skip
    place = {operator: number for number, operator in enumerate(narrowed.origin)}
    search = _Keeping(narrowed, [place[step] for step in steps], {place[step] for step in wanted if step in place})
    if money is not None:
        search.allow([money[operator] for operator in narrowed.origin])
    if by_length:
        search.allow([1.0] * len(narrowed.origin))
    search.run(watch.within(KEEP_MS / 1_000))
    return indexed.plan([narrowed.origin[step] for step in search.steps]) if search.gained else plan


class _Keeping:
    """A plan of a narrowed task on its way to one with more of the steps that are wanted: `steps` is always a plan."""

    def __init__(self, task: Reduced, steps: list[int], wanted: Collection[int]) -> None:
        self.task = task
        self.steps = steps
        self.gained = False
        self._wanted = frozenset(wanted)
        self._whole = count_whole(task.arrays.costs)[0]
        self._most = self._cost(steps)
        self._allowances = [self._as_now(task.arrays.costs)]

    def allow(self, takes: Sequence[float]) -> None:
        """Let no plan take more of something than the one at hand."""
        self._allowances.append(self._as_now(takes))

    def run(self, watch: Watch) -> None:
        """Look for more steps to keep until there is no plan with more of them, or the time is up."""
        costs = self.task.arrays.costs
        for less in (1.0, 1e-3):
            if self._left:
                self._take([cost * (1 - less) if step in self._wanted else cost for step, cost in enumerate(costs)])
        if self._left:
            self._choose(watch)

    @property
    def _left(self) -> frozenset[int]:
        return self._wanted.difference(self.steps)

    def _choose(self, watch: Watch) -> None:
        """Let a program choose; what is costless is left out, as it would be chosen without being of use."""
        from planning.engines.mip_program import Infeasible, IntegerProgram

        arrays, goal = self.task.arrays, self.task.goal
        counted = {step for step in self._wanted if self._whole[step]}
        gains = [-1.0 if step in counted else 0.0 for step in range(len(arrays.costs))]
        program = IntegerProgram(replace(arrays, costs=gains), goal, watch, self._allowances)
        try:
            watch.tick()
            relaxed = program.relax()
            more = len(counted.intersection(self.steps)) + 1
            if floor(-relaxed.bound + HALF / 100) < more:
                return
            program.cut_off(relaxed, HALF - more)
            chosen = program.choose(HALF)
        except Infeasible:
            return
        except OutOfTime:
            chosen = program.interrupted()
        costs = [0.0 if step in self._wanted else cost for step, cost in enumerate(arrays.costs)]
        self._take(costs, set(range(len(costs))).difference(chosen))

    def _take(self, costs: Sequence[float], left_out: Collection[int] = ()) -> None:
        """Take the plan that is cheap by some costs, if it keeps more steps and is as good."""
        found = find_tidy(self.task.arrays, costs, (), self.task.goal, left_out)
        if found is None or self._cost(found) > self._most:
            return
        keeps_more = len(self._wanted.intersection(found)) > len(self._wanted.intersection(self.steps))
        if keeps_more and all(allowance.allows(found) for allowance in self._allowances):
            self.steps, self.gained = found, True

    def _cost(self, steps: Collection[int]) -> int:
        return sum(self._whole[step] for step in steps)

    def _as_now(self, takes: Sequence[float]) -> Allowance:
        return Allowance(takes, sum(takes[step] for step in self.steps))
