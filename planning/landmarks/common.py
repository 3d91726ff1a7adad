"""What all ways to an atom have in common, for marks of any kind on operators.

This is the greatest fixpoint over the AND/OR graph of a task (Keyder, Richter and Helmert 2010, Sound and Complete
Landmarks for And/Or Graphs): what is common to the ways to an operator is its own marks and those of each of its needs;
what is common to the ways to an atom is what all its achievers have in common. The task is delete-free, so this is
exact. Sets of marks are the bits of an integer, and begin full: a full one is common to no way at all, and so tells
what cannot be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from planning.compiled import Arrays

NO_WAY = -1
"""The set of all marks there could be: what is common to no way at all."""


class Common:
    """What is common to all ways to the atoms that were looked at (`at`), by their number.

    Only what can lead to these is gone through, each operator after what it needs, so that most is settled at once;
    only what changes after that, because needs run in circles, is looked at again.
    """

    def __init__(
        self, arrays: Arrays, initial: Iterable[int], ruled_out: Iterable[int], marks: Mapping[int, int]
    ) -> None:
        self.at = [NO_WAY] * len(arrays.users)
        self._arrays = arrays
        self._marks = marks
        self._operators = set(ruled_out)
        self._atoms = set(initial)
        for atom in self._atoms:
            self.at[atom] = 0

    def look_at(self, atoms: Iterable[int]) -> None:
        """Find what is common to all ways to some atoms, beyond those that were looked at before."""
        self._settle(self._go_back(atoms))

    def leading_to(self, operator: int) -> int:
        """Give what is common to all ways to what an operator needs; the operator must have been come by."""
        marks = 0
        for atom in self._arrays.needs[operator]:
            marks |= self.at[atom]
        return marks

    def _go_back(self, atoms: Iterable[int]) -> list[int]:
        """Collect the operators that can lead to atoms, depth first: each after those that lead to its needs.

        On the stack an operator stands as its complement, to be listed once what lies above it is done.
        """
        needs, achievers = self._arrays.needs, self._arrays.achievers
        entered, seen = self._atoms, self._operators
        listed: list[int] = []
        stack = list(atoms)
        while stack:
            top = stack.pop()
            if top < 0:
                listed.append(~top)
            elif top not in entered:
                entered.add(top)
                for operator in achievers[top]:
                    if operator not in seen:
                        seen.add(operator)
                        stack.append(~operator)
                        stack += needs[operator]
        return listed

    def _settle(self, operators: list[int]) -> None:
        at, needs, adds, users = self.at, self._arrays.needs, self._arrays.adds, self._arrays.users
        own = self._marks.get
        place = {operator: number for number, operator in enumerate(operators)}
        while operators:
            again: set[int] = set()
            for operator in operators:
                again.discard(operator)
                marks = own(operator, 0)
                for atom in needs[operator]:
                    marks |= at[atom]
                for atom in adds[operator]:
                    fewer = at[atom] & marks
                    if fewer != at[atom]:
                        at[atom] = fewer
                        again.update(users[atom])
            operators = sorted(again & place.keys(), key=place.__getitem__)
