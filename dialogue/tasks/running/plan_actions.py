"""Pieces of the work that a task leaves to be done."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from dialogue.tasks.state.events import Collected, Items
from dialogue.tasks.state.requests import Request
from dialogue.tasks.state.task import TaskValue


def key_of(skill: str, mode: str, items: Items, entries: Mapping[str, int]) -> Hashable:
    """Return what calls have in common that are one and the same: of a skill, for an item, with these values."""
    return skill, mode, items, frozenset(entries.items())


@dataclass(frozen=True, slots=True)
class MakeCall:
    """Call a skill."""

    leaf: str
    step: int
    skill: str
    mode: str
    inputs: Mapping[str, TaskValue]
    items: Items = ()

    @property
    def key(self) -> Hashable:
        """What two steps have in common that need one and the same call."""
        entries = {fact: one.entry for fact, one in self.inputs.items()}
        return key_of(self.skill, self.mode, self.items, entries)


@dataclass(frozen=True, slots=True)
class Collect:
    """Put together what was done for each item of a list, or take one fact's value for another's."""

    collected: Collected


@dataclass(frozen=True, slots=True)
class GiveUpPlan:
    """A plan does not hold: a call had another outcome than it hoped for, or failed."""

    leaf: str
    operator: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back what was handed over: a call showed that it is wrong."""

    fact: str
    call_id: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the owner of the task for something."""

    request: Request

    @property
    def key(self) -> Hashable:
        """What two steps have in common that wait for one and the same answer."""
        return self.request.model_dump_json()


PlanAction = MakeCall | Collect | GiveUpPlan | TakeBack | Ask
