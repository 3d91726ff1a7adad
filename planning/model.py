"""The formalism: atoms, operators, task, plan, and the one union of planning results.

Everything is frozen and is compared by value. A planner reasons with the signature of the facts (known or not), never
with their values (Verdi paper, §3.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Predicate(StrEnum):
    """What an atom says of its subject."""

    KNOWN = "known"
    """The value of a fact is established."""
    AUTHORIZED = "authorized"
    """Consent was given: to a skill, or under the per-fact policy for a fact."""

    __hash__ = str.__hash__  # that of enumerations is no quicker than Python, and atoms are hashed all the time


class Atom(NamedTuple):
    """One proposition of a task."""

    predicate: Predicate
    subject: str


def known(fact: str) -> Atom:
    """Build the atom that says a fact's value is established."""
    return Atom(Predicate.KNOWN, fact)


def authorized(subject: str) -> Atom:
    """Build the atom that says consent was given to a skill (or for a fact)."""
    return Atom(Predicate.AUTHORIZED, subject)


class StepKind(StrEnum):
    """The three things an assistant can do next."""

    ASK = "ask"
    """Slot filling: ask the user for a fact."""
    AUTHORIZE = "authorize"
    """Ask consent to give a skill sensitive facts."""
    SKILL = "skill"
    """Call a skill in one mode, hoping for one outcome."""


def operator_name(kind: StepKind, subject: str, mode: str | None = None, outcome: str | None = None) -> str:
    """Name a ground action uniquely; the parts are joined by a character that no name in a catalog may hold."""
    parts = (kind.value, subject, mode, outcome)
    return "\N{SYMBOL FOR UNIT SEPARATOR}".join(part for part in parts if part is not None)


@dataclass(frozen=True, slots=True)
class Operator:
    """A ground planning action, made from one mode and one outcome (all-outcomes determinization), or internal.

    `subject` is the fact of an `ask`, else the skill (of an `authorize` under the per-fact policy: the fact).
    `inputs` and `outputs` are the facts as the catalog declares them; `needs` and `adds` are atoms, closed under
    subsumption. Nothing is ever deleted. `sensitive` are the inputs that consent is about: of a skill, those that go to
    it in this mode; of an `authorize`, all that it covers.
    """

    kind: StepKind
    subject: str
    needs: frozenset[Atom]
    adds: frozenset[Atom]
    cost: float
    mode: str | None = None
    outcome: str | None = None
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name it uniquely within a task."""
        return operator_name(self.kind, self.subject, self.mode, self.outcome)


@dataclass(frozen=True, slots=True)
class Situation:
    """What the planner is told beyond the catalog: memory, consents, and what was learned by trying.

    `cannot_establish` holds (skill, mode, fact) whose tries are used up; `pruned` holds names of operators that turned
    out not to work (`Operator.name`), refused authorizations among them.
    """

    known: frozenset[str] = frozenset()
    authorized: frozenset[str] = frozenset()
    cannot_establish: frozenset[tuple[str, str, str]] = frozenset()
    pruned: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Task:
    """A delete-free STRIPS task: static conditions (cannot_establish, pruned) are compiled away."""

    initial: frozenset[Atom]
    goal: frozenset[Atom]
    operators: tuple[Operator, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Operators in an order in which each can be applied, ending in a state where the goal holds."""

    steps: tuple[Operator, ...]

    @property
    def cost(self) -> float:
        """Sum the costs of the steps."""
        return sum(step.cost for step in self.steps)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may use: seconds of wall-clock time, and MiB of memory beyond what was in use at its start."""

    time_s: float = 10.0
    memory_mib: float = 1024.0


@dataclass(frozen=True, slots=True)
class Solved:
    """A plan was found, and an independent replay has accepted it."""

    plan: Plan
    engine: str
    seconds: Mapping[str, float] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Unsolvable:
    """It is proved that there is no plan."""

    engine: str
    seconds: Mapping[str, float] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The search ended at a limit: nothing is proved either way."""

    reason: str
    engine: str
    seconds: Mapping[str, float] = field(default_factory=dict)
    note: str = ""


PlanningResult = Solved | Unsolvable | GaveUp
