"""Pieces of the work that a task leaves to be done, and its calls: interrupted ones, and the events of results."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from catalog.model import Catalog
from dialogue.caller import NoEffect, NotReturned, Returned, Told
from dialogue.calling import CallAttempt, CallEnd, CallTools, is_in_doubt, is_irreversible, look_up
from dialogue.log.streams import Event
from dialogue.tasks.state.events import CallEnded, CallFailed, Collected, Items, Requested
from dialogue.tasks.state.provenance import is_handed_secrets, secrets_in
from dialogue.tasks.state.requests import Request, SettleCall
from dialogue.tasks.state.task import Task, TaskCall, TaskValue


def key_of(skill: str, mode: str, items: Items, entries: Mapping[str, int]) -> Hashable:
    """Return what calls have in common that are one and the same: of a skill, for an item, with these values."""
    return skill, mode, items, frozenset(entries.items())


@dataclass(frozen=True, slots=True)
class MakeCall:
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


def list_cut_off(task: Task) -> list[TaskCall]:
    """List the calls that were under way when the program ended, and that were not asked about yet."""
    asked = {one.request.call_id for one in task.requests.values() if isinstance(one.request, SettleCall)}
    return [call for call in task.calls.values() if call.ended is None and call.begun.call_id not in asked]


def ask_about(tools: CallTools, catalog: Catalog, task: Task, call: TaskCall) -> Told | None:
    """Ask the own lookup of an irreversible skill what became of a call; None where that cannot be asked."""
    begun = call.begun
    found = {name: task.find(catalog, name, begun.items) for name in begun.inputs}
    values = {
        name: one.value for name, one in found.items() if one is not None and one.entry == begun.input_entries[name]
    }
    if not is_irreversible(catalog, begun.skill) or len(values) < len(found):
        return None
    return look_up(tools, catalog, CallAttempt(begun.skill, begun.mode, values, begun.first))


def event_of(catalog: Catalog, task: Task, call: TaskCall, came: CallEnd | Told | None) -> Event:
    """Return what is written down of a call: how it ended, that it failed, or the question what became of it.

    Of one that was cut off, `came` is what its lookup says. What only reads, or took no effect, is made again. Nothing
    secret is in the message of one that failed.
    """
    begun = call.begun
    told = came.told if isinstance(came, NotReturned) and isinstance(came.told, Returned) else came
    if isinstance(told, Returned):
        return CallEnded(
            call_id=begun.call_id,
            outcome=told.result.outcome,
            facts=dict(told.result.facts),
            attributions=told.attributions,
            seconds=told.seconds,
        )
    stopped = came if isinstance(came, NotReturned) else NotReturned("raised", "interrupted", 0.0, came)
    if is_in_doubt(catalog, begun.skill, stopped):
        return Requested(request=SettleCall(call_id=begun.call_id, skill=begun.skill))
    if stopped is not came:
        return CallFailed(call_id=begun.call_id, error="interrupted", message=stopped.message)
    message = stopped.kept(secrets_in(catalog, task), handed_secrets=is_handed_secrets(catalog, task, begun))
    error = "no_effect" if isinstance(stopped.told, NoEffect) else stopped.error
    return CallFailed(call_id=begun.call_id, error=error, message=message, seconds=stopped.seconds)
