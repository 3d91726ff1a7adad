"""What can be reached, in integers: a forward closure that can be taken further, and copied before it is."""

from __future__ import annotations

from collections.abc import Iterable

from planning.task.operators import Arrays

NEVER = -1
"""Stands for the open needs of an operator that is ruled out: counting down, they do not come to zero."""


class Closure:
    """The atoms that can be reached from a start (`reached`), and the needs that each operator still waits for.

    An operator whose count is zero was applied. What was ruled out can be let in again, and atoms can be given: the
    closure then grows by what follows from that, and by no more work than this takes.
    """

    __slots__ = ("arrays", "open_needs", "reached")

    def __init__(self, arrays: Arrays, reached: bytearray, open_needs: list[int]) -> None:
        self.arrays = arrays
        self.reached = reached
        self.open_needs = open_needs

    @classmethod
    def begin(cls, arrays: Arrays, initial: Iterable[int], ruled_out: Iterable[int]) -> Closure:
        """Collect what can be reached from a start without some operators."""
        closure = cls(arrays, bytearray(len(arrays.users)), arrays.open_needs.copy())
        for operator in ruled_out:
            closure.open_needs[operator] = NEVER
        free = (operator for operator in arrays.free if closure.open_needs[operator] == 0)
        closure.give([*initial, *(atom for operator in free for atom in arrays.adds[operator])])
        return closure

    def copy(self) -> Closure:
        """Copy it, to take it further without losing it."""
        return Closure(self.arrays, self.reached[:], self.open_needs[:])

    def let_in(self, operators: Iterable[int]) -> None:
        """Let operators in that were ruled out."""
        arrays, reached = self.arrays, self.reached
        for operator in operators:
            missing = self.open_needs[operator] = sum(not reached[atom] for atom in arrays.needs[operator])
            if not missing:
                self.give(arrays.adds[operator])

    def give(self, atoms: Iterable[int]) -> None:
        """Make atoms true, and all that follows."""
        adds, users = self.arrays.adds, self.arrays.users
        reached, open_needs = self.reached, self.open_needs
        waiting = []
        for atom in atoms:
            if not reached[atom]:
                reached[atom] = True
                waiting.append(atom)
        while waiting:
            for operator in users[waiting.pop()]:
                open_needs[operator] -= 1
                if not open_needs[operator]:
                    for atom in adds[operator]:
                        if not reached[atom]:
                            reached[atom] = True
                            waiting.append(atom)

    def has(self, atoms: Iterable[int]) -> bool:
        """Tell whether all of some atoms are reached."""
        return all(self.reached[atom] for atom in atoms)
