"""The interface of policies: decisions about the next step for the goal on top of the stack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from catalog.model import Catalog
from dialogue.log.events import Discarded, Kept, PlannedPart, PlannedStep
from dialogue.policy.joint import JointAnswer, Planner
from dialogue.state.conversation import Conversation
from language.content import NO_REASON, Reason
from planning.diagnosis.diagnose import Diagnosis
from planning.engines import Engine
from planning.model import Limits, PlanningResult
from planning.plans.solve import DEFAULT_LIMITS


@dataclass(frozen=True, slots=True)
class Achieved:
    """Everything that the goal asks for is known; `unused` gives up what is left of the plan, if anything is."""

    unused: Discarded | None = None


@dataclass(frozen=True, slots=True)
class Proceed:
    """Carry out this step; `kept` says that the plan was checked against news first."""

    step: PlannedStep
    kept: Kept | None = None


@dataclass(frozen=True, slots=True)
class Replanned:
    """The planner was called; `discarded` is the plan it replaces. `diagnosis` is there when there is no plan.

    Of a plan for several goals, `parts` say which of its steps are for which goal. `improve` goes on planning for
    where things stood: the plan may be begun with meanwhile. `note` is of how good the plan is, where that is more
    than the result says.
    """

    result: PlanningResult
    discarded: Discarded | None = None
    cause: int | None = None
    diagnosis: Diagnosis | None = None
    parts: tuple[PlannedPart, ...] = ()
    improve: Callable[[], JointAnswer] | None = None
    note: Reason = NO_REASON


Decision = Achieved | Proceed | Replanned


class PolicyFactory(Protocol):
    def __call__(self, engine: Engine, limits: Limits = DEFAULT_LIMITS) -> Policy: ...


class Policy(Protocol):
    """Chooses the next step. Deciding changes nothing: `dialogue.execution.loop` carries the decision out."""

    @property
    def planner(self) -> Planner:
        """The engine and limits that it plans with: what is only asked about is planned with the same."""
        ...

    @property
    def name(self) -> str:
        """The name under which it is registered."""
        ...

    def decide(self, catalog: Catalog, conversation: Conversation) -> Decision:
        """Decide for the goal on top of the stack; there is one whenever this is called."""
        ...
