"""What can still matter for a goal: the cone of influence of model checking, cut at what is known for good.

Facts that are known and can never be taken back make everything that only led to them irrelevant: whether a name came
from a database or from a picture, and which questions were skipped before, changes nothing any more. Operators that
are ruled out stay in the cone, since what is missing at a dead end is told from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from catalog.model import Catalog
from planning.compile import close, compile_operators
from planning.model import Atom, Operator, Predicate, known


@dataclass(frozen=True, slots=True)
class Cone:
    """What matters: facts, names of operators, and modes of skills as (skill, mode)."""

    facts: frozenset[str]
    operators: frozenset[str]
    modes: frozenset[tuple[str, str]]
    atoms: frozenset[Atom]


class Relevance:
    """Finds the cone of a goal; the same question is answered once."""

    def __init__(self, catalog: Catalog, goal: Iterable[Atom]) -> None:
        self._catalog = catalog
        self._goal = frozenset(goal)
        self.operators = compile_operators(catalog)
        self.retractable = find_retractable(catalog)
        self._achievers: dict[Atom, list[Operator]] = {}
        for operator in self.operators:
            for atom in operator.adds:
                self._achievers.setdefault(atom, []).append(operator)
        self._made: dict[frozenset[str], Cone] = {}

    def cone(self, facts: Iterable[str]) -> Cone:
        """Find what matters when facts are known."""
        for_good = frozenset(facts) - self.retractable
        if for_good not in self._made:
            self._made[for_good] = self._find(close(self._catalog, for_good))
        return self._made[for_good]

    def _find(self, given: frozenset[Atom]) -> Cone:
        atoms = set(self._goal - given)
        waiting = list(atoms)
        found: dict[str, Operator] = {}
        while waiting:
            for operator in self._achievers.get(waiting.pop(), ()):
                if operator.name in found:
                    continue
                found[operator.name] = operator
                fresh = (operator.needs | self._optional(operator)) - given - atoms
                atoms |= fresh
                waiting.extend(fresh)
        used = set(atoms)
        for operator in found.values():
            used |= operator.needs | self._optional(operator)
        used |= {atom for operator in found.values() if operator.mode is not None for atom in operator.adds}
        named = (atom.subject for atom in used if atom.predicate is Predicate.KNOWN)
        facts = frozenset(sub for fact in named for sub in self._catalog.subtypes.get(fact, (fact,)))
        modes = frozenset((o.subject, o.mode) for o in found.values() if o.mode is not None)
        return Cone(facts, frozenset(found), modes, frozenset(atoms))

    def _optional(self, operator: Operator) -> frozenset[Atom]:
        if operator.mode is None:
            return frozenset()
        return frozenset(map(known, self._catalog.skills[operator.subject].modes[operator.mode].optional))


def find_retractable(catalog: Catalog) -> frozenset[str]:
    """Find the facts that may stop being known: inputs that an outcome doubts, and results that may be set aside.

    Results are set aside when something that they could have used becomes known later; then whatever rests on them too.
    """
    doubted = {
        fact
        for skill in catalog.skills.values()
        for mode in skill.modes.values()
        for outcome in mode.outcomes.values()
        for fact in outcome.doubts
    }
    found = {sub for fact in doubted for sub in catalog.subtypes.get(fact, (fact,))}
    loose: set[str] = set()
    before = -1
    while len(found | loose) != before:
        before = len(found | loose)
        for skill in catalog.skills.values():
            for mode in skill.modes.values():
                inputs = {sub for fact in (*mode.inputs, *mode.optional) for sub in catalog.subtypes.get(fact, (fact,))}
                if mode.optional or inputs & loose:
                    loose.update(fact for outcome in mode.outcomes.values() for fact in outcome.facts)
        for mapping in catalog.mappings:
            if mapping.fact in found | loose:
                loose.add(mapping.stands_for)
    return frozenset(found | loose)
