"""Grouping: which pieces of an utterance form one request, and whether two requests for one goal are the same.

The likeliest segmentation into groups of neighbouring pieces is found by dynamic programming (a semi-Markov model): a
group is as likely as its goal, it must not hold pieces that surely ask for something else, and each further request has
to be worth its cut. Two parts for the same goal are two requests where their values differ: two amounts, two topics,
two people. "I want the unpaid invoices; which customers have not paid?" is one request.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from language.entities.masking import find_forms
from language.intents.classifier import Judged
from language.intents.segmentation import MAX_PIECES, ClauseType, Cut, Piece
from language.text.morphology import stem
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, words_in

MAX_JOINED = 7
"""The maximum number of pieces in one request."""
_JOINED_OF_MANY = 2
"""… and where there are very many of them."""

_NEW_REQUEST = {Cut.START: 0.0, Cut.THEN: -0.1, Cut.SENTENCE: -0.4, Cut.AND: -0.6, Cut.COMMA: -1.0, Cut.WEAK: -1.3}
"""What it costs to begin another request at a cut (as the logarithm of a likelihood, like all of these)."""
_JOIN_OVER = {Cut.THEN: -1.2, Cut.SENTENCE: -0.1}
"""What it costs to join pieces across a cut."""
_IN_SO_MANY_WORDS = 0.6
"""The factor applied to that cost if the second part begins like a request: "and show me …"."""
_REQUEST_COST = {
    ClauseType.REQUEST: 0.0,
    ClauseType.FRAGMENT: 0.0,
    ClauseType.TELLING: -0.7,
    ClauseType.POINTING: -6.0,
    ClauseType.FILLER: -8.0,
}
"""The cost of reading a piece of this clause type, by itself, as a request."""
_ASIDE_COST = {
    ClauseType.REQUEST: -0.95,
    ClauseType.FRAGMENT: -0.7,
    ClauseType.TELLING: -0.3,
    ClauseType.POINTING: -0.6,
    ClauseType.FILLER: -0.0,
}
"""The cost of reading a piece of this clause type as one that asks for nothing."""
_VOICE = {
    ClauseType.REQUEST: 1.0,
    ClauseType.FRAGMENT: 0.9,
    ClauseType.TELLING: 0.6,
    ClauseType.POINTING: 0.0,
    ClauseType.FILLER: 0.0,
}
"""How much a piece of this clause type counts against a group with another goal than its own."""
_SCENE = -2.0
"""The cost of reading a statement as a request, beside real requests, where no example of the goal is a statement."""
ONLY_A_VALUE, STATES_A_VALUE, NO_WEIGHT = -1.5, -3.0, -4.0
"""The cost of reading a piece as a request if it only names an option of an argument, states the value of one ("the
amount is $5"), or has no content word."""
_BARE_VOICE = 0.4
"""The factor applied to what such a piece counts against a group."""
_AGAINST = 1.25
"""The weight of what pieces count against a group: the whole is judged too sure, like its surest piece."""
_CLOSE, _VERBATIM = 0.8, 0.97
"""The nearness to an example from which pieces count less against a group, and from which they count nothing."""
_LEAST = 0.05


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Neighbouring pieces, from `first` to before `last`, with the goal they ask for, if any."""

    first: int
    last: int
    goal: str | None
    judged: Judged
    score: float
    alone: tuple[Judged, ...] = ()
    """What each of its pieces asks for by itself."""


def group_pieces(
    pieces: Sequence[Piece],
    judge: Callable[[list[tuple[int, int]]], list[Judged]],
    bare: Mapping[int, float],
    told: Collection[str],
) -> list[PieceGroup]:
    """Return the likeliest grouping of pieces; `judge` classifies stretches of pieces.

    `bare` are pieces that hardly ask for anything by themselves, with the cost of reading them as requests; `told` are
    goals that people ask for by plain statements.
    """
    count = len(pieces)
    only_tells = all(piece.type in {ClauseType.TELLING, ClauseType.FILLER, ClauseType.POINTING} for piece in pieces)
    most = MAX_JOINED if count <= MAX_PIECES else _JOINED_OF_MANY
    stretches = [(i, j) for i in range(count) for j in range(i + 1, min(count, i + most) + 1)]
    judged = dict(zip(stretches, judge(stretches), strict=True))
    best: list[tuple[float, tuple[PieceGroup, ...]]] = [(0.0, ())]
    for end in range(1, count + 1):
        options = []
        for start in range(max(0, end - most), end):
            before, parts = best[start]
            for part in _ways(pieces, judged, (start, end), bare, told if not only_tells else None):
                begins = part.goal is not None and any(earlier.goal is not None for earlier in parts)
                cost = _NEW_REQUEST[_strongest(pieces, parts, start)] if begins else 0.0
                cost *= _IN_SO_MANY_WORDS if pieces[start].type is ClauseType.REQUEST else 1.0
                options.append((before + part.score + cost, (*parts, part)))
        best.append(max(options, key=lambda option: (option[0], -len(option[1]))))
    return list(best[count][1])


def _strongest(pieces: Sequence[Piece], parts: Sequence[PieceGroup], start: int) -> Cut:
    """Return the strongest cut since the last request; asides between two requests set them further apart."""
    cuts = [pieces[start].cut]
    for part in reversed(parts):
        if part.goal is not None:
            break
        cuts.append(pieces[part.first].cut)
    return max(cuts)


def _ways(
    pieces: Sequence[Piece],
    judged: dict[tuple[int, int], Judged],
    stretch: tuple[int, int],
    bare: Mapping[int, float],
    told: Collection[str] | None,
) -> list[PieceGroup]:
    """Return the readings of a stretch of pieces: a request for one of its likelier goals, or (if single) an aside.

    `told` are the goals that may be asked for by statements, beside real requests; None where all pieces are such.
    """
    start, end = stretch
    only_tells = told is None
    whole = judged[start, end]
    inside = pieces[start:end]
    alone = tuple(judged[k, k + 1] for k in range(start, end))
    found = []
    if end - start == 1:
        voice = 1.0 if only_tells and inside[0].type is ClauseType.TELLING else _VOICE[inside[0].type]
        aside = _ASIDE_COST[
            ClauseType.REQUEST if only_tells and inside[0].type is ClauseType.TELLING else inside[0].type
        ]
        heard = 1 - voice * (1 - whole.none)
        found.append(PieceGroup(start, end, None, whole, math.log(max(heard, 0.01)) + aside))
    joins = sum(_JOIN_OVER.get(piece.cut, 0.0) for piece in inside[1:])
    telling = all(piece.type in (ClauseType.TELLING, ClauseType.FILLER) for piece in inside)
    for scored in whole.ranked[:3]:
        if scored.confidence < _LEAST:
            break
        against = sum(
            _against(piece, alone[k], scored.goal, bare=bare.get(start + k) == ONLY_A_VALUE)
            for k, piece in enumerate(inside)
        )
        if end - start == 1:
            against = bare.get(start, 0.0) if len(pieces) > 1 else 0.0
        elif bare.get(start) == STATES_A_VALUE:
            against += STATES_A_VALUE
        against *= _AGAINST
        if scored is whole.ranked[0]:  # the words of one goal's own example are that goal, "and" or not
            against *= min(1.0, max(0.0, (_VERBATIM - whole.near) / (_VERBATIM - _CLOSE)))
        mood = max(
            0.0 if only_tells and piece.type is ClauseType.TELLING else _REQUEST_COST[piece.type] for piece in inside
        )
        if telling and told is not None and scored.goal not in told:
            mood = min(mood, _SCENE)
        score = math.log(scored.confidence) + joins + mood + against
        found.append(PieceGroup(start, end, scored.goal, whole, score, alone))
    return found


def _against(piece: Piece, judged: Judged, goal: str, *, bare: bool) -> float:
    """Return how much a piece counts against being part of a request for a goal: as far as it asks for another one."""
    other = max((scored.confidence for scored in judged.ranked if scored.goal != goal), default=0.0)
    return math.log(max(1 - _VOICE[piece.type] * (_BARE_VOICE if bare else 1.0) * other, 0.02))


SURE = 0.5
"""From this confidence on, a goal is acted on; in between, it is offered."""
MARGIN = 0.15
"""The minimum lead of the best goal over the next one."""


@dataclass(frozen=True, slots=True)
class RepeatContext:
    """The context for comparing repeated requests: `says` returns the arguments of a goal that a stretch of text gives.

    `topical` are goals whose only argument is what they are about: instructions for something.
    """

    folded: str
    says: Callable[[str, int, int], Mapping[str, object]]
    topical: Collection[str] = ()


_ONE_MORE = re.compile(
    r"(?:the\s+|a\s+|an\s+)?(?:another(?:\s+one)?|one(?:\s+more)?|(?:second|third|fourth|next|last|other)(?:\s+one)?)"
    r"\s+(?=(?:for|of|over|about|on|at|from|to|with|is|should|would|worth|goes|in)\b|[$€£\d])"
)
"""Words that stand for the object just requested: "... and one for $60"."""
_ADDS = re.compile(r"(?:\band|\balso|\bthen|\bplus|[&+;]|[\s(][2-9b-d][.)])\s*(?:also|then)?\s*\Z")
_SEVERAL = re.compile(r"\b(?:two|three|four|five|2|3|4|5|both|several|a couple of|a few)\s+(?:[a-z]+\s+){0,2}[a-z]+s\b")
_BETWEEN = re.compile(r"\s*(?:,\s*(?:and\s+)?|;\s*(?:and\s+)?|\band\b|&|\+|\bplus\b|\bas well as\b|\n)\s*")
_AND_FOR = re.compile(
    r"(?:,|\band\b|&|\bplus\b|\bas well as\b)\s*(?:also\s+|then\s+)?(?:the (?:same|one) )?(?:for|in|of)\s+(?:the\s+)?\Z"
)
"""Words between two separate periods: "for January and for March"."""
_COUNTED = ("amount", "email", "phone")
"""Forms that a request has only one value of."""


@dataclass
class RequestDraft:
    """A request being read: a goal, and the stretch of text that is about it."""

    goal: str
    judged: Judged
    start: int
    end: int
    said: list[Piece] = field(default_factory=list)


def is_sure(judged: Judged, goal: str) -> bool:
    """Return whether a goal is likely enough to act on."""
    confidence = judged.confidence_in(goal)
    others = max((scored.confidence for scored in judged.ranked if scored.goal != goal), default=0.0)
    return confidence >= SURE and confidence - others >= MARGIN


def are_two(context: RepeatContext, one: RequestDraft, other: RequestDraft) -> bool:
    """Return whether two successive requests for the same goal are distinct; if not, one explains the other."""
    tells = any(
        all(piece.type in (ClauseType.TELLING, ClauseType.FILLER) for piece in request.said) for request in (one, other)
    )
    if tells or other.said[0].cut is Cut.WEAK:
        return False
    return _differ(context, one.goal, (one.start, one.end), (other.start, other.end))


def split_repeats(context: RepeatContext, pieces: Sequence[Piece], part: PieceGroup) -> list[PieceGroup]:
    """Split a group that asks for the same goal twice, with different values: "a charge of $5 and a charge of $9"."""
    if part.goal is None or part.last - part.first < 2:
        return [part]
    starts = [part.first]
    for k in range(part.first + 1, part.last):
        again = _ONE_MORE.match(context.folded, pieces[k].start) or is_sure(part.alone[k - part.first], part.goal)
        if again and pieces[k].cut > Cut.WEAK and pieces[k].type not in (ClauseType.POINTING, ClauseType.TELLING):
            before = (pieces[starts[-1]].start, pieces[k - 1].end)
            if _differ(context, part.goal, before, (pieces[k].start, pieces[k].end)):
                starts.append(k)
    ends = [*starts[1:], part.last]
    return [replace(part, first=start, last=end) for start, end in zip(starts, ends, strict=True)]


def split_rows(folded: str, request: RequestDraft, forms: Collection[str]) -> list[RequestDraft]:
    """Split a list of values: "two charges, $20 on 2 May and $21.50 on 3 May". `forms` are those of its arguments.

    It is a list where the same forms repeat, or where the words say that there are several.
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
    """Return where the next item of a list begins between two values; None if no words separate them."""
    found = list(_BETWEEN.finditer(folded, start, end))
    return found[-1].end() if found else None


def _differ(context: RepeatContext, goal: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two stretches that ask for the same goal give different values, or are about different things.

    Where not both name a known topic, they are about different ones if the second is added to the first, and shares no
    content word with it.
    """
    folded = context.folded
    said, then = context.says(goal, *one), context.says(goal, *other)
    both = said.keys() & then.keys()
    if both:
        return any(said[fact] != then[fact] for fact in both)
    if goal not in context.topical or not _ADDS.search(folded[one[1] - 1 : other[0]]):
        return False
    words = [{stem(w.text) for w in words_in(folded[a:b]) if w.text not in _EMPTY} for a, b in (one, other)]
    return bool(words[0] and words[1]) and not words[0] & words[1]


_EMPTY = FUNCTION_WORDS | FRAME_WORDS
