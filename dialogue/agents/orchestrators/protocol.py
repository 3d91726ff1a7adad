"""The interface of orchestrators: who acts on an event, and what is learned from what became of it.

An orchestrator keeps nothing itself. What it has learned is its state, a value with a JSON form, which is handed in
and handed back: learning is a fold over feedback, so it can be replayed, looked into and undone.
"""

from __future__ import annotations

from typing import Protocol

from pydantic import JsonValue

from dialogue.agents.feedback import Feedback
from dialogue.agents.model import AgentEvent, Answers, Choice, Forced

State = dict[str, JsonValue]
"""What an orchestrator has learned; `version` says in which form."""


class Orchestrator(Protocol):
    """Chooses who acts."""

    @property
    def name(self) -> str:
        """The name that it is chosen by."""
        ...

    @property
    def description(self) -> str:
        """What it does, in one sentence."""
        ...

    def begin(self) -> State:
        """Return what it knows before it has learned anything."""
        ...

    def check(self, state: State) -> State:
        """Return a state that was kept. Raises ValueError where it is not one of this version."""
        ...

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose among the agents that answered. `seed` is for those that draw."""
        ...

    def observe(self, state: State, feedback: Feedback) -> State:
        """Return what is known after one more choice and what became of it (`feedback_from` tells that of a turn)."""
        ...
