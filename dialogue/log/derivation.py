"""What the values of an event were made of: by that it is told what derives from what is sensitive."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Derivation:
    """Where values came from: from those of facts, each by its entry, from a call, from what another entry holds.

    An event that begins a call names it along with the values that go in; those that tell its result name it.
    `secret` says that they were made of something secret that is not in this log.
    """

    values: tuple[tuple[str, int], ...] = ()
    call: str = ""
    entry: int = 0
    secret: bool = False


NOTHING = Derivation()
"""Of what people said, and of what holds no values."""
