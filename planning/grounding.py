"""Ground a catalog: write its operators as numbers at once, and make each of them only when somebody looks at it.

Of thousands of operators a plan holds a few dozen, and a search looks at none: it goes by the numbers. So what every
operator needs, adds and costs is written down (`Arrays`), and what it is called by (`Row`); the rest is read from the
catalog when one is made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from math import log

from catalog.model import Catalog, Mode
from catalog.precedence import Precedence
from catalog.settings import AuthorizationPolicy, Metric
from catalog.values import ListOf
from planning.compiled import Arrays, Operators, link
from planning.model import SEPARATOR, Amounts, Atom, Operator, Predicate, StepKind, known
from planning.rules import choose_operators, find_before, map_operators

Numbers = tuple[int, ...]
Row = tuple[StepKind, str, str | None, str | None]
"""What an operator is called by: kind, subject, mode and outcome (`operator_name`)."""
Consents = Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]]
"""For skill and mode: each consent that it needs, and the facts that the consent is about."""
TIE_WEIGHT = 1e-3
"""What the catalog's costs count beside another metric: enough to decide where plans are alike in that."""


def close(catalog: Catalog, facts: Iterable[str]) -> frozenset[Atom]:
    """Say that facts are known, and with them all that they can stand for: a pie chart is a plot (§3.2)."""
    return frozenset([known(above) for fact in facts for above in catalog.supertypes(fact)])


def weigh(amounts: Amounts, minimize: Metric) -> float:
    """Say what something costs by a metric; among plans that take the same, the catalog's costs decide."""
    if minimize is Metric.COST:
        return amounts.cost
    place = (Metric.COST, Metric.MONEY, Metric.TIME, Metric.QUALITY).index(minimize)
    return amounts[place] + TIE_WEIGHT * amounts.cost


def ground(catalog: Catalog, minimize: Metric) -> Operators:
    """Ground a catalog, with costs by a metric."""
    return _Grounded(catalog, minimize)


class _Grounded(Operators):
    """The operators of a catalog in its order: questions, consents, calls, mappings, and choices of alternatives."""

    def __init__(self, catalog: Catalog, minimize: Metric) -> None:
        self._catalog = catalog
        self._consents = _find_consents(catalog)
        ground = _Ground(catalog, minimize)
        ground.add_questions()
        ground.add_consents(self._consents)
        self._calls = ground.add_calls(self._consents)
        self._made = ground.add_made([*map_operators(catalog, close), *choose_operators(catalog)])
        ground.put_in_order(self._consents)
        self._rows = ground.rows
        self._atoms = ground.atoms
        self._arrays = link(ground.needs, ground.adds, ground.costs, len(ground.atoms))

    @property
    def arrays(self) -> Arrays:
        return self._arrays

    @property
    def atoms(self) -> Sequence[Atom]:
        return self._atoms

    @cached_property
    def number(self) -> dict[Atom, int]:
        return {atom: number for number, atom in enumerate(self._atoms)}

    @cached_property
    def named(self) -> dict[str, int]:
        return {SEPARATOR.join(filter(None, row)): place for place, row in enumerate(self._rows)}

    def list_establishing(self, skill: str, mode: str, fact: str) -> Collection[int]:
        first = self._calls.get((skill, mode))
        if first is None:
            return ()
        outcomes = self._catalog.skills[skill].modes[mode].outcomes.values()
        return [place for place, outcome in enumerate(outcomes, start=first) if fact in outcome.facts]

    def __len__(self) -> int:
        return len(self._rows)

    def at(self, place: int) -> Operator:
        operator = self._made.get(place)
        if operator is None:
            operator = self._made[place] = self._make(place)
        return operator

    def _make(self, place: int) -> Operator:
        kind, subject, mode, outcome = self._rows[place]
        operator = Operator(
            kind=kind,
            subject=subject,
            needs=frozenset([self._atoms[atom] for atom in self._arrays.needs[place]]),
            adds=frozenset([self._atoms[atom] for atom in self._arrays.adds[place]]),
            cost=self._arrays.costs[place],
            mode=mode,
            outcome=outcome,
            amounts=_take(self._catalog, kind, subject, mode),
        )
        if kind is StepKind.ASK:
            return replace(operator, outputs=(subject,))
        if mode is None or outcome is None:
            return replace(operator, sensitive=self._covered[subject])
        way = self._catalog.skills[subject].modes[mode]
        facts = self._consents.get((subject, mode), {}).values()
        return replace(
            operator,
            inputs=way.inputs,
            outputs=way.outcomes[outcome].facts,
            sensitive=tuple(dict.fromkeys([fact for some in facts for fact in some])),
        )

    @cached_property
    def _covered(self) -> Mapping[str, tuple[str, ...]]:
        return _join_consents(self._catalog, self._consents)


class _Ground:
    """Operators in numbers, as they are written down one after the other."""

    def __init__(self, catalog: Catalog, minimize: Metric) -> None:
        self.catalog = catalog
        self.minimize = minimize
        self.rows: list[Row] = []
        self.needs: list[Numbers] = []
        self.adds: list[Numbers] = []
        self.costs: list[float] = []
        self.atoms = [known(fact) for fact in catalog.facts]
        self.number = {predicate: _Numbering(predicate, self.atoms) for predicate in Predicate}
        self.number[Predicate.KNOWN].update(zip(catalog.facts, range(len(self.atoms)), strict=True))
        self.closed = _Closed(catalog, self.number[Predicate.KNOWN])

    def add_questions(self) -> None:
        """Let the user be asked for facts (§3.2, internal skills)."""
        cost = weigh(_take(self.catalog, StepKind.ASK), self.minimize)
        asked = [name for name, fact in self.catalog.facts.items() if fact.askable]
        self.rows += [(StepKind.ASK, name, None, None) for name in asked]
        self.needs += [()] * len(asked)
        self.adds += [self.closed[name] for name in asked]
        self.costs += [cost] * len(asked)

    def add_consents(self, consents: Consents) -> None:
        """Let consent be given that sensitive facts go to a skill, or under the per-fact policy that a fact goes."""
        cost = weigh(_take(self.catalog, StepKind.AUTHORIZE), self.minimize)
        for subject in dict.fromkeys([subject for subjects in consents.values() for subject in subjects]):
            self.rows.append((StepKind.AUTHORIZE, subject, None, None))
            self.needs.append(())
            self.adds.append((self.number[Predicate.AUTHORIZED][subject],))
            self.costs.append(cost)

    def add_calls(self, consents: Consents) -> dict[tuple[str, str], int]:
        """Let skills be called, in each mode for each outcome; give the place of the first outcome of each mode."""
        catalog, known, closed = self.catalog, self.number[Predicate.KNOWN], self.closed
        authorized, done = self.number[Predicate.AUTHORIZED], self.number[Predicate.DONE]
        rows, needs, adds, costs = self.rows, self.needs, self.adds, self.costs
        kind, by_cost, tracked = StepKind.SKILL, self.minimize is Metric.COST, catalog.tracked_skills
        first: dict[tuple[str, str], int] = {}
        for skill, declared in catalog.skills.items():
            cost = declared.cost if by_cost else weigh(_take(catalog, kind, skill), self.minimize)
            for mode, way in declared.modes.items():
                key = (skill, mode)
                first[key] = len(rows)
                each_time = weigh(_take(catalog, kind, skill, mode), self.minimize) if way.each else cost
                needed = dict.fromkeys(map(known.__getitem__, way.inputs))
                if key in consents:
                    needed |= dict.fromkeys(map(authorized.__getitem__, consents[key]))
                needed_once = tuple(needed)
                for outcome, result in way.outcomes.items():
                    facts = result.facts
                    added = closed[facts[0]] if len(facts) == 1 else _join(map(closed.__getitem__, facts))
                    if skill in tracked and catalog.succeeds(skill, mode, outcome):
                        added = (*added, done[skill])
                    rows.append((kind, skill, mode, outcome))
                    needs.append(needed_once)
                    adds.append(added)
                    costs.append(each_time)
        return first

    def add_made(self, operators: Iterable[Operator]) -> dict[int, Operator]:
        """Take operators that are made already; give them by their place."""
        made: dict[int, Operator] = {}
        for operator in operators:
            cost = weigh(operator.amounts, self.minimize)
            made[len(self.rows)] = replace(operator, cost=cost)
            mapped = operator.inputs[0] if operator.kind is StepKind.MAP else None
            self.rows.append((operator.kind, operator.subject, mapped, operator.outcome))
            self.needs.append(tuple([self.number[predicate][subject] for predicate, subject in sorted(operator.needs)]))
            self.adds.append(tuple([self.number[predicate][subject] for predicate, subject in sorted(operator.adds)]))
            self.costs.append(cost)
        return made

    def put_in_order(self, consents: Consents) -> None:
        """Let operators need that other skills were carried out before, as the catalog orders."""
        precedence = Precedence(self.catalog)
        if not precedence:
            return
        for place, (kind, subject, mode, _) in enumerate(self.rows):
            sensitive = mode is not None and (subject, mode) in consents
            firsts = [ordering.first for ordering in find_before(precedence, kind, subject, sensitive=sensitive)]
            done = [self.number[Predicate.DONE][first] for first in firsts]
            self.needs[place] = tuple(dict.fromkeys([*self.needs[place], *done]))


def _join(several: Iterable[Numbers]) -> Numbers:
    return tuple(dict.fromkeys(chain.from_iterable(several)))


class _Numbering(dict[str, int]):
    """Number the atoms of a predicate by their subject, as they come up; `atoms` are those of all predicates."""

    def __init__(self, predicate: Predicate, atoms: list[Atom]) -> None:
        super().__init__()
        self._predicate = predicate
        self._atoms = atoms

    def __missing__(self, subject: str) -> int:
        number = self[subject] = len(self._atoms)
        self._atoms.append(Atom(self._predicate, subject))
        return number


class _Closed(dict[str, Numbers]):
    """The numbers of each fact and of all that it can stand for; what is not declared stands for itself."""

    def __init__(self, catalog: Catalog, number: _Numbering) -> None:
        super().__init__(zip(number, zip(number.values()), strict=True))
        self._number = number
        for name, fact in catalog.facts.items():
            if fact.is_a is not None:
                self[name] = tuple([number[above] for above in catalog.supertypes(name)])

    def __missing__(self, fact: str) -> Numbers:
        return (self._number[fact],)


def _take(catalog: Catalog, kind: StepKind, subject: str = "", mode: str | None = None) -> Amounts:
    """Say what a question, a consent or a call takes; one for each item of a list, as much as it can come to."""
    settings = catalog.settings
    if kind is StepKind.ASK:
        return Amounts(settings.ask_cost, time_s=settings.ask_time_s)
    if kind is StepKind.AUTHORIZE:
        return Amounts(settings.authorize_cost, time_s=settings.authorize_time_s)
    skill = catalog.skills[subject]
    times = 1 if mode is None else _count_calls(catalog, skill.modes[mode])
    return Amounts(times * skill.cost, times * skill.money, times * skill.time_s, -times * log(skill.quality))


def _count_calls(catalog: Catalog, mode: Mode) -> int:
    """Count how often a mode may call its skill: a list has at most so many items."""
    kinds = (catalog.facts[items].value for items in mode.each.values())
    return max((kind.most for kind in kinds if isinstance(kind, ListOf)), default=1)


def _find_consents(catalog: Catalog) -> Consents:
    """Find the consents that modes need for what must go in; optional inputs are simply not passed without one."""
    delicate = _find_delicate(catalog)
    per_fact = catalog.settings.authorization is AuthorizationPolicy.PER_FACT
    found: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    for skill, declared in catalog.skills.items():
        own = frozenset(declared.sensitive)
        for mode, way in declared.modes.items():
            if not (delicate.isdisjoint(way.inputs) and own.isdisjoint(way.inputs)):
                facts = tuple([fact for fact in way.inputs if fact in delicate or fact in own])
                found[skill, mode] = {fact: (fact,) for fact in facts} if per_fact else {skill: facts}
    return found


def _find_delicate(catalog: Catalog) -> frozenset[str]:
    """Find the facts that are sensitive, or that a sensitive one may stand in for (`Catalog.sensitive_inputs`)."""
    delicate: set[str] = set()
    for name, fact in catalog.facts.items():
        if fact.is_a is not None and catalog.is_sensitive(name):
            delicate.update(catalog.supertypes(name))
        elif fact.sensitive:
            delicate.add(name)
    return frozenset(delicate)


def _join_consents(catalog: Catalog, consents: Consents) -> dict[str, tuple[str, ...]]:
    """Collect all that each consent covers: one for a skill, whatever may go to it in any mode, if it is known."""
    per_fact = catalog.settings.authorization is AuthorizationPolicy.PER_FACT
    covered: dict[str, tuple[str, ...]] = {}
    for (skill, _), subjects in consents.items():
        modes = () if per_fact else catalog.skills[skill].modes
        beside = [fact for mode in modes for fact in catalog.sensitive_inputs(skill, mode)]
        for subject, facts in subjects.items():
            covered[subject] = tuple(dict.fromkeys((*covered.get(subject, ()), *facts, *beside)))
    return covered
