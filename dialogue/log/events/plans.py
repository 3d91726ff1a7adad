"""Plans with their steps and what they lack, and actions that are removed from the planning model."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dialogue.log.streams import Event
from language.content import NO_REASON, Reason, usually
from language.interpretation import Frozen
from planning.likelihoods import LikelihoodSource
from planning.model import Certainty, Operator, StepKind, operator_name

PruneReason = Literal[
    "not_fillable", "skipped", "unclear", "refused", "withdrawn", "declined", "failed", "in_doubt", "spent", "unfit"
]


class PlannedStep(Frozen):
    """A step of a plan with all that is needed to draw it without the planning task."""

    kind: StepKind
    subject: str
    mode: str | None = None
    outcome: str | None = None
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    cost: float = 1.0

    @classmethod
    def of(cls, operator: Operator) -> PlannedStep:
        """Return an operator as the log keeps it; the inputs of a consent are the facts that it is asked for."""
        return cls(
            kind=operator.kind,
            subject=operator.subject,
            mode=operator.mode,
            outcome=operator.outcome,
            inputs=operator.sensitive if operator.kind is StepKind.AUTHORIZE else operator.inputs,
            outputs=operator.outputs,
            cost=operator.amounts.cost,
        )

    @property
    def operator(self) -> str:
        """The name of its operator (`planning.model.Operator.name`)."""
        way = self.inputs[0] if self.kind is StepKind.MAP else self.mode
        return operator_name(self.kind, self.subject, way, self.outcome)


class Foreseen(Frozen):
    """What a goal takes from here on (`planning.needs.Needs`): facts, questions and consents, and how sure each is.

    `steps` are those of the likely way where that is not what is left of the plan.
    """

    steps: tuple[PlannedStep, ...] | None = usually(None)
    sure: dict[str, Certainty] = Field(default_factory=dict)
    asks: dict[str, Certainty] = Field(default_factory=dict)
    consents: dict[str, Certainty] = Field(default_factory=dict)


class PlannedPart(Frozen):
    """The steps of a plan that are for one goal: so many after those of the goals before it.

    `shared` are the places (counted from 0) of steps for goals before it that it needs too.
    """

    goal_id: int
    steps: int
    shared: tuple[int, ...] = ()


class MissingSkill(Frozen):
    """A skill that would be needed; `skill` names an existing one that it would have to replace."""

    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    skill: str | None = None


class MissingSet(Frozen):
    """A set that would make the goal reachable: facts to provide, consents to give, and new skills."""

    information: tuple[str, ...] = ()
    functionality: tuple[MissingSkill, ...] = ()
    answers: tuple[str, ...] = ()
    consents: tuple[str, ...] = ()
    go_aheads: tuple[str, ...] = ()
    cost: float = 0.0
    money: float = 0.0


class Missing(Frozen):
    """What makes a goal unsolvable: facts that people could provide, and facts that no skill can produce.

    `sets` are the ways there are, the best first; the others are of the best. `note` says what was not looked into.
    """

    information: tuple[str, ...] = ()
    functionality: tuple[str, ...] = ()
    sets: tuple[MissingSet, ...] = ()
    note: str = ""
    over_budget: float | None = None


class PlanTotals(Frozen):
    """The totals of a plan: cost, money, seconds, and the quality that remains."""

    cost: float = 0.0
    money: float = 0.0
    time_s: float = 0.0
    quality: float = 1.0


class Planned(Event, kind="planned", sensitive=()):
    """The planner was called; `steps` is empty unless solved. `cause` is the event that made planning necessary.

    A plan for several goals has `parts`, in the order in which the goals are reached; `goal_id` is the first of them.
    """

    plan_id: int
    goal_id: int
    status: Literal["solved", "unsolvable", "gave_up"]
    steps: tuple[PlannedStep, ...] = ()
    cost: float = 0.0
    amounts: PlanTotals | None = None
    engine: str = ""
    seconds: dict[str, float] = Field(default_factory=dict)
    note: Reason = NO_REASON
    missing: Missing = Missing()
    cause: int | None = None
    parts: tuple[PlannedPart, ...] = usually(())
    improving: bool = usually(False)
    """Whether it was begun with while a cheaper one was still searched for."""


class LikelihoodsChosen(Event, kind="likelihoods_chosen", sensitive=()):
    """Which likelihoods of outcomes count in the plans from here on, by the operator's choice.

    Where they are counted: how many calls in the conversations that were kept had ended in which outcome by then.
    """

    source: LikelihoodSource
    prior_calls: float
    calls: tuple[tuple[str, str, str, int], ...] = ()


class Discarded(Event, kind="discarded", sensitive=()):
    """A plan was given up before its end. `cause` is the event that invalidated it, `at_step` the steps done so far."""

    plan_id: int
    reason: Reason
    cause: int
    at_step: int


class Kept(Event, kind="kept", sensitive=()):
    """A plan was checked against new facts, or against what was found meanwhile, and is still followed."""

    plan_id: int
    cause: int
    note: Reason = usually(NO_REASON)
    """What is known now of how good it is, in place of what its own note said."""


class CouldNotEstablish(Event, kind="could_not_establish", sensitive=()):
    """A skill's attempts at a fact are used up: it is not planned for that fact again (Verdi paper, §3.4)."""

    skill: str
    mode: str
    fact: str
    tries: int


class Pruned(Event, kind="pruned", sensitive=()):
    """A ground action failed and was removed from the planning model (Verdi paper, §3.4)."""

    operator: str
    step: StepKind
    subject: str
    reason: Reason
    cause: int
    because: PruneReason
    """`not_fillable` and `failed` last, `spent` lasts for the request, `unfit` while the value is the same; the others
    end when the user requests again what they ruled out."""
    facts: tuple[str, ...] = ()
    """For a refused consent: the facts that would have gone to the skill; for `unfit`: the fact that does not fit; for
    a question that was left out since something else was offered instead: that."""


class Restored(Event, kind="restored", sensitive=()):
    """A ground action is back in the planning model: the user requested again what needs it."""

    operator: str
    step: StepKind
    subject: str
    cause: int
