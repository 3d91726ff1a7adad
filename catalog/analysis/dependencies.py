"""Dependencies among the facts and skills of a catalog: what can be attained at all, and what leads to a goal.

The catalog is read as Horn clauses (`catalog/analysis/horn.py`): from all inputs of a mode follow the facts of each of
its outcomes, from a fact follows what it is mapped to, and a fact that can be asked for follows from nothing. Any
outcome is hoped for, as in planning. A fact counts as known when a subtype is. Operators of a planning task, which know
also consents, costs and a situation, are grounded from the same catalog in `planning/task/grounding.py`; a test holds
the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from catalog.analysis.horn import Clauses, Closure, link, regress
from catalog.model import Catalog, Fact, Goal
from catalog.model.catalog import CatalogKey, Orderings, Precedence
from catalog.model.settings import Metric


@dataclass(frozen=True, slots=True)
class Attainable:
    """Facts that can come to be known, and skills that can be carried out so that they have done what they are for."""

    facts: frozenset[str]
    done: frozenset[str]


@dataclass(frozen=True, slots=True)
class Contributors:
    """Everything that can lead to a goal: facts with their subtypes, and skills with the modes that they are called in.

    The facts of the goal itself are among them.
    """

    facts: frozenset[str]
    skills: tuple[str, ...]
    modes: frozenset[tuple[str, str]]


def can_be_asked(fact: Fact) -> bool:
    """Return whether a person can be asked for a fact and, being asked, can give it."""
    return fact.askable and fact.fillable


def find_attainable(catalog: Catalog) -> Attainable:
    """Find everything that can come about if everything goes well."""
    known = _index(catalog)
    closure = Closure(known.clauses, barred=known.unanswerable)
    reached = closure.reached
    return Attainable(
        frozenset(name for name, number in known.facts.items() if number in reached),
        frozenset(name for name, number in known.done.items() if number in reached),
    )


def find_made(catalog: Catalog, there: Iterable[str]) -> frozenset[str]:
    """Find what skills can make of what is there, alone and together, if all goes well and no question is asked."""
    known = _index(catalog)
    others = {place for place, call in enumerate(known.calls) if call is None} - known.mapped
    given = {known.facts[above] for fact in there for above in catalog.supertypes(fact) if above in known.facts}
    reached = Closure(known.clauses, sorted(given), others | known.on_request).reached
    return frozenset(name for name, number in known.facts.items() if number in reached)


def find_made_in_stages(catalog: Catalog, there: Iterable[str]) -> frozenset[str]:
    """Find what skills can make likewise, also where several are called in turn for each item of a list."""
    lists = {name: fact.list_of for name, fact in catalog.facts.items() if fact.list_of}
    given = frozenset(there)
    while True:
        made = find_made(catalog, given)
        of_items = [
            find_made(catalog, made | {item}) - find_made(catalog, given - {item})  # what is made depends on the item
            for name, item in lists.items()
            if name in made
        ]
        more = {name for name, one in lists.items() if name not in made and any(one in found for found in of_items)}
        if not more:
            return made
        given |= more


def find_established(catalog: Catalog) -> frozenset[str]:
    """List the facts that something could establish, whether or not what that needs can be attained."""
    known = _index(catalog)
    achievers = known.clauses.achievers
    return frozenset(
        name for name, number in known.facts.items() if not known.unanswerable.issuperset(achievers[number])
    )


def stand_ins(catalog: Catalog, known: Iterable[str]) -> frozenset[str]:
    """Return what is known where some facts are: themselves, and what they can stand for, by type or by mapping."""
    found: set[str] = set()
    waiting = list(known)
    while waiting:
        fact = waiting.pop()
        if fact not in found:
            found.add(fact)
            waiting += catalog.supertypes(fact)
            waiting += [one.stands_for for one in catalog.mappings if one.fact == fact and not one.on_request]
    return frozenset(found)


def what_leads_to(catalog: Catalog, goal: Goal) -> Contributors:
    """Find everything that some plan for a goal could use: over inputs, optional ones too, mappings and orderings.

    Mappings that a user has to ask for are left out: what they map is about another request.
    """
    if catalog.goals.get(goal.name) is goal:
        return _of_declared(CatalogKey(catalog), goal.name)
    return _find_contributors(catalog, goal)


def always_needs(catalog: Catalog, goal: Goal, other: Goal) -> bool:
    """Return whether every way to a goal brings about all that another goal wants: each of it is a landmark.

    A goal with alternatives wants nothing in particular, and one that is out of reach needs nothing.
    """
    known = _index(catalog)
    ruled_out = known.unanswerable | known.on_request
    wanted = known.number(other)

    def is_reached(barred: Iterable[int]) -> bool:
        closure = Closure(known.clauses, barred=ruled_out.union(barred))
        return any(closure.has(way) for way in known.ways(goal))

    if not wanted or other.either or not is_reached(()):
        return False
    return not any(is_reached(known.clauses.achievers[atom]) for atom in wanted)


def arguments_of(catalog: Catalog, name: str) -> tuple[str, ...]:
    """List the facts that a goal has to be told: the inputs, in their order, of whatever establishes what it wants.

    An input that cannot be asked for is replaced by what leads to it.
    """
    known = _index(catalog)
    clauses, goal = known.clauses, known.number(catalog.goals[name])
    asked = frozenset(
        number for fact, number in known.facts.items() if fact in catalog.facts and can_be_asked(catalog.facts[fact])
    )
    achievers = [[] if atom in asked else found for atom, found in enumerate(clauses.achievers)]
    wanted = [
        need
        for atom in goal
        for clause in clauses.achievers[atom]
        if clause not in known.on_request
        for need in clauses.needs[clause]
    ]
    entered = regress(replace(clauses, achievers=achievers), wanted, barred=known.on_request).atoms
    names = list(known.facts)
    return tuple(names[atom] for atom in entered if atom in asked)


def what_is_said_for(catalog: Catalog, name: str) -> tuple[str, ...]:
    """List what a request for a goal may be told: the facts that it has to be, then optional inputs on its way."""
    calls = sorted(what_leads_to(catalog, catalog.goals[name]).modes)
    optional = (fact for skill, mode in calls for fact in catalog.skills[skill].modes[mode].optional)
    told = (fact for fact in optional if can_be_asked(catalog.facts[fact]) and catalog.facts[fact].value.sayable)
    return tuple(dict.fromkeys((*arguments_of(catalog, name), *told)))


Atoms = tuple[int, ...]


class _Index:
    """A catalog as clauses, with what they stand for; the atoms are its facts, and its skills as done."""

    def __init__(self, catalog: Catalog) -> None:
        precedence = Precedence(catalog)
        ordered = bool(precedence)
        self.facts = {name: number for number, name in enumerate(dict.fromkeys(_name_facts(catalog)))}
        skills = dict.fromkeys((*catalog.skills, *(ordering.first for ordering in catalog.orderings)))
        self.done = {name: number for number, name in enumerate(skills, start=len(self.facts))}
        self._closed = {name: self._number(catalog.supertypes(name)) for name in self.facts}
        self._needs: list[Atoms] = []
        self._adds: list[Atoms] = []
        self.with_optional: list[Atoms] = []
        """The needs of each clause, and the optional inputs of its mode."""
        self.calls: list[tuple[str, str] | None] = []
        """For each clause that is a call: its skill and mode."""
        self.unanswerable: set[int] = set()
        """The clauses by which people are asked for what they cannot give."""
        self.mapped: set[int] = set()
        """The clauses of mappings."""
        self.on_request: set[int] = set()
        """The clauses of mappings that a user has to ask for."""
        for name, fact in catalog.facts.items():
            if fact.askable:
                if not fact.fillable:
                    self.unanswerable.add(len(self._needs))
                self._add(self._firsts(precedence.before_answer(name)), self._closed[name])
        for skill, declared in catalog.skills.items():
            for mode in declared.modes.values():
                sensitive = ordered and not set(mode.inputs).isdisjoint(catalog.sensitive_inputs(skill, mode.name))
                before = self._firsts(precedence.before_call(skill, sensitive=sensitive)) if ordered else ()
                needs = (*self._number(mode.inputs), *before)
                with_optional = (*needs, *self._number(mode.optional)) if mode.optional else needs
                for outcome, result in mode.outcomes.items():
                    facts = [above for fact in result.facts for above in self._closed[fact]]
                    done = (self.done[skill],) if catalog.succeeds(skill, mode.name, outcome) else ()
                    self._add(needs, (*dict.fromkeys(facts), *done), with_optional, (skill, mode.name))
        for mapping in catalog.mappings:
            self.mapped.add(len(self._needs))
            if mapping.on_request:
                self.on_request.add(len(self._needs))
            self._add(self._number((mapping.fact,)), self._closed[mapping.stands_for])
        for trigger in catalog.triggers.values():
            self._add((), tuple(dict.fromkeys(above for fact in trigger.facts for above in self._closed[fact])))
        self.clauses: Clauses = link(self._needs, self._adds, len(self.facts) + len(self.done))

    def number(self, goal: Goal) -> list[int]:
        """List the atoms that a goal wants, or may want: skills to be done, facts, and those of its alternatives."""
        return [*(self.done[skill] for skill in goal.skills if skill in self.done), *self._number(goal.all_facts)]

    def ways(self, goal: Goal) -> list[Atoms]:
        """List what each alternative of a goal wants, with what it wants in any case."""
        always = (*(self.done[skill] for skill in goal.skills if skill in self.done), *self._number(goal.facts))
        return [(*always, *self._number(some)) for some in goal.either] or [always]

    def _number(self, facts: Iterable[str]) -> Atoms:
        return tuple([self.facts[fact] for fact in facts if fact in self.facts])

    def _firsts(self, orderings: Orderings) -> Atoms:
        return tuple([self.done[ordering.first] for ordering in orderings])

    def _add(
        self, needs: Atoms, adds: Atoms, with_optional: Atoms | None = None, call: tuple[str, str] | None = None
    ) -> None:
        self._needs.append(needs)
        self._adds.append(adds)
        self.with_optional.append(needs if with_optional is None else with_optional)
        self.calls.append(call)


def _name_facts(catalog: Catalog) -> Iterable[str]:
    """Name the facts that are declared, and those that are only spoken of."""
    yield from catalog.facts
    for skill in catalog.skills.values():
        yield from (*skill.takes, *skill.gives)
    for mapping in catalog.mappings:
        yield from (mapping.fact, mapping.stands_for)
    for trigger in catalog.triggers.values():
        yield from trigger.facts


@lru_cache(maxsize=8)
def _index_once(same: CatalogKey) -> _Index:
    return _Index(same.catalog)


def _index(catalog: Catalog) -> _Index:
    return _index_once(CatalogKey(catalog))


@lru_cache(maxsize=128)
def _of_declared(same: CatalogKey, goal: str) -> Contributors:
    return _find_contributors(same.catalog, same.catalog.goals[goal])


def _find_contributors(catalog: Catalog, goal: Goal) -> Contributors:
    known = _index(catalog)
    found = regress(known.clauses, known.number(goal), barred=known.on_request, needs=known.with_optional)
    names = list(known.facts)
    facts = (names[atom] for atom in found.atoms if atom < len(names))
    calls = [call for call in map(known.calls.__getitem__, sorted(found.clauses)) if call is not None]
    return Contributors(
        frozenset(below for fact in facts for below in catalog.subtypes.get(fact, ())),
        tuple(dict.fromkeys(skill for skill, _ in calls)),
        frozenset(calls),
    )


def results_of(catalog: Catalog, goal: str) -> tuple[str, ...]:
    """List the facts that are known when a goal is achieved: those it wants, and the results of the skills it wants."""
    wanted = catalog.goals[goal]
    made = (fact for skill in wanted.skills for fact in catalog.skills[skill].gives)
    return tuple(dict.fromkeys((*wanted.all_facts, *made)))


def uses_of(catalog: Catalog, fact: str) -> Iterator[str]:
    """Yield the facts that one can be taken for, on request too: itself, its supertypes, and what these stand for."""
    above = tuple(catalog.supertypes(fact))
    mapped = (mapping.stands_for for mapping in catalog.mappings if mapping.fact in above)
    yield from dict.fromkeys((*above, *(use for other in mapped for use in catalog.supertypes(other))))


def find_result(catalog: Catalog, goal: str, argument: str) -> str | None:
    """Find the result of a goal that can be taken for an argument; None if none can, and a reference makes no sense."""
    return next((fact for fact in results_of(catalog, goal) if argument in uses_of(catalog, fact)), None)


def find_metrics(catalog: Catalog) -> frozenset[Metric]:
    """List the metrics that some skill declares; costs always are among them."""
    skills = catalog.skills.values()
    found = {Metric.COST}
    if any(skill.money for skill in skills):
        found.add(Metric.MONEY)
    if any(skill.time_s for skill in skills):
        found.add(Metric.TIME)
    if any(skill.quality < 1 for skill in skills):
        found.add(Metric.QUALITY)
    return frozenset(found)
