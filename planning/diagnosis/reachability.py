"""Where a goal stands: what can be reached as things are, and what could be if people gave way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from catalog.analysis.horn import Closure, regress
from catalog.model import Catalog
from planning.diagnosis.model import Gap, GapKind
from planning.model import Atom, Operator, Predicate, Situation, StepKind, Task
from planning.task.operators import Arrays, Operators, keep_operators


@dataclass(frozen=True)
class Terrain:
    """An unsolvable task in integers.

    `atoms` lists the atoms by their number: those of the catalog's operators, and those that only the goal speaks of.
    `reached` is what can be had as things are.
    """

    catalog: Catalog
    situation: Situation
    operators: Operators
    arrays: Arrays
    number: dict[Atom, int]
    goal: tuple[int, ...]
    initial: tuple[int, ...]
    ruled_out: frozenset[int]
    reached: Closure

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """List the atoms by their number."""
        return tuple(self.number)

    @cached_property
    def personal(self) -> dict[int, Gap]:
        """Map operators that were ruled out, and that people could still give way on, to their gaps."""
        gaps = ((place, _see_personal(self.catalog, self.operators[place])) for place in sorted(self.ruled_out))
        return {place: gap for place, gap in gaps if gap is not None}

    @cached_property
    def conceded(self) -> Closure:
        """Collect what could be had if people gave way on everything."""
        closure = self.reached.copy()
        closure.allow(self.personal)
        return closure

    def close(self, fact: str) -> list[int]:
        """List the atoms that come with a fact."""
        above = (Atom(Predicate.KNOWN, name) for name in self.catalog.supertypes(fact))
        return [self.number[atom] for atom in above if atom in self.number]

    def provides(self, gap: Gap) -> list[int]:
        """List the atoms that a skill provides which fills a gap."""
        if gap.facts:
            return self.close(gap.subject)
        return [self.number[Atom(Predicate.DONE, gap.subject)]]

    def find_closed(self, atom: int) -> tuple[Operator, ...]:
        """List the operators that would add an atom, but for what was learned."""
        return tuple(self.operators[place] for place in self.arrays.achievers[atom] if place in self.ruled_out)


def survey(catalog: Catalog, situation: Situation, task: Task) -> Terrain:
    """Number a task, and find what can be reached."""
    chosen = keep_operators(task.operators)
    whole = chosen.whole
    number, arrays = _with_atoms(whole, sorted(task.goal))
    initial = tuple(sorted(number[atom] for atom in task.initial if atom in number))
    return Terrain(
        catalog=catalog,
        situation=situation,
        operators=whole,
        arrays=arrays,
        number=number,
        goal=tuple(sorted(number[atom] for atom in task.goal)),
        initial=initial,
        ruled_out=chosen.ruled_out,
        reached=Closure(arrays, initial, chosen.ruled_out),
    )


def _with_atoms(whole: Operators, atoms: Iterable[Atom]) -> tuple[dict[Atom, int], Arrays]:
    """Number also atoms that no operator speaks of."""
    unheard_of = [atom for atom in atoms if atom not in whole.number]
    if not unheard_of:
        return whole.number, whole.arrays
    number = {**whole.number, **{atom: len(whole.number) + place for place, atom in enumerate(unheard_of)}}
    more: list[list[int]] = [[] for _ in unheard_of]
    arrays = whole.arrays
    return number, replace(arrays, users=[*arrays.users, *more], achievers=[*arrays.achievers, *more])


def _see_personal(catalog: Catalog, operator: Operator) -> Gap | None:
    """See something that a person could still do in an operator that was ruled out."""
    if operator.kind is StepKind.AUTHORIZE:
        return Gap(GapKind.CONSENT, operator.subject, operator.sensitive, (operator,))
    if operator.kind is StepKind.CONFIRM:
        return Gap(GapKind.GO_AHEAD, operator.subject, (), (operator,))
    if operator.kind is StepKind.ASK and catalog.facts[operator.subject].fillable:
        return Gap(GapKind.ANSWER, operator.subject, (operator.subject,), (operator,))
    return None


@dataclass(frozen=True, slots=True)
class Obstacles:
    """What leads to a goal and cannot be reached: operators that could still be applied, and atoms."""

    operators: tuple[int, ...]
    atoms: tuple[int, ...]
    roots: frozenset[int]
    """Atoms that none of these operators adds: the roots of the matter."""


def find_obstacles(terrain: Terrain, allowed: Iterable[int], within: Closure | None = None) -> Obstacles:
    """Go back from the goal over operators that are not ruled out, or allowed all the same, as far as what is reached.

    If all that can help is `within` a closure, operators that need more than that are left out.
    """
    ruled_out = terrain.ruled_out.difference(allowed)
    beyond = () if within is None else [place for place, count in enumerate(within.open_needs) if count]
    arrays = terrain.arrays
    found = regress(arrays, terrain.goal, given=terrain.reached.reached, barred=ruled_out.union(beyond))
    roots = frozenset(atom for atom in found.atoms if ruled_out.issuperset(arrays.achievers[atom]))
    return Obstacles(found.clauses, tuple(sorted(found.atoms)), roots)
