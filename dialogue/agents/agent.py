"""The interface of agents: what each must be able to do, and what it is declared with.

An agent may be a function, a program in a process of its own, a skill of a catalog or a whole assistant. Whatever it
is, it says what it would do before it does anything (Upadhyay et al. 2018; Rizk et al. 2020).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import Field

from dialogue.agents.model import AgentEvent, AgentName, AgentReply, Confidence, ProposedAction
from language.interpretation import Frozen

PREVIEW_SECONDS = 2.0
"""The usual time limit of a preview. CLAI's was 4 s, and was not kept."""
EXECUTE_SECONDS = 60.0
"""The usual time limit of acting."""


class SideEffect(Exception):
    """A preview would have an effect; the message says which, and what to do, without any value."""


class Proposal(Frozen):
    """What an agent answers to an event: how sure it is to be of use, and what it would do. None: nothing to offer."""

    confidence: Confidence
    actions: tuple[ProposedAction, ...] = Field(min_length=1)


class Agent(Protocol):
    """Acts on events. `preview` has no side effects; `execute` carries out what was proposed."""

    def preview(self, event: AgentEvent) -> Proposal | None:
        """Return what it would do about an event, or None. It may raise, and may be cut off."""
        ...

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        """Act. It may raise, and may be cut off."""
        ...


@dataclass(frozen=True)
class DeclaredAgent:
    """An agent as it was declared: under which name, with which limits, and what it needs and makes known.

    An agent with an `assumed` confidence has no preview: it is not asked. `admits` is the apriori filter: an event that
    it turns away is not shown to the agent (row V22); it is to be quick. `limit_s` is for a preview, `execute_s` for
    acting.
    """

    name: AgentName
    description: str
    agent: Agent
    limit_s: float = PREVIEW_SECONDS
    assumed: float | None = None
    admits: Callable[[AgentEvent], bool] | None = None
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    execute_s: float = EXECUTE_SECONDS
