"""Merging: what a model found, put beside what the offline reader has read by rules of its own.

A value that a rule has read stays; the model's words fill what is still missing. Where the model finds nothing in what
the offline reader takes for a request, people are asked which is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from catalog.model import Catalog
from dialogue.meaning import GoalMention, Meaning, Reference, Span, ValueMention
from dialogue.understanding.analysis import Analysis
from dialogue.understanding.model.checking import Found
from dialogue.understanding.model.settings import Mode
from dialogue.understanding.requests.arguments import assign
from dialogue.understanding.words import span_of

OFFERED = 3


def merge(catalog: Catalog, mode: Mode, analysis: Analysis, found: Sequence[Found], today: date) -> Meaning:
    """Give the meaning of an utterance with what a model found in it."""
    meaning, text = analysis.meaning, analysis.text
    if mode is Mode.UNSURE and meaning.goals:
        added = [request for request in found if not _is_read(request.span, analysis)]
        goals = (*meaning.goals, *_complete(catalog, text, added, today, first=len(meaning.goals)))
    elif not found and meaning.goals:
        offered = tuple(sorted(meaning.goals, key=lambda goal: -goal.confidence))[:OFFERED]
        return meaning.model_copy(update={"goals": (), "candidates": offered})
    elif not found:
        return meaning
    else:
        goals = _complete(catalog, text, found, today, first=0)
    goals = goals[: catalog.settings.max_goals]
    return meaning.model_copy(
        update={
            "goals": goals,
            "candidates": () if goals else meaning.candidates,
            "unclear": None if goals else meaning.unclear,
            "wonders": False if goals else meaning.wonders,
        }
    )


def _is_read(span: Span, analysis: Analysis) -> bool:
    """Tell whether the offline reader is sure of what a stretch asks for."""
    sure = [segment.span for segment in analysis.segments if segment.goal is not None]
    spans = sure or [goal.span for goal in analysis.meaning.goals]
    return any(span.start < other.end and other.start < span.end for other in spans)


def _complete(
    catalog: Catalog, text: str, found: Sequence[Found], today: date, *, first: int
) -> tuple[GoalMention, ...]:
    """Give requests their arguments: those read by rules, then those that the model pointed at."""
    spans = [span_of(text, request.span.start, request.span.end) for request in found]
    by_rules = assign(catalog, [(r.goal, span) for r, span in zip(found, spans, strict=True)], text, today)
    taken = [(value.span.start, value.span.end) for arguments in by_rules for value in arguments.values]
    goals = []
    for request, span, arguments in zip(found, spans, by_rules, strict=True):
        order = [*(value.fact for value in arguments.values), *arguments.missing]
        values = {value.fact: value for value in arguments.values}
        references = {reference.fact: reference for reference in request.references}
        for value in request.values:
            free = not any(value.span.start < end and start < value.span.end for start, end in taken)
            if value.fact in arguments.missing and free:
                values[value.fact] = value
        kept = tuple(reference for fact, reference in references.items() if fact not in values and fact in order)
        goals.append(
            GoalMention(
                goal=request.goal,
                span=span,
                confidence=1.0,
                values=_in_order(values),
                references=tuple(_moved(reference, first) for reference in kept),
                missing=tuple(
                    fact
                    for fact in arguments.missing
                    if fact not in values and fact not in {reference.fact for reference in kept}
                ),
            )
        )
    return tuple(goals)


def _in_order(values: dict[str, ValueMention]) -> tuple[ValueMention, ...]:
    return tuple(sorted(values.values(), key=lambda value: (value.span.start, value.fact)))


def _moved(reference: Reference, by: int) -> Reference:
    return reference.model_copy(update={"to": tuple(place + by for place in reference.to)})
