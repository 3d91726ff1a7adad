"""Parts: which pieces of an utterance belong together, and what each part asks for.

Of all ways to join neighbouring pieces the likeliest is chosen, by dynamic programming (a semi-Markov model): a part is
as likely as its goal; it must not hold pieces that surely ask for something else; and each further request has to be
worth its cut.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from language.intents.classifier import Judged
from language.intents.clause_types import Mood
from language.intents.segmentation import MAX_PIECES, Cut, Piece

MAX_JOINED = 7
"""Pieces that one request may be made of."""
_JOINED_OF_MANY = 2
"""… and where there are very many of them."""

_NEW_REQUEST = {Cut.START: 0.0, Cut.THEN: -0.1, Cut.SENTENCE: -0.4, Cut.AND: -0.6, Cut.COMMA: -1.0, Cut.WEAK: -1.3}
"""What it costs to begin another request at a cut (as the logarithm of a likelihood, like all of these)."""
_JOIN_OVER = {Cut.THEN: -1.2, Cut.SENTENCE: -0.1}
"""What it costs to join what a cut divides."""
_IN_SO_MANY_WORDS = 0.6
"""What is left of that if it begins like a request: "and show me …"."""
_MOOD = {Mood.REQUEST: 0.0, Mood.FRAGMENT: 0.0, Mood.TELLING: -0.7, Mood.POINTING: -6.0, Mood.FILLER: -8.0}
"""What it costs to take a piece of this mood, by itself, for a request."""
_ASIDE = {Mood.REQUEST: -0.95, Mood.FRAGMENT: -0.7, Mood.TELLING: -0.3, Mood.POINTING: -0.6, Mood.FILLER: -0.0}
"""What it costs to take a piece for one that asks for nothing."""
_VOICE = {Mood.REQUEST: 1.0, Mood.FRAGMENT: 0.9, Mood.TELLING: 0.6, Mood.POINTING: 0.0, Mood.FILLER: 0.0}
"""How much a piece of this mood has to say against a part that takes it for something else."""
_SCENE = -2.0
"""What it costs to take a statement for a request whose goal nobody asks for by statements, beside real requests."""
ONLY_A_VALUE, STATES_A_VALUE, NO_WEIGHT = -1.5, -3.0, -4.0
"""What it costs to take a piece for a request that names one option of an argument, that states the value of one ("the
amount is $5"), or that has no word of weight."""
_BARE_VOICE = 0.4
"""How much less such a piece has to say."""
_AGAINST = 1.25
"""How much what pieces have to say counts: the whole sounds surer than it is, like its loudest piece."""
_CLOSE, _VERBATIM = 0.8, 0.97
"""From what nearness to an example on its pieces speak less and less against it, and from what on not at all."""
_LEAST = 0.05


@dataclass(frozen=True, slots=True)
class Part:
    """Neighbouring pieces, from `first` to before `last`, with the goal that they ask for, if any."""

    first: int
    last: int
    goal: str | None
    judged: Judged
    score: float
    alone: tuple[Judged, ...] = ()
    """What each of its pieces asks for by itself."""


def join(
    pieces: Sequence[Piece],
    judge: Callable[[list[tuple[int, int]]], list[Judged]],
    bare: Mapping[int, float],
    told: Collection[str],
) -> list[Part]:
    """Choose the likeliest way to join pieces to parts; `judge` tells what stretches of pieces ask for.

    `bare` are pieces that hardly ask for anything by themselves, with what it costs to take them for requests; `told`
    are goals that people ask for by mere statements.
    """
    count = len(pieces)
    only_tells = all(piece.mood in {Mood.TELLING, Mood.FILLER, Mood.POINTING} for piece in pieces)
    most = MAX_JOINED if count <= MAX_PIECES else _JOINED_OF_MANY
    stretches = [(i, j) for i in range(count) for j in range(i + 1, min(count, i + most) + 1)]
    judged = dict(zip(stretches, judge(stretches), strict=True))
    best: list[tuple[float, tuple[Part, ...]]] = [(0.0, ())]
    for end in range(1, count + 1):
        options = []
        for start in range(max(0, end - most), end):
            before, parts = best[start]
            for part in _ways(pieces, judged, (start, end), bare, told if not only_tells else None):
                begins = part.goal is not None and any(earlier.goal is not None for earlier in parts)
                cost = _NEW_REQUEST[_strongest(pieces, parts, start)] if begins else 0.0
                cost *= _IN_SO_MANY_WORDS if pieces[start].mood is Mood.REQUEST else 1.0
                options.append((before + part.score + cost, (*parts, part)))
        best.append(max(options, key=lambda option: (option[0], -len(option[1]))))
    return list(best[count][1])


def _strongest(pieces: Sequence[Piece], parts: Sequence[Part], start: int) -> Cut:
    """Find the strongest cut since the last request: asides between two requests set them apart all the more."""
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
) -> list[Part]:
    """List what a stretch of pieces may be: a request for one of its likelier goals, or (a single piece) an aside.

    `told` are the goals that may be asked for by statements, beside real requests; None where all pieces are such.
    """
    start, end = stretch
    only_tells = told is None
    whole = judged[start, end]
    inside = pieces[start:end]
    alone = tuple(judged[k, k + 1] for k in range(start, end))
    found = []
    if end - start == 1:
        voice = 1.0 if only_tells and inside[0].mood is Mood.TELLING else _VOICE[inside[0].mood]
        aside = _ASIDE[Mood.REQUEST if only_tells and inside[0].mood is Mood.TELLING else inside[0].mood]
        heard = 1 - voice * (1 - whole.none)
        found.append(Part(start, end, None, whole, math.log(max(heard, 0.01)) + aside))
    joins = sum(_JOIN_OVER.get(piece.cut, 0.0) for piece in inside[1:])
    telling = all(piece.mood in (Mood.TELLING, Mood.FILLER) for piece in inside)
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
        mood = max(0.0 if only_tells and piece.mood is Mood.TELLING else _MOOD[piece.mood] for piece in inside)
        if telling and told is not None and scored.goal not in told:
            mood = min(mood, _SCENE)
        score = math.log(scored.confidence) + joins + mood + against
        found.append(Part(start, end, scored.goal, whole, score, alone))
    return found


def _against(piece: Piece, judged: Judged, goal: str, *, bare: bool) -> float:
    """Say how much a piece speaks against being part of a request for a goal: as far as it asks for another one."""
    other = max((scored.confidence for scored in judged.ranked if scored.goal != goal), default=0.0)
    return math.log(max(1 - _VOICE[piece.mood] * (_BARE_VOICE if bare else 1.0) * other, 0.02))
