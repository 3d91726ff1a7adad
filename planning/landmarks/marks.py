"""Marks on operators, by which the ways to a goal are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from planning.compiled import Arrays


class Marks:
    """A mark for each atom that a plan needs, one for each that it makes true, and one for each of its steps.

    Whatever is in every plan is in this one: no other marks are called for. Every operator that needs, adds or is what
    a mark stands for has it (`on`). The goal is needed as if by a last step, which is no operator. `needing` are all
    marks of atoms that are needed.
    """

    def __init__(self, arrays: Arrays, initial: frozenset[int], goal: Iterable[int], steps: Sequence[int]) -> None:
        needed = dict.fromkeys(goal)
        added: dict[int, None] = {}
        for step in steps:
            needed.update(dict.fromkeys(arrays.needs[step]))
            added.update(dict.fromkeys(arrays.adds[step]))
        self.on: dict[int, int] = defaultdict(int)
        self._next = 1
        self.needed = {atom: self._mark(arrays.users[atom]) for atom in needed}
        self.needing = self._next - 1
        self.added = {atom: self._mark(arrays.achievers[atom]) for atom in added if atom not in initial}
        self.applied = {step: self._mark((step,)) for step in steps}

    def _mark(self, operators: Iterable[int]) -> int:
        mark = self._next
        for operator in operators:
            self.on[operator] |= mark
        self._next = mark << 1
        return mark
