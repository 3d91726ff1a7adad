"""What a rule of the projection is: how one kind of event changes the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dialogue.state.conversation import Conversation
from language.interpretation import Frozen

Rule = Callable[[Any, Conversation, int], Conversation]
"""Takes an event of its kind, the state before it, and its number in the log; gives the state after it."""
Rules = Mapping[type[Frozen], Rule]
