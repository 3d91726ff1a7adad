"""Rules of the fold: how one kind of event changes the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dialogue.log.streams import Event

if TYPE_CHECKING:
    from dialogue.state.conversation import Conversation

Rule = Callable[[Any, "Conversation", int], "Conversation"]
"""Takes an event of its kind, the state before it, and its number in the log; returns the state after it."""
Rules = Mapping[type[Event], Rule]


def unchanged(event: Event, conversation: Conversation, seq: int) -> Conversation:
    """Return the state as it is: the rule of events that are only on record."""
    return conversation
