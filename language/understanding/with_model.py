"""The understander that asks a language model what the offline pipeline missed, where one is set up and needed.

Whatever a model does, the worst that comes of it is the offline reading, later.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from time import perf_counter

from catalog.model import Catalog
from language.constraints import materialize, prepare
from language.interpretation import (
    Analysis,
    Consultation,
    Context,
    Intent,
    Interpretation,
    Reply,
    Span,
    Understander,
)
from language.llm.consultation import Consulted, ModelPackagesMissing, blank, why_not
from language.llm.language_model import LanguageModel, Marker
from language.llm.settings import ModelSettings, ModelUse
from language.llm.verification import VerifiedRequest, cite
from language.slots.filler import SlotFiller
from language.text.words import span_of
from language.understanding.unheeded import WordAccount

_log = logging.getLogger(__name__)
OFFERED = 3


def merge(
    filler: SlotFiller, mode: ModelUse, analysis: Analysis, found: Sequence[VerifiedRequest], today: date
) -> Interpretation:
    meaning, text = analysis.meaning, analysis.text
    if mode is ModelUse.UNSURE and meaning.goals:
        added = [request for request in found if not _is_read(request.span, analysis)]
        goals = (*meaning.goals, *_complete(filler, text, added, today, first=len(meaning.goals)))
    elif found:
        goals = _complete(filler, text, found, today, first=0)
    else:
        offered = sorted(meaning.goals, key=lambda goal: -goal.confidence)[:OFFERED]
        return meaning.model_copy(update={"goals": (), "candidates": tuple(offered)}) if offered else meaning
    goals = goals[: filler.catalog.settings.max_goals]
    settled = {"candidates": (), "unclear": None, "wonders": False} if goals else {}
    return meaning.model_copy(update={"goals": goals, **settled})


def _is_read(span: Span, analysis: Analysis) -> bool:
    """Return whether the offline reader is sure of what a stretch asks for."""
    sure = [segment.span for segment in analysis.segments if segment.goal is not None]
    spans = sure or [goal.span for goal in analysis.meaning.goals]
    return any(map(span.overlaps, spans))


def _complete(
    filler: SlotFiller, text: str, found: Sequence[VerifiedRequest], today: date, *, first: int
) -> tuple[Intent, ...]:
    """Return requests their arguments: those read by rules, then those that the model pointed at."""
    spans = [span_of(text, request.span.start, request.span.end) for request in found]
    by_rules = filler.fill_requests([(r.goal, span) for r, span in zip(found, spans, strict=True)], text, today)
    taken = [(value.span.start, value.span.end) for arguments in by_rules for value in arguments.values]
    goals = []
    for request, span, arguments in zip(found, spans, by_rules, strict=True):
        values = {value.fact: value for value in arguments.values}
        for value in request.values:
            free = not any(value.span.start < end and start < value.span.end for start, end in taken)
            if value.fact in arguments.missing and free:
                values[value.fact] = value
        references = {
            reference.fact: reference.model_copy(update={"to": tuple(place + first for place in reference.to)})
            for reference in request.references
            if reference.fact in arguments.missing and reference.fact not in values
        }
        goals.append(
            Intent(
                goal=request.goal,
                span=span,
                confidence=1.0,
                values=tuple(sorted(values.values(), key=lambda value: (value.span.start, value.fact))),
                references=tuple(references.values()),
                missing=tuple(fact for fact in arguments.missing if fact not in values and fact not in references),
            )
        )
    return tuple(goals)


class ModelUnderstander:
    """Reads offline first; then, if settings and utterance call for it, asks a model what the offline reader missed."""

    def __init__(self, catalog: Catalog, offline: Understander, language_model: LanguageModel) -> None:
        self._catalog, self._offline, self._language_model = catalog, offline, language_model
        self._marker = Marker(catalog)
        self._domain = prepare(catalog)
        self._words = WordAccount(catalog)

    @cached_property
    def _filler(self) -> SlotFiller:
        """Fill the slots of requests that a model found; few conversations need it."""
        return SlotFiller(self._catalog)

    def understand(self, text: str, context: Context) -> Interpretation:
        off = self._language_model.settings.mode is ModelUse.OFF
        return self._offline.understand(text, context) if off else self.analyse(text, context).meaning

    def analyse(self, text: str, context: Context) -> Analysis:
        settings = self._language_model.settings
        analysis = self._offline.analyse(text, context)
        because = why_not(self._catalog, settings.mode, analysis, context)
        if because:
            told = f"The language model was not asked: {because}."
            return replace(analysis, consultation=Consultation(asked=False, because=told))
        return self._ask(settings, analysis, context)

    def warm(self) -> None:
        """Load what the first utterance would otherwise wait for; a model is not asked."""
        self._offline.warm()

    def _ask(self, settings: ModelSettings, analysis: Analysis, context: Context) -> Analysis:
        began = perf_counter()
        shown = blank(self._catalog, analysis.text, analysis.meaning, context.today)
        try:
            consulted = self._marker.mark(self._language_model.client, settings, shown, context.today)
        except ModelPackagesMissing as missing:
            consulted = Consulted(None, trouble=str(missing).rstrip("."))
        if consulted.note:
            _log.warning("%s", consulted.note)
        if consulted.found is not None:
            analysis = self._take_up(settings, analysis, consulted.found, context)
        elif consulted.note:
            notes = (*analysis.meaning.notes, consulted.note)
            analysis = replace(analysis, meaning=analysis.meaning.model_copy(update={"notes": notes}))
        always = settings.mode is ModelUse.ALWAYS
        consultation = Consultation(
            asked=True,
            because=f"The language model was asked: {'it always is' if always else 'the offline reader was not sure'}.",
            replies=tuple(Reply(t.reply, tuple(o.told for o in t.objections)) for t in consulted.tries),
            note=consulted.note,
        )
        seconds = {**analysis.seconds, "language model": perf_counter() - began}
        return replace(analysis, consultation=consultation, seconds=seconds)

    def _take_up(
        self, settings: ModelSettings, analysis: Analysis, found: Sequence[VerifiedRequest], context: Context
    ) -> Analysis:
        """Take up what a model found; the catalog's rules complete and check it, as they do all requests."""
        cited = [cite(analysis.text, request) for request in found]
        meaning = merge(self._filler, settings.mode, analysis, cited, context.today)
        if meaning.goals == analysis.meaning.goals:
            return replace(analysis, meaning=meaning)
        meaning = self._words.account(analysis.text, meaning)
        whole = materialize(self._domain, meaning.goals, context.today)
        meaning = meaning.model_copy(update={"goals": whole.requests, "errors": whole.errors})
        return replace(analysis, meaning=meaning, facts=whole.facts, atoms=whole.atoms, fired=whole.fired)
