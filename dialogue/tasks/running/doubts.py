"""Calls of which it is not known whether they took effect: which these are, and what their skills say of them."""

from __future__ import annotations

from collections.abc import Callable

from catalog.model import Catalog, Effect
from dialogue.caller import CallTools, NoEffect, NotReturned, Told, look_up_with_files
from dialogue.tasks.state.requests import SettleCall
from dialogue.tasks.state.task import Call, Task


def list_cut_off(task: Task) -> list[Call]:
    """List the calls that were under way when the program ended, and that were not asked about yet."""
    asked = {one.request.call_id for one in task.requests.values() if isinstance(one.request, SettleCall)}
    return [call for call in task.calls.values() if call.ended is None and call.begun.call_id not in asked]


def is_irreversible(catalog: Catalog, call: Call) -> bool:
    """Return whether a call must not be made a second time."""
    skill = catalog.skills.get(call.begun.skill)
    return skill is None or skill.effect is Effect.IRREVERSIBLE


def is_in_doubt(catalog: Catalog, call: Call, came: NotReturned) -> bool:
    """Return whether a call that failed may have taken effect, which is not known."""
    known = came.error == "unavailable" or isinstance(came.told, NoEffect)
    return not known and is_irreversible(catalog, call)


def look_up(task: Task, catalog: Catalog, call: Call, tools: CallTools, key_of: Callable[[str], str]) -> Told | None:
    """Ask the own lookup of an irreversible skill what became of a call; None where that cannot be asked."""
    begun = call.begun
    if not is_irreversible(catalog, call) or begun.skill not in catalog.skills:
        return None
    found = {name: task.find(catalog, name, begun.items) for name in begun.inputs}
    values = {
        name: one.value for name, one in found.items() if one is not None and one.entry == begun.input_entries[name]
    }
    if len(values) < len(found):
        return None
    return look_up_with_files(tools, catalog, begun.skill, begun.mode, values, key=key_of(begun.first))
