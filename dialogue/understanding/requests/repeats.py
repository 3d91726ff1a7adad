"""Repeats: when the same is asked for twice, and when that is one request in other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dialogue.understanding.requests.classify import Judged
from dialogue.understanding.requests.masking import find_forms
from dialogue.understanding.requests.moods import Mood
from dialogue.understanding.requests.parts import Part
from dialogue.understanding.requests.segment import Cut, Piece

SURE = 0.5
"""From this confidence on, a goal is acted on; in between, it is offered."""
MARGIN = 0.15
"""By how much the best goal must lead the next one."""


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


def are_two(folded: str, one: Asked, other: Asked) -> bool:
    """Tell whether two requests for the same goal, one after the other, are two; if not, the one explains the other."""
    tells = any(all(piece.mood in (Mood.TELLING, Mood.FILLER) for piece in request.said) for request in (one, other))
    differ = _differ(folded, (one.start, one.end), (other.start, other.end))
    return differ and not tells and other.said[0].cut is not Cut.WEAK


def take_apart(folded: str, pieces: Sequence[Piece], part: Part) -> list[Part]:
    """Take apart what asks for the same goal twice, with different values: "a charge of $5 and a charge of $9"."""
    if part.goal is None or part.last - part.first < 2:
        return [part]
    starts = [part.first]
    for k in range(part.first + 1, part.last):
        alone = part.alone[k - part.first]
        if pieces[k].cut > Cut.WEAK and is_sure(alone, part.goal) and pieces[k].mood is not Mood.POINTING:
            before = (pieces[starts[-1]].start, pieces[k - 1].end)
            if _differ(folded, before, (pieces[k].start, pieces[k].end)):
                starts.append(k)
    ends = [*starts[1:], part.last]
    return [replace(part, first=start, last=end) for start, end in zip(starts, ends, strict=True)]


def _differ(folded: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Tell whether two stretches that ask for the same goal have different values of the same form."""
    forms = [
        {
            form: {folded[a:b] for a, b, kind in find_forms(folded) if kind == form and start <= a < end}
            for form in ("amount", "period", "email", "phone", "number")
        }
        for start, end in (one, other)
    ]
    return any(forms[0][form] and forms[1][form] and forms[0][form] != forms[1][form] for form in forms[0])
