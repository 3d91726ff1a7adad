"""What answers for bots of rooms: functions, addresses, agents and assistants, as the norms name them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from catalog import endpoints
from catalog.endpoints import EndpointRefused
from catalog.endpoints.processes import STARTING_S, Filed, Function, WorkerRequest, Workers, call_all
from catalog.endpoints.threads import Late, Raised
from catalog.model import Catalog
from catalog.norms.message import Message, Utterance
from catalog.norms.occasion import Occasion, answer_as_bot
from catalog.norms.vocabulary import ParticipantKind
from dialogue.agents.agent import DeclaredAgent
from dialogue.agents.broadcast import broadcast, execute
from dialogue.agents.model import AgentEvent
from dialogue.agents.sources.skills import SkillAgent
from dialogue.caller import SkillCaller
from dialogue.log.events import Heard, Replied, Understood
from dialogue.rooms.connectors import http
from dialogue.rooms.connectors.protocol import BOT_SECONDS, Bot, BotFailed, BotRefused, Connect, Conversations
from dialogue.rooms.hub import RoomLimits
from dialogue.rooms.hub.admission import Secrets
from dialogue.rooms.room import Room
from dialogue.services.agents.sources import ALONE, CatalogAgent
from dialogue.state.masking import is_delicate, mask, secrets_of
from dialogue.state.provenance import is_secret
from language.interpretation import Context
from language.responses.calls import failed_apart
from language.responses.rooms import bot_faults
from language.rooms.mentions import read_mentions

if TYPE_CHECKING:
    from dialogue.services.services import Services


ASSISTANT_SECONDS = 60.0
"""The time limit of an assistant: it may search for a plan, and call skills."""
_ASKS, _TELLS = "request", "inform"


@dataclass(frozen=True, slots=True)
class AssistantReply:
    """What an assistant replied, without sensitive values; `delicate`: it asks for one, or for consent."""

    text: str
    asks: bool = False
    delicate: bool = False


@dataclass(eq=False)
class AssistantBot:
    """The assistant of a catalog, in a conversation with each person of the room."""

    services: Services
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
            is_for_others(occasion, message)
            or CatalogAgent(self.services, self.catalog, conversation or "").preview(AgentEvent(text=text)) is None
        ):
            return None
        if conversation is None:
            conversation = self.services.start(self.catalog, ALONE)
            self.conversations.keep(person, conversation)
        told = tell(self.services, conversation, text, f"{occasion.room}:{message.id}")
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


_AGENT, _ASSISTANT, _PYTHON = "agent", "assistant", "python"


def connect_bots(services: Services, room_id: str) -> Connect:
    return partial(_connect, services, room_id)


def limits_of(services: Services) -> RoomLimits:
    """Return what a participant may send at most, as the settings say."""
    return RoomLimits(messages=services.settings.limits.room_messages)


def find_secrets(services: Services, room: Room, message: Message) -> Secrets:
    """Return what is sensitive in the words of a message, for an assistant or a skill that is a bot of the room."""
    found: dict[str, None] = {}
    meant_for: list[str] = []
    for name, written in room.bots.items():
        catalog = None if message.private else _catalog_of(services, f"{message.conversation_id}:{name}", written)
        if catalog is None:
            continue
        context = Context(today=services.today)
        heard = Understood(heard=1, meaning=services.understander_of(catalog.name).understand(message.text, context))
        held = (one for declared in heard.sensitive for one in declared.held_by(heard))
        if words := [one.said for one in held if one.said and is_secret(catalog, one.fact)]:
            found |= dict.fromkeys(words)
            meant_for.append(name)
    return Secrets(tuple(found), tuple(meant_for))


def _catalog_of(services: Services, place: str, written: str) -> Catalog | None:
    """Return the catalog of the assistant or the skill that answers for a bot, if it has one."""
    kind, _, name = written.partition(":")
    if kind == _ASSISTANT and name in services.catalogs():
        return services.loaded(name).catalog
    if kind == _AGENT and name in services.agents.names():
        agent = services.agents.agent(place, name).agent
        if isinstance(agent, SkillAgent):
            return agent.host.catalog
        return services.loaded(agent.catalog).catalog if isinstance(agent, CatalogAgent) else None
    return None


def _connect(services: Services, room_id: str, name: str, written: str, conversations: Conversations) -> Bot:
    settings = services.settings
    kind, _, rest = written.partition(":")
    if kind in http.SCHEMES:
        return http.http_bot(written, settings.room_hosts, settings.limits.bot_seconds)
    if kind == _ASSISTANT and rest in services.catalogs():
        return AssistantBot(services, rest, conversations)
    if kind == _AGENT and rest in services.agents.names():
        made = services.agents.agent(f"{room_id}:{name}", rest)
        if isinstance(made.agent, CatalogAgent):  # what it asks is asked of one person alone
            return AssistantBot(services, made.agent.catalog, conversations)
        return AgentBot(lambda person: services.agents.agent(f"{room_id}:{name}:{person}", rest))
    if kind not in (_AGENT, _ASSISTANT) and ":" in written:
        function = written.removeprefix(f"{_PYTHON}:")
        return python_bot(function, services.functions, settings.limits.bot_seconds)
    known = bot_faults.forms(services.agents.names(), services.catalogs())
    raise BotRefused(bot_faults.unknown_bot(written, known))


@dataclass(eq=False)
class PythonBot:
    function: Callable[[Occasion], object]
    limit_s: float = BOT_SECONDS

    def answer(self, occasion: Occasion) -> object:
        return self.function(occasion)


@dataclass(frozen=True)
class _Apart:
    """Calls a function by its name in a worker, for `seconds` at most once that is ready."""

    workers: Workers
    function: Function
    seconds: float

    def __call__(self, occasion: Occasion) -> object:
        shown = occasion.model_dump(mode="json")
        (came,) = call_all([WorkerRequest(self.workers, self.function, shown, self.seconds, starting_s=STARTING_S)])
        if isinstance(came, Raised):
            raise BotFailed(bot_faults.failed(failed_apart(came.error)))
        if isinstance(came, Late):
            raise BotFailed(bot_faults.STILL_BUSY if came.busy else bot_faults.cut_off(self.seconds))
        if not isinstance(came.value, Filed):
            return came.value
        came.value.file.close()
        return came.value.value


def python_bot(written: str, caller: SkillCaller, limit_s: float) -> PythonBot:
    """Return the bot of a function of a package that the operator allows, by `package.module:function`.

    It is called in a process of its own, confined as skills are, unless the operator trusts its package. Raises
    BotRefused.
    """
    endpoint = f"{_PYTHON}:{written}"
    try:
        if endpoints.is_trusted(endpoint, caller.trusted):
            return PythonBot(endpoints.connect(endpoint, caller.allowed), limit_s)
        caller.check_apart(endpoint)
    except EndpointRefused as error:
        raise BotRefused(str(error)) from error
    name = f"{answer_as_bot.__module__}:{answer_as_bot.__name__}"
    function = Function(name, json.dumps([endpoint, sorted(caller.allowed)]))
    return PythonBot(_Apart(caller.workers, function, limit_s), limit_s + STARTING_S)


def tell(services: Services, conversation: str, text: str, command: str) -> AssistantReply:
    """Say something to an assistant, once for each command, and return its reply without sensitive values."""
    services.say(conversation, text, command_id=command)
    services.finish(conversation)
    seen = services.snapshot(conversation)
    events = [entry.event for entry in seen.log]
    begun = next(i for i, one in enumerate(events) if isinstance(one, Heard) and one.command_id == command)
    following = next((i for i, one in enumerate(events) if i > begun and isinstance(one, Heard)), len(events))
    said = "\n\n".join(one.text for one in events[begun:following] if isinstance(one, Replied))
    pending = seen.conversation.questions.pending if following == len(events) else None
    asked = None if pending is None else pending.asked
    return AssistantReply(
        mask(said, secrets_of(seen.catalog, seen.log)), asked is not None, is_delicate(seen.catalog, asked)
    )
