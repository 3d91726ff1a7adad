"""What an exploration found: frozen values, with a way to show for each claim."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.model import Effect
from catalog.properties import Property
from dialogue.explore.moves import Move

Trace = tuple[Move, ...]
"""What the user and the skills do, from the beginning: enough to play it again."""


class Verdict(StrEnum):
    """Whether the goal is reached."""

    ALWAYS = "always"
    SOMETIMES = "sometimes"
    NEVER = "never"
    OPEN = "open"
    """Not settled by what was walked."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """The most there can be of something in one conversation, and a conversation in which there is.

    `most` is None if there is no bound to it; if not everything was walked, it is what was found so far.
    """

    what: str
    most: float | None
    trace: Trace


@dataclass(frozen=True, slots=True)
class SkillUse:
    """How often a skill can be called in one conversation."""

    skill: str
    effect: Effect
    sensitive: tuple[str, ...]
    """Sensitive facts that it may be handed."""
    most: int | None
    trace: Trace


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """A way in which the goal is given up: why, what would help, and the shortest conversation that ends so."""

    reason: str
    information: tuple[str, ...]
    functionality: tuple[str, ...]
    said: str
    """What the assistant says to it."""
    conversations: int | None
    trace: Trace


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a property holds; None if nothing breaks it as far as was walked. The trace is what breaks it."""

    property: Property
    holds: bool | None
    trace: Trace


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much was walked: states, moves, states left open; and what of the catalog was seen at work.

    `exercised` of `relevant` counts questions, consents and outcomes of skills that bear on the goal. `unused` names
    those that never came up, by kind; `irrelevant` the skills that do not bear on it.
    """

    states: int
    moves: int
    open: int
    stopped: str
    seconds: float
    exercised: int
    relevant: int
    unused: tuple[tuple[str, str], ...]
    irrelevant: tuple[str, ...]
    cut: int
    """Plans whose improvement was cut short by the clock: another run may make others."""


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found about one goal."""

    catalog: str
    goal: str
    label: str
    known: tuple[str, ...]
    engine: str
    failures: bool
    verdict: Verdict
    cooperative: Verdict
    """Whether it is reached if the user answers everything and agrees to everything."""
    conversations: int | None
    """Ways in which a conversation can go to its end; None where moves can go round in circles."""
    reached: int | None
    circular: bool
    shortest: Extreme | None
    """The fewest moves in which the goal is reached."""
    extremes: tuple[Extreme, ...]
    skills: tuple[SkillUse, ...]
    dead_ends: tuple[DeadEnd, ...]
    properties: tuple[Judgement, ...]
    coverage: Coverage

    @property
    def complete(self) -> bool:
        """Tell whether everything that can happen was walked, so that nothing said here is provisional."""
        return self.coverage.open == 0

    @property
    def broken(self) -> tuple[Judgement, ...]:
        """List the properties that do not hold."""
        return tuple(judged for judged in self.properties if judged.holds is False)
