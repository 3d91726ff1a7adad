"""Ground a catalog: write its operators as numbers at once, and make each of them only when it is looked at.

Of thousands of operators a plan holds a few dozen, and a search looks at none: it goes by the numbers. So what every
operator needs, adds and costs is written down (`Arrays`), and its name; the rest is read from the catalog when one is
made. The catalog's facts and skills are gone through once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, repeat
from math import log

from catalog.model import Catalog
from catalog.model.catalog import Orderings, Precedence
from catalog.model.settings import AuthorizationPolicy, Metric
from planning.likelihoods import Likelihoods, SharesByMode
from planning.model import (
    SEPARATOR,
    Amounts,
    Atom,
    Operator,
    Predicate,
    StepKind,
    achieved,
    call_name,
    done,
    known,
)
from planning.task.index import Arrays, Operators, link

TIE_WEIGHT = 1e-3
"""Weight of the catalog's costs beside another metric: enough to break ties."""


def weigh(amounts: Amounts, minimize: Metric) -> float:
    """Return the cost by a metric; the catalog's own costs break ties."""
    if minimize is Metric.COST:
        return amounts.cost
    place = (Metric.COST, Metric.MONEY, Metric.TIME, Metric.QUALITY).index(minimize)
    return amounts[place] + TIE_WEIGHT * amounts.cost


def take(catalog: Catalog, kind: StepKind, subject: str = "", mode: str | None = None) -> Amounts:
    """Return what a question, consent, go-ahead or call takes; a call for a list counts for its longest length."""
    settings = catalog.settings
    if kind is StepKind.ASK:
        return Amounts(settings.ask_cost, time_s=settings.ask_time_s)
    if kind in (StepKind.AUTHORIZE, StepKind.CONFIRM):
        return Amounts(settings.authorize_cost, time_s=settings.authorize_time_s)
    skill = catalog.skills[subject]
    times = 1 if mode is None else count_items(catalog, skill.modes[mode].each)
    return Amounts(times * skill.cost, times * skill.money, times * skill.time_s, -times * log(skill.quality))


def find_likelihood(
    catalog: Catalog, minimize: Metric, call: tuple[str, str], outcome: str, shares: Mapping[str, float | None]
) -> float:
    """Return the likelihood that counts for hoping for an outcome, of those that all have; 1 where there is none.

    It is that of all outcomes of the mode which bring at least as much, for what is hoped for comes with each of them.
    How good results are does not hang on how often they are tried for, so it never counts for quality.
    """
    skill, mode = call
    outcomes = catalog.skills[skill].modes[mode].outcomes
    likelihood = shares[outcome]
    if likelihood is None or minimize is Metric.QUALITY:
        return 1.0

    def brings(name: str) -> frozenset[Atom]:
        atoms = close(catalog, outcomes[name].facts)
        return atoms | {done(skill)} if catalog.succeeds(skill, mode, name) else atoms

    hoped = brings(outcome)
    others = (shares[name] or 0.0 for name in outcomes if name != outcome and hoped <= brings(name))
    return min(1.0, likelihood + sum(others))


def count_items(catalog: Catalog, each: Mapping[str, str]) -> int:
    """Count how often something is done at most that is done for each item of a list; once, where there is none."""
    kinds = (catalog.facts[items].value for items in each.values())
    return max((kind.room[1] for kind in kinds if kind.room), default=1)


Numbers = tuple[int, ...]
Consents = Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]]
"""For skill and mode: each consent that it needs, and the facts that the consent is about."""


def close(catalog: Catalog, facts: Iterable[str]) -> frozenset[Atom]:
    """Return the atoms that hold when facts are known: those of the facts and of their supertypes (§3.2)."""
    return frozenset([known(above) for fact in facts for above in catalog.supertypes(fact)])


class GroundOperators(Operators):
    """The operators of a catalog in its order: questions, consents, calls, mappings, and choices of alternatives.

    Before the calls in a mode comes the go-ahead for them, where the catalog asks for one.
    """

    def __init__(self, catalog: Catalog, minimize: Metric, likelihoods: Likelihoods) -> None:
        self._catalog = catalog
        self._minimize = minimize
        self._shares = SharesByMode(catalog, likelihoods)
        ground = _Ground(catalog, minimize, self._shares)
        ground.add_questions()
        self._calls = ground.add_calls()
        self._before_calls = ground.insert_consents()
        self._uncertain = frozenset([self._before_calls + call for call in ground.uncertain])
        self._made = ground.add_made([*_map_operators(catalog), *_choose_operators(catalog)])
        ground.put_in_order()
        self._consents = ground.consents
        self._names = ground.names
        self._atoms = ground.atoms
        self._arrays = link(ground.needs, ground.adds, ground.costs, len(ground.atoms))

    @property
    def arrays(self) -> Arrays:
        return self._arrays

    @property
    def atoms(self) -> Sequence[Atom]:
        return self._atoms

    @property
    def uncertain(self) -> frozenset[int]:
        return self._uncertain

    @cached_property
    def number(self) -> dict[Atom, int]:
        return dict(zip(self._atoms, range(len(self._atoms)), strict=True))

    @cached_property
    def named(self) -> dict[str, int]:
        return dict(zip(self._names, range(len(self._names)), strict=True))

    def list_establishing(self, skill: str, mode: str, fact: str) -> Collection[int]:
        first = self._calls.get((skill, mode))
        if first is None:
            return ()
        outcomes = self._catalog.skills[skill].modes[mode].outcomes.values()
        places = enumerate(outcomes, start=self._before_calls + first)
        return [place for place, outcome in places if fact in outcome.facts]

    def __len__(self) -> int:
        return len(self._names)

    def at(self, place: int) -> Operator:
        operator = self._made.get(place)
        if operator is None:
            operator = self._made[place] = self._make(place)
        return operator

    def _make(self, place: int) -> Operator:
        kind, subject, mode, outcome = _split(self._names[place])
        inputs: tuple[str, ...] = ()
        outputs: tuple[str, ...] = ()
        sensitive: tuple[str, ...] = ()
        likelihood, observed = 1.0, None
        if kind is StepKind.ASK:
            outputs = (subject,)
        elif mode is None:
            sensitive = self._covered[subject]
        else:
            way = self._catalog.skills[subject].modes[mode]
            inputs = way.inputs
            if outcome is not None:
                outputs = way.outcomes[outcome].facts
                shares = self._shares[subject, mode]
                likelihood = find_likelihood(self._catalog, self._minimize, (subject, mode), outcome, shares.of)
                observed = None if self._minimize is Metric.QUALITY else shares.calls
                facts = self._consents.get((subject, mode), {}).values()
                sensitive = tuple(dict.fromkeys([fact for some in facts for fact in some]))
        return Operator(
            kind=kind,
            subject=subject,
            needs=frozenset([self._atoms[atom] for atom in self._arrays.needs[place]]),
            adds=frozenset([self._atoms[atom] for atom in self._arrays.adds[place]]),
            cost=self._arrays.costs[place],
            mode=mode,
            outcome=outcome,
            inputs=inputs,
            outputs=outputs,
            sensitive=sensitive,
            amounts=take(self._catalog, kind, subject, mode),
            likelihood=likelihood,
            observed=observed,
        )

    @cached_property
    def _covered(self) -> Mapping[str, tuple[str, ...]]:
        return _join_consents(self._catalog, self._consents)


class _Ground:
    """Operators in numbers, as they are written down one after the other."""

    def __init__(self, catalog: Catalog, minimize: Metric, shares: SharesByMode) -> None:
        self.catalog = catalog
        self.minimize = minimize
        self.shares = shares
        self.names: list[str] = []
        self.needs: list[Numbers] = []
        self.adds: list[Numbers] = []
        self.costs: list[float] = []
        self.uncertain: list[int] = []
        """The numbers of the calls that cost more because their outcome is not certain."""
        self.consents: dict[tuple[str, str], Mapping[str, tuple[str, ...]]] = {}
        facts = catalog.facts
        self.atoms = list(map(partial(tuple.__new__, Atom), zip(repeat(Predicate.KNOWN), facts)))
        self.number = {predicate: _Numbering(predicate, self.atoms) for predicate in Predicate}
        known = self.number[Predicate.KNOWN]
        known.update(zip(facts, range(len(facts)), strict=True))
        self.closed = _Closed(zip(facts, zip(range(len(facts))), strict=True))
        self.closed.number = known
        self.asked: list[str] = []
        self.delicate: set[str] = set()
        """The facts that are sensitive, or that a sensitive one may stand in for (`Catalog.sensitive_inputs`)."""
        for name, fact in facts.items():
            if fact.askable:
                self.asked.append(name)
            if fact.is_a is not None:
                above = tuple(catalog.supertypes(name))
                self.closed[name] = tuple([known[other] for other in above])
                if catalog.is_sensitive(name):
                    self.delicate.update(above)
            elif fact.sensitive:
                self.delicate.add(name)

    def add_questions(self) -> None:
        """Add an operator for each question (§3.2, internal skills)."""
        cost = weigh(take(self.catalog, StepKind.ASK), self.minimize)
        self.names += map(_prefix(StepKind.ASK).__add__, self.asked)
        self.needs += [()] * len(self.asked)
        self.adds += map(self.closed.__getitem__, self.asked)
        self.costs += [cost] * len(self.asked)

    def add_calls(self) -> dict[tuple[str, str], int]:
        """Add an operator for each mode and outcome of each skill; return the number of the first one of each mode."""
        catalog, known, closed, delicate = self.catalog, self.number[Predicate.KNOWN], self.closed, self.delicate
        authorized, done = self.number[Predicate.AUTHORIZED], self.number[Predicate.DONE]
        names, needs, adds, costs, consents = self.names, self.needs, self.adds, self.costs, self.consents
        by_cost, tracked = self.minimize is Metric.COST, catalog.tracked_skills
        before, prefix = len(names), _prefix(StepKind.SKILL)
        first: dict[tuple[str, str], int] = {}
        for skill, declared in catalog.skills.items():
            cost = declared.cost if by_cost else weigh(take(catalog, StepKind.SKILL, skill), self.minimize)
            matters, own = skill in tracked, declared.sensitive
            for mode, way in declared.modes.items():
                inputs, key = way.inputs, (skill, mode)
                first[key] = len(names) - before
                needed = dict.fromkeys(map(known.__getitem__, inputs))
                if not delicate.isdisjoint(inputs) or (own and not set(own).isdisjoint(inputs)):
                    consents[key] = self._find_consents(skill, inputs, own)
                    needed |= dict.fromkeys(map(authorized.__getitem__, consents[key]))
                needed_once = tuple(needed)
                if declared.confirms:
                    needed_once = self._add_go_ahead(skill, mode, needed_once)
                    first[key] += 1
                each_time = weigh(take(catalog, StepKind.SKILL, skill, mode), self.minimize) if way.each else cost
                called = f"{prefix}{skill}{SEPARATOR}{mode}{SEPARATOR}"
                for outcome, result in way.outcomes.items():
                    facts = result.facts
                    added = (
                        closed[facts[0]]
                        if len(facts) == 1
                        else tuple(dict.fromkeys(chain.from_iterable(closed[fact] for fact in facts)))
                    )
                    if matters and catalog.succeeds(skill, mode, outcome):
                        added = (*added, done[skill])
                    likelihood = (
                        1.0
                        if result.likelihood is None and self.shares.declared
                        else find_likelihood(catalog, self.minimize, key, outcome, self.shares[key].of)
                    )
                    if likelihood < 1 and each_time:
                        self.uncertain.append(len(names) - before)
                    names.append(called + outcome)
                    needs.append(needed_once)
                    adds.append(added)
                    costs.append(each_time / likelihood)
        return first

    def _add_go_ahead(self, skill: str, mode: str, needs: Numbers) -> Numbers:
        agreed = self.number[Predicate.CONFIRMED][call_name(skill, mode)]
        self.names.append(_prefix(StepKind.CONFIRM) + call_name(skill, mode))
        self.needs.append(needs)
        self.adds.append((agreed,))
        self.costs.append(weigh(take(self.catalog, StepKind.CONFIRM), self.minimize))
        return (*needs, agreed)

    def _find_consents(self, skill: str, inputs: Sequence[str], own: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Find the consents that a mode needs for what must go in; optional inputs are not passed without one."""
        facts = tuple([fact for fact in inputs if fact in self.delicate or fact in own])
        return {fact: (fact,) for fact in facts} if _is_per_fact(self.catalog) else {skill: facts}

    def insert_consents(self) -> int:
        """Let consent be given that sensitive facts go to a skill, or under the per-fact policy that a fact goes.

        Consents come after questions and before calls; return where calls begin.
        """
        cost = weigh(take(self.catalog, StepKind.AUTHORIZE), self.minimize)
        subjects = list(dict.fromkeys(chain.from_iterable(self.consents.values())))
        numbers = map(self.number[Predicate.AUTHORIZED].__getitem__, subjects)
        place = len(self.asked)
        self.names[place:place] = map(_prefix(StepKind.AUTHORIZE).__add__, subjects)
        self.needs[place:place] = [()] * len(subjects)
        self.adds[place:place] = [
            (number, *self._list_go_aheads(one)) for number, one in zip(numbers, subjects, strict=True)
        ]
        self.costs[place:place] = [cost] * len(subjects)
        return place + len(subjects)

    def _list_go_aheads(self, subject: str) -> Numbers:
        """List the go-aheads that come with consent to a skill: one question serves for both."""
        declared = self.catalog.skills.get(subject)
        if declared is None or not declared.confirms or _is_per_fact(self.catalog):
            return ()
        agreed = self.number[Predicate.CONFIRMED]
        return tuple([agreed[call_name(subject, mode)] for mode in declared.modes if (subject, mode) in self.consents])

    def add_made(self, operators: Iterable[Operator]) -> dict[int, Operator]:
        """Take operators that are made already; return them by their place."""
        made: dict[int, Operator] = {}
        for operator in operators:
            cost = weigh(operator.amounts, self.minimize)
            made[len(self.names)] = replace(operator, cost=cost)
            self.names.append(operator.name)
            self.needs.append(tuple([self.number[predicate][subject] for predicate, subject in sorted(operator.needs)]))
            self.adds.append(tuple([self.number[predicate][subject] for predicate, subject in sorted(operator.adds)]))
            self.costs.append(cost)
        return made

    def put_in_order(self) -> None:
        """Let operators need that other skills were carried out before, as the catalog orders."""
        precedence = Precedence(self.catalog)
        if not precedence:
            return
        for place, name in enumerate(self.names):
            kind, subject, mode, _ = _split(name)
            sensitive = mode is not None and (subject, mode) in self.consents
            firsts = [ordering.first for ordering in find_before(precedence, kind, subject, sensitive=sensitive)]
            done = [self.number[Predicate.DONE][first] for first in firsts]
            self.needs[place] = tuple(dict.fromkeys([*self.needs[place], *done]))


def _prefix(kind: StepKind) -> str:
    return kind.value + SEPARATOR


def _split(name: str) -> tuple[StepKind, str, str | None, str | None]:
    """Read the kind, the subject, and of calls the mode and the outcome off the name of an operator."""
    kind, subject, *call = name.split(SEPARATOR)
    mode = call[0] if kind in (StepKind.SKILL, StepKind.CONFIRM) else None
    return StepKind(kind), subject, mode, call[1] if kind == StepKind.SKILL else None


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

    number: _Numbering

    def __missing__(self, fact: str) -> Numbers:
        return (self.number[fact],)


def _join_consents(catalog: Catalog, consents: Consents) -> dict[str, tuple[str, ...]]:
    """Collect all that each consent covers: one for a skill, whatever may go to it in any mode, if it is known."""
    per_fact = _is_per_fact(catalog)
    covered: dict[str, tuple[str, ...]] = {}
    for (skill, _), subjects in consents.items():
        modes = () if per_fact else catalog.skills[skill].modes
        beside = [fact for mode in modes for fact in catalog.sensitive_inputs(skill, mode)]
        for subject, facts in subjects.items():
            covered[subject] = tuple(dict.fromkeys((*covered.get(subject, ()), *facts, *beside)))
    return covered


def _is_per_fact(catalog: Catalog) -> bool:
    return catalog.settings.authorization is AuthorizationPolicy.PER_FACT


def _map_operators(catalog: Catalog) -> Iterator[Operator]:
    """Make an operator for each mapping; its effects are closed over the type tree."""
    cost = catalog.settings.map_cost
    for mapping in catalog.mappings:
        yield Operator(
            kind=StepKind.MAP,
            subject=mapping.stands_for,
            needs=frozenset((known(mapping.fact),)),
            adds=close(catalog, (mapping.stands_for,)),
            cost=cost,
            inputs=(mapping.fact,),
            outputs=(mapping.stands_for,),
            amounts=Amounts(cost),
        )


def _choose_operators(catalog: Catalog) -> Iterator[Operator]:
    for name, goal in catalog.goals.items():
        for number, facts in enumerate(goal.either, start=1):
            yield Operator(
                kind=StepKind.CHOOSE,
                subject=name,
                needs=frozenset(map(known, facts)),
                adds=frozenset((achieved(name),)),
                cost=0.0,
                outcome=str(number),
                inputs=facts,
            )


def find_before(precedence: Precedence, kind: StepKind, subject: str, *, sensitive: bool) -> Orderings:
    """List the orderings by which something comes before a step, which may be a call with sensitive inputs."""
    match kind:
        case StepKind.ASK:
            return precedence.before_answer(subject)
        case StepKind.AUTHORIZE:
            return precedence.before_consent(subject)
        case StepKind.SKILL | StepKind.CONFIRM:
            return precedence.before_call(subject, sensitive=sensitive)
    return ()
