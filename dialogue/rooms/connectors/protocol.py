"""The interface of connectors, and how what a bot returned is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import ValidationError

from catalog.norms.fipa import read_message
from catalog.norms.message import Message
from catalog.norms.occasion import Happening, Occasion
from catalog.values import UnfitDeclaration
from dialogue.rooms.events import RefusalReason, TurnedAway

BOT_SECONDS = 10.0
"""The usual time limit of an answer."""
_LONGEST = 300
"""Characters of what is said of a message that is turned away."""


class Bot(Protocol):
    """Answers for a participant, on a thread of its own; it may raise, hang, and return anything."""

    limit_s: float

    def answer(self, occasion: Occasion) -> object:
        """Return the messages that it wants to send."""
        ...


class BotRefused(ValueError):
    """What is to answer for a participant cannot be had; the message says what was found, and what to write instead."""


class BotFailed(Exception):
    """A bot gave no answer that can be used; the message says why, and quotes nothing of it."""


class Conversations(Protocol):
    """The conversations that a bot holds with people of the room."""

    def find(self, person: str) -> str | None:
        """Return the id of the conversation with a person, if there is one."""
        ...

    def keep(self, person: str, conversation: str) -> None:
        """Record which conversation is held with a person."""
        ...


Connect = Callable[[str, str, Conversations], Bot]
"""Makes what answers for a participant: from its name, what the norms (or the opening of the room) say, and its
conversations. Raises BotRefused."""


@dataclass(frozen=True, slots=True)
class BotAnswer:
    """What a bot sent: messages in its own name, and what is turned away at once."""

    messages: tuple[Message, ...] = ()
    refused: tuple[TurnedAway, ...] = field(default=())


def read_answer(returned: object, occasion: Occasion, most: int) -> BotAnswer:
    """Check what a bot returned: a message, a mapping of its fields (or of those of FIPA), a text, or a list of these.

    A message answers that of the occasion, unless it says otherwise; and to what is private the answer is private, too.
    """
    given = () if returned is None else returned if isinstance(returned, list | tuple) else (returned,)
    messages: dict[str, Message] = {}
    refused: list[TurnedAway] = []
    for one in given[:most]:
        read = _read(one, occasion)
        if isinstance(read, TurnedAway):
            refused.append(read)
        elif (same := read.model_dump_json()) in messages:
            refused.append(_turn_away(occasion, RefusalReason.TWICE, "The same message again"))
        else:
            messages[same] = read
    if len(given) > most:
        refused.append(_turn_away(occasion, RefusalReason.FLOOD, f"{len(given)} messages at once; {most} are taken"))
    return BotAnswer(tuple(messages.values()), tuple(refused))


def _asked_in_private(answered: object, occasion: Occasion) -> str:
    """Return who sent the message that is answered, if that is private; else nothing."""
    shown = occasion.posted if occasion.message is None else (*occasion.posted, occasion.message)
    private = (one for one in reversed(shown) if one.private and answered and answered in (one.id, one.reply_with))
    return next((one.sender for one in private), "")


def _turn_away(occasion: Occasion, reason: RefusalReason, detail: str) -> TurnedAway:
    return TurnedAway(participant=occasion.you, reason=reason, detail=detail)


def _read(given: object, occasion: Occasion) -> Message | TurnedAway:
    """Read one message of a bot; of what is wrong with it nothing is quoted."""
    if isinstance(given, Message):
        fields: dict[str, Any] = {name: getattr(given, name) for name in given.model_fields_set}
    elif isinstance(given, Mapping):
        try:
            fields = dict(read_message({"sender": occasion.you, **given}))
        except UnfitDeclaration as error:
            return _turn_away(occasion, RefusalReason.NOT_UNDERSTOOD, error.write)
    elif isinstance(given, str):
        fields = {"content": given}
    else:
        return _turn_away(occasion, RefusalReason.NOT_UNDERSTOOD, f"A message is no {type(given).__name__}")
    if fields.get("sender") not in (None, "", occasion.you):
        return _turn_away(occasion, RefusalReason.ANOTHERS_NAME, "It named another sender")
    fields["sender"] = occasion.you
    if "in_reply_to" not in fields and occasion.what is Happening.MESSAGE and occasion.message is not None:
        fields["in_reply_to"] = occasion.message.reply_with or occasion.message.id
    if "private" not in fields and (asker := _asked_in_private(fields.get("in_reply_to"), occasion)):
        fields |= {"private": True, "receivers": fields.get("receivers") or (asker,)}
    try:
        return Message.model_validate({**fields, "conversation_id": occasion.room})
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        reason = (
            RefusalReason.TOO_LONG if fault["type"] in ("string_too_long", "too_long") else RefusalReason.NOT_UNDERSTOOD
        )
        place = ".".join(map(str, fault["loc"]))[:100]
        return _turn_away(occasion, reason, f"{place}: {fault['msg']}"[:_LONGEST])
