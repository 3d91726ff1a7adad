"""A whole catalog as an agent: it previews by interpreting and planning, and acts in a conversation of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dialogue.agents.agent import Proposal
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction


class Talk(Protocol):
    """Conversations over catalogs, as an agent needs them. An id is empty while there is no conversation yet."""

    def would_do(self, catalog: str, conversation: str, text: str) -> Proposal | None:
        """Return what the assistant of a catalog would do about a text. Nothing is written down."""
        ...

    def begin(self, catalog: str) -> str: ...

    def reply_to(self, conversation: str, text: str) -> AgentReply:
        """Say something in a conversation; return what is replied."""
        ...


@dataclass(eq=False)
class CatalogAgent:
    """The assistant of a catalog as an agent in one conversation of another: it answers in a conversation of its own.

    That conversation can be opened and looked into like any other.
    """

    talk: Talk
    catalog: str
    conversation: str = field(default="", init=False)

    def preview(self, event: AgentEvent) -> Proposal | None:
        """Interpret what was said, and plan for it."""
        return self.talk.would_do(self.catalog, self.conversation, event.text)

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        """Say it in the conversation of this agent, and pass on what is replied."""
        self.conversation = self.conversation or self.talk.begin(self.catalog)
        return self.talk.reply_to(self.conversation, event.text).model_copy(update={"actions": tuple(actions)})
