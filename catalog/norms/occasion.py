"""What a bot of a room is shown, and so may answer: a message, the opening, or that an answer did not come.

A bot is a function of one occasion, `package.module:function`: it returns the messages that it wants to send (a
`Message`, a mapping of its fields, a text, or a list of these), or None. It need not name itself as the sender, nor say
that it answers the message of the occasion. It knows nothing of norms: governance judges what it sends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter

from catalog import endpoints
from catalog.model.entry import Entry
from catalog.model.names import Name, Sentence
from catalog.norms.message import Id, Message
from catalog.norms.vocabulary import ParticipantKind


class Happening(StrEnum):
    """What happened in the room."""

    OPENED = "opened"
    """The room was opened: there is no message yet."""
    MESSAGE = "message"
    """A message was posted."""
    UNANSWERED = "unanswered"
    """An answer that was waited for did not come in time."""


class Seat(Entry):
    """A participant who is in the room; `roles` include those that theirs are within."""

    name: Name
    kind: ParticipantKind
    roles: tuple[Name, ...] = ()
    label: Sentence = ""


class Occasion(Entry):
    """What a bot is shown. `posted` is what the room had before and the bot may see, the oldest first.

    Messages are as they were understood: acts, topics and values of each utterance. `unanswered` are the names of those
    who did not answer.
    """

    what: Happening
    you: Name
    room: Id = ""
    message: Message | None = None
    unanswered: tuple[Name, ...] = ()
    posted: tuple[Message, ...] = ()
    participants: tuple[Seat, ...] = ()
    at: datetime | None = None

    def playing(self, role: str) -> tuple[str, ...]:
        return tuple(one.name for one in self.participants if role in one.roles)


def answer_as_bot(endpoint: str, allowed: Sequence[str]) -> Callable[[Any], Any]:
    """Connect the function of a bot, in its worker; return what answers occasions, both as JSON.

    Of a message, only the fields that were set are told. Raises EndpointRefused.
    """
    function = endpoints.connect(endpoint, allowed)
    written: TypeAdapter[Any] = TypeAdapter(Any)
    return lambda shown: written.dump_python(
        function(Occasion.model_validate(shown)), mode="json", exclude_unset=True, fallback=lambda one: None
    )
