"""Deciding whether a model is asked: never where something sensitive is to be said, nor where nothing is requested."""

from __future__ import annotations

from catalog.model import Catalog
from dialogue.meaning import Context, Meaning
from dialogue.understanding.analysis import Analysis
from dialogue.understanding.model.settings import Mode
from dialogue.understanding.words import FRAME_WORDS, MAX_TEXT, content_words, fold

WORTH_ASKING = 0.25
"""Beside a sure request, a stretch that asks for nothing surely is worth asking about from this score on."""


def why_not(catalog: Catalog, mode: Mode, analysis: Analysis, context: Context) -> str:
    """Say why a model is not to be asked about an utterance; nothing where it is."""
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
    """Tell whether the next thing said may well be something sensitive, or the consent to it."""
    pending = context.pending
    if pending is not None and pending.kind == "authorize":
        return True
    asked = (pending.subject,) if pending is not None and pending.kind == "fact" else ()
    return any(fact not in catalog.facts or catalog.is_sensitive(fact) for fact in (*asked, *context.wanted))


def talks(meaning: Meaning) -> bool:
    """Tell whether it is about the conversation itself, or how to go about it."""
    return any((meaning.control, meaning.question, meaning.term, meaning.preference))


def answers(context: Context, meaning: Meaning) -> bool:
    """Tell whether what was said is an answer to the open question, and nothing more."""
    pending = context.pending
    if pending is None:
        return False
    if pending.kind in ("choice", "offer"):
        chosen = any(goal.goal in (pending.subject, *pending.options) for goal in meaning.goals)
        return chosen or (meaning.control is not None and not meaning.goals)
    answered = meaning.control is not None or any(value.fact == pending.subject for value in meaning.values)
    return answered and not (meaning.goals or meaning.candidates)


def is_unsure(analysis: Analysis) -> bool:
    """Tell whether the offline reader leaves something open that may be a request."""
    if analysis.meaning.candidates and not analysis.meaning.goals:
        return True
    left = [segment for segment in analysis.segments if segment.goal is None]
    if analysis.meaning.goals:
        return any(s.candidates and s.candidates[0].score >= WORTH_ASKING for s in left)
    return any(
        sum(word.text not in FRAME_WORDS for word in content_words(fold(segment.span.text))) > 1 for segment in left
    )
