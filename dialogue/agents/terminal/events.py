"""Events of a terminal session, beside those of agents. What was typed unseen, and credentials, are in none of them."""

from __future__ import annotations

from dialogue.agents.events import AGENT_EVENTS
from dialogue.agents.model import AgentName
from dialogue.log.streams import Event, StreamKind
from language.content import usually


class ShellStarted(Event, kind="session_started", sensitive=()):
    """A shell was started, with these agents and this orchestrator."""

    shell: str
    orchestrator: str
    agents: tuple[AgentName, ...]
    title: str = usually("")


class SessionEnded(Event, kind="session_ended", sensitive=()):
    """The shell ended with an exit code."""

    exit_code: int


TERMINAL: StreamKind[Event] = StreamKind("terminal", ShellStarted, SessionEnded, *AGENT_EVENTS)
"""A session at a terminal."""
