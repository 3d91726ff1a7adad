"""A planning task in integers: the one index that engines, landmarks and diagnosis read.

The operators of a catalog are numbered once, with their atoms. `Operators` is a sequence that also knows the larger one
that it was chosen from, so that what is made of all operators (`arrays`, `named`) is kept from turn to turn. A task
adds what holds, what is wanted and what is ruled out. A part of a task is a view (`TaskPart`) with numbers of its own.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import overload

from catalog.analysis.horn import Clauses, Closure, GoalSupport, regress
from catalog.analysis.horn import link as link_clauses
from planning.model import Atom, Operator, Plan, Predicate, Task

NOTHING: frozenset[int] = frozenset()
GOALS_KEPT = 8
"""Goals of which is kept what can lead there."""


@dataclass(frozen=True, slots=True)
class Arrays(Clauses):
    """Operators as clauses, each with what it costs."""

    costs: list[float]
    _regressions: dict[tuple[int, ...], GoalSupport] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def regress(self, goal: tuple[int, ...]) -> GoalSupport:
        """Return what leads to a goal; it is kept, since a goal is mostly planned for turn after turn."""
        found = self._regressions.pop(goal, None) or regress(self, goal)
        self._regressions[goal] = found
        if len(self._regressions) > GOALS_KEPT:
            self._regressions.pop(next(iter(self._regressions)), None)
        return found


class Operators(Sequence[Operator]):
    """Operators that know what they were chosen from: `whole`, which is themselves if it was nothing larger.

    `ruled_out` are the places in `whole` of those that were left out. Places and numbers are always those of the whole.
    """

    ruled_out: frozenset[int] = NOTHING

    @property
    def whole(self) -> Operators:
        return self

    @property
    @abstractmethod
    def atoms(self) -> Sequence[Atom]:
        """List the atoms by their number."""

    @cached_property
    def beside_facts(self) -> frozenset[int]:
        """Collect the numbers of the atoms that say something else than that a fact is known."""
        return frozenset([number for number, atom in enumerate(self.atoms) if atom.predicate is not Predicate.KNOWN])

    @property
    @abstractmethod
    def number(self) -> dict[Atom, int]:
        """Number the atoms."""

    @property
    @abstractmethod
    def arrays(self) -> Arrays:
        """Write the operators as arrays."""

    @property
    @abstractmethod
    def named(self) -> dict[str, int]:
        """Map names of operators to their places."""

    @property
    @abstractmethod
    def uncertain(self) -> frozenset[int]:
        """Collect the places of the operators that cost more because their outcome is not certain."""

    @abstractmethod
    def list_establishing(self, skill: str, mode: str, fact: str) -> Collection[int]:
        """List the places of the operators of a mode that output a fact."""

    def without(self, places: Iterable[int]) -> Operators:
        ruled_out = frozenset(places)
        return _Chosen(self.whole, ruled_out) if ruled_out else self.whole

    def find(self, operator: Operator) -> int | None:
        """Find the place of an operator in the whole; None if it is not there."""
        place = self.named.get(operator.name)
        if place is None:
            return None
        found = self.whole.at(place)
        return place if found is operator or found == operator else None

    def has(self, operator: Operator) -> bool:
        """Return whether an operator is one of these, without going through them all."""
        place = self.find(operator)
        return place is not None and place not in self.ruled_out

    @abstractmethod
    def at(self, place: int) -> Operator:
        """Return the operator at a place among these."""

    @overload
    def __getitem__(self, place: int) -> Operator: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Operator, ...]: ...
    def __getitem__(self, place: int | slice) -> Operator | tuple[Operator, ...]:
        if isinstance(place, slice):
            return tuple([self.at(one) for one in range(len(self))[place]])
        return self.at(range(len(self))[place])

    def __iter__(self) -> Iterator[Operator]:
        return map(self.at, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Operators) and other.whole is self.whole:
            return other.ruled_out == self.ruled_out
        return tuple(self) == tuple(other) if isinstance(other, Operators | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))


class _Listed(Operators):
    """Operators that were listed by a caller."""

    def __init__(self, operators: Iterable[Operator]) -> None:
        self._operators = tuple(operators)

    def __len__(self) -> int:
        return len(self._operators)

    def at(self, place: int) -> Operator:
        return self._operators[place]

    @cached_property
    def named(self) -> dict[str, int]:
        return {operator.name: place for place, operator in enumerate(self)}

    def list_establishing(self, skill: str, mode: str, fact: str) -> Collection[int]:
        return [
            place
            for place, operator in enumerate(self)
            if operator.mode == mode and operator.subject == skill and fact in operator.outputs
        ]

    @cached_property
    def uncertain(self) -> frozenset[int]:
        return frozenset([place for place, operator in enumerate(self) if operator.cost and operator.likelihood < 1])

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
    def atoms(self) -> Sequence[Atom]:
        return tuple(self.number)

    @cached_property
    def arrays(self) -> Arrays:
        number = self.number
        needs = [tuple(sorted([number[atom] for atom in operator.needs])) for operator in self]
        adds = [tuple(sorted([number[atom] for atom in operator.adds])) for operator in self]
        return link(needs, adds, [operator.cost for operator in self], len(number))


class _Chosen(Operators):
    """Operators that are left of others."""

    def __init__(self, whole: Operators, ruled_out: frozenset[int]) -> None:
        self._whole = whole
        self.ruled_out = ruled_out

    @property
    def whole(self) -> Operators:
        return self._whole

    def __len__(self) -> int:
        return len(self._whole) - len(self.ruled_out)

    def at(self, place: int) -> Operator:
        return self._whole.at(self._places[place])

    @cached_property
    def _places(self) -> list[int]:
        return [place for place in range(len(self._whole)) if place not in self.ruled_out]

    @property
    def named(self) -> dict[str, int]:
        return self._whole.named

    def list_establishing(self, skill: str, mode: str, fact: str) -> Collection[int]:
        return self._whole.list_establishing(skill, mode, fact)

    @property
    def uncertain(self) -> frozenset[int]:
        return self._whole.uncertain

    @property
    def number(self) -> dict[Atom, int]:
        return self._whole.number

    @property
    def atoms(self) -> Sequence[Atom]:
        return self._whole.atoms

    @property
    def arrays(self) -> Arrays:
        return self._whole.arrays


def keep_operators(operators: Iterable[Operator]) -> Operators:
    """Turn operators into ones that remember; those that do already stay what they are."""
    return operators if isinstance(operators, Operators) else _Listed(operators)


def link(needs: list[tuple[int, ...]], adds: list[tuple[int, ...]], costs: list[float], atoms: int) -> Arrays:
    linked = link_clauses(needs, adds, atoms)
    return Arrays(needs, adds, linked.users, linked.achievers, linked.open_needs, linked.free, costs)


@dataclass(frozen=True, slots=True)
class IndexedTask:
    """A task over all operators of a catalog: initial atoms, open goal atoms, and operators ruled out."""

    operators: Operators
    arrays: Arrays
    initial: list[int]
    goal: list[int]
    ruled_out: frozenset[int]

    def close(self) -> Closure:
        return Closure(self.arrays, self.initial, self.ruled_out)

    def plan(self, steps: Iterable[int]) -> Plan:
        return Plan(tuple([self.operators.at(step) for step in steps]))


def counts_likelihoods(task: Task) -> bool:
    """Return whether likelihoods of outcomes count in the cost of anything that can lead to the goal of a task."""
    uncertain, indexed = keep_operators(task.operators).uncertain, index_task(task)
    if indexed is None or not uncertain:
        return False
    return not uncertain.isdisjoint(list_leading(indexed))


def list_leading(task: IndexedTask) -> Sequence[int]:
    """List the operators that can lead to the goal of a task; no plan without a step to spare has another one."""
    return regress(task.arrays, task.goal, given=frozenset(task.initial), barred=task.ruled_out).clauses


@dataclass(frozen=True, slots=True)
class TaskPart:
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


def reduce_task(task: IndexedTask, *, shortest: bool = False) -> TaskPart | None:
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


def cut(arrays: Arrays, chosen: list[int], relevant: Collection[int], goal: Iterable[int]) -> TaskPart:
    """Keep chosen operators, and of their needs and effects the atoms that are relevant; number them anew."""
    number = {atom: place for place, atom in enumerate(sorted(relevant))}
    needs = [tuple([number[atom] for atom in arrays.needs[operator] if atom in number]) for operator in chosen]
    adds = [tuple([number[atom] for atom in arrays.adds[operator] if atom in number]) for operator in chosen]
    costs = [arrays.costs[operator] for operator in chosen]
    return TaskPart(link(needs, adds, costs, len(number)), [number[atom] for atom in goal], chosen)


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


def is_solvable(task: Task) -> bool:
    """Return whether there is a plan: nothing is ever deleted, so a goal that can be reached is reached by a plan."""
    indexed = index_task(task)
    return indexed is not None and indexed.close().has(indexed.goal)


def close_forward(initial: frozenset[Atom], operators: Iterable[Operator]) -> frozenset[Atom]:
    kept = keep_operators(operators)
    number, atoms = kept.number, kept.atoms
    reached = Closure(kept.arrays, [number[atom] for atom in initial if atom in number], kept.ruled_out).reached
    return initial.union([atoms[atom] for atom in reached])
