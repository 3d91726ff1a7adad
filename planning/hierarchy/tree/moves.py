"""What happens to a tree: its moves, of which it is made up again."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from catalog.model.entry import Entry, Names
from planning.hierarchy.split import Refusal, Split
from planning.hierarchy.tree.verdict import Verdict


class Attempt(Entry):
    """One attempt at a split: what was proposed (nothing, where the proposer had no more), and why it was not taken.

    `round` is that of the tree in which it was made. `trouble` says what went wrong where nothing of use was proposed;
    with `unheard`, since no model could be asked.
    """

    proposer: str
    split: Split | None = None
    refusals: tuple[Refusal, ...] = ()
    round: int = 0
    trouble: str = ""
    unheard: bool = False

    @property
    def taken(self) -> bool:
        return self.split is not None and not self.refusals


class DirectlyPlanned(Entry):
    """A hypothesis was planned for in one piece."""

    move: Literal["planned"] = "planned"
    hypothesis: str
    verdict: Verdict


class SplitAttempted(Entry):
    """A split of a hypothesis was proposed."""

    move: Literal["split"] = "split"
    hypothesis: str
    attempt: Attempt


class Reopened(Entry):
    """Something changed: what is not solved is looked at again. Facts that were handed over are known from now on.

    Operators that are `allowed` (by their names) are no longer ruled out: a no has become a yes.
    """

    move: Literal["reopened"] = "reopened"
    supplied: Names = ()
    allowed: tuple[str, ...] = ()


class PlanDropped(Entry):
    """A plan did not hold when it was carried out: its call had another outcome, which rules the step out."""

    move: Literal["dropped"] = "dropped"
    hypothesis: str
    ruled_out: str
    """The name of the operator (`planning.model.operator_name`)."""


Move = Annotated[DirectlyPlanned | SplitAttempted | Reopened | PlanDropped, Field(discriminator="move")]
"""What happens to the tree."""
