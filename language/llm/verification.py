"""Checking what a model answered: nothing is taken that was not said, and no value that its fact cannot have.

Each objection is put twice: `told` for the model, which may quote what it answered, and `noted` for logs, which quotes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.values import Kind, Unreadable
from catalog.values.base import shortened
from catalog.wording.values import expected
from language.entities.name_likeness import looks_like_a_name
from language.interpretation import Coreference, Entity, Span
from language.llm.schema import AnswerForm, ModelRequest, Slot
from language.readers import find_mentions
from language.text.words import FUNCTION_WORDS, fold, words_in

RULE = "{kind} in words that a language model pointed at"
MAX_OBJECTIONS = 6


@dataclass(frozen=True, slots=True)
class Objection:
    """Why an answer, or a part of it, cannot be used."""

    told: str
    noted: str


@dataclass(frozen=True, slots=True)
class VerifiedRequest:
    """A request that stands: its goal exists, its words were said, and so was each of its values."""

    goal: str
    span: Span
    values: tuple[Entity, ...]
    references: tuple[Coreference, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of checking an answer. With any objection, none of it is used."""

    found: tuple[VerifiedRequest, ...] = ()
    objections: tuple[Objection, ...] = ()


CanTake = Callable[[str, str, str], bool]
"""Of a goal, one of its arguments, and another goal: whether the other's result can be the argument."""


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks answers about one utterance against what was said in it."""

    catalog: Catalog
    form: AnswerForm
    text: str
    today: date
    can_take: CanTake

    def check(self, asked: Sequence[ModelRequest]) -> Verification:
        """Check each request of an answer. With anything against one, there is no use for the rest."""
        found: list[VerifiedRequest] = []
        objections: list[Objection] = []
        for place, request in enumerate(asked):
            try:
                found.append(self._check_request(request, asked[:place], found))
            except _Refused as refused:
                objections.append(refused.objection)
        objections += _given_twice(found)
        return Verification((), tuple(objections[:MAX_OBJECTIONS])) if objections else Verification(tuple(found))

    def _check_request(
        self, request: ModelRequest, before: Sequence[ModelRequest], found: Sequence[VerifiedRequest]
    ) -> VerifiedRequest:
        if request.goal not in self.form.slots:
            raise _Refused(f"There is no goal {shortened(request.goal)!r}.", "a goal that does not exist")
        places = _places(self.text, request.words)
        if not places:
            raise _not_said("words", request.words, f"the words of a request for {request.goal}")
        span = next((s for s in places if not any(s.overlaps(f.span) for f in found)), places[0])
        if any(f.goal == request.goal and f.span.overlaps(span) for f in found):
            noted = f"one request for {request.goal} given twice"
            raise _Refused(f"The same words ask for {request.goal} once, not twice.", noted)
        slots = self.form.slots[request.goal]
        values = [value for name, words in request.said.items() for value in self._read(slots[name], words, span)]
        references = [self._refer(request, before, name, span) for name in request.results]
        return VerifiedRequest(request.goal, span, tuple(values), tuple(references))

    def _refer(self, request: ModelRequest, before: Sequence[ModelRequest], name: str, span: Span) -> Coreference:
        """Take an argument for what earlier requests come to, where these can come to such a thing."""
        result = request.results[name]
        places = _places(self.text, result.words)
        if not places:
            raise _not_said(name, result.words, f"what {name} refers to")
        to = tuple(dict.fromkeys(result.result_of))
        if not all(k < len(before) and self.can_take(request.goal, name, before[k].goal) for k in to):
            noted = f"a result for {name} that no earlier request gives"
            raise _Refused(f"{name} cannot be what the requests {list(to)} come to. Give null.", noted)
        return Coreference(fact=name, to=to, span=_nearest(places, span))

    def _read(self, slot: Slot, words: str, near: Span) -> list[Entity]:
        """Read what was said for an argument, by the kind of its fact, from the place where it was said."""
        places = _places(self.text, words)
        if not places:
            raise _not_said(slot.name, words, f"a value for {slot.name}")
        said = _nearest(places, near)
        kind = self.catalog.facts[slot.name].value
        read = self._read_words if kind.free_text else self._read_form
        try:
            where, value = read(kind, said)
            values = {slot.fills[0]: value}
            if len(slot.fills) > 1:
                days = value if isinstance(value, dict) else {}
                values = {f: days[key] for f, key in zip(slot.fills, ("start", "end"), strict=True) if key in days}
            checked = {fact: self.catalog.facts[fact].value.check(one, self.today) for fact, one in values.items()}
        except Unreadable as error:
            wanted = expected(error.kind)
            told = f"{slot.name}: {shortened(said.text)!r} does not say {wanted}. Give the words that do, or null."
            raise _Refused(told, f"a value for {slot.name} that cannot be read") from error
        rule = RULE.format(kind=kind.kind)
        return [Entity(fact=fact, value=one, span=where, rule=rule) for fact, one in checked.items()]

    def _read_words(self, kind: Kind, said: Span) -> tuple[Span, JsonValue]:
        """Take words as they were said, where they can be a value at all."""
        if all(word.text in FUNCTION_WORDS for word in words_in(fold(said.text))):
            raise kind.unreadable("empty")
        if kind.name_part and not looks_like_a_name(said.text):
            raise kind.unreadable("no_letter", value=said.text)
        return said, kind.check(said.text)

    def _read_form(self, kind: Kind, said: Span) -> tuple[Span, JsonValue]:
        """Read the one value there, as it stands in the utterance: “200” in “not $1,200” is neither 200 nor 1,200."""
        there = [m for m in find_mentions(kind, self.text, self.today) if m.start < said.end and said.start < m.end]
        readings = [r for m in there for r in m.readings if kind.accepts(r, self.today)]
        if len(there) != 1 or there[0].unsure or len(readings) != 1:
            raise kind.unreadable("not_alone")
        return Span(start=there[0].start, end=there[0].end, text=there[0].text), kind.check(readings[0], self.today)


def cite(text: str, found: VerifiedRequest) -> VerifiedRequest:
    """Cite the utterance itself, where what was checked is one with stretches blanked, of the same length."""

    def cut(span: Span) -> Span:
        return Span(start=span.start, end=span.end, text=text[span.start : span.end])

    return VerifiedRequest(
        found.goal,
        cut(found.span),
        tuple(value.model_copy(update={"span": cut(value.span)}) for value in found.values),
        tuple(reference.model_copy(update={"span": cut(reference.span)}) for reference in found.references),
    )


class _Refused(Exception):
    def __init__(self, told: str, noted: str) -> None:
        self.objection = Objection(told, noted)
        super().__init__(noted)


def _given_twice(found: Sequence[VerifiedRequest]) -> list[Objection]:
    """Object to words that were given for different arguments of one request: they can be but one of them."""
    objections = []
    for request in found:
        for i, one in enumerate(request.values):
            for other in request.values[i + 1 :]:
                same = one.span == other.span and one.rule.startswith("period")
                if one.span.overlaps(other.span) and not same:
                    noted = f"the same words for {one.fact} and {other.fact}"
                    objections.append(Objection(f"You gave {noted}. Give them for the one that they say.", noted))
    return objections


def _places(text: str, words: str) -> list[Span]:
    """Find where words were said, exactly so, and not as parts of other words or numbers."""
    words = words.strip()
    if not any(char.isalnum() for char in words):
        return []  # nothing is said by a dash, or by what was blanked
    places = []
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        inner_start = at > 0 and text[at - 1].isalnum() and words[0].isalnum()
        inner_end = end < len(text) and text[end].isalnum() and words[-1].isalnum()
        if not (inner_start or inner_end):
            places.append(Span(start=at, end=end, text=words))
        at = text.find(words, at + 1)
    return places


def _nearest(places: Sequence[Span], to: Span) -> Span:
    """Choose the place within a stretch, else the one nearest to it."""
    return min(places, key=lambda place: max(to.start - place.start, place.end - to.end, 0))


def _not_said(name: str, words: str, noted: str) -> _Refused:
    told = f"{name}: {shortened(words)!r} does not stand in the text. Copy words exactly, or give null."
    return _Refused(told, f"{noted} that the user did not say")
