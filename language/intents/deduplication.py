"""Repeats: when the same is asked for twice, and when that is one request in other words.

Twice it is where the values differ: two amounts, two topics, two people. "I want the unpaid invoices; which customers
have not paid?" is one request, however often it is put.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from language.intents.classifier import Judged
from language.intents.clause_types import Mood
from language.intents.joining import Part
from language.intents.segmentation import Cut, Piece
from language.text.masking import find_forms
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, stem, words_in

SURE = 0.5
"""From this confidence on, a goal is acted on; in between, it is offered."""
MARGIN = 0.15
"""By how much the best goal must lead the next one."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What repeats are told apart by: `says` gives what a stretch of text says of the arguments of a goal.

    `topical` are goals of which one argument alone says what they are about: instructions for something.
    """

    folded: str
    says: Callable[[str, int, int], Mapping[str, object]]
    topical: Collection[str] = ()


_ONE_MORE = re.compile(
    r"(?:the\s+|a\s+|an\s+)?(?:another(?:\s+one)?|one(?:\s+more)?|(?:second|third|fourth|next|last|other)(?:\s+one)?)"
    r"\s+(?=(?:for|of|over|about|on|at|from|to|with|is|should|would|worth|goes|in)\b|[$€£\d])"
)
"""What stands for the thing that was just asked for: "... and one for $60"."""
_ADDS = re.compile(r"(?:\band|\balso|\bthen|\bplus|[&+;]|[\s(][2-9b-d][.)])\s*(?:also|then)?\s*\Z")
_SEVERAL = re.compile(r"\b(?:two|three|four|five|2|3|4|5|both|several|a couple of|a few)\s+(?:[a-z]+\s+){0,2}[a-z]+s\b")
_BETWEEN = re.compile(r"\s*(?:,\s*(?:and\s+)?|;\s*(?:and\s+)?|\band\b|&|\+|\bplus\b|\bas well as\b|\n)\s*")
_AND_FOR = re.compile(
    r"(?:,|\band\b|&|\bplus\b|\bas well as\b)\s*(?:also\s+|then\s+)?(?:the (?:same|one) )?(?:for|in|of)\s+(?:the\s+)?\Z"
)
"""Between two periods that are not one: "for January and for March"."""
_COUNTED = ("amount", "email", "phone")
"""Forms of which one request has one value."""


@dataclass
class Asked:
    """A request while it is read: a goal, and the stretch of text that is about it."""

    goal: str
    judged: Judged
    start: int
    end: int
    said: list[Piece] = field(default_factory=list)


def is_sure(judged: Judged, goal: str) -> bool:
    """Tell whether a goal is likely enough to act on."""
    confidence = judged.confidence_in(goal)
    others = max((scored.confidence for scored in judged.ranked if scored.goal != goal), default=0.0)
    return confidence >= SURE and confidence - others >= MARGIN


def are_two(telling: Telling, one: Asked, other: Asked) -> bool:
    """Tell whether two requests for the same goal, one after the other, are two; if not, the one explains the other."""
    tells = any(all(piece.mood in (Mood.TELLING, Mood.FILLER) for piece in request.said) for request in (one, other))
    if tells or other.said[0].cut is Cut.WEAK:
        return False
    return _differ(telling, one.goal, (one.start, one.end), (other.start, other.end))


def take_apart(telling: Telling, pieces: Sequence[Piece], part: Part) -> list[Part]:
    """Take apart what asks for the same goal twice, with different values: "a charge of $5 and a charge of $9"."""
    if part.goal is None or part.last - part.first < 2:
        return [part]
    starts = [part.first]
    for k in range(part.first + 1, part.last):
        again = _ONE_MORE.match(telling.folded, pieces[k].start) or is_sure(part.alone[k - part.first], part.goal)
        if again and pieces[k].cut > Cut.WEAK and pieces[k].mood not in (Mood.POINTING, Mood.TELLING):
            before = (pieces[starts[-1]].start, pieces[k - 1].end)
            if _differ(telling, part.goal, before, (pieces[k].start, pieces[k].end)):
                starts.append(k)
    ends = [*starts[1:], part.last]
    return [replace(part, first=start, last=end) for start, end in zip(starts, ends, strict=True)]


def in_rows(folded: str, request: Asked, forms: Collection[str]) -> list[Asked]:
    """Take apart a row of values: "two charges, $20 on 2 May and $21.50 on 3 May". `forms` are those of its arguments.

    A row is one where the same forms follow each other again, or where it is said that there are several.
    """
    rows: list[list[tuple[int, int, str]]] = []
    for start, end, form in find_forms(folded):
        if not request.start <= start < request.end or form not in forms:
            continue
        if not rows or form in {said for _, _, said in rows[-1]}:
            rows.append([])
        rows[-1].append((start, end, form))
    first = [form for _, _, form in rows[0]] if rows else []
    counted = [form for form in first if form in _COUNTED] or first
    if len(rows) < 2 or any(row[0][2] != first[0] for row in rows):
        return [request]
    alike = len(first) > 1 and all([form for _, _, form in row] == first for row in rows)
    values = [next((folded[a:b] for a, b, form in row if form == counted[0]), None) for row in rows]
    joints = [_joint(folded, before[-1][1], after[0][0]) for before, after in pairwise(rows)]
    several = alike or _speaks_of_several(folded[request.start : request.end])
    if counted[0] not in _COUNTED:
        gaps = [folded[before[-1][1] : after[0][0]] for before, after in pairwise(rows)]
        several = all(_AND_FOR.search(gap) for gap in gaps)
    if not several or len(set(values)) < len(rows) or None in values or None in joints:
        return [request]
    starts = [request.start, *(joint for joint in joints if joint is not None)]
    ends = [*starts[1:], request.end]
    return [replace(request, start=start, end=end) for start, end in zip(starts, ends, strict=True)]


def _speaks_of_several(said: str) -> bool:
    forms = find_forms(said)
    return any(not any(a <= match.start() < b for a, b, _ in forms) for match in _SEVERAL.finditer(said))


def _joint(folded: str, start: int, end: int) -> int | None:
    """Find where the next of a row begins between two values; None if nothing says that there is a next one."""
    found = list(_BETWEEN.finditer(folded, start, end))
    return found[-1].end() if found else None


def _differ(telling: Telling, goal: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Tell whether two stretches that ask for the same goal do so with different values, or for different things.

    Where a topic is not known of both, they are about different ones if the second is added to the first, and has no
    word of weight in common with it.
    """
    folded = telling.folded
    said, then = telling.says(goal, *one), telling.says(goal, *other)
    both = said.keys() & then.keys()
    if both:
        return any(said[fact] != then[fact] for fact in both)
    if goal not in telling.topical or not _ADDS.search(folded[one[1] - 1 : other[0]]):
        return False
    words = [{stem(w.text) for w in words_in(folded[a:b]) if w.text not in _EMPTY} for a, b in (one, other)]
    return bool(words[0] and words[1]) and not words[0] & words[1]


_EMPTY = FUNCTION_WORDS | FRAME_WORDS
