# ruff: noqa: E501 - the words of one form are kept together on a line
"""Gist: what of a stretch of an utterance bears on what it asks for, and what only tells something beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from catalog.model import Catalog
from dialogue.understanding.requests.arguments import arguments_of
from dialogue.understanding.requests.masking import find_forms
from dialogue.understanding.requests.moods import Mood, mood_of
from dialogue.understanding.requests.references import RESULT
from dialogue.understanding.requests.segment import PERSON, Piece, cut_up
from dialogue.understanding.words import FUNCTION_WORDS, fold, stem, words_in

_REFERENCE = re.compile(
    r"\b(?:about|regarding|on|over|concerning|re|discuss|explain|through|review|of|into|behind|clarify)\s+(?:me\s+|us\s+)?"
    r"(?P<what>(?:both\s+(?:of\s+)?)?(?P<det>those|that|these|this|the|both|my|our)\s+(?P<noun>(?:(?!(?:with|over|by|via|through|on|in|at|please|to|for|and)\b)"
    r"[a-z&'-]+\s*){1,4}))(?=(?:with|over|by|via|through|on|in|at|please|to)\b|\W*\Z)"
)
"""What somebody wants to talk about."""
_WHO_KNOWS = re.compile(
    rf"\b{PERSON}"
    r"(?P<where>(?:\s+(?:on|over|by|via|in)\s+(?:the\s+|a\s+)?[a-z]+(?:\s+(?:call|chat|session|meeting))?)?)\s+"
    r"(?P<clause>(?:who|that|which)\s+(?:can|could|would|will|may|is able|knows?|understands?|tells?|explains?|helps?)\b.*)",
    re.DOTALL,
)
"""What somebody is to know who is wanted: whoever it is, it is they who are asked for."""


def gist_of(folded: str, pieces: Sequence[Piece], first: int, last: int) -> str:
    """Give the words of a stretch of pieces that bear on what it asks for.

    "Chat about those losses" asks for a chat, whatever losses are otherwise; "a person who knows taxes", for a person.
    """
    start, end = pieces[first].start, pieces[last - 1].end
    said = folded[start:end]
    if (known := _WHO_KNOWS.search(said)) is not None and last - first == 1:
        return said[: known.start("clause")].rstrip()
    match = _REFERENCE.search(said) if first else None
    if match is None:
        return said
    nouns = {stem(word.text) for word in words_in(match["noun"] or "") if word.text not in FUNCTION_WORDS}
    before = {stem(word.text) for word in words_in(folded[: start + match.start()])}
    if match["det"] in {"the", "my", "our"} and not nouns & (before | RESULT):
        return said
    return f"{said[: match.start('what')]}it {said[match.end('what') :]}".rstrip()


def statements_of(catalog: Catalog) -> re.Pattern[str]:
    """Prepare to find mere statements of a value: "the amount is $5", "it was on May 3"."""
    arguments = dict.fromkeys(fact for goal in catalog.goals for fact in arguments_of(catalog, goal))
    heads = {re.split(r"\b(?:of|to|for|on|in)\b", fold(catalog.facts[fact].label))[0].strip() for fact in arguments}
    named = "|".join(re.escape(word) for head in sorted(heads) for word in (head, head.split()[-1]) if word)
    return re.compile(
        rf"\W*(?:(?:and|but)\s+)?(?:(?:the|its|his|her|their|this|that)\s+(?:\w+\s+)?(?:{named or 'value'})|it|this|that)"
        r"\s*(?:'s|is|was|are|will be|should be|would be|must be|has to be|comes to|came to|:)\s+"
        r"(?:(?:all|just|only)\s+)?(?:(?:for|of|on|from|dated|worth|about|over|to)\s+)?(?=[$€£\w])(?!\w+ing\b)"
    )


def fixed_pairs_of(catalog: Catalog) -> re.Pattern[str] | None:
    """Prepare to find pairs of words that a goal is called by time and again: "profit and loss" is one thing."""
    found: set[str] = set()
    for goal in catalog.goals.values():
        called = (goal.label, goal.description, *goal.examples, *(catalog.facts[fact].label for fact in goal.facts))
        pairs = Counter(pair for text in called for pair in set(_PAIR.findall(fold(text))))
        found.update(pair for pair, count in pairs.items() if count >= _OFTEN)
    said = "|".join(r"\s*(?:\band\b|&|\+|\bn\b)\s*".join(pair.split(" and ")) for pair in sorted(found))
    return re.compile(rf"\b(?:{said})\b") if found else None


_PAIR = re.compile(r"\b[a-z]+ and [a-z]+\b")
_OFTEN = 3


def only_tells(example: str) -> bool:
    """Tell whether an example asks for its goal by a mere statement: "my customer has a new number"."""
    folded = fold(example)
    if mood_of(folded) is not Mood.TELLING:
        return False
    pieces = cut_up(folded, [(start, end) for start, end, _ in find_forms(folded)])
    return all(piece.mood in (Mood.TELLING, Mood.FILLER) for piece in pieces)
