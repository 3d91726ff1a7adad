"""Slips of the pen in words of time: "lst month", "second quater", "febuary", "yesteday".

A long word of time is known by itself. A short one is known only where the words beside it are of time too, since what
it is mistyped as may be a word of its own: "moth" is a month after "last", and "lst" means "last" before "month".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from language.readers.intervals import MONTHS, WEEKDAYS
from language.text.morphology import has_slips

_UNITS = ("week", "weeks", "month", "months", "quarter", "quarters", "year", "years")
_PARTS = ("quarter", "half")
_ORDINALS = ("first", "second", "third", "fourth")
_WHICH = ("last", "this", "previous", "current")
_SHORT_MONTHS = tuple(month for month in MONTHS if 3 < len(month) <= 6)
_ALONE = (*(month for month in MONTHS if len(month) >= 6), *WEEKDAYS, "yesterday", "tomorrow")
_OTHERS = frozenset("wee fist thins hall".split())
"""Words of their own that look like slips."""


def known_alone(word: str) -> str:
    """Give the long word of time that is meant, or nothing."""
    if len(word) < 6:
        return ""
    near = [long for long in _ALONE if long[0] == word[0] and _is_near(word, long, 2 if long in MONTHS else 1)]
    return near[0] if len(near) == 1 else ""


def may_be_slip(word: str) -> bool:
    """Tell quickly whether a word may be a slip of the pen in a short word of time."""
    return word in _SLIPS or (len(word) > 5 and word[0] in _INITIALS)


def known_beside(word: str, before: str, after: str, next_word: str) -> str:
    """Give the short word of time that is meant between two tokens, which are given by their codes, or nothing."""
    if ((before and before in "ltnONBE") or after == "e") and (unit := _meant(word, _UNITS)):
        return unit
    if (after and after in "dwmqhyMW") or _meant(next_word, _UNITS):
        part = after in ("q", "h") or _meant(next_word, _PARTS)
        return _meant(word, _WHICH) or (_meant(word, _ORDINALS) if part else "")
    if after == "Y" or (before in ("f", "-") and after in ("-", "N", "O")):
        return _meant(word, _SHORT_MONTHS)
    return ""


def _meant(word: str, possible: Sequence[str]) -> str:
    """Give the one of some words that another one is but for a slip, or nothing."""
    if word in _OTHERS or word in possible:
        return word if word in possible else ""
    if not may_be_slip(word):
        return ""
    slips = (meant for meant in possible if meant in _SLIPS.get(word, ()) or (len(meant) > 6 and _is_near(word, meant)))
    return next(slips, "")


@lru_cache(maxsize=4_096)
def _is_near(word: str, long: str, edits: int = 1) -> bool:
    """Tell whether a word is a long one with a slip; with one more letter at its end it is another word."""
    if word.removesuffix("s") == long or word[:1] != long[0]:
        return False
    return has_slips(word, long, edits)


def _slips(word: str) -> Iterator[str]:
    """Yield a word with a letter left out, doubled, or after the one that follows it."""
    for i in range(1, len(word)):
        yield word[:i] + word[i + 1 :]
        yield word[:i] + word[i] + word[i:]
        yield word[: i - 1] + word[i] + word[i - 1] + word[i + 1 :]


def _find_slips() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for word in {*_UNITS, *_WHICH, *_ORDINALS, *_PARTS, *_SHORT_MONTHS}:
        for slip in _slips(word):
            found.setdefault(slip, set()).add(word)
    return {slip: frozenset(words) for slip, words in found.items()}


_SLIPS = _find_slips()
_INITIALS = frozenset(word[0] for word in (*_UNITS, *_WHICH) if len(word) > 6)
