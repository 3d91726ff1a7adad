"""Provenance in a task: which of its values are secret, by their fact or since they were made from a secret value."""

from __future__ import annotations

from functools import lru_cache

from catalog.model import Catalog
from dialogue.log.made_of import MadeOf
from dialogue.state.provenance import Only, derived_from_secrets, is_secret
from dialogue.tasks.state.task import Task, Value


def hides(catalog: Catalog, task: Task, value: Value) -> bool:
    """Return whether a value of a task is secret."""
    return is_secret(catalog, value.fact, value.entry, derived_in_task(catalog, task))


def derived_in_task(catalog: Catalog, task: Task) -> frozenset[int]:
    """Collect the entries of a task's log that hold what was made from secret values."""
    if not catalog.has_sensitive:
        return frozenset()
    return _derived_so_far(Only(catalog, task.calls, task.collected, task.handed_secretly))


@lru_cache(maxsize=16)
def _derived_so_far(only: Only) -> frozenset[int]:
    catalog, calls, collected, handed_secretly = only.these
    steps: list[tuple[int, MadeOf]] = [(entry, MadeOf(secret=True)) for entry in handed_secretly]
    for call in calls.values():
        steps.append((call.entry, call.begun.made_of))
        steps += [(call.end, call.ended.made_of)] if call.ended is not None else []
    steps += [(entry, event.made_of) for entry, event in collected]
    return derived_from_secrets(catalog, sorted(steps, key=lambda step: step[0]))
