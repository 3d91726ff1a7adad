"""Plans within a budget: cheap ones among those whose money adds up to no more than may be spent.

To find a cheapest one is hard even where each single step is easy to choose, so three things are done. A plan that
takes little money is looked for by money alone, and where even that is too much, it is proved that every plan takes
more (`planning/task/spending.py`). Then money is given a price, high enough for plans to stay within the budget and
no higher than needed (Lagrangian relaxation; the price is found by following the convex hull of cost and money). Last,
what is left over is spent on single steps that make the plan cheaper, also in place of others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from planning.engines.delete_free import PlanImprovement, find_first, narrow
from planning.engines.search import FoundPlan, NoPlan, OutOfTime, Stopped, Watch
from planning.task.index import IndexedTask
from planning.task.spending import ROUNDING, GoOn, LeastMoney, find_least_money, fits, say_money

PROOF_MS = 1_000.0
"""Limit of the work for a proof that every plan is over the budget."""


def bound_money(
    task: IndexedTask, money: Sequence[float], plan: Collection[int], go_on: GoOn, enough: float = 0.0
) -> LeastMoney:
    """Find what money a task takes at least, or a way that takes no more than `enough`, from a plan that is known.

    By money, that plan must have no step to spare.
    """
    priced = replace(task.arrays, costs=list(money))
    small = narrow(priced, task.initial, task.goal, task.ruled_out, plan)
    least = find_least_money(small.arrays, small.arrays.costs, (), small.goal, (), go_on=go_on, enough=enough)
    assert least is not None, "there is a plan"
    known = LeastMoney(least.at_least, frozenset(plan), sum(money[step] for step in sorted(plan)))
    found = LeastMoney(least.at_least, frozenset(small.origin[step] for step in least.steps), least.money)
    return min(found, known, key=lambda way: way.money)


def _in_time(watch: Watch) -> GoOn:

    def go_on() -> bool:
        try:
            watch.tick()
        except OutOfTime:
            return False
        return True

    return go_on


@dataclass(frozen=True)
class Purse:
    """A task with the money that may be spent on it; `improve_ms` is for making plans cheaper."""

    task: IndexedTask
    allowed: float
    currency: str
    watch: Watch
    improve_ms: float

    @cached_property
    def money(self) -> list[float]:
        return [operator.amounts.money for operator in self.task.operators]

    @cached_property
    def _paid(self) -> frozenset[int]:
        return frozenset(step for step, money in enumerate(self.money) if money > 0)

    @cached_property
    def _improving(self) -> Watch:
        return self.watch.within(self.improve_ms / 1_000)

    def search(self, freely: Sequence[int]) -> FoundPlan | NoPlan:
        """Find a plan within the budget; `freely` is a plan made without regard to it, and over it."""
        frugal = self._plan(self.money)
        if not fits(self._spend(frugal), self.allowed):
            found = self._save(frugal)
            if isinstance(found, NoPlan):
                return found
            frugal = found
        best = self._spend_over(self._price(freely, self._make_do(frugal)))
        allowed, spent = (say_money(money, self.currency) for money in (self.allowed, self._spend(best)))
        note = f"Made to take at most {allowed}, and takes {spent}: a cheaper plan may exist within that."
        return FoundPlan(self.task.plan(best), note)

    def _save(self, frugal: Sequence[int]) -> list[int] | NoPlan:
        """Find a plan within the budget where looking by money alone found none, or prove that there is none."""
        in_time = _in_time(self.watch.within(PROOF_MS / 1_000))
        least = bound_money(self.task, self.money, frugal, in_time, self.allowed)
        allowed = say_money(self.allowed, self.currency)
        if fits(least.money, self.allowed):
            return self._plan_buying(least.steps)
        if least.proved:
            needed = say_money(least.money, self.currency)
            return NoPlan(f"The plan that takes least money takes {needed}, more than the {allowed} that may be spent.")
        if least.at_least > self.allowed + ROUNDING:
            needed = say_money(least.at_least, self.currency)
            return NoPlan(f"Every plan takes at least {needed}, more than the {allowed} that may be spent.")
        needed = say_money(least.money, self.currency)
        raise Stopped(f"No plan was found that takes at most {allowed}: the least found takes {needed}.")

    def _price(self, over: Sequence[int], best: list[int]) -> list[int]:
        """Raise the price of money to where a plan over budget and one within it cost the same, while that helps."""
        costs = self.task.arrays.costs
        while (dearer := self._cost(best) - self._cost(over)) > ROUNDING:
            price = dearer / (self._spend(over) - self._spend(best))
            found = self._plan([cost + price * money for cost, money in zip(costs, self.money, strict=True)])
            if not fits(self._spend(found), self.allowed):
                if self._spend(found) > self._spend(over) - ROUNDING:
                    break
                over = found
                continue
            found = self._make_do(found)
            if self._cost(found) > self._cost(best) - ROUNDING:
                break
            best = found
        return best

    def _spend_over(self, best: list[int]) -> list[int]:
        """Spend what is left over on a step, or a step in place of others, for as long as that makes it cheaper."""
        others = self._paid.difference(best, self.task.ruled_out)
        waiting = sorted((self.money[step], step) for step in others if fits(self.money[step], self.allowed))
        with suppress(OutOfTime):
            for _, step in waiting:
                self._improving.tick()
                found = self._plan_buying(self._paid.intersection(best) | {step})
                if fits(self._spend(found), self.allowed) and self._cost(found) < self._cost(best) - ROUNDING:
                    best = found
        return best

    def _make_do(self, steps: Sequence[int]) -> list[int]:
        """Make the cheapest plan that can be found with no other paid steps than those of a plan."""
        found = self._plan_buying(self._paid.intersection(steps))
        return min((list(steps), found), key=self._cost)

    def _plan_buying(self, paid: Collection[int]) -> list[int]:
        return self._plan(self.task.arrays.costs, self._paid.difference(paid))

    def _plan(self, costs: Sequence[float], barred: Collection[int] = ()) -> list[int]:
        self.watch.tick()
        ruled_out = self.task.ruled_out.union(barred)
        task = replace(self.task, arrays=replace(self.task.arrays, costs=list(costs)), ruled_out=ruled_out)
        steps = find_first(task)
        assert steps is not None, "there is a plan, and nothing is barred that it needs"
        if self.improve_ms <= 0:
            return steps
        improvement = PlanImprovement(task.arrays, task.initial, task.goal, task.ruled_out, steps)
        with suppress(OutOfTime):  # what was found until then is a plan
            improvement.run(self._improving.tick)
        return improvement.steps

    def _spend(self, steps: Collection[int]) -> float:
        return sum(self.money[step] for step in sorted(steps))

    def _cost(self, steps: Collection[int]) -> float:
        return sum(self.task.arrays.costs[step] for step in sorted(steps))
