"""Plans, and actions that are removed from the planning model."""

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
    """A plan was given up before its end. `cause` is the event that invalidated it, `at_step` the steps done so far."""

    kind: Literal["discarded"] = "discarded"
    sensitive = ()
    plan_id: int
    reason: str
    cause: int
    at_step: int


class Kept(Event):
    """A plan was checked against new facts and is still followed."""

    kind: Literal["kept"] = "kept"
    sensitive = ()
    plan_id: int
    cause: int


class CouldNotEstablish(Event):
    """A skill's attempts at a fact are used up: it is not planned for that fact again (Verdi paper, §3.4)."""

    kind: Literal["could_not_establish"] = "could_not_establish"
    sensitive = ()
    skill: str
    mode: str
    fact: str
    tries: int


class Pruned(Event):
    """A ground action failed and was removed from the planning model (Verdi paper, §3.4)."""

    kind: Literal["pruned"] = "pruned"
    sensitive = ()
    operator: str
    step: StepKind
    subject: str
    reason: str
    cause: int
    because: PruneReason
    """`not_fillable` and `failed` last, `spent` lasts for the request, `unfit` while the value is the same; the others
    end when the user requests again what they ruled out."""
    facts: tuple[str, ...] = ()
    """For a refused consent: the facts that would have gone to the skill; for `unfit`: the fact that does not fit."""


class Restored(Event):
    """A ground action is back in the planning model: the user requested again what needs it."""

    kind: Literal["restored"] = "restored"
    sensitive = ()
    operator: str
    step: StepKind
    subject: str
    cause: int
