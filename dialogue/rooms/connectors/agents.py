"""Agents and planner-based assistants as bots of a room.

An agent (`agent:NAME`: a wrapped skill, a drop-in) is asked what it would do about a message of a person, and acts if
it has something to offer. An assistant (`assistant:CATALOG`) holds one conversation with each person of the room. What
it asks of a person that is sensitive, and consent, it asks of them alone; its answers show no sensitive value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from catalog.norms.message import Message, Utterance
from catalog.norms.occasion import Occasion
from catalog.norms.vocabulary import ParticipantKind
from dialogue.agents.agent import DeclaredAgent
from dialogue.agents.broadcast import broadcast, execute
from dialogue.agents.model import AgentEvent
from dialogue.rooms.connectors.protocol import BotFailed, Conversations
from language.rooms.mentions import read_mentions

ASSISTANT_SECONDS = 60.0
"""The time limit of an assistant: it may search for a plan, and call skills."""
_ASKS, _TELLS = "request", "inform"


@dataclass(frozen=True, slots=True)
class AssistantReply:
    """What an assistant replied, without sensitive values; `delicate`: it asks for one, or for consent."""

    text: str
    asks: bool = False
    delicate: bool = False


class Assistants(Protocol):
    """Conversations with the assistant of a catalog, as a room needs them."""

    def would_answer(self, catalog: str, conversation: str, text: str) -> bool:
        """Return whether the assistant has something to offer; an empty id: there is no conversation yet."""
        ...

    def begin(self, catalog: str) -> str: ...

    def tell(self, conversation: str, text: str, command: str) -> AssistantReply:
        """Say something, once for each command, and return what was replied to it."""
        ...


@dataclass(eq=False)
class AssistantBot:
    """The assistant of a catalog, in a conversation with each person of the room."""

    assistants: Assistants
    catalog: str
    conversations: Conversations
    limit_s: float = ASSISTANT_SECONDS

    def answer(self, occasion: Occasion) -> object:
        """Answer what a person says, if it is said to this bot, or it has something to offer."""
        message = heard_from_person(occasion)
        if message is None:
            return None
        person, text = message.sender, without_address(occasion, message)
        conversation = self.conversations.find(person)
        if not is_addressed(occasion, message) and (
            is_for_others(occasion, message) or not self.assistants.would_answer(self.catalog, conversation or "", text)
        ):
            return None
        if conversation is None:
            conversation = self.assistants.begin(self.catalog)
            self.conversations.keep(person, conversation)
        told = self.assistants.tell(conversation, text, f"{occasion.room}:{message.id}")
        return as_message(occasion, person, told.text, asks=told.asks, private=told.delicate)


@dataclass(eq=False)
class AgentBot:
    """An agent, made anew for each person of the room: what it learns of one it does not tell another."""

    make: Callable[[str], DeclaredAgent]
    limit_s: float = ASSISTANT_SECONDS

    def answer(self, occasion: Occasion) -> object:
        """Answer what a person says, if the agent has something to offer. Raises BotFailed."""
        message = heard_from_person(occasion)
        if message is None or (is_for_others(occasion, message) and not is_addressed(occasion, message)):
            return None
        agent = self.make(message.sender)
        event = AgentEvent(text=without_address(occasion, message))
        answers, _ = broadcast((agent,), event)
        if not answers.previews:
            return None
        done = execute(agent, event, answers.previews[0].actions)
        if done.reply is None:
            raise BotFailed(done.trouble)
        reply = done.reply
        return as_message(occasion, message.sender, reply.text, asks=reply.asks, private=reply.delicate)


def heard_from_person(occasion: Occasion) -> Message | None:
    """Return the message of an occasion if a person sent it, under another name than this bot's."""
    message = occasion.message
    if message is None or message.sender == occasion.you:
        return None
    people = {one.name for one in occasion.participants if one.kind is ParticipantKind.PERSON}
    return message if message.sender in people else None


def is_addressed(occasion: Occasion, message: Message) -> bool:
    return occasion.you in message.receivers or occasion.you in message.mentions


def without_address(occasion: Occasion, message: Message) -> str:
    """Return the text of a message without this bot's own name where it is spoken to: that is no part of a request."""
    called = {seat.name: seat.label or seat.name for seat in occasion.participants}
    text = message.text
    for start, end, name in reversed(read_mentions(text, called).stretches):
        if name == occasion.you:
            text = f"{text[:start].rstrip()} {text[end:].lstrip()}".strip()
    return text or message.text


def is_for_others(occasion: Occasion, message: Message) -> bool:
    return bool(message.receivers or message.mentions) and not is_addressed(occasion, message)


def as_message(occasion: Occasion, person: str, text: str, *, asks: bool, private: bool = False) -> Message | None:
    """Return what is said to a person as a message; nothing, where nothing is said."""
    if not text.strip() or occasion.message is None:
        return None
    return Message(
        sender=occasion.you,
        receivers=(person,),
        content=text,
        utterances=(Utterance(act=_ASKS if asks else _TELLS, text=text),),
        in_reply_to=occasion.message.id,
        private=private,
    )
