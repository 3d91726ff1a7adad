"""Plans, and what is taken out of the model that they are made with."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dialogue.log.entry import Event
from dialogue.log.events.pieces import Missing, PlannedPart, PlannedStep, Taken
from planning.model import StepKind

PruneReason = Literal["not_fillable", "skipped", "unclear", "refused", "declined", "failed", "spent", "unfit"]


class Planned(Event):
    """The planner was called; `steps` is empty unless solved. `cause` is the event that made planning necessary.

    A plan for several goals has `parts`, in the order in which the goals are reached; `goal_id` is the first of them.
    """

    kind: Literal["planned"] = "planned"
    sensitive = ()
    plan_id: int
    goal_id: int
    status: Literal["solved", "unsolvable", "gave_up"]
    steps: tuple[PlannedStep, ...] = ()
    cost: float = 0.0
    amounts: Taken | None = None
    engine: str = ""
    seconds: dict[str, float] = Field(default_factory=dict)
    note: str = ""
    missing: Missing = Missing()
    cause: int | None = None
    parts: tuple[PlannedPart, ...] = Field(default=(), exclude_if=lambda parts: not parts)


class Discarded(Event):
    """A plan was given up before its end. `cause` is the event that made it useless, `at_step` where it had got to."""

    kind: Literal["discarded"] = "discarded"
    sensitive = ()
    plan_id: int
    reason: str
    cause: int
    at_step: int


class Kept(Event):
    """A plan was checked against what is new, and is still the one to follow."""

    kind: Literal["kept"] = "kept"
    sensitive = ()
    plan_id: int
    cause: int


class CouldNotEstablish(Event):
    """A skill's tries at a fact are used up: it is never planned for that fact again (Verdi paper, §3.4)."""

    kind: Literal["could_not_establish"] = "could_not_establish"
    sensitive = ()
    skill: str
    mode: str
    fact: str
    tries: int


class Pruned(Event):
    """A ground action turned out not to work and is out of the model (Verdi paper, §3.4)."""

    kind: Literal["pruned"] = "pruned"
    sensitive = ()
    operator: str
    step: StepKind
    subject: str
    reason: str
    cause: int
    because: PruneReason
    """`not_fillable` and `failed` are for good, `spent` for the request, `unfit` while the value is what it is; the
    others end when the user asks anew for what they stood in the way of."""
    facts: tuple[str, ...] = ()
    """For a refused consent: the facts that would have gone to the skill; for `unfit`: the fact that does not fit."""


class Restored(Event):
    """A ground action is back in the model: the user asked anew for what it had been needed for."""

    kind: Literal["restored"] = "restored"
    sensitive = ()
    operator: str
    step: StepKind
    subject: str
    cause: int
