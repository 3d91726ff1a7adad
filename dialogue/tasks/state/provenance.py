"""Provenance in a task: which of its values are secret, by their fact or since they were made from a secret value.

What was written down of calls and criteria is shown without them (`without_secrets`).
"""

from __future__ import annotations

from functools import lru_cache

from catalog.model import Catalog
from dialogue.log.sensitive import Derivation
from dialogue.state.masking import mask
from dialogue.state.provenance import IdentityKey, derived_from_secrets, is_any_secret, is_secret
from dialogue.tasks.state.events import CallBegun
from dialogue.tasks.state.task import Task, TaskValue


def hides(catalog: Catalog, task: Task, value: TaskValue) -> bool:
    return is_secret(catalog, value.fact, value.entry, derived_in_task(catalog, task))


def is_handed_secrets(catalog: Catalog, task: Task, begun: CallBegun) -> bool:
    return is_any_secret(catalog, begun.made_of.values, derived_in_task(catalog, task))


def secrets_in(catalog: Catalog, task: Task) -> frozenset[str]:
    if not catalog.has_sensitive:
        return frozenset()
    return _secrets_so_far(IdentityKey(catalog, task.values, derived_in_task(catalog, task)))


def without_secrets(catalog: Catalog, task: Task, text: str) -> str:
    return mask(text, secrets_in(catalog, task)) if text else text


def derived_in_task(catalog: Catalog, task: Task) -> frozenset[int]:
    """Collect the entries of a task's log that hold what was made from secret values."""
    if not catalog.has_sensitive:
        return frozenset()
    return _derived_so_far(IdentityKey(catalog, task.calls, task.collected, task.handed_secretly))


@lru_cache(maxsize=16)
def _derived_so_far(only: IdentityKey) -> frozenset[int]:
    catalog, calls, collected, handed_secretly = only.these
    steps: list[tuple[int, Derivation]] = [(entry, Derivation(secret=True)) for entry in handed_secretly]
    for call in calls.values():
        steps.append((call.entry, call.begun.made_of))
        steps += [(call.end, call.ended.made_of)] if call.ended is not None else []
    steps += [(entry, event.made_of) for entry, event in collected]
    return derived_from_secrets(catalog, sorted(steps, key=lambda step: step[0]))


@lru_cache(maxsize=16)
def _secrets_so_far(only: IdentityKey) -> frozenset[str]:
    catalog, values, derived = only.these
    found = (
        text.strip()
        for there in values.values()
        for name, one in there.items()
        if name in catalog.facts and is_secret(catalog, name, one.entry, derived)
        for text in catalog.facts[name].value.betrayals(one.value)
    )
    return frozenset(filter(None, found))
