"""Where a stage begins, and what planning in one piece says of a hypothesis: a plan, what it lacks, or neither."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from catalog.model.entry import Entry, Names
from planning.model import StepKind, operator_name
from planning.task.spending import fits


@dataclass(frozen=True, slots=True)
class StageStart:
    """What is there where a stage begins: what is known, consents, skills that were carried out, and money spent."""

    known: frozenset[str] = frozenset()
    consents: frozenset[str] = frozenset()
    done: frozenset[str] = frozenset()
    spent: float = 0.0

    def joined(self, other: StageStart) -> StageStart:
        return StageStart(
            self.known | other.known,
            self.consents | other.consents,
            self.done | other.done,
            self.spent + other.spent,
        )


class PlanStep(Entry):
    kind: StepKind
    subject: str
    mode: str | None = None
    outcome: str | None = None
    inputs: Names = ()
    outputs: Names = ()

    @property
    def name(self) -> str:
        mode = self.inputs[0] if self.kind is StepKind.MAP else self.mode
        return operator_name(self.kind, self.subject, mode, self.outcome)


class MissingKind(StrEnum):
    """The two kinds of what is missing (sequential-planner-v2, "Key points")."""

    INFORMATION = "information"
    """A person has to hand something over, or to consent."""
    FUNCTION = "function"
    """There has to be a skill: from these inputs to these outputs."""


class Missing(Entry):
    kind: MissingKind
    facts: Names
    inputs: Names = ()
    """Of a function: facts that are there and that it could work from."""
    consent: bool = False
    """Whether what is missing is a person's word rather than a value."""


class Planned(Entry):
    """There is a plan: its steps, and what it uses of what was there before.

    It gives consents, and carries skills out; later stages need not do so again. Of such it may itself rely on earlier
    ones. `money` is what it takes, and `budget` what the whole task may take, where that is limited.
    """

    status: Literal["planned"] = "planned"
    steps: tuple[PlanStep, ...]
    uses: Names = ()
    consents: Names = ()
    done: Names = ()
    relies_on_consents: Names = ()
    relies_on_done: Names = ()
    money: float = 0.0
    budget: float | None = None

    def holds(self, there: StageStart) -> bool:
        """Return whether it can be carried out from where it is to begin."""
        return (
            there.known.issuperset(self.uses)
            and there.consents.issuperset(self.relies_on_consents)
            and there.done.issuperset(self.relies_on_done)
            and fits(there.spent + self.money, self.budget)
        )

    def is_new_to(self, there: StageStart) -> bool:
        """Return whether nothing that it makes, asks consent for or carries out is there already."""
        made = {fact for step in self.steps for fact in step.outputs}
        return (
            there.known.isdisjoint(made)
            and there.consents.isdisjoint(self.consents)
            and there.done.isdisjoint(self.done)
        )


class Impossible(Entry):
    """It is proved that there is no plan; each of the sets of what is missing would be enough.

    `over_budget` is the money that a plan takes, where there is one that the budget does not allow.
    """

    status: Literal["impossible"] = "impossible"
    sets: tuple[tuple[Missing, ...], ...] = ()
    over_budget: float | None = None

    @property
    def least(self) -> tuple[tuple[Missing, ...], ...]:
        """Those of the sets that ask for the fewest functions."""
        fewest = min(map(count_functions, self.sets), default=0)
        return tuple(found for found in self.sets if count_functions(found) == fewest)


def count_functions(found: Iterable[Missing]) -> int:
    return sum(one.kind is MissingKind.FUNCTION for one in found)


class Undecided(Entry):
    """Planning gave up at a limit."""

    status: Literal["undecided"] = "undecided"
    reason: str


Verdict = Annotated[Planned | Impossible | Undecided, Field(discriminator="status")]
"""What planning in one piece says."""
