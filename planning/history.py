"""Execution history: with task and catalog, the only input of explanations.

A history is a sequence of ⟨inputs, actor, outputs⟩ (Verdi paper, Algorithm 4, corrected). Each entry cites the event
of the log that it comes from, so that an explanation can cite its evidence.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum

from catalog.model import Catalog


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


def find_refusal(catalog: Catalog, history: History, event: int) -> Execution | None:
    """Find the adverse outcome that something done by an event comes to; a mapping passes on that of its source."""
    at = find_place(history, event)
    while at is not None and history[at].actor is Actor.MAPPING:
        source = history[at].inputs[0]
        at = next((place for place in reversed(range(at)) if source in history[place].outputs), None)
    done = None if at is None else history[at]
    return done if done and catalog.refusal(done.skill, done.mode, done.outcome) else None


@dataclass(frozen=True, slots=True)
class Judged:
    """What was decided about one agent, and the figures: `score` is what was held `against` a figure, or the `other`'s.

    `why` is the reason by its code, and `silence` that of an agent that gave no answer.
    """

    agent: str
    chosen: bool
    why: str
    score: float | None = None
    against: float | None = None
    other: str | None = None
    silence: str = ""


@dataclass(frozen=True, slots=True)
class Deliberated:
    """One choice of who acts: `asked` is the event of the broadcast, `event` that of the choice.

    `order` are those chosen, in the order in which they act. `acts` are the events of what
    they did, `failed` those that could not. `useful` says what the user made of it, in the event `reacted`; it is
    `undone` where what was learned of it was taken back.
    """

    event: int
    asked: int
    orchestrator: str
    verdicts: tuple[Judged, ...]
    order: tuple[str, ...] = ()
    by_name: str | None = None
    drawn: bool = False
    acts: tuple[int, ...] = ()
    failed: tuple[str, ...] = ()
    reacted: int | None = None
    useful: bool | None = None
    undone: bool = False
