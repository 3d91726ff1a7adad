"""Agents besides the assistant: whose question is open, who has yet to act, and who may see what is sensitive.

The rules stand in `dialogue.agents.record`, with the events of agents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from planning.history import Deliberated


@dataclass(frozen=True, slots=True)
class AgentQuestion:
    """A question that an agent waits for: who asked, with which words, and the entry of the choice it acted on."""

    agent: str
    text: str
    of: int


@dataclass(frozen=True, slots=True)
class AgentState:
    """What is going on with the agents of a conversation."""

    pending: AgentQuestion | None = None
    """The open question of an agent that is not the assistant."""
    last: int | None = None
    """The entry of the latest choice."""
    left: tuple[str, ...] = ()
    """Agents that were chosen last and have not acted yet, in order."""
    consents: frozenset[str] = frozenset()
    """Agents that may see what is sensitive."""
    silences: Mapping[str, str] = field(default_factory=dict)
    """Why agents gave no answer to the latest broadcast, by name."""
    choices: tuple[Deliberated, ...] = ()
    """All choices of who acts, for explanations."""
