"""Landmarks of a task as a value."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from planning.model import Atom, Operator

Order = tuple[Atom, Atom]


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Landmarks of a task's goal, in an order in which they can come true; empty where the goal cannot be reached.

    `atoms` are all fact landmarks: a plan without one of them does not exist. `orders` holds (a, b) where in every plan
    a is true before b becomes true (natural orders, transitively closed); `necessary` those of them where a is true
    right before b first is (greedy-necessary).

    `causal` are the landmarks that every plan needs, as goal or for an operator. The others come along: each way to the
    goal happens to make them true (a plot beside the pie chart that was asked for). Summaries speak of causal ones.
    Atoms that hold from the start are landmarks only where they are causal: that they hold says nothing otherwise.

    `actions` are all action landmarks: operators that are in every plan, in an order in which they can be applied;
    `action_orders` holds (i, j) where the i-th of them is applied before the j-th in every plan.

    `disjunctive` are sets of atoms of which every plan makes at least one true, though no particular one, and none of
    which holds from the start. They are all true, but not all there are (`planning/landmarks/find.py`).
    """

    atoms: tuple[Atom, ...] = ()
    orders: frozenset[Order] = frozenset()
    causal: frozenset[Atom] = frozenset()
    necessary: frozenset[Order] = frozenset()
    actions: tuple[Operator, ...] = ()
    action_orders: frozenset[tuple[int, int]] = frozenset()
    disjunctive: tuple[tuple[Atom, ...], ...] = ()

    @property
    def direct(self) -> frozenset[Order]:
        """Reduce the orders to those that do not follow from others: the edges of a graph worth drawing."""
        after: dict[Atom, set[Atom]] = defaultdict(set)
        for first, then in self.orders:
            after[first].add(then)
        return frozenset(
            (first, then) for first, then in self.orders if not any(then in after[between] for between in after[first])
        )
