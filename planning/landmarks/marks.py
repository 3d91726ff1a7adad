"""Marks on operators, by which the ways to a goal are compared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from planning.compiled import Arrays


class Marks:
    """A mark for each atom that some plan needs, each that it makes true, or each of its steps: bits of an integer.

    Whatever is in every plan is in this one: no other marks are called for. Every operator that needs, adds or is what
    a mark stands for has it (`on`).
    """

    def __init__(self, arrays: Arrays, steps: Collection[int]) -> None:
        self.on = [0] * len(arrays.needs)
        self._arrays = arrays
        self._steps = steps
        self._next = 1

    def mark_added(self, initial: Collection[int]) -> dict[int, int]:
        """Mark the operators that make an atom true which does not hold from the start; give each atom's mark."""
        adds, achievers = self._arrays.adds, self._arrays.achievers
        added = dict.fromkeys([atom for step in self._steps for atom in adds[step] if atom not in initial])
        return self._mark([(atom, achievers[atom]) for atom in added])

    def mark_needed(self, goal: Iterable[int]) -> dict[int, int]:
        """Mark the operators that need an atom; the goal is needed as if by a last step, which is no operator."""
        needs, users = self._arrays.needs, self._arrays.users
        needed = dict.fromkeys([*goal, *[atom for step in self._steps for atom in needs[step]]])
        return self._mark([(atom, users[atom]) for atom in needed])

    def mark_applied(self) -> dict[int, int]:
        """Mark the steps."""
        return self._mark([(step, (step,)) for step in self._steps])

    def _mark(self, bearers: Iterable[tuple[int, Sequence[int]]]) -> dict[int, int]:
        """Give each its mark, and its operators that mark."""
        on, mark = self.on, self._next
        marks: dict[int, int] = {}
        for one, operators in bearers:
            marks[one] = mark
            for operator in operators:
                on[operator] |= mark
            mark <<= 1
        self._next = mark
        return marks
