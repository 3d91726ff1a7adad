"""A planning task in integers: the one index that engines, landmarks and diagnosis read.

Operators and atoms are numbered once for a catalog (`planning/task/operators.py`). A task adds what holds, what is
wanted and what is ruled out. What only a part of the task needs is a view (`Reduced`), numbered anew from the index.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from catalog.analysis.horn import Closure, regress
from planning.model import Plan, Task
from planning.task.operators import Arrays, Operators, keep_operators, link


@dataclass(frozen=True, slots=True)
class IndexedTask:
    """A task over all operators of a catalog: initial atoms, open goal atoms, and operators ruled out."""

    operators: Operators
    arrays: Arrays
    initial: list[int]
    goal: list[int]
    ruled_out: frozenset[int]

    def close(self) -> Closure:
        """Find everything that can be reached."""
        return Closure(self.arrays, self.initial, self.ruled_out)

    def plan(self, steps: Iterable[int]) -> Plan:
        """Turn steps into a plan of operators."""
        return Plan(tuple([self.operators[step] for step in steps]))


@dataclass(frozen=True, slots=True)
class Reduced:
    """A part of a task, without what holds at the start; `origin` maps its operators to those of the task."""

    arrays: Arrays
    goal: list[int]
    origin: list[int]


def index_task(task: Task) -> IndexedTask | None:
    """Index a task; None if its goal names an atom that no operator adds or needs."""
    operators = keep_operators(task.operators)
    number = operators.number
    wanted = task.goal - task.initial
    if not wanted <= number.keys():
        return None
    initial = sorted([number[atom] for atom in task.initial if atom in number])
    goal = sorted([number[atom] for atom in wanted])
    return IndexedTask(operators.whole, operators.arrays, initial, goal, operators.ruled_out)


def reduce_task(task: IndexedTask, *, shortest: bool = False) -> Reduced | None:
    """Keep the operators that can be applied and can lead to the goal; None if that cannot be reached.

    With `shortest`, operators are left out that a shortest plan can do without, whatever they cost.
    """
    closure = task.close()
    if not closure.has(task.goal):
        return None
    needs, adds, initial = task.arrays.needs, task.arrays.adds, frozenset(task.initial)
    barred = {operator for operator, open_needs in enumerate(closure.open_needs) if open_needs}
    while True:
        found = regress(task.arrays, task.goal, given=initial, barred=barred)
        kept, relevant = sorted(found.clauses), frozenset(found.atoms)
        spare = {operator for operator in kept if relevant.intersection(adds[operator]).issubset(needs[operator])}
        if shortest:
            spare |= find_dominated(task.arrays, kept, relevant)
        if not spare:
            return cut(task.arrays, kept, relevant, task.goal)
        barred.update(spare)


def cut(arrays: Arrays, chosen: list[int], relevant: Collection[int], goal: Iterable[int]) -> Reduced:
    """Keep chosen operators, and of their needs and effects the atoms that are relevant; number them anew."""
    number = {atom: place for place, atom in enumerate(sorted(relevant))}
    needs = [tuple([number[atom] for atom in arrays.needs[operator] if atom in number]) for operator in chosen]
    adds = [tuple([number[atom] for atom in arrays.adds[operator] if atom in number]) for operator in chosen]
    costs = [arrays.costs[operator] for operator in chosen]
    return Reduced(link(needs, adds, costs, len(number)), [number[atom] for atom in goal], chosen)


def find_dominated(
    arrays: Arrays,
    operators: Sequence[int],
    relevant: frozenset[int],
    takes: Sequence[Sequence[float]] = (),
    kept: Collection[int] = (),
) -> set[int]:
    """Find the operators in whose place another needs no more, adds no less, and takes no more of anything.

    Of equals one is not found: the cheapest, and of these the first. Those that are to be `kept` are never found.
    """
    rows = [
        (relevant.intersection(arrays.needs[operator]), relevant.intersection(arrays.adds[operator]), operator)
        for operator in operators
    ]
    first = takes[0] if takes else [0.0] * len(arrays.costs)

    def rank(row: tuple[frozenset[int], frozenset[int], int]) -> tuple[bool, float, int, int, float]:
        needs, adds, operator = row
        return operator not in kept, first[operator], len(needs), -len(adds), arrays.costs[operator]

    rivals: dict[int, list[tuple[frozenset[int], frozenset[int], int]]] = {}
    dominated = set()
    for row in sorted(rows, key=rank):
        needs, adds, operator = row
        lists = [rivals.setdefault(atom, []) for atom in adds]
        if operator not in kept and any(
            fewer <= needs and adds <= more and all(taken[rival] <= taken[operator] for taken in takes)
            for fewer, more, rival in min(lists, key=len)
        ):
            dominated.add(operator)
        else:
            for others in lists:
                others.append(row)
    return dominated
