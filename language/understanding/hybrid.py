"""The understander that may ask a language model; without one, or without need, it is the offline one."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property

from catalog.model import Catalog
from language.constraints import materialize, prepare
from language.interpretation import (
    Analysis,
    Consultation,
    Context,
    Coreference,
    Entity,
    Intent,
    Interpretation,
    Reply,
    Span,
    Understander,
)
from language.llm.consultation import Consulted, NotInstalled
from language.llm.language_model import LanguageModel, Marker
from language.llm.settings import Mode, ModelSettings
from language.llm.verification import Found, cite
from language.readers import find_mentions
from language.slots.filler import SlotFiller
from language.text.words import FRAME_WORDS, MAX_TEXT, content_words, fold, span_of
from language.understanding.pipeline import OfflineUnderstander

BLANK = "█"


def blank(catalog: Catalog, text: str, meaning: Interpretation, today: date) -> str:
    """Return the text, of the same length, with every value blanked that is, or may be, one of a sensitive fact.

    That is what the offline reader took for one, and whatever has the form of one. Names and other words that nothing
    tells apart from the rest are blanked only where the offline reader took them. What was said of how to go about it
    is blanked too: "at most 2 euros" is no value of anything.
    """
    places: list[tuple[int, int]] = []
    for mention in (*meaning.values, *(value for goal in meaning.goals for value in goal.values)):
        if mention.fact not in catalog.facts or catalog.is_sensitive(mention.fact):
            places.append((mention.span.start, mention.span.end))
    for fact in catalog.facts.values():
        if catalog.is_sensitive(fact.name) and fact.value.sayable:
            places.extend((mention.start, mention.end) for mention in find_mentions(fact.value, text, today))
    if meaning.preference is not None:
        places.append((meaning.preference.span.start, meaning.preference.span.end))
    for start, end in places:
        text = text[:start] + BLANK * (end - start) + text[end:]
    return text


WORTH_ASKING = 0.25
"""Beside a sure request, a stretch that asks for nothing surely is worth asking about from this score on."""


def why_not(catalog: Catalog, mode: Mode, analysis: Analysis, context: Context) -> str:
    """Return why a model is not to be asked about an utterance; nothing where it is."""
    meaning = analysis.meaning
    asks_for = meaning.goals or meaning.candidates
    reasons = {
        "it is switched off": mode is Mode.OFF,
        "something sensitive is being asked for": touches_sensitive(catalog, context),
        "there is nothing to read": not analysis.text.strip(),
        "it is too long": len(analysis.text) > MAX_TEXT,
        "it answers the question that was put": answers(context, meaning),
        "it is no request": not asks_for and talks(meaning),
        "the offline reader is sure": mode is Mode.UNSURE and not is_unsure(analysis),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def touches_sensitive(catalog: Catalog, context: Context) -> bool:
    """Return whether the next thing said may well be something sensitive, or the consent to it."""
    pending = context.pending
    if pending is not None and pending.kind == "authorize":
        return True
    asked = (pending.subject,) if pending is not None and pending.kind == "fact" else ()
    return any(fact not in catalog.facts or catalog.is_sensitive(fact) for fact in (*asked, *context.wanted))


def talks(meaning: Interpretation) -> bool:
    """Return whether it is about the conversation itself, or how to go about it."""
    return any((meaning.control, meaning.question, meaning.term, meaning.preference))


def answers(context: Context, meaning: Interpretation) -> bool:
    """Return whether what was said is an answer to the open question, and nothing more."""
    pending = context.pending
    if pending is None:
        return False
    if pending.kind in ("choice", "offer"):
        chosen = any(goal.goal in (pending.subject, *pending.options) for goal in meaning.goals)
        return chosen or (meaning.control is not None and not meaning.goals)
    answered = meaning.control is not None or any(value.fact == pending.subject for value in meaning.values)
    return answered and not (meaning.goals or meaning.candidates)


def is_unsure(analysis: Analysis) -> bool:
    """Return whether the offline reader leaves something open that may be a request."""
    if analysis.meaning.candidates and not analysis.meaning.goals:
        return True
    left = [segment for segment in analysis.segments if segment.goal is None]
    if analysis.meaning.goals:
        return any(s.candidates and s.candidates[0].score >= WORTH_ASKING for s in left)
    return any(
        sum(word.text not in FRAME_WORDS for word in content_words(fold(segment.span.text))) > 1 for segment in left
    )


OFFERED = 3


def merge(filler: SlotFiller, mode: Mode, analysis: Analysis, found: Sequence[Found], today: date) -> Interpretation:
    """Return the meaning of an utterance with what a model found in it."""
    meaning, text = analysis.meaning, analysis.text
    if mode is Mode.UNSURE and meaning.goals:
        added = [request for request in found if not _is_read(request.span, analysis)]
        goals = (*meaning.goals, *_complete(filler, text, added, today, first=len(meaning.goals)))
    elif not found and meaning.goals:
        offered = tuple(sorted(meaning.goals, key=lambda goal: -goal.confidence))[:OFFERED]
        return meaning.model_copy(update={"goals": (), "candidates": offered})
    elif not found:
        return meaning
    else:
        goals = _complete(filler, text, found, today, first=0)
    goals = goals[: filler.catalog.settings.max_goals]
    return meaning.model_copy(
        update={
            "goals": goals,
            "candidates": () if goals else meaning.candidates,
            "unclear": None if goals else meaning.unclear,
            "wonders": False if goals else meaning.wonders,
        }
    )


def _is_read(span: Span, analysis: Analysis) -> bool:
    """Return whether the offline reader is sure of what a stretch asks for."""
    sure = [segment.span for segment in analysis.segments if segment.goal is not None]
    spans = sure or [goal.span for goal in analysis.meaning.goals]
    return any(span.start < other.end and other.start < span.end for other in spans)


def _complete(filler: SlotFiller, text: str, found: Sequence[Found], today: date, *, first: int) -> tuple[Intent, ...]:
    """Return requests their arguments: those read by rules, then those that the model pointed at."""
    spans = [span_of(text, request.span.start, request.span.end) for request in found]
    by_rules = filler.fill_requests([(r.goal, span) for r, span in zip(found, spans, strict=True)], text, today)
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
            Intent(
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


def _in_order(values: dict[str, Entity]) -> tuple[Entity, ...]:
    return tuple(sorted(values.values(), key=lambda value: (value.span.start, value.fact)))


def _moved(reference: Coreference, by: int) -> Coreference:
    return reference.model_copy(update={"to": tuple(place + by for place in reference.to)})


_log = logging.getLogger(__name__)


class ModelUnderstander:
    """Reads offline first; then, if settings and utterance call for it, asks a model what the offline reader missed.

    Whatever a model does, the worst that comes of it is the offline reading, later.
    """

    def __init__(self, catalog: Catalog, offline: Understander, language_model: LanguageModel) -> None:
        self._catalog, self._offline, self._language_model = catalog, offline, language_model
        self._marker = Marker(catalog)
        self._domain = prepare(catalog)

    @cached_property
    def _filler(self) -> SlotFiller:
        """Fill the slots of requests that a model found; few conversations need it."""
        return SlotFiller(self._catalog)

    def understand(self, text: str, context: Context) -> Interpretation:
        """Read one utterance. Never raises for any text; never returns a value that nobody said."""
        settings = self._language_model.settings
        if settings.mode is Mode.OFF:
            return self._offline.understand(text, context)
        return self.analyse(text, context).meaning

    def analyse(self, text: str, context: Context) -> Analysis:
        """Read one utterance, and say what was seen on the way."""
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
        began = time.monotonic()
        shown = blank(self._catalog, analysis.text, analysis.meaning, context.today)
        try:
            consulted = self._marker.mark(self._language_model.client, settings, shown, context.today)
        except NotInstalled as missing:
            consulted = Consulted(None, trouble=str(missing).rstrip("."))
        if consulted.note:
            _log.warning("%s", consulted.note)
        if consulted.found is not None:
            analysis = self._take_up(settings, analysis, consulted.found, context)
        elif consulted.note:
            notes = (*analysis.meaning.notes, consulted.note)
            analysis = replace(analysis, meaning=analysis.meaning.model_copy(update={"notes": notes}))
        always = settings.mode is Mode.ALWAYS
        consultation = Consultation(
            asked=True,
            because=f"The language model was asked: {'it always is' if always else 'the offline reader was not sure'}.",
            replies=tuple(Reply(t.reply, tuple(o.told for o in t.objections)) for t in consulted.tries),
            note=consulted.note,
        )
        seconds = {**analysis.seconds, "language model": time.monotonic() - began}
        return replace(analysis, consultation=consultation, seconds=seconds)

    def _take_up(
        self, settings: ModelSettings, analysis: Analysis, found: Sequence[Found], context: Context
    ) -> Analysis:
        """Take up what a model found; the catalog's rules complete and check it, as they do all requests."""
        cited = [cite(analysis.text, request) for request in found]
        meaning = merge(self._filler, settings.mode, analysis, cited, context.today)
        if meaning.goals == analysis.meaning.goals:
            return replace(analysis, meaning=meaning)
        whole = materialize(self._domain, meaning.goals, context.today)
        update = {"goals": whole.requests, "errors": whole.errors}
        return replace(
            analysis,
            meaning=meaning.model_copy(update=update),
            facts=whole.facts,
            atoms=whole.atoms,
            fired=whole.fired,
        )


def make_with_model(catalog: Catalog, language_model: LanguageModel | None = None) -> ModelUnderstander:
    """Make the offline reader with a language model to ask; what it is asked, and whether, is in its settings."""
    return ModelUnderstander(catalog, OfflineUnderstander(catalog), language_model or LanguageModel())
