"""A sentence with what was understood marked in it: requests, and inside them values and references.

Marks may overlap: the sentence is cut wherever one begins or ends, and each mark has its words where it ends. Colour
is never alone, and everything is text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from catalog.model import Catalog
from catalog.values import Text
from catalog.wording.grammar import listing
from dialogue.services.inspection import name_request
from language.interpretation import Analysis, Coreference, Entity, Intent, Interpretation, Segment
from pages.shell.sheet import Node, el
from pages.views.plans import fact_label, goal_label


@dataclass(frozen=True, slots=True)
class SentenceMark:
    """A stretch of a sentence that means something: what is written beside it, and how it looks."""

    start: int
    end: int
    label: str
    look: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class MarkedStretch:
    """Part of a sentence between two places where a mark begins or ends; `ending` are the marks that end with it."""

    start: int
    end: int
    marks: tuple[SentenceMark, ...]
    ending: tuple[SentenceMark, ...]


def cut_at_marks(start: int, end: int, marks: Sequence[SentenceMark]) -> tuple[MarkedStretch, ...]:
    """Cut from `start` to `end` wherever a mark begins or ends; nothing is left out, and nothing is there twice."""
    places = {place for mark in marks for place in (mark.start, mark.end) if start < place < end}
    return tuple(
        MarkedStretch(
            here,
            there,
            tuple(mark for mark in marks if mark.start < there and here < mark.end),
            tuple(mark for mark in marks if mark.start < there == mark.end),
        )
        for here, there in pairwise(sorted({start, end, *places}))
    )


def look_of(catalog: Catalog, fact: str) -> str:
    """Name the look of a fact's values: of those that tell who, when, how much or which; all others are words."""
    kind = catalog.facts[fact].value if fact in catalog.facts else Text()
    if kind.is_day or kind.is_period:
        return "is-when"
    if kind.declared_options or kind.is_yes_or_no:
        return "is-pick"
    return "is-amount" if kind.quantity else "is-who" if kind.personal else "is-words"


def kind_of(catalog: Catalog, fact: str) -> str:
    return catalog.facts[fact].value.kind.replace("_", " ") if fact in catalog.facts else "unknown"


def values_of(meaning: Interpretation) -> tuple[Entity, ...]:
    """List all values that were understood, for whichever request, as they stand in the sentence; each once."""
    own = (value for goal in meaning.goals for value in goal.values)
    found: dict[tuple[str, str, int], Entity] = {}
    taken = (value for value in meaning.values if value.fact not in meaning.too_late)
    for value in (*own, *taken):
        found.setdefault((value.fact, repr(value.value), value.span.start), value)
    return tuple(sorted(found.values(), key=lambda value: (value.span.start, value.span.end)))


def marks_of(catalog: Catalog, meaning: Interpretation) -> tuple[SentenceMark, ...]:
    """Mark values and references; what was read from the very same words is one mark."""
    together: dict[tuple[int, int], list[Entity]] = {}
    for value in values_of(meaning):
        together.setdefault((value.span.start, value.span.end), []).append(value)
    marks = [_mark_values(catalog, start, end, values) for (start, end), values in together.items()]
    marks += [_mark_reference(catalog, one) for goal in meaning.goals for one in goal.references]
    return tuple(sorted(marks, key=lambda mark: (mark.start, -mark.end)))


def _mark_values(catalog: Catalog, start: int, end: int, values: Sequence[Entity]) -> SentenceMark:
    labels = dict.fromkeys(fact_label(catalog, value.fact) for value in values)
    kinds = dict.fromkeys(kind_of(catalog, value.fact) for value in values)
    rules = dict.fromkeys(value.rule for value in values)
    label = f"{', '.join(labels)} · {', '.join(kinds)}"
    return SentenceMark(start, end, label, look_of(catalog, values[0].fact), f"Read by: {', '.join(rules)}")


def _mark_reference(catalog: Catalog, one: Coreference) -> SentenceMark:
    to = listing(tuple(name_request(place) for place in one.to)) if one.to else "the last request"
    label = f"{fact_label(catalog, one.fact)} · result of {to}"
    return SentenceMark(one.span.start, one.span.end, label, "is-reference", "A reference to another request")


def request_of(segment: Segment, goals: Sequence[Intent]) -> int | None:
    for place, mention in enumerate(goals):
        if mention.goal == segment.goal and mention.span.overlaps(segment.span):
            return place
    return None


def sentence(catalog: Catalog, analysis: Analysis) -> Node:
    text, meaning = analysis.text, analysis.meaning
    marks = marks_of(catalog, meaning)
    drawn: list[Node] = []
    at = 0
    for segment in sorted(analysis.segments, key=lambda one: one.span.start):
        start, end = max(at, segment.span.start), min(len(text), segment.span.end)
        if start >= end:
            continue
        drawn += _marked(text, at, start, marks)
        drawn.append(_segment(catalog, segment, meaning.goals, _marked(text, start, end, marks)))
        at = end
    drawn += _marked(text, at, len(text), marks)
    return el("p", "sentence", drawn)


def _segment(catalog: Catalog, segment: Segment, goals: Sequence[Intent], inside: Iterable[Node]) -> Node:
    place = request_of(segment, goals)
    if place is None:
        label = f"not taken: {goal_label(catalog, segment.goal)}" if segment.goal else segment.because or "no request"
        return el("span", "segment none", el("small", "request", label), inside)
    name = el("strong", "", name_request(place))
    return el("span", "segment", el("small", "request", name, f" {goal_label(catalog, goals[place].goal)}"), inside)


def _marked(text: str, start: int, end: int, marks: Sequence[SentenceMark]) -> list[Node]:
    if start >= end:
        return []
    return [_stretch(text, one) for one in cut_at_marks(start, end, marks)]


def _stretch(text: str, one: MarkedStretch) -> Node:
    words = text[one.start : one.end]
    if not one.marks:
        return words
    labels = [el("small", f"of {mark.look}", mark.label) for mark in one.ending]
    title = " · ".join(mark.title for mark in one.marks if mark.title)
    shape = "" if len(one.marks) == 1 else " shared"
    return el("span", f"mark {one.marks[0].look}{shape}", el("span", "", words), labels, title=title or None)
