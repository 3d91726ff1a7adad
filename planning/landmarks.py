"""Fact landmarks: atoms that hold at some point of every plan, and the order in which they must.

They are read off the greatest fixpoint over the AND/OR graph of the task (Keyder, Richter and Helmert 2010, Sound and
Complete Landmarks for And/Or Graphs): an atom's landmarks are itself, and what all its achievers have in common.
The task is delete-free, so these are all of its fact landmarks and not only some.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from planning.model import Atom, Task, known
from planning.reachability import is_solvable

Order = tuple[Atom, Atom]


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Landmarks of a task's goal, in an order in which they can come true; empty where the goal cannot be reached.

    `orders` holds (a, b) where in every plan a is true before b becomes true (natural orders, transitively closed);
    `necessary` those of them where a is true right before b first is (greedy-necessary).

    `causal` are the landmarks that every plan needs, as goal or for an operator. The others come along: each way to the
    goal happens to make them true (a plot beside the pie chart that was asked for). Summaries speak of causal ones.
    Atoms that hold from the start are landmarks only where they are causal: that they hold says nothing otherwise.
    """

    atoms: tuple[Atom, ...] = ()
    orders: frozenset[Order] = frozenset()
    causal: frozenset[Atom] = frozenset()
    necessary: frozenset[Order] = frozenset()

    @property
    def direct(self) -> frozenset[Order]:
        """Reduce the orders to those that do not follow from others: the edges of a graph worth drawing."""
        after: dict[Atom, set[Atom]] = defaultdict(set)
        for first, then in self.orders:
            after[first].add(then)
        return frozenset(
            (first, then) for first, then in self.orders if not any(then in after[between] for between in after[first])
        )


def find_landmarks(task: Task) -> Landmarks:
    """Find all fact landmarks of a task's goal, and their orders."""
    if not is_solvable(task):
        return Landmarks()
    graph = _Graph(task)
    every, before = graph.fixpoint(come_along=True)
    causal, _ = graph.fixpoint(come_along=False)
    goal = [graph.number[atom] for atom in task.goal]
    found = list(_members(_union(every[fact] for fact in goal)))
    orders = {(first, then) for then in found for first in _members(before[then])}
    atoms = graph.atoms
    return Landmarks(
        atoms=tuple(atoms[fact] for fact in _sort(found, orders)),
        orders=frozenset((atoms[first], atoms[then]) for first, then in orders),
        causal=frozenset(atoms[fact] for fact in _members(_union(causal[fact] for fact in goal))),
        necessary=frozenset(
            (atoms[first], atoms[then]) for first, then in orders if graph.is_necessary(first, then, every)
        ),
    )


class _Graph:
    """The AND/OR graph of a task over integers: atoms are OR nodes, operators AND nodes; sets of atoms are bit sets."""

    def __init__(self, task: Task) -> None:
        self.number = {atom: number for number, atom in enumerate(_list_atoms(task))}
        self.atoms = tuple(self.number)
        self.initial = frozenset(self.number[atom] for atom in task.initial)
        self.needs = [tuple(sorted(self.number[atom] for atom in operator.needs)) for operator in task.operators]
        self.adds = [
            tuple(sorted(self.number[atom] for atom in operator.adds - task.initial)) for operator in task.operators
        ]
        self.users: dict[int, list[int]] = defaultdict(list)
        self.achievers: dict[int, list[int]] = defaultdict(list)
        for operator, (needs, adds) in enumerate(zip(self.needs, self.adds, strict=True)):
            for fact in needs:
                self.users[fact].append(operator)
            for fact in adds:
                self.achievers[fact].append(operator)

    def fixpoint(self, *, come_along: bool) -> tuple[list[int], list[int]]:
        """Compute for each atom the landmarks of reaching it, and those of them that must hold before it does.

        With `come_along`, an operator brings along whatever it adds: then the set is complete. Without, it holds only
        what is needed: the causal landmarks. Sets start full and only shrink; an operator is looked at again when a
        need of it has changed.
        """
        full = (1 << len(self.atoms)) - 1
        landmarks = [1 << fact if fact in self.initial else full for fact in range(len(self.atoms))]
        before = [0 if fact in self.initial else full for fact in range(len(self.atoms))]
        waiting = deque(range(len(self.needs)))
        queued = set(waiting)
        while waiting:
            operator = waiting.popleft()
            queued.remove(operator)
            needed = _union(landmarks[fact] for fact in self.needs[operator])
            brought = needed | (_union(1 << fact for fact in self.adds[operator]) if come_along else 0)
            for fact in self.adds[operator]:
                before[fact] &= needed
                reduced = landmarks[fact] & (brought | 1 << fact)
                if reduced != landmarks[fact]:
                    landmarks[fact] = reduced
                    for user in self.users[fact]:
                        if user not in queued:
                            queued.add(user)
                            waiting.append(user)
        return landmarks, before

    def is_necessary(self, first: int, then: int, landmarks: list[int]) -> bool:
        """Tell whether an atom is a need of every operator that can be the first to achieve another.

        An operator that has the achieved atom among its own landmarks comes too late to be the first.
        """
        return all(
            first in self.needs[operator]
            for operator in self.achievers[then]
            if not any(landmarks[need] >> then & 1 for need in self.needs[operator])
        )


def _list_atoms(task: Task) -> dict[Atom, None]:
    """List the atoms of a task in the order in which it speaks of them, which is the catalog's."""
    atoms = dict.fromkeys(sorted(task.initial))
    for operator in task.operators:
        atoms |= dict.fromkeys(map(known, operator.inputs))
        atoms |= dict.fromkeys(sorted(operator.needs))
        atoms |= dict.fromkeys(map(known, operator.outputs))
        atoms |= dict.fromkeys(sorted(operator.adds))
    return atoms | dict.fromkeys(sorted(task.goal))


def _union(sets: Iterable[int]) -> int:
    union = 0
    for one in sets:
        union |= one
    return union


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _sort(facts: list[int], orders: set[tuple[int, int]]) -> list[int]:
    """Sort topologically; where the orders leave a choice, as the task first speaks of the atoms."""
    open_orders = dict.fromkeys(facts, 0)
    after: dict[int, list[int]] = defaultdict(list)
    for first, then in orders:
        open_orders[then] += 1
        after[first].append(then)
    ready = [fact for fact in facts if not open_orders[fact]]
    heapify(ready)
    ordered = []
    while ready:
        fact = heappop(ready)
        ordered.append(fact)
        for then in after[fact]:
            open_orders[then] -= 1
            if not open_orders[then]:
                heappush(ready, then)
    return ordered
