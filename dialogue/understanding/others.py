"""Others: words that say that what follows is somebody else's, or of the past."""

from __future__ import annotations

import re
from collections.abc import Collection

from dialogue.understanding.words import FUNCTION_WORDS, stem

_THEIRS = re.compile(
    r"\b(?:his|her|their|your|its|whose"
    r"|(?!(?:it|that|what|there|here|let|who|how|where|he|she|name|mail|address|number)'s\b)\w+'s)\b"
)
"""Before a value: words that say it is another person's."""
_NOT_NOW = re.compile(
    r"\b(?:old|previous|former|used to|for example|e\.g\.|such as|unless"
    r"|(?<!know )(?<!see )(?<!ask )(?<!wonder )(?<!wondering )if)\b"
)
"""Before a value: words that say it is of the past, or only supposed."""

_ABOUT = re.compile(r"\b(?P<subject>[^\W\d_]+) (?:was|were|is|has|had)(?: \w+)?(?: (?:on|in|the|at|about|only))* *\Z")
_SELF = FUNCTION_WORDS - frozenset("he she they his him her their you yours".split())


def is_about_another(folded: str, first: int, last: int, own: Collection[str]) -> bool:
    """Tell whether what is said right before a value is said of somebody else: "my wife was born on …".

    `own` are stems of words that lead to the value, of which it may be said as well: "the house was …".
    """
    match = _ABOUT.search(folded, max(0, first), last)
    return match is not None and match["subject"] not in _SELF and stem(match["subject"]) not in own


def is_of_another(folded: str, first: int, last: int, *, whose: bool = True) -> bool:
    """Tell whether words between two places say that what follows is somebody else's, of the past, or supposed.

    `whose` tells whether it matters whose it is.
    """
    start = max(0, first)
    return (whose and _THEIRS.search(folded, start, last) is not None) or _NOT_NOW.search(
        folded, start, last
    ) is not None
