"""Arguments: what a goal needs to be told, and which of the values that were said belong to which request.

A value is a span of what was said, or derived from one by a named rule, or it is missing: guessing is the one
unforgivable error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from catalog.analysis.dependencies import arguments_of
from catalog.model import Catalog
from catalog.values import Choice
from language.interpretation import Entity, Span
from language.slots.assignment import Assigner, Request, slots_of, words_of_catalog
from language.slots.semantic_matching import RULE, SemanticMatcher
from language.text.words import fold, span_of

_ALIKE = 5
"""Letters at the beginning of two words that make them words of one family: "reconcile", "reconciliation"."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one request: those that were said, and those that were not, each in the goal's order.

    `because` says of a missing one why nothing was taken for it, where something was said that could be meant.
    """

    values: tuple[Entity, ...]
    missing: tuple[str, ...]
    because: Mapping[str, str] = field(default_factory=dict)


class ArgumentReader:
    """Gives requests their arguments, for one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._slots = {goal: slots_of(catalog, goal, arguments_of(catalog, goal)) for goal in catalog.goals}
        taken = {goal: [fact.name for fact in slots.others] for goal, slots in self._slots.items()}
        self._matcher = SemanticMatcher(catalog, taken)
        self._no_names = words_of_catalog(catalog, [goal for goal, slots in self._slots.items() if not slots.people])

    def assign(
        self, requests: Sequence[tuple[str, Span]], text: str, today: date, tied: Sequence[Entity] = ()
    ) -> tuple[Arguments, ...]:
        """Give each request (a goal, and where it was asked for) the values said for it, in their order.

        `tied` are values of which other evidence (the fact's name beside them, say) already tells what they are for:
        each goes to the request around it, or the nearest, that takes it.
        """
        being_told = [Request(goal, span.start, span.end, self._slots[goal]) for goal, span in requests]
        Assigner(self._catalog, self._no_names, being_told, text, today).assign(tied)
        for request in being_told:
            self._take_by_meaning(request, text)
        return tuple(map(_arguments, being_told))

    def _take_by_meaning(self, request: Request, text: str) -> None:
        """Take items of closed lists that a request is about without saying them."""
        for fact in request.slots.others:
            said = request.taken.get(fact.name)
            kind = fact.value
            if not isinstance(kind, Choice) or not (_says_little(kind, said) if said else request.lacks(fact)):
                continue
            others = [(value.span.start, value.span.end) for value in request.taken.values() if value is not said]
            nearest = self._matcher.nearest(request.goal, fact.name, text, (request.start, request.end), others)
            if nearest is not None and (said is None or nearest.option != said.value):
                span = span_of(text, nearest.start, nearest.end)
                request.taken[fact.name] = Entity(fact=fact.name, value=nearest.option, span=span, rule=RULE)


def _says_little(kind: Choice, said: Entity) -> bool:
    """Tell whether a value is vague, or but one word was said for it that is none of its name: it may be by the way."""
    if said.value in kind.vague:
        return True
    word = fold(said.span.text)
    return " " not in word and not word.startswith(fold(str(said.value))[:_ALIKE])


def assign(catalog: Catalog, requests: Sequence[tuple[str, Span]], text: str, today: date) -> tuple[Arguments, ...]:
    """Give requests their arguments, once; `ArgumentReader` is for many utterances."""
    return ArgumentReader(catalog).assign(requests, text, today)


def _arguments(request: Request) -> Arguments:
    names = request.slots.arguments
    missing = tuple(name for name in names if name not in request.taken)
    because = {name: reason for name, reason in request.because.items() if name in missing}
    return Arguments(tuple(request.taken[name] for name in names if name in request.taken), missing, because)
