"""What is said to a question whether to go ahead, beside a yes or a no: another value of what would be written.

"No, 3 New Road", "hmm, actually on Thursday", "not 800 grams, 900": after the words that take back or hesitate stands
one value, and nothing else. It is read as an answer to the question for each fact that was read back; it must be an
answer to one of them only.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from catalog.analysis.dependencies import can_be_asked
from catalog.model import Catalog, Fact
from language.acts.answer_reading import find_answer, say_why_not
from language.acts.clarifications_and_corrections import asks, says_more
from language.acts.dialogue_acts import read_control
from language.entities.extents import GoalOf
from language.entities.value_context import is_wordy
from language.interpretation import Entity, Span
from language.readers import find_mentions
from language.readers.units import end_of_age, measure_after
from language.responses.questions import which_to_change
from language.slots.filler import SlotFiller
from language.text.lazy_pattern import LazyPattern
from language.text.request_frames import is_refusal, is_request
from language.text.utterance import UtteranceReading
from language.text.words import span_of

_TAKES_BACK = LazyPattern(
    r"(?:[\s,.;:!-]*(?:no|nope|nah|not (?:that|this|so|quite|right)|wrong|wait|stop|hold on|sorry|oops|hm+|uh+|um+|oh"
    r"|well|actually|rather|instead|yes|yeah|ok|okay|sure|but|and|please|correction|i (?:meant|mean|said|want)"
    r"|just|only|(?:don't|do not) (?:cancel|drop|stop|scrap|end|delete|remove|undo) (?:it|that|this)"
    r"|(?:make|change|set|move|put|shift|push|bring|lower|raise|reduce|increase|switch|correct) (?:it|that)(?: to)?"
    r"|(?:it|that)(?:'s| is| was| should be| must be| has to be| ought to be)"
    r"|better)\b)+[\s,.;:!-]*(?:(?:(?:on|to|for|over|at|from|in|with|by|of|the|my)\s)+)?"
)
"""Words that take back what was read back, or hesitate, before another value; and a preposition to that."""


_DENIED = LazyPattern(
    rf"(?:{_TAKES_BACK.pattern})?not (?P<old>[^,;.!?]{{1,40}}?)(?:\s*[,;]\s*(?:but )?| but )(?:{_TAKES_BACK.pattern})?"
)
"""A value that is denied, before the one that comes instead: "not 800 grams but 900 grams"."""


def read_change(
    reading: UtteranceReading, catalog: Catalog, filler: SlotFiller, goal_of: GoalOf
) -> UtteranceReading | None:
    """Read another value of what was read back, where nothing else is said; None if that is not so."""
    pending = reading.context.pending
    if pending is None or not pending.facts:
        return None
    opening = _find_opening(reading.folded)
    left = reading.without([(0, opening.end())]) if opening else reading
    said = left.folded.strip(" ,.;:!-")
    if not said or asks(left) or is_request(said) or is_refusal(said) or read_control(said):
        return None
    facts = [catalog.facts[name] for name in pending.facts if name in catalog.facts]
    facts = [fact for fact in facts if can_be_asked(fact) and fact.value.sayable]
    found = [value for fact in facts if not _loose(fact) and (value := _only(left, fact, filler, goal_of))]
    longest = max((value.span.end - value.span.start for value in found), default=0)
    found = [value for value in found if value.span.end - value.span.start == longest]  # "€55" is no plain number
    unsure = [fact for fact in facts if not _loose(fact) and _is_unsure(left, fact)]
    if opening and not (found or unsure):
        found = [value for fact in facts if _loose(fact) and (value := _only(left, fact, filler, goal_of))]
    if len(found) == 1:
        return replace(reading, values=tuple(found))
    if found:
        return replace(reading, unclear=which_to_change(catalog, [value.fact for value in found]))
    return replace(reading, unclear=say_why_not(left, unsure[0], filler)) if len(unsure) == 1 else None


def _find_opening(folded: str) -> re.Match[str] | None:
    """Find what takes back: with the value that it denies, where what comes instead is said in the same form."""
    denied = _DENIED.match(folded)
    alike = denied is not None and _has_letters(denied["old"]) == _has_letters(folded[denied.end() :])
    return denied if alike else _TAKES_BACK.match(folded)


def _has_letters(text: str) -> bool:
    return any(char.isalpha() for char in text)


def _is_unsure(left: UtteranceReading, fact: Fact) -> bool:
    """Return whether all that is said is a value of which it is not clear which it is: "on Thursday"."""
    mentions = find_mentions(fact.value, left.text, left.context.today)
    spans = (span_of(left.text, one.start, one.end) for one in mentions)
    return len(mentions) == 1 and not any(says_more(left.folded, span) for span in spans)


def _loose(fact: Fact) -> bool:
    """Return whether values of a fact look much like other words: names, addresses."""
    return fact.value.free_text or is_wordy(fact.value)


def _with_unit(text: str, span: Span, fact: Fact) -> Span:
    """Return the span of a number with the unit that follows it, if it is of a kind that has one."""
    measure = measure_after(text, span.start, span.end, Fraction(1)) if fact.value.measure else None
    return span if measure is None else span_of(text, span.start, end_of_age(text.lower(), span.start) or measure.end)


def _only(left: UtteranceReading, fact: Fact, filler: SlotFiller, goal_of: GoalOf) -> Entity | None:
    if fact.value.takes_any_text or fact.value.is_yes_or_no:
        return None
    value = find_answer(left, fact, (), filler, goal_of)
    if value is None or says_more(left.folded, _with_unit(left.text, value.span, fact)):
        return None
    if _loose(fact) and not value.span.text[:1].isdigit() and value.span.text != value.span.text.title():
        return None  # "a bad idea" is no name
    return value.model_copy(update={"rule": f"{fact.value.kind} as a correction"})
