"""In passing: what is to be talked about is asked for with that: "chat about the charge of $66 from 10/2/2024".

Whoever wants to discuss a report of a period needs that report first. Two requests are made of such a one, where both
are sure: of what is to be discussed, and of what is left with "it" in its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dialogue.understanding.requests.classify import Judged
from dialogue.understanding.requests.masking import find_forms
from dialogue.understanding.requests.moods import Mood
from dialogue.understanding.requests.references import ReferenceReader
from dialogue.understanding.requests.repeats import Asked, is_sure
from dialogue.understanding.requests.segment import Piece

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
