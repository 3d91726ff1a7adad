"""Constraints: requests are completed and checked by the rules of the catalog, in a logic program.

What was said is written as facts of a logic program; rules that are generated from the catalog, and its own, complete
and check it ("LLM+Reasoning+Planning" paper, §3). All comes from the one catalog from which the planning task is
compiled, so the two cannot differ. Every value that comes out was said, or was derived by a rule that is named. What no
rule derives is missing; nothing is planned where a rule objects.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from pydantic import JsonValue

from catalog.analysis.dependencies import results_of, uses_of
from catalog.model import Catalog
from catalog.model.catalog import CatalogKey
from catalog.rules import (
    Model,
    Overrun,
    Rule,
    RuleLimits,
    RuleProgram,
    RuleVocabulary,
    Symbol,
    check_rules,
    constant,
    fact_symbol,
    name_of,
    read_rules,
    read_value,
    write_pair,
    write_value,
)
from catalog.rules.parser import ASKED, GOAL
from catalog.rules.validation import Callbacks
from catalog.values import Unreadable
from language.interpretation import Coreference, Entity, Fired, Intent
from language.responses.questions import not_checked
from planning.joint import name_request


class UnfitRules(ValueError):
    """A rule of a catalog cannot be used; the message says which, and what to write instead."""


@dataclass(frozen=True)
class Domain:
    """All rules of a catalog, generated ones first, ready for one utterance after another; built once."""

    catalog: Catalog
    vocabulary: RuleVocabulary
    program: RuleProgram
    periods: Mapping[str, tuple[str, str]]
    """Facts whose value is a period, with the facts of its first and its last day."""


def prepare(catalog: Catalog) -> Domain:
    """Return the rules of a catalog, ready to run; cached.

    Raises `UnfitRules` where its own are not right, which loading would tell.
    """
    return _prepare(CatalogKey(catalog))


@lru_cache(maxsize=8)
def _prepare(same: CatalogKey) -> Domain:
    catalog = same.catalog
    vocabulary = RuleVocabulary.of(catalog)
    if faults := check_rules(catalog.rules, vocabulary):
        told = (f"Rules {fault.text + 1}, line {fault.line}: {fault.found} {fault.write}" for fault in faults)
        raise UnfitRules("\n".join(told))
    periods = find_periods(catalog)
    own = (rule for text in catalog.rules for rule in read_rules(text))
    rules = (*generate_rules(catalog, vocabulary, periods), *own)
    return Domain(catalog, vocabulary, RuleProgram(rules), periods)


def find_periods(catalog: Catalog) -> Mapping[str, tuple[str, str]]:
    """Find the facts whose value is a period with a first and a last day of their own; once for all who ask."""
    return _find_periods(CatalogKey(catalog))


@lru_cache(maxsize=8)
def _find_periods(same: CatalogKey) -> Mapping[str, tuple[str, str]]:
    catalog = same.catalog
    found: dict[str, tuple[str, str]] = {}
    for name, fact in catalog.facts.items():
        if fact.value.ends and catalog.facts.keys() >= set(fact.value.ends):
            start, end = fact.value.ends
            found[name] = (start, end)
    return found


def generate_rules(
    catalog: Catalog, vocabulary: RuleVocabulary, periods: Mapping[str, tuple[str, str]]
) -> Iterator[Rule]:
    """Generate the rules that a catalog implies: its goals, typed arguments, periods, and references."""
    for goal in catalog.goals:
        name = vocabulary.goals[goal]
        yield Rule(
            head=f"goal(X, {name})",
            body=f"_goal(X, {name})",
            defines=GOAL,
            positive=frozenset((ASKED,)),
            variables=("X",),
            constants=frozenset((name,)),
        )
    for fact in catalog.facts:
        if fact not in periods:
            yield _argument(vocabulary, fact)
    for period, ends in periods.items():
        for fact, pair in zip(ends, ("(S, _)", "(_, S)"), strict=True):
            yield _part(vocabulary, period, fact, pair)
    for goal in catalog.goals:
        for result in results_of(catalog, goal):
            for argument in uses_of(catalog, result):
                yield _reference(vocabulary, argument, goal, result)


def _argument(vocabulary: RuleVocabulary, fact: str) -> Rule:
    """Derive an argument from words, as a value of its kind: a synonym becomes the option, "12" an amount."""
    name = vocabulary.facts[fact]
    return Rule(
        head=f"{name}(X, V, {vocabulary.kinds[fact]})",
        body=f"goal(X, _), _{name}(X, S), V = @value({name}, S)",
        defines=(name, 3),
        positive=frozenset((GOAL, (f"_{name}", 2))),
        variables=("X", "S", "V"),
    )


def _part(vocabulary: RuleVocabulary, period: str, fact: str, pair: str) -> Rule:
    """Derive the first or last day from a period, unless the day was given by itself."""
    name, whole = vocabulary.facts[fact], vocabulary.facts[period]
    return Rule(
        head=f"{name}(X, V, {vocabulary.kinds[fact]})",
        body=f"goal(X, _), _{whole}(X, {pair}), not _{name}(X, _), V = @value({name}, S)",
        defines=(name, 3),
        positive=frozenset((GOAL, (f"_{whole}", 2))),
        negative=frozenset(((f"_{name}", 2),)),
        variables=("X", "S", "V"),
    )


def _reference(vocabulary: RuleVocabulary, argument: str, goal: str, result: str) -> Rule:
    """Derive an argument from an earlier request, where a mapping accepts its result."""
    name = vocabulary.facts[argument]
    return Rule(
        head=f"{name}(X, Y, {vocabulary.facts[result]})",
        body=f"goal(X, _), _{name}(X, Y), goal(Y, {vocabulary.goals[goal]})",
        defines=(name, 3),
        positive=frozenset((GOAL, (f"_{name}", 2))),
        variables=("X", "Y"),
        constants=frozenset((vocabulary.goals[goal],)),
    )


def write_facts(domain: Domain, requests: Sequence[Intent]) -> tuple[Symbol, ...]:
    """Write requests as facts; as text, each is `str(fact)` and a full stop. A goal that is unknown is left out."""
    return tuple(
        fact
        for place, request in enumerate(requests)
        if request.goal in domain.vocabulary.goals
        for fact in _write_request(domain, place, request)
    )


def _write_request(domain: Domain, place: int, request: Intent) -> Iterator[Symbol]:
    names, x = domain.vocabulary.facts, constant(name_request(place))
    yield fact_symbol("_goal", x, constant(domain.vocabulary.goals[request.goal]))
    values = {mention.fact: mention for mention in request.values if mention.fact in names}
    for period, (start, end) in domain.periods.items():
        pair = _find_pair(values, period, start, end)
        if pair is not None:
            yield fact_symbol(f"_{names[period]}", x, write_pair(pair))
    for fact, mention in values.items():
        yield fact_symbol(f"_{names[fact]}", x, write_value(mention.value))
    for reference in request.references:
        for other in reference.to:
            if reference.fact in names and 0 <= other < place:
                yield fact_symbol(f"_{names[reference.fact]}", x, constant(name_request(other)))


def _find_pair(values: dict[str, Entity], period: str, start: str, end: str) -> Sequence[JsonValue] | None:
    """Return the period among the values of a request: given as one, or by both of its days in the same words."""
    whole = values.pop(period, None)
    if whole is not None:
        return ends_of(whole.value)
    days = values.get(start), values.get(end)
    if days[0] is None or days[1] is None or days[0].span != days[1].span:
        return None
    return values.pop(start).value, values.pop(end).value


def ends_of(value: JsonValue) -> Sequence[JsonValue] | None:
    """Return the first and last day of a period's value, None for an open end; None if it has neither."""
    return (value.get("start"), value.get("end")) if isinstance(value, dict) else None


DEFAULT_LIMITS = RuleLimits()


@dataclass(frozen=True, slots=True)
class Materialized:
    """What holds of requests: the facts, what follows from them, by which rules, and what the rules object to.

    `facts` and `atoms` are text as in a logic program. With `errors` nothing is to be planned; they are for the user.
    `requests` are complete as far as they can be: what was derived is among their values, under the rule's own text.
    """

    requests: tuple[Intent, ...]
    facts: tuple[str, ...] = ()
    atoms: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    fired: tuple[Fired, ...] = ()


def materialize(
    domain: Domain, requests: Sequence[Intent], today: date, limits: RuleLimits = DEFAULT_LIMITS
) -> Materialized:
    """Complete and check requests by the rules of a catalog. Never raises, whatever was said."""
    facts = write_facts(domain, requests)
    written = tuple(f"{fact}." for fact in facts)
    context = Conversions(domain.catalog, domain.vocabulary, today)
    try:
        model = domain.program.solve(facts, context, limits)
    except Overrun as fault:
        return Materialized(tuple(requests), written, errors=(not_checked(fault),))
    shown = sorted((atom for atom in model.atoms if not atom.name.startswith("_")), key=_order(domain, len(requests)))
    rules = domain.program.rules
    return Materialized(
        requests=tuple(_Back(domain, model, requests).complete()),
        facts=written,
        atoms=tuple(f"{atom}." for atom in shown),
        errors=tuple(dict.fromkeys(_say(atom) for atom in shown if atom.name == "error" and len(atom.arguments) == 1)),
        fired=tuple(Fired(f"{atom}.", str(rules[number])) for atom, number in model.derived),
    )


class Conversions(Callbacks):
    """What rules may call, and what generated rules call beside: the value of a fact, in the form that skills get."""

    def __init__(self, catalog: Catalog, vocabulary: RuleVocabulary, today: date) -> None:
        super().__init__(today)
        self._catalog = catalog
        self._vocabulary = vocabulary

    def value(self, fact: Symbol, said: Symbol) -> list[Symbol]:
        """Return the words as a value of the fact's kind; nothing if they are none, or refer to a request."""
        kind = self._catalog.facts[self._vocabulary.fact_of[fact.name]].value
        try:
            return [write_value(kind.check(read_value(said), self._today))]
        except (Unreadable, ValueError):
            return []


class _Back:
    """Reads requests back from the atoms that hold."""

    def __init__(self, domain: Domain, model: Model, requests: Sequence[Intent]) -> None:
        self._domain = domain
        self._requests = requests
        self._places = {name_request(place): place for place in range(len(requests))}
        self._rules = {atom: str(domain.program.rules[number]) for atom, number in reversed(model.derived)}
        self._held: dict[int, dict[str, list[Symbol]]] = defaultdict(lambda: defaultdict(list))
        for atom in model.atoms:
            fact = domain.vocabulary.fact_of.get(atom.name)
            place = self._places.get(name_of(atom.arguments[0])) if len(atom.arguments) == 3 else None
            if fact is not None and place is not None:
                self._held[place][fact].append(atom)

    def complete(self) -> Iterator[Intent]:
        """Yield the requests in their order, each with what holds of it."""
        for place, request in enumerate(self._requests):
            if request.goal in self._domain.vocabulary.goals:
                yield self._complete(place, request)
            else:
                yield request

    def _complete(self, place: int, request: Intent) -> Intent:
        held = self._held[place]
        said = {mention.fact: mention for mention in _split(self._domain, request.values)}
        references = {reference.fact: reference for reference in request.references}
        arguments = dict.fromkeys((*said, *references, *request.missing, *held))
        values = tuple(filter(None, (self._value(request, fact, held[fact], said.get(fact)) for fact in arguments)))
        valued = {mention.fact for mention in values}
        meant = tuple(filter(None, (self._reference(reference, held[fact]) for fact, reference in references.items())))
        known = valued | {reference.fact for reference in meant}
        missing = tuple(fact for fact in arguments if fact not in known and (fact in self._told(request)))
        return request.model_copy(update={"values": values, "references": meant, "missing": missing})

    def _told(self, request: Intent) -> frozenset[str]:
        given = (mention.fact for mention in _split(self._domain, request.values))
        return frozenset((*given, *(reference.fact for reference in request.references), *request.missing))

    def _value(self, request: Intent, fact: str, atoms: Sequence[Symbol], said: Entity | None) -> Entity | None:
        """Return the value of an argument: the one given, if it holds, else the only one derived."""
        kind = self._domain.vocabulary.kinds[fact]
        held = {atom.arguments[1]: atom for atom in atoms if name_of(atom.arguments[2]) == kind}
        if said is not None:
            if write_value(said.value) in held:
                return said
            held = {term: atom for term, atom in held.items() if f"_{atom.name}(" in self._rules.get(atom, "")} or held
        if len(held) != 1:
            return None
        term, atom = next(iter(held.items()))
        try:
            value = self._domain.catalog.facts[fact].value.check(read_value(term))
        except (Unreadable, ValueError):
            return None
        if said is not None:
            return said.model_copy(update={"value": value})
        span = next((one.span for one in request.values if _says(one.value, value)), request.span)
        return Entity(fact=fact, value=value, span=span, rule=self._rules.get(atom, ""))

    def _reference(self, reference: Coreference, atoms: Sequence[Symbol]) -> Coreference | None:
        """Keep of a reference the requests whose results can be taken for the argument."""
        held = {self._places.get(name_of(atom.arguments[1])) for atom in atoms}
        to = tuple(place for place in reference.to if place in held)
        return reference.model_copy(update={"to": to}) if to else None


def _split(domain: Domain, values: Iterable[Entity]) -> Iterator[Entity]:
    for mention in values:
        ends = ends_of(mention.value) if mention.fact in domain.periods else None
        if ends is None:
            yield mention
        else:
            for fact, day in zip(domain.periods[mention.fact], ends, strict=True):
                if day is not None:
                    yield mention.model_copy(update={"fact": fact, "value": day})


def _says(said: JsonValue, value: JsonValue) -> bool:
    return said == value or value in (ends_of(said) or ())


def _say(error: Symbol) -> str:
    try:
        return str(read_value(error.arguments[0]))
    except ValueError:
        return str(error.arguments[0])


def _order(domain: Domain, requests: int) -> Callable[[Symbol], tuple[int, int, Symbol]]:
    """Sort atoms by request, the goal before its arguments; errors last."""
    variables = {name_request(place): place for place in range(requests)}
    facts = {identifier: place for place, identifier in enumerate(domain.vocabulary.facts.values(), start=1)}

    def key(atom: Symbol) -> tuple[int, int, Symbol]:
        first = str(atom.arguments[0]) if atom.arguments else ""
        return variables.get(first, requests), 0 if atom.name == "goal" else facts.get(atom.name, len(facts) + 1), atom

    return key
