"""Claims of explanations, each with the events that prove it; `language.responses` puts claims into words.

Claims speak of facts and skills by their names in the catalog, and carry the values that they may show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from explain.claim import Claim
from explain.model import Aim, Attribution, Cause, ComingStep, Ending, Explanation, Question, Value
from explain.trace import Act
from planning.diagnosis.diagnose import Gap
from planning.history import Actor, Execution
from planning.needs import Certainty


def answer(
    question: Question,
    claims: Iterable[Claim],
    links: Iterable[tuple[int, str, int]] = (),
    coming: Iterable[tuple[str, int]] = (),
) -> Explanation:
    """Make an explanation of claims; repeated links count once."""
    return Explanation(question, tuple(claims), tuple(dict.fromkeys(links)), tuple(dict.fromkeys(coming)))


# About anything


class NothingAsked(Claim):
    """The user has not asked for anything yet; `ahead` where the question is what is still to come."""

    ahead: bool = False


class Undeclared(Claim):
    """The catalog has no such fact."""

    fact: str


class Called(Claim):
    """A skill that was asked for by itself was called."""

    skill: str
    inputs: tuple[str, ...] = ()


class ToBeCalled(Claim):
    """A skill that was asked for by itself is not called yet."""

    skill: str


# How


class Established(Claim):
    """The source of facts: an execution, or nothing (they were known from the start).

    `values` are those that still hold. `inputs` are what a skill used, beside the list for each item of which it was
    called (`each`).
    """

    facts: tuple[str, ...]
    values: tuple[Value, ...] = ()
    by: Execution | None = None
    inputs: tuple[str, ...] = ()
    each: str | None = None


class Described(Claim):
    """The description of a skill by its author."""

    skill: str


class HadValue(Claim):
    """A fact had a value, and how that ended."""

    value: Value
    ended: Ending


class StandsIn(Claim):
    """One fact stands for the fact that was asked about."""

    wanted: str
    got: str


class WasWrong(Claim):
    """A fact was known and turned out to be wrong; `outdated` where what it rested on was changed."""

    fact: str
    outdated: bool = False


class Unknown(Claim):
    """A fact is not known; `coming` is the step of the plan that is to establish it, if there is one."""

    fact: str
    coming: ComingStep | None = None


# Why


class IsWanted(Claim):
    """A fact is what was asked for, or stands for the fact that was (`wanted`)."""

    fact: str
    wanted: str | None = None


@dataclass(frozen=True, slots=True)
class Precedes:
    """The acts that an act precedes, and why: skills, or anything sensitive; or the act itself was `requested`."""

    requested: bool = False
    skills: tuple[str, ...] = ()
    anything_sensitive: bool = False
    reasons: tuple[str, ...] = ()


class Used(Claim):
    """The inputs of an act, and its effects on the way to the goal.

    `asked` means that the fact in question is among those `used`, and `optional` that the skill can do without them.
    `gave` are facts that were used in turn, `wanted` those of the goal. `certainty` is that of a use to come.
    """

    act: Act
    used: tuple[str, ...]
    asked: bool
    optional: bool = False
    gave: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    precedes: Precedes | None = None
    certainty: Certainty | None = None


class CameAlong(Claim):
    """A fact that nothing uses came of an act that had to be carried out."""

    fact: str
    act: Act
    precedes: Precedes | None = None


class UsedBesides(Claim):
    """A fact was used, though not on the way to the goal; or nothing can be said of that yet (`so_far`)."""

    fact: str
    by: Execution
    so_far: bool
    in_vain: bool = False


class Need(StrEnum):
    """As of when a fact is not needed for a goal."""

    ACHIEVED = "achieved"
    """It was not needed: the goal is achieved."""
    PLANNED = "planned"
    """It is not needed by the plan."""
    KNOWN = "known"
    """It is known, and was not used so far."""
    UNKNOWN = "unknown"
    """It is not known, and was not used so far."""


class Unneeded(Claim):
    """Nothing on the way to the goal uses a fact."""

    fact: str
    aim: Aim
    need: Need


class MayNeed(Claim):
    """The likely way does without a fact, and some other way to the goal has a use for it: in the calls of skills."""

    fact: str
    aim: Aim
    certainty: Certainty
    skills: tuple[str, ...] = ()
    known: bool = False


# Chain


class Decided(Claim):
    """A decision of a skill, and which inputs weighed most; on average over items, if it was called for `several`.

    `values` are those of the facts that were decided and of the heaviest inputs, where they still hold.
    """

    facts: tuple[str, ...]
    skill: str | None
    heaviest: tuple[Attribution, ...]
    values: tuple[Value, ...]
    several: bool = False
    towards: float = 0.0
    """What speaks for the decision in all; `against` it likewise: the scale of each weight."""
    against: float = 0.0


class WeighedLess(Claim):
    """Further inputs that weighed in a decision."""

    rest: tuple[Attribution, ...]


class NotWeighed(Claim):
    """A skill does not say how much its inputs weighed, or that none of them made a difference (`same`)."""

    skill: str | None
    same: bool = False


# What


@dataclass(frozen=True, slots=True)
class Origin:
    """Facts that come from one place: an actor, with its skill, or what they were taken from."""

    facts: tuple[str, ...]
    actor: Actor | None
    skill: str | None = None
    taken_from: tuple[str, ...] = ()


class Gathered(Claim):
    """The facts gathered for the goal (named by `aim` in the first such claim); `early` was there before it.

    `also` marks the second claim and those after it.
    """

    origins: tuple[Origin, ...]
    aim: Aim | None
    achieved: bool
    early: bool
    also: bool


class Spent(Claim):
    """The money that went into the goal."""

    money: float
    achieved: bool


class StillNeeded(Claim):
    """The open landmarks, which every plan still needs; for an `aim` that no earlier claim has named."""

    facts: tuple[str, ...]
    aim: Aim | None


class ChoicesLeft(Claim):
    """Sets of facts of which every plan needs one; `also` follows what is needed in any case."""

    choices: tuple[tuple[str, ...], ...]
    aim: Aim | None
    also: bool


class LeftToGet(Claim):
    """The goal's own facts are all that is missing."""

    facts: tuple[str, ...]


class LeftToCall(Claim):
    """Skills that are wanted by themselves are not called yet."""

    skills: tuple[str, ...]


class Requested(Claim):
    """The request itself; it may be `undecided` which of its alternatives is taken."""

    aim: Aim
    undecided: bool = False


class NoWayNow(Claim):
    """At present no plan leads to the goal."""


# Missing


class NothingMissing(Claim):
    """The goal is reached (`got`), or there is a way to it."""

    aim: Aim
    got: bool


class OverBudget(Claim):
    """There is a way to the goal, and it costs more than may be spent; `said` by the user, or set by the catalog."""

    aim: Aim
    money: float
    budget: float
    spent: float
    said: bool


class SaidNo(Claim):
    """A skill was asked for what was wanted, and the outcome is bad news."""

    facts: tuple[str, ...]
    by: Execution


class ToBeAsked(Claim):
    """What the user will be asked for on the way to the goal, and the consents, with how sure that is."""

    facts: Mapping[str, Certainty]
    consents: Mapping[str, Certainty]


class NoWayLeft(Claim):
    """No way leads to the goal any more; `because` are causes of one kind, where these are the whole reason."""

    aim: Aim
    because: tuple[Cause, ...] = ()


class WayClosed(Claim):
    """The causes, of one kind, that closed a way to the goal."""

    causes: tuple[Cause, ...]


class NoSkill(Claim):
    """No skill gives what is missing; `had` says that there was one."""

    gap: Gap
    had: bool


class ValuesToTell(Claim):
    """The facts for which other values would help, if there are any; the gaps have to be filled besides."""

    facts: tuple[str, ...]
    gaps: tuple[Gap, ...]


class WayOut(Claim):
    """The options of the user: fill all of the gaps, or `any_one`. `further` ways take more than the first."""

    gaps: tuple[Gap, ...]
    any_one: bool = False
    further: bool = False


class OtherWays(Claim):
    """There may be other ways out than those named."""
