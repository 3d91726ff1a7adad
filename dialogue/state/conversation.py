"""The state of a conversation: what its log says, as values (`dialogue.state.fold` folds the log into them)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from catalog.model.settings import Metric
from dialogue.log.events import (
    Asked,
    Attachment,
    Calling,
    ItemDone,
    Objected,
    Planned,
    Preferred,
    PruneReason,
    Requested,
)
from language.interpretation import Intent, Interpretation
from planning.history import History
from planning.model import Situation, StepKind, Wanted

CARRYING_OUT = ""
"""Stands in place of a fact where what was tried in vain is to carry a skill out at all."""


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A value in memory and where it came from; `event` is the entry that established it, `by` what shows it."""

    fact: str
    value: JsonValue
    source: Literal["start", "user", "upload", "event", "skill", "mapping"]
    event: int
    by: int
    said: str | None = None
    rule: str | None = None
    goal_id: int | None = None
    """The goal that it was said or found for; None if nothing was being pursued, and no request has taken it up."""


@dataclass(frozen=True, slots=True)
class StackedGoal:
    """A goal that is or was on the stack; `original` is the situation in which it was pushed."""

    goal_id: int
    goal: str
    label: str
    facts: tuple[str, ...]
    because: Literal["request", "extension", "event"]
    pushed: int
    cause: int
    original: Situation
    skills: tuple[str, ...] = ()
    either: tuple[tuple[str, ...], ...] = ()
    interrupted: Asked | None = None
    """The offer or choice that an event broke in upon: it is put again when this goal has ended."""
    request: Intent | None = None
    heard: int | None = None
    position: int | None = None
    """What was said for it, in which entry, and where among the goals that were asked for there."""
    begun: bool = False
    """Whether what belongs to other requests was set aside for it."""
    requested: tuple[Requested, ...] = ()
    """What it refers to."""
    status: Literal["open", "achieved", "dropped"] = "open"
    reason: str = ""
    ended: int | None = None
    final: Conversation | None = field(default=None, repr=False, compare=False)
    """The state when it ended: what is explained of it afterwards is as of then."""

    @property
    def wanted(self) -> Wanted:
        """Give what it wants as the planner takes it."""
        return Wanted(self.facts, self.skills, (self.goal,) if self.either else ())


@dataclass(frozen=True, slots=True)
class PlanRecord:
    """A plan that was made, and what became of it.

    `done` counts the steps that were carried out as planned; `known` is what was known when it was made or last checked
    against news, which was after `checked` of the steps. `carried_out` are the skills that counted so then, or
    have since, by the plan. `began` and `ended` are entries of the log.
    """

    plan: Planned
    began: int
    known: frozenset[str] = frozenset()
    carried_out: frozenset[str] = frozenset()
    done: int = 0
    checked: int = 0
    preferred: int | None = None
    """What the user had said last of what matters, when it was made or last checked."""
    status: Literal["current", "finished", "discarded", "none"] = "current"
    reason: str = ""
    cause: int | None = None
    ended: int | None = None

    @property
    def plan_id(self) -> int:
        """The number under which people see it."""
        return self.plan.plan_id

    @property
    def expected(self) -> frozenset[str]:
        """The facts that it expects to be known by now."""
        return self.known.union(*(step.outputs for step in self.plan.steps[self.checked : self.done]))


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the chat."""

    seq: int
    sender: str
    text: str
    attachments: tuple[Attachment, ...] = ()
    facts: tuple[str, ...] = ()
    tone: str = "plain"
    explained: int | None = None
    receivers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """What the assistant waits for."""

    seq: int
    asked: Asked


@dataclass(frozen=True, slots=True)
class PrunedAction:
    """A ground action that is out of the model, and why."""

    operator: str
    step: StepKind
    subject: str
    reason: str
    seq: int
    because: PruneReason
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A go-ahead: the entry that says so, and the facts that may go into the call."""

    seq: int
    facts: frozenset[str]


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """An item that was done in a call that is mapped over a list, with the entry that says so."""

    seq: int
    calling: Calling
    done: ItemDone


@dataclass(frozen=True, slots=True)
class Conversation:
    """Everything that can be known about a conversation from its log."""

    seq: int = 0
    catalog: str = ""
    digest: str = ""
    title: str = ""
    turn: int = 0
    messages: tuple[Message, ...] = ()
    meanings: Mapping[int, Interpretation] = field(default_factory=dict)
    """By the entry that was heard."""
    known: Mapping[str, KnownValue] = field(default_factory=dict)
    goals: tuple[StackedGoal, ...] = ()
    """The goal stack, top first."""
    past_goals: tuple[StackedGoal, ...] = ()
    plans: tuple[PlanRecord, ...] = ()
    history: History = ()
    pending: PendingQuestion | None = None
    calls: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """How often each skill was called in each mode."""
    misses: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    """Failed attempts by skill, mode and fact; `CARRYING_OUT` stands in place of a fact for doing it at all."""
    done: Mapping[str, int] = field(default_factory=dict)
    """Skills that were carried out, of those of which it matters, with the call that did; those are left out for which
    a value was used that no longer holds."""
    undone: Mapping[str, int] = field(default_factory=dict)
    """Skills that no longer count as carried out, with the entry that made it so; they may count again."""
    used_up: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    """Skill, mode and fact whose tries are used up, with the entry that says so."""
    retracted: Mapping[str, int] = field(default_factory=dict)
    """Facts that turned out wrong, with the entry that says so; some may be known again."""
    set_aside: Mapping[str, int] = field(default_factory=dict)
    """Facts that were said or found for another request than the one at hand, with the entry that says so."""
    waiting: Mapping[tuple[int, str], KnownValue] = field(default_factory=dict)
    """Of these, by goal and fact, what belongs to goals that are still open: it comes back with them."""
    pruned: Mapping[str, PrunedAction] = field(default_factory=dict)
    authorized: Mapping[str, int] = field(default_factory=dict)
    """Consents that were given (to a skill, or for a fact), with the entry that says so."""
    refused: frozenset[str] = frozenset()
    confirmed: Mapping[str, Confirmation] = field(default_factory=dict)
    """Calls that the user has agreed to (`call_name`), not made yet."""
    objected: Objected | None = None
    """What the catalog's rules have against what was said for the goal on top; nothing is planned meanwhile."""
    attributions: Mapping[int, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    revealed: frozenset[str] = frozenset()
    offered: frozenset[str] = frozenset()
    preference: Preferred | None = None
    """What the user said last of what matters (cheap, quick, good, within a budget), and the entry that says so."""
    preferred: int | None = None
    minimize: Metric | None = None
    budget: float | None = None
    """What may be spent on one goal, if the user said so: infinite where there is to be no limit."""
    spent: Mapping[int, float] = field(default_factory=dict)
    """Money that has gone into goals, by their number."""
    open_call: Calling | None = None
    """A call that was begun and has not come back."""
    items: tuple[ItemRecord, ...] = ()
    """Items that were done in calls that are mapped over lists, oldest first."""
    inbox: tuple[int, ...] = ()
    """What was heard (or happened) and is not being worked on yet."""
    active: int | None = None
    """What is being worked on: the entry of an utterance or an alert. Goals, values and answers in it are on record,
    in the same transaction as the beginning of the turn."""

    @property
    def busy(self) -> bool:
        """Tell whether there is work to do or being done."""
        return self.active is not None or bool(self.inbox)

    @property
    def open_items(self) -> tuple[ItemRecord, ...]:
        """The items that are done of the call that has not come back."""
        call_id = self.open_call.call_id if self.open_call else None
        return tuple(record for record in self.items if record.calling.call_id == call_id)

    @property
    def activity(self) -> str | None:
        """The skill being called just now, if any."""
        return self.open_call.skill if self.open_call else None

    @property
    def goal(self) -> StackedGoal | None:
        """The goal being pursued."""
        return self.goals[0] if self.goals else None

    @property
    def plan(self) -> PlanRecord | None:
        """The plan being followed for the goal on top."""
        return None if self.goal is None else self.plan_of(self.goal.goal_id)

    def plan_of(self, goal_id: int) -> PlanRecord | None:
        """Find the plan being followed for a goal, if there is one."""
        return next((p for p in reversed(self.plans) if p.status == "current" and p.plan.goal_id == goal_id), None)

    @property
    def situation(self) -> Situation:
        """What the planner is told beyond the catalog."""
        return Situation(
            known=frozenset(self.known),
            authorized=frozenset(self.authorized),
            cannot_establish=frozenset(self.used_up),
            pruned=frozenset(self.pruned),
            minimize=self.minimize,
            budget=self.budget,
            spent=self.spent.get(self.goal.goal_id, 0.0) if self.goal else 0.0,
            done=frozenset(self.done),
            confirmed=frozenset(self.confirmed),
            requested=frozenset((r.fact, r.stands_for) for r in self.requested),
        )

    @property
    def requested(self) -> tuple[Requested, ...]:
        """List what the goal on top refers to, as far as it is known."""
        return tuple(one for one in self.goal.requested if one.used in self.known) if self.goal else ()
