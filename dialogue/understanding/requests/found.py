"""What was found in an utterance: the requests, and how they were come by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dialogue.meaning import GoalMention
from dialogue.understanding.analysis import Fired, Segment


@dataclass(frozen=True)
class Requests:
    """What an utterance asks for.

    `goals` are sure, producers before consumers; `candidates` are too unsure to act on, best first.
    """

    segments: tuple[Segment, ...] = ()
    goals: tuple[GoalMention, ...] = ()
    candidates: tuple[GoalMention, ...] = ()
    facts: tuple[str, ...] = ()
    atoms: tuple[str, ...] = ()
    fired: tuple[Fired, ...] = ()
    errors: tuple[str, ...] = ()
    """What the catalog's rules make of them, and have against them."""
    seconds: Mapping[str, float] = field(default_factory=dict)
