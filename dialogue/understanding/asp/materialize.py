"""Solve facts and rules, and take requests back from what holds: complete, checked, or refused (paper, §3.2).

Every value that comes out was said, or was derived by a rule that is named. What no rule derives is missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.rules import Limits, Model, Overrun, Symbol, Vocabulary, name_of, read_value, write_value
from catalog.rules.callbacks import Callbacks
from catalog.values import Unreadable
from dialogue.meaning import GoalMention, Reference, ValueMention
from dialogue.understanding.analysis import Fired
from dialogue.understanding.asp.facts import ends_of, write_facts
from dialogue.understanding.asp.rules import Domain
from planning.joint import name_request

DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Materialized:
    """What holds of requests: the facts, what follows from them, by which rules, and what the rules object to.

    `facts` and `atoms` are text as in a logic program. With `errors` nothing is to be planned; they are for the user.
    `requests` are complete as far as they can be: what was derived is among their values, under the rule's own text.
    """

    requests: tuple[GoalMention, ...]
    facts: tuple[str, ...] = ()
    atoms: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    fired: tuple[Fired, ...] = ()


def materialize(
    domain: Domain, requests: Sequence[GoalMention], today: date, limits: Limits = DEFAULT_LIMITS
) -> Materialized:
    """Complete and check requests by the rules of a catalog. Never raises, whatever was said."""
    facts = write_facts(domain, requests)
    written = tuple(f"{fact}." for fact in facts)
    context = Conversions(domain.catalog, domain.vocabulary, today)
    try:
        model = domain.program.solve(facts, context, limits)
    except Overrun as fault:
        return Materialized(tuple(requests), written, errors=(f"I could not check what you asked for. {fault}",))
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

    def __init__(self, catalog: Catalog, vocabulary: Vocabulary, today: date) -> None:
        super().__init__(today)
        self._catalog = catalog
        self._vocabulary = vocabulary

    def value(self, fact: Symbol, said: Symbol) -> list[Symbol]:
        """Give what was said as a value of a fact's kind; nothing if it is none, or another request."""
        kind = self._catalog.facts[self._vocabulary.fact_of[fact.name]].value
        try:
            return [write_value(kind.check(read_value(said), self._today))]
        except (Unreadable, ValueError):
            return []


class _Back:
    """The way back from what holds to requests."""

    def __init__(self, domain: Domain, model: Model, requests: Sequence[GoalMention]) -> None:
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

    def complete(self) -> Iterator[GoalMention]:
        """Yield the requests in their order, each with what holds of it."""
        for place, request in enumerate(self._requests):
            if request.goal in self._domain.vocabulary.goals:
                yield self._complete(place, request)
            else:
                yield request

    def _complete(self, place: int, request: GoalMention) -> GoalMention:
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

    def _told(self, request: GoalMention) -> frozenset[str]:
        """Collect the arguments of a request, those of its periods included."""
        given = (mention.fact for mention in _split(self._domain, request.values))
        return frozenset((*given, *(reference.fact for reference in request.references), *request.missing))

    def _value(
        self, request: GoalMention, fact: str, atoms: Sequence[Symbol], said: ValueMention | None
    ) -> ValueMention | None:
        """Give the value of an argument: as said, if that holds, else the only one that follows."""
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
        return ValueMention(fact=fact, value=value, span=span, rule=self._rules.get(atom, ""))

    def _reference(self, reference: Reference, atoms: Sequence[Symbol]) -> Reference | None:
        """Keep of a reference the requests whose results can be taken for the argument."""
        held = {self._places.get(name_of(atom.arguments[1])) for atom in atoms}
        to = tuple(place for place in reference.to if place in held)
        return reference.model_copy(update={"to": to}) if to else None


def _split(domain: Domain, values: Iterable[ValueMention]) -> Iterator[ValueMention]:
    """Take the value of a period for those of its days."""
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
    """Give the text of an error; one that is no text is shown as it is."""
    try:
        return str(read_value(error.arguments[0]))
    except ValueError:
        return str(error.arguments[0])


def _order(domain: Domain, requests: int) -> Callable[[Symbol], tuple[int, int, Symbol]]:
    """Put atoms in the order of requests, of each its goal first and then its arguments; errors last."""
    variables = {name_request(place): place for place in range(requests)}
    facts = {identifier: place for place, identifier in enumerate(domain.vocabulary.facts.values(), start=1)}

    def key(atom: Symbol) -> tuple[int, int, Symbol]:
        first = str(atom.arguments[0]) if atom.arguments else ""
        return variables.get(first, requests), 0 if atom.name == "goal" else facts.get(atom.name, len(facts) + 1), atom

    return key
