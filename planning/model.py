"""The formalism: atoms, operators, task, plan, and the one union of planning results.

Everything is frozen and is compared by value. A planner reasons with the signature of the facts (known or not), never
with their values (Verdi paper, §3.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from math import exp
from typing import NamedTuple, Protocol

from catalog.model.settings import Metric
from planning.likelihoods import DECLARED, Likelihoods, say_costs


class Predicate(StrEnum):
    """The property that an atom asserts of its subject."""

    KNOWN = "known"
    """The value of a fact is established."""
    AUTHORIZED = "authorized"
    """Consent was given: to a skill, or under the per-fact policy for a fact."""
    DONE = "done"
    """A skill was carried out, and has done what it is for; said only of skills of which it matters."""
    CONFIRMED = "confirmed"
    """The user has agreed to one call of a skill in a mode, with its inputs as they are."""
    ACHIEVED = "achieved"
    """One of a goal's alternatives was reached."""

    __hash__ = str.__hash__  # that of enumerations is no quicker than Python, and atoms are hashed all the time


class Atom(NamedTuple):
    """One proposition of a task."""

    predicate: Predicate
    subject: str


def known(fact: str) -> Atom:
    return Atom(Predicate.KNOWN, fact)


def authorized(subject: str) -> Atom:
    """Build the atom that says consent was given to a skill (or for a fact)."""
    return Atom(Predicate.AUTHORIZED, subject)


def confirmed(call: str) -> Atom:
    """Build the atom that says the user has agreed to a call (`call_name`)."""
    return Atom(Predicate.CONFIRMED, call)


def done(skill: str) -> Atom:
    return Atom(Predicate.DONE, skill)


def achieved(goal: str) -> Atom:
    return Atom(Predicate.ACHIEVED, goal)


class StepKind(StrEnum):
    ASK = "ask"
    """Slot filling: ask the user for a fact."""
    AUTHORIZE = "authorize"
    """Ask consent to give a skill sensitive facts."""
    CONFIRM = "confirm"
    """Ask for a go-ahead just before a skill is called in a mode, with the values in words."""
    SKILL = "skill"
    """Call a skill in one mode, hoping for one outcome."""
    MAP = "map"
    """Take the value of one fact for that of another."""
    CHOOSE = "choose"
    """Settle for one of a goal's alternatives: it is reached by then, and nothing has to be done."""


SEPARATOR = "\N{SYMBOL FOR UNIT SEPARATOR}"
"""Separator of the parts of an operator's name; no name in a catalog may contain it, or be empty."""


def operator_name(kind: StepKind, subject: str, mode: str | None = None, outcome: str | None = None) -> str:
    return SEPARATOR.join(filter(None, (kind, subject, mode, outcome)))


def call_name(skill: str, mode: str) -> str:
    """Name the calls of a skill in a mode: what a go-ahead is for."""
    return SEPARATOR.join((skill, mode))


class Amounts(NamedTuple):
    """Amounts of each metric: the catalog's own costs, money, seconds, and the loss of quality, −ln of it.

    All four add up over the steps of a plan: qualities are multiplied.
    """

    cost: float = 0.0
    money: float = 0.0
    time_s: float = 0.0
    loss: float = 0.0

    @property
    def quality(self) -> float:
        return exp(-self.loss)

    @staticmethod
    def total(amounts: Iterable[Amounts]) -> Amounts:
        return Amounts(*map(sum, zip(NO_AMOUNTS, *amounts, strict=True)))


NO_AMOUNTS = Amounts()


@dataclass(frozen=True, slots=True)
class Operator:
    """A ground planning action, made from one mode and one outcome (all-outcomes determinization), or internal.

    `subject` is the fact of an `ask` or a `map` (the one that is stood for), the goal of a `choose`, else the skill (of
    an `authorize` under the per-fact policy: the fact). A `confirm` has the mode of the call that it is for. `inputs`
    and `outputs` are the facts as the catalog declares them; `needs` and `adds` are atoms, closed under subsumption.
    Nothing is ever deleted. `sensitive` are the inputs that consent is about: of a skill, those that go to it in this
    mode; of an `authorize`, all that it covers. `cost` is what a planner minimises, by the metric that was chosen, and
    for a call divided by the `likelihood` of its outcome (1 where that does not count): on average the call has to be
    made so often. `observed` are the calls that this was counted from, None where it was not. `amounts` are what it
    takes in each, once.
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
    amounts: Amounts = NO_AMOUNTS
    likelihood: float = 1.0
    observed: int | None = None

    name: str = field(init=False, compare=False, repr=False)
    """The name, unique within a task (`operator_name`)."""

    def __post_init__(self) -> None:
        """Name it once: it is looked up by its name over and over."""
        mode = self.inputs[0] if self.kind is StepKind.MAP else self.mode
        object.__setattr__(self, "name", operator_name(self.kind, self.subject, mode, self.outcome))


@dataclass(frozen=True, slots=True)
class Situation:
    """The input of the planner besides the catalog: memory, consents, and what was learned by trying.

    `cannot_establish` holds (skill, mode, fact) whose tries are used up; `pruned` holds names of operators that turned
    out not to work (`Operator.name`), refused authorizations among them. `done` are skills that were carried out,
    `confirmed` calls that the user has agreed to (`call_name`), and `requested` the mappings that a reference asks for,
    each as the fact and what it stands for: without one, those that are only there on request are none.
    Where the user has a say in what plans are made cheap in, or what they may cost, `minimize` and `budget` hold it;
    `spent` is the money that has gone into the goal already. An infinite budget lifts that of the catalog.
    `likelihoods` are those of outcomes that count.
    """

    known: frozenset[str] = frozenset()
    authorized: frozenset[str] = frozenset()
    cannot_establish: frozenset[tuple[str, str, str]] = frozenset()
    pruned: frozenset[str] = frozenset()
    done: frozenset[str] = frozenset()
    confirmed: frozenset[str] = frozenset()
    requested: frozenset[tuple[str, str]] = frozenset()
    minimize: Metric | None = None
    budget: float | None = None
    spent: float = 0.0
    likelihoods: Likelihoods = DECLARED


@dataclass(frozen=True, slots=True)
class PlanGoal:
    """A goal: facts to be known, skills to be carried out, and goals of the catalog of which one alternative will do.

    All of it is wanted.
    """

    facts: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()

    @property
    def atoms(self) -> frozenset[Atom]:
        return frozenset((*map(known, self.facts), *map(done, self.skills), *map(achieved, self.goals)))


Preferences = Mapping[tuple[StepKind, str], frozenset[str]]
"""For steps, by kind and subject: skills that they had better come after, where a plan has both."""


@dataclass(frozen=True, slots=True)
class Task:
    """A delete-free STRIPS task: static conditions (cannot_establish, pruned) are compiled away.

    With a `budget`, the money (in the `currency`) that the steps of a plan take adds up to no more than that. What is
    `preferred` only matters to the order of a plan's steps.
    """

    initial: frozenset[Atom]
    goal: frozenset[Atom]
    operators: Sequence[Operator]
    budget: float | None = None
    currency: str = ""
    preferred: Preferences = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """Operators in an order in which each can be applied, ending in a state where the goal holds."""

    steps: tuple[Operator, ...]

    @property
    def cost(self) -> float:
        """Sum what was minimised over the steps."""
        return sum(step.cost for step in self.steps)

    @property
    def hopeful_cost(self) -> float:
        """Sum what was minimised as if every call ended as is hoped for."""
        return sum(step.cost * step.likelihood for step in self.steps)

    @property
    def observed(self) -> int | None:
        """Return how many calls the likelihoods of its outcomes were counted from; None where they were not."""
        calls = {(step.subject, step.mode): step.observed for step in self.steps if step.observed is not None}
        return sum(calls.values()) if calls else None

    @property
    def costs_said(self) -> str:
        """Say what it costs with the likelihoods of outcomes, and without."""
        return say_costs(self.cost, self.hopeful_cost, self.observed)

    @property
    def amounts(self) -> Amounts:
        return Amounts.total(step.amounts for step in self.steps)

    @property
    def actions(self) -> tuple[Operator, ...]:
        """List the steps that are carried out: all but choices among alternatives."""
        return tuple(step for step in self.steps if step.kind is not StepKind.CHOOSE)


class Certainty(StrEnum):
    """How sure it is that something will be needed."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class AnyStep(Protocol):
    """A step of a plan, as far as it tells what the plan takes."""

    @property
    def kind(self) -> StepKind: ...

    @property
    def subject(self) -> str: ...

    @property
    def inputs(self) -> tuple[str, ...]: ...

    @property
    def outputs(self) -> tuple[str, ...]: ...

    @property
    def mode(self) -> str | None: ...

    @property
    def outcome(self) -> str | None: ...


@dataclass(frozen=True)
class Needs:
    """What a goal takes from a situation on: facts that are needed, questions and consents; the surest first.

    `steps` are those of the likely way, none where there is no way. Only facts that are not known are asked for.
    `sure` are the facts that are certain or likely; those that are possible besides are found when they are asked for.
    """

    steps: tuple[AnyStep, ...] = ()
    sure: Mapping[str, Certainty] = field(default_factory=dict)
    asks: Mapping[str, Certainty] = field(default_factory=dict)
    consents: Mapping[str, Certainty] = field(default_factory=dict)
    possible: Callable[[], Iterable[str]] = field(default=tuple, compare=False, repr=False)

    @cached_property
    def facts(self) -> Mapping[str, Certainty]:
        return {**self.sure, **{fact: Certainty.POSSIBLE for fact in self.possible() if fact not in self.sure}}

    def surest(self, fits: Callable[[str], bool]) -> Certainty | None:
        """Return how sure it is that some fact is needed of those that fit; None where no way has a use for one."""
        found = {sure for fact, sure in self.sure.items() if fits(fact)}
        found = found or {sure for fact, sure in self.facts.items() if fits(fact)}
        return next((certainty for certainty in Certainty if certainty in found), None)


NO_NEEDS = Needs()


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search: seconds of wall-clock time, and MiB of memory beyond what was in use at its start."""

    time_s: float = 10.0
    memory_mib: float = 1024.0


@dataclass(frozen=True, slots=True)
class Solved:
    """A plan was found, and an independent replay has accepted it.

    `gap` is the share of its cost that a cheaper plan could save at most: 0 where it is proved that none is cheaper,
    None where nothing is proved. `counts_likelihoods` says whether likelihoods of outcomes count in the choice, whether
    they are those of the plan's own calls or of calls in whose place it has others.
    """

    plan: Plan
    engine: str
    seconds: Mapping[str, float] = field(default_factory=dict)
    note: str = ""
    gap: float | None = None
    counts_likelihoods: bool = False


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
