"""Costs in whole numbers, and those of another order of magnitude apart, so that the smallest of them count as well.

HiGHS calculates with some nine digits, and a cost may have more: what is proved of millions says nothing of millionths.
Where all small costs together come to less than one unit of the large ones, a cheapest plan takes the fewest units
there can be and, of the plans that do, has the least of small costs. Each of both is a program in whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, ulp

MOST = 10_000_000
"""Units that a plan may cost: what HiGHS is off by comes to far less than one of them."""
SHARES = 1_000
"""What a plan is made to cost where its costs cannot be told apart in units."""
NOISE = 4
"""Last places by which calculating may have moved a cost away from a shorter number."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Costs in a unit: whole ones and what they leave, which all together is less than one; or else in fractions."""

    costs: list[float]
    unit: Fraction
    rest: list[int]
    exact: bool


def count_whole(costs: Sequence[float]) -> tuple[list[int], Fraction]:
    """Write costs as whole numbers of the largest unit that allows it, whatever they are, and give that unit."""
    read = {cost: _read(cost) for cost in set(costs)}
    finest = lcm(*(cost.denominator for cost in read.values()))
    whole = {cost: int(exact * finest) for cost, exact in read.items()}
    common = gcd(*whole.values()) or 1
    return [whole[cost] // common for cost in costs], Fraction(common, finest)


def take_scale(whole: Sequence[int], most: int) -> Scale:
    """Take the largest costs in whole units, beside a plan that costs `most`; nothing dearer is in a cheaper one."""
    unit = 1
    while unit * MOST < most or sum(cost % unit for cost in whole if cost <= most) >= unit:
        unit *= 10
        if unit > most:
            return Scale([SHARES * min(cost, 2 * most) / most for cost in whole], Fraction(most, SHARES), [], False)
    units = [float(min(cost // unit, most // unit + 1)) for cost in whole]
    return Scale(units, Fraction(unit), [cost % unit for cost in whole], True)


def _read(cost: float) -> Fraction:
    """Read a cost as it was written, before others were added to it."""
    short = Fraction(f"{cost:.14g}")
    return short if abs(short - Fraction(cost)) <= NOISE * Fraction(ulp(cost)) else Fraction(repr(cost))
