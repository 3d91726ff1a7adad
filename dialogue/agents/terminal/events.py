"""Events of a terminal session, beside those of agents. What was typed unseen, and credentials, are in none of them."""

from __future__ import annotations

from typing import ClassVar, Literal

from dialogue.agents.events import AGENT_EVENTS
from dialogue.agents.model import AgentName
from dialogue.log.sensitive import Sensitive
from dialogue.log.streams import Event, StreamKind
from language.content import usually


class ShellStarted(Event):
    """A shell was started, with these agents and this orchestrator."""

    kind: Literal["session_started"] = "session_started"
    shell: str
    orchestrator: str
    agents: tuple[AgentName, ...]
    title: str = usually("")
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class SessionEnded(Event):
    """The shell ended with an exit code."""

    kind: Literal["session_ended"] = "session_ended"
    exit_code: int
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


TERMINAL: StreamKind[Event] = StreamKind("terminal", ShellStarted, SessionEnded, *AGENT_EVENTS)
"""A session at a terminal."""
