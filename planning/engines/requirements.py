"""What a plan with certain steps cannot do without: the rows of the mathematical program of a task.

Of operators that add one atom alone, a plan without a step to spare has at most one. So where they need the same, their
shares in a relaxation count together: if half of each is chosen, all of what both need is. That holds also for what
they need only in the end, because all ways to what they need lead through it: their common landmarks (Zhu and Givan
2003). Without such rows the shares thin out with each alternative, and on long plans the bound means nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from planning.landmarks import NO_WAY, Common
from planning.task.index import Arrays


class Requirement(NamedTuple):
    """An atom without which no plan has any of some operators, and of these a plan needs at most one.

    Where no operators are named, every plan makes the atom true.
    """

    atom: int
    operators: tuple[int, ...] = ()


def list_requirements(arrays: Arrays, goal: Sequence[int]) -> list[Requirement]:
    """List what is required in a task in which nothing holds at the start; each need of each operator is among it."""
    leading = arrays.regress(tuple(goal))
    atoms = list(dict.fromkeys([atom for operator in leading.clauses for atom in arrays.adds[operator]]))
    mark = {atom: 1 << place for place, atom in enumerate(atoms)}
    own = [sum([mark.get(atom, 0) for atom in added]) for added in arrays.adds]
    common = Common(arrays, (), (), own)
    common.look_at(leading)

    def list_nearest(marks: int) -> list[int]:
        """List the atoms that are marked, but for those that all ways to another of them lead through."""
        nearest = []
        while marks:
            atom = atoms[marks.bit_length() - 1]  # nothing that leads to it comes later
            nearest.append(atom)
            marks &= ~(common.at[atom] | mark[atom])
        return nearest

    required = [Requirement(atom) for atom in list_nearest(reduce(or_, [common.at[atom] for atom in goal], 0))]
    required += [Requirement(atom) for atom in goal]
    for operators in _group(arrays):
        needing: dict[int, list[int]] = {}
        for operator in operators:
            for atom in arrays.needs[operator]:
                needing.setdefault(atom, []).append(operator)
        required += [Requirement(atom, tuple(some)) for atom, some in needing.items()]
        shared = reduce(and_, [common.leading_to(operator) for operator in operators], NO_WAY)
        if len(operators) > 1 and shared != NO_WAY:
            nearest = [atom for atom in list_nearest(shared) if len(needing.get(atom, ())) < len(operators)]
            required += [Requirement(atom, tuple(operators)) for atom in nearest]
    return list(dict.fromkeys(required))


def _group(arrays: Arrays) -> list[list[int]]:
    """Group the operators that add the same atom and nothing else; any other is by itself."""
    groups: dict[int, list[int]] = {}
    for operator, added in enumerate(arrays.adds):
        is_alone = len(added) != 1 or added[0] in arrays.needs[operator]
        groups.setdefault(~operator if is_alone else added[0], []).append(operator)
    return list(groups.values())
