# ruff: noqa: E501 - the words of one form are kept together on a line
"""In passing: what is to be talked about is asked for with that: "chat about the charge of $66 from 10/2/2024".

Whoever wants to discuss a report of a period needs that report first. Two requests are made of such a one, where both
are sure: of what is to be discussed, and of what is left with "it" in its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from catalog.analysis.dependencies import arguments_of
from catalog.model import Catalog
from language.intents.classifier import Judged
from language.intents.clause_types import Mood, mood_of
from language.intents.deduplication import Asked, is_sure
from language.intents.segmentation import PERSON, Piece, cut_up
from language.slots.coreference import RESULT, ReferenceReader
from language.text.masking import find_forms
from language.text.words import FUNCTION_WORDS, fold, stem, words_in

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


_TOPIC = re.compile(
    r"\b(?:about|regarding|on|over|concerning|re|discuss|explain|through|review|of)\s+(?P<what>(?:our|my|the|a|an|that|this|these|those|all)\s+[\w$€£])"
)
_END = re.compile(
    r"\s+(?:with|via|using)\s+(?:me|us|you|a|an|the|some|any|one|your|my|our|somebody|someone|anyone|anybody|him|her|them)\b"
    r"|\s+(?:on|over|by|in|via|through)\s+(?:a\s+|the\s+)?(?:[a-z]+\s+)?(?:phone|telephone|chat|video|call|meeting|session|conference)\b"
    r"|\s+(?:please|right now|asap|today|now)\b|[,.;!?]\s|[.;!?]?\Z"
)
_POINTED_AT = re.compile(
    r"\b(?:that|this|the|it)\b(?:\s+\w+)?\s+(?:first|beforehand|before that|up front|before (?:we|i|you))\b"
)

Judge = Callable[[str], Judged]


def add_named_in_passing(
    folded: str, pieces: Sequence[Piece], requests: Sequence[Asked], references: ReferenceReader, judge: Judge
) -> list[Asked]:
    """Add what is asked for by naming it as a topic, each before the request that is about it."""
    pointed = any(piece.mood is Mood.POINTING or _POINTED_AT.search(piece.of(folded)) for piece in pieces)
    found: list[Asked] = []
    for request in requests:
        for consumer in references.consumers:
            named = _named(folded, request, consumer, references, judge, pointed=pointed)
            if named is not None and named[0].goal not in {r.goal for r in requests if r is not request}:
                found.extend(named)
                break
        else:
            found.append(request)
    return found


def _named(
    folded: str, request: Asked, consumer: str, references: ReferenceReader, judge: Judge, *, pointed: bool
) -> tuple[Asked, Asked] | None:
    """Find a topic in a request that is itself asked for; give that, and the request for what is to be about it."""
    if request.goal != consumer and not references.can_take(consumer, request.goal):
        return None
    for topic in _TOPIC.finditer(folded, request.start, request.end):
        start = topic.start("what")
        ending = _END.search(folded, start, request.end)
        end = ending.start() if ending else request.end
        if not (pointed or any(start <= a < end for a, _, _ in find_forms(folded))):
            continue
        named = judge(folded[start:end])
        goal = named.ranked[0].goal
        if not is_sure(named, goal) or not references.can_take(consumer, goal):
            continue
        rest = judge(f"{folded[request.start : start]}it{folded[end : request.end]}")
        if request.goal == consumer or (goal == request.goal and is_sure(rest, consumer)):
            return Asked(goal, named, start, end), Asked(
                consumer, rest if is_sure(rest, consumer) else request.judged, request.start, request.end, request.said
            )
    return None
