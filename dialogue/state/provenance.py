"""Provenance: which values are secret, by their fact or since they were made from a secret value.

What a skill returns may hold what it was given, reversed or spelled out, so that no search for the value finds it.
So whatever may hold words is secret if it was made from something secret, through skills, mappings and tasks, unless
its fact is declared public. What is shown to everybody hides nothing, and neither does what was made of it alone.
A value that came about without anything secret is shown, though another one of its fact may not be.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any

from catalog.model import Catalog
from dialogue.log.sensitive import Derivation
from dialogue.log.streams import Log
from dialogue.state.conversation import Conversation
from dialogue.state.facts import KnownValue


def is_secret(catalog: Catalog, fact: str, entry: int = 0, derived: Collection[int] = ()) -> bool:
    """Return whether a value is hidden: its fact is sensitive or not declared any more, or the value is derived.

    `entry` is the one that holds the value, and `derived` are the entries that hold what was made from secret values.
    """
    if fact not in catalog.facts or catalog.is_sensitive(fact):
        return True
    return entry in derived and catalog.inherits_secrecy(fact)


def is_any_secret(catalog: Catalog, values: Iterable[tuple[str, int]], derived: Collection[int]) -> bool:
    """Return whether any of some values is hidden, each of a fact and in an entry."""
    return any(is_secret(catalog, fact, entry, derived) for fact, entry in values)


def derived_in(catalog: Catalog, log: Log) -> frozenset[int]:
    """Collect the entries of a log that hold what was made from secret values."""
    if not catalog.has_sensitive and not any(entry.event.made_of.secret for entry in log):
        return frozenset()
    return derived_from_secrets(catalog, ((entry.seq, entry.event.made_of) for entry in log))


def hides(catalog: Catalog, conversation: Conversation, value: KnownValue) -> bool:
    if value.source not in ("skill", "mapping") or not catalog.has_sensitive:
        return is_secret(catalog, value.fact)
    derived = _derived_so_far(IdentityKey(catalog, conversation.calls.history, conversation.facts.held))
    return is_secret(catalog, value.fact, value.event, derived)


class IdentityKey:
    """Things that equal only themselves, to be the key of what is remembered of them."""

    __slots__ = ("these",)

    def __init__(self, *these: Any) -> None:
        self.these = these

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and all(map(operator.is_, self.these, other.these))

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.these)))


@lru_cache(maxsize=16)
def _derived_so_far(only: IdentityKey) -> frozenset[int]:
    catalog, history, held = only.these
    steps = [(one.event, Derivation(tuple(zip(one.inputs, one.input_events, strict=False)))) for one in history]
    values = (one.value for one in held if one.value.source in ("skill", "mapping"))
    steps += [(value.event, Derivation(entry=value.by)) for value in values]
    return derived_from_secrets(catalog, sorted(steps, key=lambda step: step[0]))


def derived_from_secrets(catalog: Catalog, made: Iterable[tuple[int, Derivation]]) -> frozenset[int]:
    found: set[int] = set()
    calls: set[str] = set()
    for entry, of in made:
        secret = of.secret or of.entry in found or of.call in calls
        if secret or is_any_secret(catalog, of.values, found):
            found.add(entry)
            calls |= {of.call} - {""}
    return frozenset(found)
