"""Cut a task down to what can matter to a shortest plan, and number it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from planning.model import Atom, Operator, Task
from planning.task.reachability import find_reachable

ALWAYS = 0
"""A fact that always holds: the only need of operators that need nothing, which some searches cannot do with."""


@dataclass(frozen=True)
class Numbered:
    """A reduced task over integers, whose sets are ordered alike in every process (hashes of text are not).

    `operators` are pairs of needs and adds; `origin` gives for each its operator in the task it was made from.
    """

    facts: range
    initial: frozenset[int]
    goal: frozenset[int]
    operators: tuple[tuple[frozenset[int], frozenset[int]], ...]
    origin: tuple[Operator, ...]

    @cached_property
    def achievers(self) -> dict[int, list[int]]:
        """For each fact, the operators that add it."""
        found: dict[int, list[int]] = {fact: [] for fact in self.facts}
        for number, (_, adds) in enumerate(self.operators):
            for fact in adds:
                found[fact].append(number)
        return found

    def branch(self, state: frozenset[int]) -> list[int]:
        """Choose operators to branch over: applicable ones, of which every plan from this state holds at least one.

        Nothing is deleted, so such an operator can always be moved to the front of a plan: no other branch is needed to
        find a shortest one (Gefen and Brafman 2012, Pruning Methods for Optimal Delete-Free Planning). The set is
        the smallest of those made from each open goal.
        """
        return min((self._landmark(fact, state) for fact in sorted(self.goal - state)), key=len)

    def _landmark(self, fact: int, state: frozenset[int]) -> list[int]:
        """Collect applicable operators, going back from a fact through one open need of each operator.

        The first of the facts gone through to become true in a plan does so by an operator of the result.
        """
        found: set[int] = set()
        seen = {fact}
        waiting = [fact]
        while waiting:
            for number in self.achievers[waiting.pop()]:
                missing = self.operators[number][0] - state
                if not missing:
                    found.add(number)
                elif not missing & seen:
                    need = min(missing, key=lambda fact: (len(self.achievers[fact]), fact))
                    seen.add(need)
                    waiting.append(need)
        return sorted(found)


def reduce_task(task: Task) -> Numbered | None:
    """Reduce and number a task; None means that its goal cannot be reached at all."""
    reachable = find_reachable(task)
    if not task.goal <= reachable:
        return None
    rows = [
        (operator.needs - task.initial, operator.adds - task.initial, operator)
        for operator in task.operators
        if operator.needs <= reachable
    ]
    goal = task.goal - task.initial
    size = -1
    while size != len(rows):
        size = len(rows)
        rows = _drop_dominated(drop_irrelevant(rows, goal))
    return _number(rows, goal)


Row = tuple[frozenset[Atom], frozenset[Atom], Operator]


def drop_irrelevant(rows: list[Row], goal: frozenset[Atom]) -> list[Row]:
    """Keep of each operator only what it adds towards the goal, by regression from the goal."""
    achievers: dict[Atom, list[Row]] = defaultdict(list)
    for row in rows:
        for atom in row[1]:
            achievers[atom].append(row)
    relevant = set(goal)
    waiting = list(goal)
    while waiting:
        for needs, _, _ in achievers[waiting.pop()]:
            waiting.extend(needs - relevant)
            relevant |= needs
    return [(needs, adds & relevant, operator) for needs, adds, operator in rows if adds & relevant]


def _drop_dominated(rows: list[Row]) -> list[Row]:
    """Leave out operators where another needs no more and adds no less; of equals the cheapest stays, or the first."""
    ranked = sorted(rows, key=lambda row: (len(row[0]), -len(row[1]), row[2].cost))
    kept: dict[Atom, list[Row]] = defaultdict(list)
    dominated: set[Operator] = set()
    for needs, adds, operator in ranked:
        rivals = min((kept[atom] for atom in adds), key=len)
        if any(needs >= fewer and adds <= more for fewer, more, _ in rivals):
            dominated.add(operator)
        else:
            for atom in adds:
                kept[atom].append((needs, adds, operator))
    return [row for row in rows if row[2] not in dominated]


def _number(rows: list[Row], goal: frozenset[Atom]) -> Numbered:
    numbers: dict[Atom, int] = {}
    for atom in sorted(goal):
        numbers.setdefault(atom, len(numbers) + 1)
    for needs, adds, _ in rows:
        for atom in (*sorted(needs), *sorted(adds)):
            numbers.setdefault(atom, len(numbers) + 1)
    return Numbered(
        facts=range(len(numbers) + 1),
        initial=frozenset((ALWAYS,)),
        goal=frozenset(numbers[atom] for atom in goal),
        operators=tuple(
            (frozenset(numbers[atom] for atom in needs) or frozenset((ALWAYS,)), frozenset(numbers[a] for a in adds))
            for needs, adds, _ in rows
        ),
        origin=tuple(operator for _, _, operator in rows),
    )
