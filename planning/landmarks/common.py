"""What all ways to an atom have in common, for marks of any kind on operators.

This is the greatest fixpoint over the AND/OR graph of a task (Keyder, Richter and Helmert 2010, Sound and Complete
Landmarks for And/Or Graphs): what is common to the ways to an operator is its own marks and those of each of its needs;
what is common to the ways to an atom is what all its achievers have in common. The task is delete-free, so this is
exact. Sets of marks are the bits of an integer, and begin full: a full one is common to no way at all, and so tells
what cannot be reached.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from planning.compiled import Arrays
from planning.towards import Towards

NO_WAY = -1
"""The set of all marks there could be: what is common to no way at all."""


class Common:
    """What is common to all ways to the atoms that were looked at (`at`), by their number.

    Only what can lead to these is gone through, each operator after what it needs, so that most is settled at once;
    only what changes after that, because needs run in circles, is looked at again.
    """

    def __init__(
        self, arrays: Arrays, initial: Iterable[int], ruled_out: Collection[int], marks: Sequence[int]
    ) -> None:
        self.at = [NO_WAY] * len(arrays.users)
        self._arrays = arrays
        self._marks = marks
        self._ruled_out = ruled_out
        for atom in initial:
            self.at[atom] = 0

    def leading_to(self, operator: int) -> int:
        """Give what is common to all ways to what an operator needs; that must have been come by."""
        marks = 0
        for atom in self._arrays.needs[operator]:
            marks |= self.at[atom]
        return marks

    def look_at(self, towards: Towards) -> None:
        """Find what is common to all ways to a goal and to all atoms on the way."""
        again = self._look_once(towards.operators, towards.late)
        while again:
            left = again.intersection(towards.place).difference(self._ruled_out)
            again = self._look_once(sorted(left, key=towards.place.__getitem__), None)

    def _look_once(self, operators: Sequence[int], late: Collection[int] | None) -> set[int]:
        """Look at operators in turn; give those that need what has changed, if these are told of what is late."""
        at, own, ruled_out = self.at, self._marks, self._ruled_out
        needs, adds, users = self._arrays.needs, self._arrays.adds, self._arrays.users
        again: set[int] = set()
        for operator in operators:
            again.discard(operator)
            marks = own[operator]
            for atom in needs[operator]:
                marks |= at[atom]
            if marks != NO_WAY and operator not in ruled_out:
                for atom in adds[operator]:
                    before = at[atom]
                    fewer = before & marks
                    if fewer != before:
                        at[atom] = fewer
                        if late is None or atom in late:
                            again.update(users[atom])
        return again
