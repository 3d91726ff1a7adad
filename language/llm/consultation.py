"""Consulting a model: whether it is asked about an utterance, what it is shown, and the record of its replies."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from catalog.model import Catalog
from language.entities.masking import find_forms
from language.interpretation import Analysis, Context, Interpretation
from language.llm.settings import ModelUse
from language.llm.verification import Objection, VerifiedRequest
from language.readers import find_mentions
from language.text.lazy_pattern import LazyPattern
from language.text.words import FRAME_WORDS, MAX_TEXT, content_words, fold

LONGEST_REPLY = 2_000


class ModelPackagesMissing(RuntimeError):
    """The packages that talk to a language model are missing; the message says what to install."""


@dataclass(frozen=True, slots=True)
class Try:
    """One reply of a model, shortened, with what there was against it."""

    reply: str
    objections: tuple[Objection, ...] = ()


@dataclass(frozen=True, slots=True)
class Consulted:
    """The result of asking. `found` is None where no answer could be used; `trouble` then says why, quoting nothing."""

    found: tuple[VerifiedRequest, ...] | None
    tries: tuple[Try, ...] = ()
    trouble: str = ""
    seconds: float = 0.0

    @property
    def note(self) -> str:
        """Say for a log that the answer was not used, and why; nothing where it was."""
        return f"The model's answer was not used: {self.trouble}." if self.trouble else ""


BLANK = "█"


def blank(catalog: Catalog, text: str, meaning: Interpretation, today: date) -> str:
    """Return the text, of the same length, with every value blanked that is, or may be, one of a sensitive fact.

    That is what the offline reader took for one, and whatever has the form of one or could be a part of one: all digits
    that are not plainly an amount or a date. Names and other words that nothing tells apart from the rest are blanked
    only where the offline reader took them. What was said of how to go about it is blanked too: "at most 2 euros" is
    no value of anything.
    """
    places: list[tuple[int, int]] = []
    for mention in (*meaning.values, *(value for goal in meaning.goals for value in goal.values)):
        if mention.fact not in catalog.facts or catalog.is_sensitive(mention.fact):
            places.append((mention.span.start, mention.span.end))
    for fact in catalog.facts.values():
        if catalog.is_sensitive(fact.name) and fact.value.sayable:
            places.extend((mention.start, mention.end) for mention in find_mentions(fact.value, text, today))
    if any(_may_have_digits(catalog, fact.name) for fact in catalog.facts.values()):
        places.extend(_bare_digits(text))
    if meaning.preference is not None:
        places.append((meaning.preference.span.start, meaning.preference.span.end))
    for start, end in places:
        text = text[:start] + BLANK * (end - start) + text[end:]
    return text


def _may_have_digits(catalog: Catalog, fact: str) -> bool:
    kind = catalog.facts[fact].value
    return catalog.is_sensitive(fact) and kind.sayable and not kind.declared_options and not kind.is_yes_or_no


_RUN = LazyPattern(r"0(?:[\W_]{0,3}0)*")
_FEWEST = 3
"""So many digits may be a part of a secret number; of fewer there are too many of every sort."""
_PLAIN = LazyPattern(r"[^\W\d_]|[$€£¥%/]|\d[-.]\d+[-.]\d|\d,\d{3}\b")
"""An amount or a date is plain by its unit, its month, or the way it is written; bare digits are not."""
_ENDING = LazyPattern(r"\A(?:end|start|begin|finish)\w*\s+(?:(?:in|on|with|at|from)\s+)?", re.IGNORECASE)
"""So numbers are said to end, too: "it ends in 1987"."""
_YEAR = LazyPattern(r"\b(?:in|for|of|since|during|until|by|year)\s+(?P<year>(?:19|20)[0-9]{2})(?![\w/-]|[.,]\d|\s?\d)")
_NUMBERING = LazyPattern(
    r"\b(?:end\w*|last|digits?|numbers?|no|codes?|pins?|cards?|accounts?|ssn|social|security|passwords?|id)\b"
)
"""Where what comes before speaks of numbers, four digits may be the last ones of one, and no year."""


def _bare_digits(text: str) -> Iterator[tuple[int, int]]:
    """Yield runs of digits, of any script and with any separators, that are not plainly amounts or dates."""
    zeros = "".join("0" if unicodedata.digit(char, None) is not None else char for char in text)
    plain = [
        range(start, end)
        for start, end, form in find_forms(fold(text))
        if form in ("amount", "period") and _PLAIN.search(_ENDING.sub("", text[start:end]))
    ]
    lowered = text.casefold() if len(text.casefold()) == len(text) else text
    plain += [
        range(*year.span("year")) for year in _YEAR.finditer(lowered) if not _NUMBERING.search(lowered, 0, year.start())
    ]
    for run in _RUN.finditer(zeros):
        places = [place for place in range(*run.span()) if zeros[place] == "0"]
        if len(places) >= _FEWEST and not all(any(place in one for one in plain) for place in places):
            yield run.span()


WORTH_ASKING = 0.25
"""Beside a sure request, a stretch that asks for nothing surely is worth asking about from this score on."""


def why_not(catalog: Catalog, mode: ModelUse, analysis: Analysis, context: Context) -> str:
    """Return why a model is not to be asked about an utterance; nothing where it is."""
    meaning = analysis.meaning
    asks_for = meaning.goals or meaning.candidates
    reasons = {
        "it is switched off": mode is ModelUse.OFF,
        "something sensitive is being asked for": touches_sensitive(catalog, context),
        "there is nothing to read": not analysis.text.strip(),
        "it is too long": len(analysis.text) > MAX_TEXT,
        "it answers the question that was put": answers(context, meaning),
        "it is no request": not asks_for and talks(meaning),
        "the offline reader is sure": mode is ModelUse.UNSURE and not is_unsure(analysis),
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
