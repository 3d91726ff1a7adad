"""Occurrences: where a value stands in a text, however it is written there.

A value is known by its normalised form: its letters and digits alone, in one case and one width (NFKC). What stands
between them may differ, and be nothing, as long as what is found reads as the value and not as words around it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex as rx

from catalog.values.base import with_ascii_digits

_SHORTEST = 3
"""Values of so few letters and digits are found only as they are written, standing alone: "no" is in half the words."""
_NUMBER = 5
"""A value with so many digits is a number, which may also stand within other signs."""
_WORDS = 6
"""Shorter values may be two words of any sentence, Asher in "as her": spaces within them count only one by one."""
_WIDEST = 3
"""So many signs may stand between two letters of a value."""
_SEPARATORS = {code: None for code in range(128) if not chr(code).isalnum()}
_SEPARATOR = re.compile(r"[\W_]+")
_ALONE = re.compile("[0-9a-z]")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_LETTER = re.compile(r"[^\W_]")
_CLUSTER = rx.compile(r"\X")
_TYPOGRAPHY = str.maketrans("\u2026\u00a0\u202f", ".  ")
_UNSEEN = frozenset(("Cf", "Mn", "Me"))

Span = tuple[int, int]
"""Where a piece of a text begins and ends."""


def find_occurrences(text: str, values: Collection[str]) -> list[Span]:
    """Find where any of some values stands in a text, in order; what overlaps is one place."""
    plain = normalised(text)
    there = [one for one in map(_sought, values) if one.normalised in plain]  # mostly none, and that is told quickly
    if any(one.alone for one in there):
        folded = _folded(text)
        there = [one for one in there if one.alone is None or one.alone.search(folded)]
    if not there:
        return []
    written = _written(text)
    found: list[Span] = []
    for start, end in sorted(span for one in there for span in _places_of(one, written)):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def normalised(text: str) -> str:
    """Write the letters and digits of a text alone, in one case and one width."""
    if text.isascii():
        return text.lower().translate(_SEPARATORS)
    return _SEPARATOR.sub("", _folded(text))


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return with_ascii_digits(folded) if _OTHER_DIGIT.search(folded) else folded


@dataclass(frozen=True, slots=True)
class _Written:
    """A text with its normalised form, and where each letter and digit of that begins and ends in the text."""

    text: str
    normalised: str
    places: Sequence[Span]

    def between(self, at: int) -> str:
        """Return the signs that are seen between a letter or digit and the one before it."""
        end, start = self.places[at - 1][1], self.places[at][0]
        return _seen(self.text[end:start]) if start > end else ""

    def is_free(self, start: int, end: int) -> bool:
        """Return whether no letter and no digit adjoins what stands from one to another."""
        return (start == 0 or bool(self.between(start))) and (end == len(self.places) or bool(self.between(end)))


def _seen(gap: str) -> str:
    if gap.isascii():
        return gap
    return "".join(c for c in unicodedata.normalize("NFKC", gap) if unicodedata.category(c) not in _UNSEEN)


def _written(text: str) -> _Written:
    if text.isascii():
        return _Written(text, normalised(text), [found.span() for found in _ALONE.finditer(text.lower())])
    usual = text.translate(_TYPOGRAPHY)
    folded = _folded(usual)
    if len(folded) == len(text) and unicodedata.is_normalized("NFKC", usual):  # each character has kept its place
        found = [(letter[0], letter.span()) for letter in _LETTER.finditer(folded)]
        return _Written(text, "".join(letter for letter, _ in found), [span for _, span in found])
    letters: list[str] = []
    places: list[Span] = []
    for cluster in _CLUSTER.finditer(text):
        kept = normalised(cluster[0])
        letters.append(kept)
        places += [cluster.span()] * len(kept)
    return _Written(text, "".join(letters), places)


@dataclass(frozen=True, slots=True)
class _Sought:
    """A value that is looked for: its normalised form, the signs between its letters, and those around it."""

    text: str
    normalised: str
    gaps: tuple[str, ...]
    around: tuple[str, str]
    digits: int
    alone: re.Pattern[str] | None = None
    """Of a short value: what a text holds if it may hold the value."""


@lru_cache(maxsize=4096)
def _sought(value: str) -> _Sought:
    written = _written(value)
    if not written.places:
        return _Sought(value, "", (), ("", ""), 0)
    gaps = tuple(written.between(at) for at in range(1, len(written.places)))
    around = value[: written.places[0][0]], value[written.places[-1][1] :]
    alone = None
    if len(written.normalised) <= _SHORTEST:
        inner = r"[\W_]*".join(written.normalised)
        alone = re.compile(inner if len(value) > _SHORTEST else rf"(?<![^\W_]){inner}(?![^\W_])")
    return _Sought(value, written.normalised, gaps, around, sum(map(str.isdecimal, written.normalised)), alone)


def _places_of(sought: _Sought, written: _Written) -> Iterator[Span]:
    if not sought.normalised:
        form = re.escape(sought.text)
        form = form if len(sought.text) > _SHORTEST else rf"(?<!\w){form}(?!\w)"
        yield from (found.span() for found in re.finditer(form, written.text))
        return
    length = len(sought.normalised)
    at = written.normalised.find(sought.normalised)
    while at >= 0:
        before, after = sought.around
        start, end = written.places[at][0], written.places[at + length - 1][1]
        preceded, followed = written.text.endswith(before, 0, start), written.text.startswith(after, end)
        if _is_meant(sought, written, at, at + length, whole=preceded and followed):
            yield start - len(before) * preceded, end + len(after) * followed
        at = written.normalised.find(sought.normalised, at + 1)


def _is_meant(sought: _Sought, written: _Written, start: int, end: int, *, whole: bool) -> bool:
    """Return whether letters and digits that are those of a value read as the value."""
    gaps = tuple(written.between(at) for at in range(start + 1, end))
    as_written, count = gaps == sought.gaps, end - start
    if as_written and (count > _SHORTEST or (whole and len(sought.text) > _SHORTEST)):
        return True
    if count <= _SHORTEST:
        return as_written and written.is_free(start, end)
    if any(len(gap) > max(_WIDEST, len(own)) for gap, own in zip(gaps, sought.gaps, strict=True)):
        return False
    if sought.digits >= _NUMBER:
        return True
    if not written.is_free(start, end) or (sought.digits == count and any(sought.gaps)):  # 12.50 is not 1250
        return False
    spaced = any(gap.isspace() and not own for gap, own in zip(gaps, sought.gaps, strict=True))
    return count >= _WORDS or not spaced or all(gaps)
