"""Others: words that say that what follows is somebody else's, or of the past."""

from __future__ import annotations

import re

_OTHERS = re.compile(
    r"\b(?:his|her|their|your|its|whose|(?!(?:it|that|what|there|here|let|who|how|where|he|she|name|mail|address|number)'s\b)"
    r"\w+'s"
    r"|old|previous|former|used to|for example|e\.g\.|such as|if|unless)\b"
)
"""Before a value: words that say it is another person's, of the past, or only supposed."""


def is_of_another(folded: str, first: int, last: int) -> bool:
    """Tell whether words between two places say that what follows is somebody else's, of the past, or supposed."""
    return _OTHERS.search(folded, max(0, first), last) is not None
