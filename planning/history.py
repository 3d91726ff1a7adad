"""Execution history: with task and catalog, the only input of explanations.

A history is a sequence of ⟨inputs, actor, outputs⟩ (Verdi paper, Algorithm 4, corrected). Each entry cites the event
of the log that it comes from, so that an explanation can cite its evidence.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum


class Actor(StrEnum):
    """Sources that establish facts."""

    START = "start"
    """They were known before the conversation began."""
    USER = "user"
    """A person said or uploaded them."""
    EVENT = "event"
    """They came with something that happened outside, such as an alert."""
    SKILL = "skill"
    """A skill was called and returned an outcome."""
    MAPPING = "mapping"
    """The value of another fact was taken for theirs, as the catalog allows."""


@dataclass(frozen=True, slots=True)
class Execution:
    """One thing that was done, and what it established.

    `event` is the sequence number of the event that records it. `inputs` are facts as they were resolved: the very
    facts whose values were passed (a subtype where one stood in), and `input_events` the events by which these values
    became known. `said` is the user's own words, or the upload's name;
    `asked` is the event of the question that they answer, if they answer one. Of a mapping, `because` is
    why it holds, in its author's words.
    """

    event: int
    actor: Actor
    outputs: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    skill: str | None = None
    mode: str | None = None
    outcome: str | None = None
    said: str | None = None
    input_events: tuple[int, ...] = ()
    asked: int | None = None
    because: str = ""
    parameters: tuple[str, ...] = ()
    """Of a skill: as which of its declared inputs each of the `inputs` was passed."""
    items: int | None = None
    """Of a skill that was called for each item of a list: how many these were."""


History = tuple[Execution, ...]


def find_place(history: History, event: int) -> int | None:
    """Return the place of what was done by an event; a history is in the order of its events."""
    place = bisect_left(history, event, key=lambda execution: execution.event)
    return place if place < len(history) and history[place].event == event else None
