"""Events of agents: who was asked, who was chosen, what was done, and what people made of it.

Texts in them are masked before they are written, and so they declare nothing as sensitive.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from dialogue.agents.model import AgentEvent, AgentName, AgentReply, Answers, Choice, Forced, Reaction
from dialogue.log.sensitive import Sensitive
from dialogue.log.streams import Event
from language.content import usually


class Broadcast(Event):
    """An event was shown to all agents, and this came back; `took_ms` is the time that each agent took."""

    kind: Literal["broadcast"] = "broadcast"
    event: AgentEvent
    answers: Answers
    took_ms: dict[AgentName, float] = usually({})
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class Chosen(Event):
    """An orchestrator chose who acts. `of` is the entry of the broadcast.

    `learned` is the number of entries of the learner's stream that the choice was based on.
    """

    kind: Literal["chosen"] = "chosen"
    of: int
    orchestrator: str
    choice: Choice
    forced: Forced | None = usually(None)
    learned: int = usually(0)
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class Acted(Event):
    """An agent acted, or failed to (`trouble`). `of` is the entry of the choice."""

    kind: Literal["acted"] = "acted"
    of: int
    agent: AgentName
    reply: AgentReply | None = usually(None)
    trouble: str = usually("")
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class ReactionGiven(Event):
    """A person reacted to what agents did. `of` is the entry of the choice."""

    kind: Literal["reacted"] = "reacted"
    of: int
    reaction: Reaction
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class SharingConsented(Event):
    """A person lets an agent see what is sensitive when it acts, or no longer does."""

    kind: Literal["consented"] = "consented"
    agent: AgentName
    given: bool
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


class Forgotten(Event):
    """What was learned from choices was taken back; `of` are the entries of the choices."""

    kind: Literal["forgotten"] = "forgotten"
    of: tuple[int, ...]
    sensitive: ClassVar[tuple[Sensitive, ...]] = ()


AGENT_EVENTS = (Broadcast, Chosen, Acted, ReactionGiven)
