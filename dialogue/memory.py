"""What is known, as a skill or a goal sees it: a fact's value, or that of a fact that can stand for it."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.model import Catalog
from dialogue.conversation import Conversation, KnownValue


def resolve(catalog: Catalog, conversation: Conversation, fact: str) -> KnownValue | None:
    """Find the value that serves for a fact: its own, else the latest of its subtypes'."""
    own = conversation.known.get(fact)
    if own is not None:
        return own
    below = (conversation.known[name] for name in catalog.subtypes.get(fact, ()) if name in conversation.known)
    return max(below, key=lambda value: value.event, default=None)


def all_known(catalog: Catalog, conversation: Conversation, facts: Iterable[str]) -> bool:
    """Tell whether each of the facts is known, itself or by a subtype."""
    return all(resolve(catalog, conversation, fact) is not None for fact in facts)


def derived_from(conversation: Conversation, fact: str) -> tuple[KnownValue, ...]:
    """List what skills computed from the current value of a fact, directly or through other facts, oldest first."""
    stale = {conversation.known[fact].event} if fact in conversation.known else set()
    found: dict[str, KnownValue] = {}
    for execution in conversation.history:
        if not stale.intersection(execution.input_events):
            continue
        for value in conversation.known.values():
            if value.by == execution.event and value.fact != fact:
                stale.add(value.event)
                found[value.fact] = value
    return tuple(found.values())
