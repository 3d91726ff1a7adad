"""Costs and money as exact numbers, and the least money that reaching a goal takes.

Costs are decimal fractions, which whole numbers of a unit stand for exactly. The least money is exact, or bounded from
both sides.

Only steps that cost money matter here; all others are free. Where some paid steps and all free ones do not reach the
goal, the other paid steps that can be applied form a disjunctive landmark: every plan contains at least one of them.
Landmarks are collected until a minimum-cost hitting set of them is enough to reach the goal, which proves that nothing
is cheaper (Haslum, Slaney and Thiébaux 2012, Minimal Landmarks for Optimal Delete-Free Planning).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, inf, lcm, ulp

from catalog.analysis.horn import BARRED
from planning.task.index import Arrays

ROUNDING = 1e-6
"""Tolerance for sums of money; sums of the same amounts in another order differ by less than this."""
NOISE = 4
"""Last places by which calculating may have moved a cost away from a shorter number."""
LARGEST = 1_000_000_000
"""Largest sum of all costs that are written for a planner: many count in 32 bits."""
GoOn = Callable[[], bool]
"""Called repeatedly during a search; false ends the search, which then returns what it has found so far."""
Landmark = frozenset[int]


def _read(cost: float) -> Fraction:
    """Return a cost as the decimal fraction it was written as, without the error of floating-point sums."""
    short = Fraction(f"{cost:.14g}")
    return short if abs(short - Fraction(cost)) <= NOISE * Fraction(ulp(cost)) else Fraction(repr(cost))


def count_whole(costs: Sequence[float]) -> tuple[list[int], Fraction]:
    """Return costs as whole numbers of the largest unit for which this is exact, and that unit."""
    read = {cost: _read(cost) for cost in set(costs)}
    finest = lcm(*(cost.denominator for cost in read.values()))
    whole = {cost: int(exact * finest) for cost, exact in read.items()}
    common = gcd(*whole.values()) or 1
    return [whole[cost] // common for cost in costs], Fraction(common, finest)


def count_costs(costs: Sequence[float]) -> tuple[list[int], Fraction, bool]:
    """Return costs as whole numbers for planners that read no others, what a unit stands for, and whether it is exact.

    The unit is 1, or a tenth, a hundredth and so on. Where all costs would add up to too much, they are rounded to a
    larger one.
    """
    read = {cost: _read(cost) for cost in set(costs)}
    finest, scale = lcm(*(cost.denominator for cost in read.values())), Fraction(1)
    while scale.numerator % finest:
        scale *= 10
    total = sum(read[cost] for cost in costs)
    while total * scale > LARGEST:
        scale /= 10
    exact = all((cost * scale).denominator == 1 for cost in read.values())
    return [round(read[cost] * scale) for cost in costs], 1 / scale, exact


MOST = 10_000_000
"""Units that a plan may cost: the error of HiGHS is far less than one unit."""
SHARES = 1_000
"""Cost that a plan is scaled to where its costs cannot be counted in units."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Costs in a unit: whole numbers and their remainders, which add up to less than one unit; or else fractions."""

    costs: list[float]
    unit: Fraction
    rest: list[int]
    exact: bool


def take_scale(whole: Sequence[int], most: int) -> Scale:
    """Return the scale for plans that cost less than `most`: costs above it are cut off, as no such plan has them."""
    unit = 1
    while unit * MOST < most or sum(cost % unit for cost in whole if cost <= most) >= unit:
        unit *= 10
        if unit > most:
            return Scale([SHARES * min(cost, 2 * most) / most for cost in whole], Fraction(most, SHARES), [], False)
    units = [float(min(cost // unit, most // unit + 1)) for cost in whole]
    return Scale(units, Fraction(unit), [cost % unit for cost in whole], True)


def fits(money: float, budget: float | None) -> bool:
    return budget is None or money <= budget + ROUNDING


@dataclass(frozen=True, slots=True)
class Allowance:
    """A resource, such as money: the amount each operator uses, and the amount available."""

    money: Sequence[float]
    budget: float

    def allows(self, steps: Iterable[int]) -> bool:
        return fits(sum(self.money[step] for step in steps), self.budget)


def say_money(money: float, currency: str) -> str:
    """Write money for people: "2.30 EUR", and with more digits only where they matter."""
    digits = 2 if abs(money - round(money, 2)) < ROUNDING else 4
    return f"{money:,.{digits}f} {currency}".strip()


@dataclass(frozen=True, slots=True)
class LeastMoney:
    """A lower bound on the money for a goal, and the paid steps of the cheapest way found, with their price.

    The goal can be reached with these steps and with those that cost nothing.
    """

    at_least: float
    steps: frozenset[int]
    money: float

    @property
    def proved(self) -> bool:
        """Return whether no way is cheaper than the one that was found."""
        return self.money <= self.at_least + ROUNDING


class _Ended(Exception):
    """The search was ended early."""


def find_least_money(
    arrays: Arrays,
    money: Sequence[float],
    initial: Iterable[int],
    goal: Iterable[int],
    ruled_out: Iterable[int],
    *,
    go_on: GoOn,
    enough: float = -inf,
) -> LeastMoney | None:
    """Find the least money that reaching a goal takes, or a way that takes no more than `enough`.

    None says that the goal is out of reach whatever is spent.
    """
    start = _Reach(arrays, money, initial, goal, ruled_out)
    landmarks: list[Landmark] = []
    best = LeastMoney(0.0, frozenset(), inf)
    try:
        while True:
            reach = start.copy()
            reach.buy(_hit(landmarks, money, go_on))
            at_least = reach.spent
            while reach.missing:
                landmark = _find_landmark(reach, go_on)
                if not landmark:
                    return None
                landmarks.append(landmark)
                reach.buy([min(landmark, key=lambda step: (money[step], step))])
            reach = _leave_out(start, reach.bought)
            cheaper = reach.spent < best.money - ROUNDING
            best = LeastMoney(at_least, *((reach.bought, reach.spent) if cheaper else (best.steps, best.money)))
            if best.proved or best.money <= enough + ROUNDING:
                return best
    except _Ended:
        return best


class _Reach:
    """The closure under the paid steps bought so far and all free steps.

    `open` are paid steps that could be taken there, and were not bought.
    """

    def __init__(
        self,
        arrays: Arrays,
        money: Sequence[float],
        initial: Iterable[int],
        goal: Iterable[int],
        ruled_out: Iterable[int],
    ) -> None:
        self.arrays = arrays
        self.money = money
        self.missing = set(goal)
        self.had: set[int] = set()
        self.open_needs = arrays.open_needs.copy()
        for step in ruled_out:
            self.open_needs[step] = BARRED
        self.open: set[int] = set()
        self.bought: frozenset[int] = frozenset()
        self._take([*(step for step in arrays.free if not self.open_needs[step]), *self._have(initial)])

    def copy(self) -> _Reach:
        other = object.__new__(_Reach)
        other.arrays, other.money, other.bought = self.arrays, self.money, self.bought
        other.missing, other.had, other.open = self.missing.copy(), self.had.copy(), self.open.copy()
        other.open_needs = self.open_needs.copy()
        return other

    @property
    def spent(self) -> float:
        return sum(self.money[step] for step in sorted(self.bought))

    def buy(self, steps: Iterable[int]) -> None:
        """Buy paid steps; those that cannot be taken yet are taken as soon as they can."""
        self.bought |= frozenset(steps)
        self._take([step for step in sorted(self.open) if step in self.bought])

    def _take(self, steps: list[int]) -> None:
        while steps:
            step = steps.pop()
            if self.money[step] > 0 and step not in self.bought:
                self.open.add(step)
            else:
                self.open.discard(step)
                steps += self._have(self.arrays.adds[step])

    def _have(self, atoms: Iterable[int]) -> list[int]:
        """Add atoms to those reached; return the steps that became applicable."""
        ready = []
        for atom in atoms:
            if atom in self.had:
                continue
            self.had.add(atom)
            self.missing.discard(atom)
            for step in self.arrays.users[atom]:
                self.open_needs[step] -= 1
                if not self.open_needs[step]:
                    ready.append(step)
        return ready


def _find_landmark(reach: _Reach, go_on: GoOn) -> Landmark:
    """Find a landmark: add paid steps while the goal stays out of reach; every plan has one of those refused."""
    refused: set[int] = set()
    reach = reach.copy()
    while untried := reach.open - refused:
        _check(go_on)
        trial = reach.copy()
        step = max(untried, key=lambda step: (reach.money[step], -step))
        trial.buy([step])
        if trial.missing:
            reach = trial
        else:
            refused.add(step)
    return frozenset(refused)


def find_landmark(arrays: Arrays, money: Sequence[float], initial: Iterable[int], goal: Iterable[int]) -> Landmark:
    """Find a landmark of steps that cost money, the cheaper the likelier; none where the others reach the goal."""
    reach = _Reach(arrays, money, initial, goal, ())
    return _find_landmark(reach, lambda: True) if reach.missing else frozenset()


def _leave_out(start: _Reach, steps: Collection[int]) -> _Reach:
    kept = set(steps)
    for step in sorted(steps, key=lambda step: (-start.money[step], step)):
        trial = start.copy()
        trial.buy(kept - {step})
        if not trial.missing:
            kept.discard(step)
    reach = start.copy()
    reach.buy(kept)
    return reach


def _check(go_on: GoOn) -> None:
    if not go_on():
        raise _Ended


def _hit(landmarks: Iterable[Landmark], money: Sequence[float], go_on: GoOn) -> Landmark:
    """Find a minimum-cost hitting set of landmarks by branch and bound."""
    best: tuple[float, Landmark] = (inf, frozenset())
    waiting: list[tuple[list[Landmark], Landmark, float]] = [(list(landmarks), frozenset(), 0.0)]
    while waiting:
        _check(go_on)
        left, chosen, cost = waiting.pop()
        if cost + _bound(left, money) >= best[0] - ROUNDING:
            continue
        if not left:
            best = (cost, chosen)
            continue
        branched = min(left, key=lambda landmark: (len(landmark), sorted(landmark)))
        barred: set[int] = set()
        branches = []
        for step in sorted(branched, key=lambda step: (money[step], step)):
            rest = [landmark - barred for landmark in left if step not in landmark]
            branches.append((rest, chosen | {step}, cost + money[step]))
            barred.add(step)  # what holds it as well was looked into with it
        waiting += reversed(branches)
    return best[1]


def _bound(landmarks: Iterable[Landmark], money: Sequence[float]) -> float:
    """Return a lower bound on the cost of a hitting set: the sum over landmarks that share no step."""
    total = 0.0
    seen: set[int] = set()
    for landmark in sorted(landmarks, key=len):
        if seen.isdisjoint(landmark):
            total += min((money[step] for step in landmark), default=inf)
            seen |= landmark
    return total
