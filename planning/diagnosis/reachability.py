"""Reachability of a goal: what can be reached as things are, and what could be if people agreed to more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from catalog.analysis.horn import Closure, regress
from catalog.model import Catalog
from planning.diagnosis.model import Gap, GapKind
from planning.model import Atom, Operator, Predicate, Situation, StepKind, Task
from planning.task.index import IndexedTask
from planning.task.operators import Arrays, Operators, keep_operators


@dataclass(frozen=True)
class ReachabilityAnalysis:
    """A task whose goal may be out of reach, with what can be reached as things are.

    `number` numbers also the atoms that only the goal names.
    """

    catalog: Catalog
    situation: Situation
    task: IndexedTask
    number: dict[Atom, int]
    reached: Closure

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """List the atoms by their number."""
        return tuple(self.number)

    @cached_property
    def had(self) -> frozenset[int]:
        """Collect the atoms that can be reached as things are."""
        return frozenset(self.reached.reached)

    @cached_property
    def personal(self) -> dict[int, Gap]:
        """Map operators that were ruled out, and that people could still agree to, to their gaps."""
        gaps = (
            (place, _find_personal_gap(self.catalog, self.task.operators[place]))
            for place in sorted(self.task.ruled_out)
        )
        return {place: gap for place, gap in gaps if gap is not None}

    @cached_property
    def conceded(self) -> Closure:
        """Collect what could be reached if people agreed to everything."""
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
        task = self.task
        return tuple(task.operators[place] for place in task.arrays.achievers[atom] if place in task.ruled_out)


def analyse(catalog: Catalog, situation: Situation, task: Task) -> ReachabilityAnalysis:
    """Index a task, and find what can be reached."""
    operators = keep_operators(task.operators)
    number, arrays = _with_atoms(operators.whole, sorted(task.goal))
    initial = sorted([number[atom] for atom in task.initial if atom in number])
    goal = sorted([number[atom] for atom in task.goal - task.initial])
    indexed = IndexedTask(operators.whole, arrays, initial, goal, operators.ruled_out)
    return ReachabilityAnalysis(catalog, situation, indexed, number, indexed.close())


def _with_atoms(whole: Operators, atoms: Iterable[Atom]) -> tuple[dict[Atom, int], Arrays]:
    """Number also atoms that no operator names."""
    unheard_of = [atom for atom in atoms if atom not in whole.number]
    if not unheard_of:
        return whole.number, whole.arrays
    number = {**whole.number, **{atom: len(whole.number) + place for place, atom in enumerate(unheard_of)}}
    more: list[list[int]] = [[] for _ in unheard_of]
    arrays = whole.arrays
    return number, replace(arrays, users=[*arrays.users, *more], achievers=[*arrays.achievers, *more])


def _find_personal_gap(catalog: Catalog, operator: Operator) -> Gap | None:
    """Return what a person could still do about an operator that was ruled out; None if nothing."""
    if operator.kind is StepKind.AUTHORIZE:
        return Gap(GapKind.CONSENT, operator.subject, operator.sensitive, (operator,))
    if operator.kind is StepKind.CONFIRM:
        return Gap(GapKind.GO_AHEAD, operator.subject, (), (operator,))
    if operator.kind is StepKind.ASK and catalog.facts[operator.subject].fillable:
        return Gap(GapKind.ANSWER, operator.subject, (operator.subject,), (operator,))
    return None


@dataclass(frozen=True, slots=True)
class Obstacles:
    """The unreachable part of the way to a goal: operators, and atoms; `roots` are atoms that no operator adds."""

    operators: tuple[int, ...]
    atoms: tuple[int, ...]
    roots: frozenset[int]


def find_obstacles(analysis: ReachabilityAnalysis, allowed: Iterable[int], within: Closure | None = None) -> Obstacles:
    """Go back from the goal over operators that are not ruled out, or allowed all the same, as far as what is reached.

    If all that can help is `within` a closure, operators that need more than that are left out.
    """
    ruled_out = analysis.task.ruled_out.difference(allowed)
    beyond = () if within is None else [place for place, count in enumerate(within.open_needs) if count]
    arrays = analysis.task.arrays
    found = regress(arrays, analysis.task.goal, given=analysis.had, barred=ruled_out.union(beyond))
    roots = frozenset(atom for atom in found.atoms if ruled_out.issuperset(arrays.achievers[atom]))
    return Obstacles(found.clauses, tuple(sorted(found.atoms)), roots)
