"""The operators of a catalog as arrays of integers, made once and kept with the operators themselves.

Of a catalog that is planned with turn after turn only the situation changes: what is known, and which operators are
ruled out. `Operators` is a tuple like any other to who does not care, and remembers for who does what it was chosen
from; so whatever is made of all operators of a catalog (`arrays`, `place`) is made once, and never of a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from planning.model import Atom, Operator

NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Arrays:
    """A delete-free task in numbers: operators by their place, atoms by their number.

    `users` are the operators that need an atom, `achievers` those that add it, `free` those that need nothing;
    `open_needs` are how many needs an operator has.
    """

    needs: list[tuple[int, ...]]
    adds: list[tuple[int, ...]]
    costs: list[float]
    users: list[list[int]]
    achievers: list[list[int]]
    open_needs: list[int]
    free: list[int]


class Operators(tuple[Operator, ...]):
    """Operators that know what they were chosen from: `whole`, which is themselves if it was nothing larger.

    `ruled_out` are the places in `whole` of those that were left out.
    """

    ruled_out: frozenset[int] = NOTHING
    _whole: Operators | None = None

    @property
    def whole(self) -> Operators:
        """Give the operators that these were chosen from."""
        return self if self._whole is None else self._whole

    def without(self, places: Iterable[int]) -> Operators:
        """Leave out some operators of the whole."""
        whole = self.whole
        ruled_out = frozenset(places)
        if not ruled_out:
            return whole
        chosen = Operators(operator for place, operator in enumerate(whole) if place not in ruled_out)
        chosen.ruled_out = ruled_out
        chosen._whole = whole
        return chosen

    def has(self, operator: Operator) -> bool:
        """Tell whether an operator is one of these; quicker than going through them all."""
        place = self.whole.place.get(operator)
        return place is not None and place not in self.ruled_out

    @cached_property
    def place(self) -> dict[Operator, int]:
        """Map operators to their places."""
        return {operator: place for place, operator in enumerate(self)}

    @cached_property
    def named(self) -> dict[str, int]:
        """Map names of operators to their places."""
        return {operator.name: place for place, operator in enumerate(self)}

    @cached_property
    def establishing(self) -> dict[tuple[str, str, str], list[int]]:
        """Map (skill, mode, fact) to the places of the operators of that mode that output the fact."""
        found: dict[tuple[str, str, str], list[int]] = {}
        for place, operator in enumerate(self):
            if operator.mode is not None:
                for fact in operator.outputs:
                    found.setdefault((operator.subject, operator.mode, fact), []).append(place)
        return found

    @cached_property
    def number(self) -> dict[Atom, int]:
        """Number the atoms in the order in which the operators speak of them.

        Sets are gone through sorted: their own order differs between processes.
        """
        number: dict[Atom, int] = {}
        for operator in self:
            for atoms in (operator.needs, operator.adds):
                for atom in atoms if len(atoms) < 2 else sorted(atoms):
                    number.setdefault(atom, len(number))
        return number

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """List the atoms by their number."""
        return tuple(self.number)

    @cached_property
    def arrays(self) -> Arrays:
        """Write the operators as arrays."""
        number = self.number
        needs = [tuple(sorted([number[atom] for atom in operator.needs])) for operator in self]
        adds = [tuple(sorted([number[atom] for atom in operator.adds])) for operator in self]
        return link(needs, adds, [operator.cost for operator in self], len(number))


def keep_operators(operators: Iterable[Operator]) -> Operators:
    """Turn operators into ones that remember; those that do already stay what they are."""
    return operators if isinstance(operators, Operators) else Operators(operators)


def link(needs: list[tuple[int, ...]], adds: list[tuple[int, ...]], costs: list[float], atoms: int) -> Arrays:
    """Find for each atom who needs it and who adds it."""
    users: list[list[int]] = [[] for _ in range(atoms)]
    achievers: list[list[int]] = [[] for _ in range(atoms)]
    for place, needed in enumerate(needs):
        for atom in needed:
            users[atom].append(place)
    for place, added in enumerate(adds):
        for atom in added:
            achievers[atom].append(place)
    free = [place for place, needed in enumerate(needs) if not needed]
    return Arrays(needs, adds, costs, users, achievers, [len(needed) for needed in needs], free)
