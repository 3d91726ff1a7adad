"""Extents: how far a value in free words goes.

What looks like any other words, such as an address or an employer, ends where something else begins: another request,
what is said of somebody or something else, or a time that belongs to neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from itertools import pairwise

from catalog.values import ValueKind
from language.readers.time_expressions import find_time_expressions
from language.readers.units import MEASURE
from language.text.request_frames import is_request
from language.text.words import fold

_CUT = re.compile(
    r"(?:\s*[,;]|\s+-)?\s+(?:and then|and also|and|but|then|plus|so|while|because|cause"
    r"|since(?=\s+(?:i|we|he|she|they)\b))\s+"
    r"|\s*[,;]\s+|\s+-\s+|(?<=[^\W\d_]{3})[.!?]\s+"
)
"""Where something else may begin."""
_STATEMENT = re.compile(
    r"(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|we'll|he|he's|she|she's|they|they're|it|it's|that's|this|there)\s+\w"
)
_OWNED = re.compile(r"(?:my|our|his|her|their|your)\s+\w")
_DOING = re.compile(r"(?:[a-z]{2,}ing)\s+(?:in|on|at|to|out|up|for|from|there|here|with|by|soon|a|the|my)\b")
_SINCE = (
    r"(?:(?:in|on|at|for|since|from|until|till|by|as of|starting|over|about|around|almost|nearly|some|the|past|last)"
    r"\s+)*"
)
_TIMED = re.compile(rf"{_SINCE}(?:{MEASURE})(?:\s+(?:now|ago|already|so far|there|here))?\W*\Z")
_ENDS_IN = re.compile(rf"[\s,]+(?:for|since)\s+{_SINCE}(?:{MEASURE}|(?:19|20)\d\d)(?:\s+(?:now|already|so far))?\W*\Z")
_BEFORE_TIME = re.compile(
    r"(?:[\s,]+(?:in|on|since|from|until|till|as of|starting|by|at|for|the|of|next|this|last|coming))*[\s,]*\Z"
)
_PROPER = re.compile(r"(?:(?:[^\W\d_a-z]\S*|of|and|the|de|van|von|&|[0-9]\S*)\s*)+")
"""A proper name, such as that of a company, as most people write it."""
_ANY_DAY = date(2024, 7, 1)

GoalOf = Callable[[str], str | None]
"""Which goal a stretch surely asks for."""


def end_of_value(kind: ValueKind, text: str, start: int, end: int, goal_of: GoalOf) -> int:
    """Return where a value in free words that begins at `start`, and goes to `end` at most, ends."""
    inner, folded = kind.innermost, fold(text)
    for first, piece in _pieces(folded, start, end):
        if _is_other(inner, text[start:first], piece, goal_of):
            end = first
            break
    end = start + len(folded[start:end].rstrip(' ,;:"'))
    return _without_time(inner, text, folded, start, end)


def _is_other(kind: ValueKind, before: str, piece: str, goal_of: GoalOf) -> bool:
    """Return whether a piece behind a cut is no part of the value."""
    if kind.is_place or kind.name_part or _PROPER.fullmatch(before):
        other = (form.match(piece) for form in (_STATEMENT, _TIMED, _OWNED, _DOING))
        return any(other) or _is_time(piece) or is_request(piece) or goal_of(piece) is not None
    return is_request(piece) and goal_of(piece) is not None  # a topic, a message: whole sentences may be one


def _pieces(folded: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield where each cut begins, and what stands behind it, up to the next one."""
    cuts = [match.span() for match in _CUT.finditer(folded, start, end) if match.start() > start]
    for (first, last), (after, _) in pairwise([*cuts, (end, end)]):
        yield first, folded[last:after].strip()


def _is_time(piece: str) -> bool:
    """Return whether a piece is a time and nothing else: "last week", "in March"; a bare number may be a zip code."""
    rest, found = piece, False
    for spell in find_time_expressions(piece, _ANY_DAY):
        if re.search(r"[a-z]", spell.text.casefold()):
            rest, found = rest.replace(spell.text, " "), True
    return found and _BEFORE_TIME.fullmatch(f" {rest}") is not None


def _without_time(kind: ValueKind, text: str, folded: str, start: int, end: int) -> int:
    """Leave out the time at the end of a name or an address: "4 Park Lane, Bath last week"."""
    if kind.is_place or kind.name_part:
        end = end_before_time(folded, start, end)
    elif text[start : start + 1].isupper() and (since := _ENDS_IN.search(folded, start, end)):
        end = since.start()
    return end


def end_before_time(folded: str, start: int, end: int) -> int:
    """Return where what stands before a time at the end of a stretch ends: "Rome next Friday"."""
    spells = [s for s in find_time_expressions(folded[start:end], _ANY_DAY) if re.search(r"[a-z]", s.text)]
    if spells and spells[-1].start > 0 and not folded[start + spells[-1].end : end].strip(" ,.!"):
        before = folded[start : start + spells[-1].start]
        return start + _BEFORE_TIME.search(before).start()  # type: ignore[union-attr]
    return end
