"""What can lead to a goal at all, whatever holds and whatever is ruled out: of a catalog and a goal, found once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

Lists = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Towards:
    """The operators that can lead to a goal, each after those that lead to its needs, and the atoms on the way.

    Where needs run in circles not every operator can come after all of these: then atoms are `late` that an operator
    needs which comes before one that adds them.
    """

    operators: tuple[int, ...]
    atoms: frozenset[int]
    late: frozenset[int]

    @cached_property
    def place(self) -> dict[int, int]:
        """Give the place of each operator in that order."""
        return {operator: place for place, operator in enumerate(self.operators)}


NOTHING = Towards((), frozenset(), frozenset())


def find_towards(
    needs: Lists, adds: Lists, achievers: Lists, goal: Iterable[int], beyond: Towards = NOTHING
) -> Towards:
    """Go back from a goal, depth first, as far as that goes `beyond` another; in time linear in what can lead there."""
    listed, atoms = _go_back(needs, achievers, goal, beyond)
    used: set[int] = set()
    late: set[int] = set()
    for operator in listed:
        used.update(needs[operator])
        late.update(used.intersection(adds[operator]))
    return Towards(tuple(listed), frozenset(atoms), frozenset(late))


def _go_back(needs: Lists, achievers: Lists, goal: Iterable[int], beyond: Towards) -> tuple[list[int], set[int]]:
    """List operators and atoms; on the stack an operator stands as its complement, to be listed once it is done."""
    listed: list[int] = []
    entered = set(beyond.atoms)
    seen = set(beyond.operators)
    stack = list(goal)
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
    return listed, entered
