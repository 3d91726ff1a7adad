"""Blanking: what looks like a sensitive value is made unreadable before anything is sent."""

from __future__ import annotations

from datetime import date

from catalog.model import Catalog
from dialogue.meaning import Meaning

BLANK = "█"


def blank(catalog: Catalog, text: str, meaning: Meaning, today: date) -> str:
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
            places.extend((mention.start, mention.end) for mention in fact.value.find(text, today))
    if meaning.preference is not None:
        places.append((meaning.preference.span.start, meaning.preference.span.end))
    for start, end in places:
        text = text[:start] + BLANK * (end - start) + text[end:]
    return text
