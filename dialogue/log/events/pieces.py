"""Values that events are made of: participants, uploaded files, steps of plans, and what a plan lacks."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from language.interpretation import Frozen
from planning.model import Operator, StepKind, operator_name

Participant = Annotated[str, Field(min_length=1, max_length=200)]
"""A sender or receiver of messages: one of the names below, or that of a person, a bot or an agent."""
USER, ASSISTANT, ENVIRONMENT = "user", "assistant", "environment"
"""The participants of every conversation. Alerts come from the environment."""


def usually(usual: str | tuple[str, ...]) -> Any:
    """Declare a field with its usual value, which is not written: entries of old logs have none, and mean the same."""
    return Field(default=usual, exclude_if=lambda value: bool(value == usual))


class Attachment(Frozen):
    """An uploaded file; its bytes are in the store under `sha256`."""

    sha256: str
    name: str
    media_type: str
    size: int


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


class Taken(Frozen):
    """The totals of a plan: cost, money, seconds, and the quality that remains."""

    cost: float = 0.0
    money: float = 0.0
    time_s: float = 0.0
    quality: float = 1.0


class Shown(Frozen):
    """A piece of an explanation as it was given. The fact or skill that it names can be asked about."""

    text: str
    fact: str | None = None
    skill: str | None = None
    secret: bool = False
