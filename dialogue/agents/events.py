"""Events of agents: who was asked, who was chosen, what was done, and what people made of it.

Texts in them are masked before they are written, and so they declare nothing as sensitive.
"""

from __future__ import annotations

from dialogue.agents.model import AgentEvent, AgentName, AgentReply, Answers, Choice, Forced, Reaction
from dialogue.log.streams import Event
from language.content import usually


class Broadcast(Event, kind="broadcast", sensitive=()):
    """An event was shown to all agents, and this came back; `took_ms` is the time that each agent took."""

    event: AgentEvent
    answers: Answers
    took_ms: dict[AgentName, float] = usually({})


class Chosen(Event, kind="chosen", sensitive=()):
    """An orchestrator chose who acts. `of` is the entry of the broadcast.

    `learned` is the number of entries of the learner's stream that the choice was based on.
    """

    of: int
    orchestrator: str
    choice: Choice
    forced: Forced | None = usually(None)
    learned: int = usually(0)


class Acted(Event, kind="acted", sensitive=()):
    """An agent acted, or failed to (`trouble`). `of` is the entry of the choice."""

    of: int
    agent: AgentName
    reply: AgentReply | None = usually(None)
    trouble: str = usually("")


class ReactionGiven(Event, kind="reacted", sensitive=()):
    """A person reacted to what agents did. `of` is the entry of the choice."""

    of: int
    reaction: Reaction


class SharingConsented(Event, kind="consented", sensitive=()):
    """A person lets an agent see what is sensitive when it acts, or no longer does."""

    agent: AgentName
    given: bool


class Forgotten(Event, kind="forgotten", sensitive=()):
    """What was learned from choices was taken back; `of` are the entries of the choices."""

    of: tuple[int, ...]


AGENT_EVENTS = (Broadcast, Chosen, Acted, ReactionGiven)
