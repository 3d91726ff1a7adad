"""Assignment of values to the requests of an utterance.

A value belongs to the request in whose words it stands, if that takes it. What a request has no use for goes to the
nearest one that takes it; a period that is said once for several reports goes to all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from catalog.analysis.dependencies import arguments_of, can_be_asked, what_is_said_for, what_leads_to
from catalog.model import Catalog, Fact
from catalog.model.fact import Scope
from catalog.values import Kind
from language.entities.masking import SAME_TIME
from language.entities.person_names import find_person
from language.entities.value_context import is_about_speaker, is_of_another
from language.interpretation import Entity, Span
from language.slots.candidates import Stretch, ValueCandidate, choose, find_candidates
from language.slots.composite_values import split_name, split_period
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.request_context import told
from language.text.utterance import UtteranceText
from language.text.words import content_words, fold, words_in

_CALENDAR = frozenset(map(stem, "day days week month year time date".split()))
_WAS = LazyPattern(r"\b(?:was|were|had|did|came|went|left|got|[a-z]{3,}ed)\b")
_FOR_ALL = LazyPattern(r"\b(?:both|all|each|everything|all of (?:it|them|that)|the two|the three)\b")
_OWN_STATEMENT = LazyPattern(
    r"\W*(?:(?:and|&|plus|also|then|too|as well as|n|after that|next|finally|please|pls|,)\W+)*"
    r"(?:i|i'd|i'm|i'll|we|we'd|show|give|get|pull|run|send|create|make|generate|draw|display|let|can|could|would|will|what"
    r"|how|which|who|when|where|why|is|are|do|does|did|tell|list|see|find|look|check|print|prepare|produce|bring|need"
    r"|want|like|provide|compile|email|share|fetch|export|put|connect|chat|talk|speak|call|explain|help|add|update|bill"
    r"|invoice)\b"
)


@dataclass(frozen=True, slots=True)
class Slots:
    """What a request may be told, and how it is said; `optional` are those of its arguments that it can do without."""

    arguments: tuple[str, ...]
    optional: frozenset[str]
    periods: tuple[Fact, ...]
    people: tuple[Fact, ...]
    others: tuple[Fact, ...]
    shared: tuple[Fact, ...] = ()
    """Those that others of the goal look like: they are told by more than their form."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one request: those that were said, and those that were not, each in the goal's order."""

    values: tuple[Entity, ...]
    missing: tuple[str, ...]


@dataclass
class SlotRequest:
    """A request while values are given to it. `taken` are values by argument, `unclear` those said in vain."""

    goal: str
    start: int
    end: int
    slots: Slots
    taken: dict[str, Entity] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)

    def lacks(self, fact: Fact) -> bool:
        """Return whether something said for a fact would be news."""
        ends = fact.value.ends if fact.value.is_period else (fact.name,)
        return not any(end in self.taken or end in self.unclear for end in ends if end in self.slots.arguments)

    def arguments(self) -> Arguments:
        """Return what was taken, and what is missing."""
        names = self.slots.arguments
        missing = tuple(name for name in names if name not in self.taken and name not in self.slots.optional)
        return Arguments(tuple(self.taken[name] for name in names if name in self.taken), missing)


def slots_of(catalog: Catalog, goal: str) -> Slots:
    """Return how what a goal may be told can be said: what only its form would tell must be alone of its kind."""
    arguments = what_is_said_for(catalog, goal)
    facts = [catalog.facts[name] for name in arguments]
    needs = [catalog.facts[name] for name in what_leads_to(catalog, catalog.goals[goal]).facts]
    askable = list(filter(can_be_asked, needs))
    periods = tuple(
        fact
        for fact in catalog.facts.values()
        if fact.value.is_period and (fact.name in arguments or set(fact.value.ends) & set(arguments))
    )
    ends = {end for fact in periods for end in fact.value.ends}
    people = tuple(f for f in facts if f.value.name_part in ("given", "family"))
    parts = [f.value.name_part for f in people]
    others = tuple(
        fact
        for fact in facts
        if fact.name not in ends
        and fact.value.fills_alone
        and (fact.value.declared_options or _is_alone(fact, [f for f in askable if f.name not in ends]))
    )
    shared = tuple(
        fact
        for fact in facts
        if fact not in others and fact.name not in ends and not (fact.value.free_text or fact.value.is_period)
    )
    optional = frozenset(arguments).difference(arguments_of(catalog, goal))
    return Slots(arguments, optional, periods, people if len(parts) == len(set(parts)) else (), others, shared)


def _is_alone(fact: Fact, needed: Sequence[Fact]) -> bool:
    return not any(other.name != fact.name and fact.value.looks_like(other.value) for other in needed)


def words_of_catalog(catalog: Catalog, goals: Collection[str] = ()) -> frozenset[str]:
    """List the words of a catalog and of the examples of some of its goals: they are no names.

    What else a phrase of a closed list holds says nothing of names: Mrs. Stone has no "stone path".
    """
    said: list[str] = []
    for fact in catalog.facts.values():
        said += [fact.label, fact.name.replace("_", " ")]
        said += fact.value.declared_options
        said += [word for others in fact.value.declared_options.values() for word in others if " " not in word]
    said += [goal.label for goal in catalog.goals.values()]
    said += [word for name in goals for text in catalog.goals[name].examples for word in text.split() if word.islower()]
    words = frozenset(word.text for phrase in said for word in words_in(fold(phrase)))
    return words | {f"{word}s" for word in words}


Weigh = Callable[[Fact, UtteranceText, ValueCandidate], ValueCandidate | None]
"""Adds the evidence for a fact in the words around a candidate; None where it is not enough to take it at all."""


class Assigner:
    """Gives values to the requests of one utterance."""

    def __init__(
        self,
        catalog: Catalog,
        no_names: frozenset[str],
        requests: Sequence[SlotRequest],
        said: UtteranceText,
        weigh: Weigh,
    ) -> None:
        self._catalog, self._no_names, self._requests = catalog, no_names, requests
        self._said, self._weigh = said, weigh
        self._text, self._folded, self._today = said.text, said.folded, said.today

    def assign(self) -> None:
        """Fill the requests: with what stands in each, what is said for several, and what stands in none."""
        for request in self._requests:
            stretch = Stretch(self._text[request.start : request.end], request.start)
            for fact in (*request.slots.periods, *request.slots.others):
                literal = fact.name in request.slots.optional
                self._take(request, fact, find_candidates(fact, stretch, self._today, literal=literal))
            self._take_person(request, stretch)
        self._share_row()
        self._share_in_words()
        for stretch, own in self._elsewhere():
            self._take_elsewhere(stretch, own)

    # -- one request -------------------------------------------------------------------------------------------------

    def _take(self, request: SlotRequest, fact: Fact, found: Sequence[ValueCandidate]) -> None:
        """Take the value that is said for a fact, if there is just one."""
        found = [one for one in found if not self._is_past(fact, one)]
        found = [weighed for one in found if (weighed := self._weigh(fact, self._said, one)) is not None]
        if not request.lacks(fact) or not found:
            return
        if fact.scope is not Scope.GOAL and is_about_speaker(fact):
            found = [
                one for one in found if not is_of_another(self._folded, max(request.start, one.start - 60), one.start)
            ]
        chosen, names = choose(found), self._names(request, fact)
        if chosen is None:
            request.unclear.update(names)
            return
        ends = fact.value.ends
        said = [end for _, end in split_period(self._catalog, chosen, self._today)] if ends else [chosen]
        request.taken.update({one.fact: one.entity(self._text) for one in said if one.fact in names or not ends})

    def _names(self, request: SlotRequest, fact: Fact) -> tuple[str, ...]:
        ends = fact.value.ends
        return tuple(name for name in ends or (fact.name,) if name in request.slots.arguments)

    def _take_person(self, request: SlotRequest, stretch: Stretch) -> None:
        facts: dict[str, Fact] = {f.value.name_part: f for f in request.slots.people}
        if facts and all(request.lacks(fact) for fact in facts.values()):
            person = find_person(stretch.text, self._no_names)
            for part in split_name(facts, person, stretch, self._today):
                request.taken[part.fact] = part.entity(self._text)

    # -- several requests --------------------------------------------------------------------------------------------

    def _share_row(self) -> None:
        """Return the period of "profit and loss and expenses for 2022" to both, and that of "both for 2022"."""
        for i, request in enumerate(self._requests):
            period = self._period_of(request)
            if period is None:
                continue
            whole = self._folded[request.start : request.end]
            said_for_all = _FOR_ALL.search(
                self._folded, max(request.start, period.start - 40), min(request.end, period.end + 30)
            )
            for j in range(i - 1, -1, -1):
                other = self._requests[j]
                joined = self._folded[other.start : period.start]
                if not self._wants_period(other) or re.search(r"[.?!;\n]\s", joined):
                    break
                own = _OWN_STATEMENT.match(whole) is not None
                if said_for_all or not own:
                    self._copy_period(request, other, "period said for several")
            leading = not re.search(
                r"[^\W\d_]{3,}",
                re.sub(r"\b(?:for|in|over|during|the)\b", "", self._folded[request.start : period.start]),
            )
            for other in self._requests[i + 1 :]:
                if not self._wants_period(other) or not (leading or said_for_all):
                    break
                between = self._folded[period.end : other.end]
                if re.search(r"[.?!;\n]\s", between) or (
                    _OWN_STATEMENT.match(self._folded, other.start) and not said_for_all
                ):
                    break
                self._copy_period(request, other, "period said for several")

    def _share_in_words(self) -> None:
        """Return the period of another request to one that speaks of "the same quarter"."""
        for i, request in enumerate(self._requests):
            if not self._wants_period(request):
                continue
            if SAME_TIME.search(self._folded, request.start, request.end):
                others = [r for r in (*reversed(self._requests[:i]), *self._requests[i + 1 :]) if self._period_of(r)]
                if others:
                    self._copy_period(others[0], request, "period said for another request")

    def _period_of(self, request: SlotRequest) -> Span | None:
        """Find where the period of a request was said."""
        ends = [end for fact in request.slots.periods for end in fact.value.ends]
        return next((request.taken[end].span for end in ends if end in request.taken), None)

    def _wants_period(self, request: SlotRequest) -> bool:
        return bool(request.slots.periods) and all(request.lacks(fact) for fact in request.slots.periods)

    def _copy_period(self, request: SlotRequest, other: SlotRequest, rule: str) -> None:
        for fact in other.slots.periods:
            for end in fact.value.ends if fact in request.slots.periods else ():
                if end in request.taken and end in other.slots.arguments:
                    other.taken[end] = request.taken[end].model_copy(update={"rule": rule})

    def _elsewhere(self) -> Iterator[tuple[Stretch, SlotRequest | None]]:
        """Yield the stretches of the text that belong to no request, then those that belong to one each."""
        at = 0
        for request in sorted(self._requests, key=lambda request: request.start):
            if self._text[at : request.start].strip():
                yield Stretch(self._text[at : request.start], at), None
            at = max(at, request.end)
        if self._text[at:].strip():
            yield Stretch(self._text[at:], at), None
        if len(self._requests) > 1:
            for request in self._requests:
                yield Stretch(self._text[request.start : request.end], request.start), request

    def _take_elsewhere(self, stretch: Stretch, own: SlotRequest | None) -> None:
        """Return what stands elsewhere to the nearest request that lacks it, and is not another's."""
        middle = stretch.start + len(stretch.text) / 2
        for request in sorted(self._requests, key=lambda r: abs((r.start + r.end) / 2 - middle)):
            for fact in (*request.slots.periods, *request.slots.others):
                if request is own or not request.lacks(fact):
                    continue
                if own is not None and (not fact.value.stands_apart or _takes_kind(own, fact)):
                    continue
                rivals = [r for r in self._requests if r is not own and _takes_kind(r, fact) and r.lacks(fact)]
                if own is not None and len(rivals) > 1:
                    continue
                literal = fact.name in request.slots.optional
                found = find_candidates(fact, stretch, self._today, literal=literal)
                if own is not None:
                    taken = [value.span for other in self._requests for value in other.taken.values()]
                    found = [one for one in found if not any(map(one.overlaps, taken))]
                    found = [one for one in found if not self._is_aside(fact, one)]
                self._take(request, fact, found)

    def _is_past(self, fact: Fact, one: ValueCandidate) -> bool:
        """Return whether a day is one on which something was, where the fact looks ahead: "it rained on Monday"."""
        if fact.value.day_convention[1] != "ahead":
            return False
        part = next((part for part in told(self._folded) if part[0] <= one.start < part[1]), None)
        return part is not None and _WAS.search(self._folded, part[0], one.start) is not None

    def _is_aside(self, fact: Fact, one: ValueCandidate) -> bool:
        """Return whether a value stands where something else is told, in no words of its fact: "it rained today"."""
        part = next((part for part in told(self._folded) if part[0] <= one.start < part[1]), None)
        if part is None:
            return False
        said = f"{self._folded[part[0] : one.start]} {self._folded[one.end : part[1]]}"
        own = {
            stem(word.text) for text in (fact.label, *fact.examples, *fact.said) for word in content_words(fold(text))
        }
        return not any(stem(word.text) in own - _CALENDAR for word in content_words(said))


def _takes_kind(request: SlotRequest, fact: Fact) -> bool:
    """Return whether a request has use for values of this form itself."""
    return any(_are_alike(own.value, fact.value) for own in (*request.slots.periods, *request.slots.others))


def _are_alike(own: Kind, other: Kind) -> bool:
    if other.is_day or other.is_period:
        return own.is_day or own.is_period
    return isinstance(own, type(other))
