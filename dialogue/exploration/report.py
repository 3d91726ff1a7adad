"""What an exploration found: a report, its sentences, and its JSON."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from catalog.model import Catalog, Effect
from catalog.model.properties import Property
from dialogue.exploration.scripted_environment import EnvironmentMove
from language.responses import exploration as words

Trace = tuple[EnvironmentMove, ...]
"""What the user and the skills do, from the beginning: enough to play it again."""


class PropertyVerdict(StrEnum):
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
class FoundDeadEnd:
    """A way in which the goal is given up: why, what would help, and the shortest conversation that ends so."""

    reason: str
    information: tuple[str, ...]
    functionality: tuple[str, ...]
    said: str
    """What the assistant says to it."""
    conversations: int | None
    trace: Trace


@dataclass(frozen=True, slots=True)
class PropertyJudgement:
    """Whether a property holds; None if nothing breaks it as far as was walked. The trace is what breaks it."""

    property: Property
    holds: bool | None
    trace: Trace = ()


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
class ExplorationReport:
    """All that was found about one goal."""

    catalog: str
    goal: str
    label: str
    known: tuple[str, ...]
    engine: str
    failures: bool
    verdict: PropertyVerdict
    cooperative: PropertyVerdict
    """Whether it is reached if the user answers everything and agrees to everything."""
    conversations: int | None
    """Ways in which a conversation can go to its end; None where moves can go round in circles."""
    reached: int | None
    circular: bool
    shortest: Extreme | None
    """The fewest moves in which the goal is reached."""
    extremes: tuple[Extreme, ...]
    skills: tuple[SkillUse, ...]
    dead_ends: tuple[FoundDeadEnd, ...]
    properties: tuple[PropertyJudgement, ...]
    coverage: Coverage

    @property
    def complete(self) -> bool:
        """Return whether everything that can happen was explored, so that nothing said here is provisional."""
        return self.coverage.open == 0

    @property
    def broken(self) -> tuple[PropertyJudgement, ...]:
        return tuple(judged for judged in self.properties if judged.holds is False)


def say_verdict(report: ExplorationReport) -> str:
    """Say in one sentence whether the goal is reached."""
    ways = {"conversations": report.conversations, "reached": report.reached}
    return words.say_verdict(report.label, report.verdict, complete=report.complete, **ways)


def say_coverage(report: ExplorationReport) -> str:
    """Say how much was explored, and whether that is all."""
    done = report.coverage
    return words.say_coverage(
        states=done.states,
        moves=done.moves,
        seconds=done.seconds,
        exercised=done.exercised,
        relevant=done.relevant,
        left=done.open,
        stopped=done.stopped,
    )


def say_move(catalog: Catalog, move: EnvironmentMove) -> str:
    return words.say_move(catalog, move.kind, move.subject, move.mode, move.outcome)


def write_report(report: ExplorationReport) -> dict[str, JsonValue]:
    """Write a report as JSON: what `planglass explore --json` prints."""
    coverage = report.coverage
    return {
        "catalog": report.catalog,
        "goal": report.goal,
        "known": list(report.known),
        "engine": report.engine,
        "failures": report.failures,
        "verdict": report.verdict.value,
        "if_cooperative": report.cooperative.value,
        "complete": report.complete,
        "conversations": {"all": report.conversations, "reached": report.reached, "circular": report.circular},
        "shortest": None if report.shortest is None else _extreme(report.shortest),
        "longest": {extreme.what: _extreme(extreme) for extreme in report.extremes},
        "skills": [
            {
                "skill": use.skill,
                "effect": use.effect.value,
                "sensitive": list(use.sensitive),
                "most": use.most,
                "trace": _trace(use.trace),
            }
            for use in report.skills
        ],
        "properties": [
            {"property": str(judged.property), "holds": judged.holds, "trace": _trace(judged.trace)}
            for judged in report.properties
        ],
        "dead_ends": [
            {
                "reason": end.reason,
                "missing": {"information": list(end.information), "functionality": list(end.functionality)},
                "said": end.said,
                "conversations": end.conversations,
                "trace": _trace(end.trace),
            }
            for end in report.dead_ends
        ],
        "unused": [{"kind": kind, "name": name} for kind, name in coverage.unused],
        "irrelevant": list(coverage.irrelevant),
        "coverage": {
            "states": coverage.states,
            "moves": coverage.moves,
            "open": coverage.open,
            "stopped": coverage.stopped or None,
            "exercised": coverage.exercised,
            "relevant": coverage.relevant,
            "plans_cut_short": coverage.cut,
            "seconds": round(coverage.seconds, 3),
        },
    }


def _extreme(extreme: Extreme) -> dict[str, JsonValue]:
    return {"most": extreme.most, "trace": _trace(extreme.trace)}


def _trace(trace: Trace) -> list[JsonValue]:
    return [_move(move) for move in trace]


def _move(move: EnvironmentMove) -> dict[str, JsonValue]:
    written: dict[str, JsonValue] = {"kind": move.kind.value, "subject": move.subject}
    if move.mode is not None:
        written |= {"mode": move.mode, "outcome": move.outcome}
    return written
