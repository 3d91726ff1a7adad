"""Declared frames of facts: words with one place in braces, where the value stands."""

from __future__ import annotations

import re

_PLACE = re.compile(r"\{([^{}]*)\}")


def places_in(said: str) -> tuple[str, ...]:
    return tuple(_PLACE.findall(said))


def bounds_of(said: str) -> tuple[str, str]:
    """Return the words before and after the one place of a frame."""
    before, _, after = _PLACE.split(said, maxsplit=1)
    return before, after
