"""Messages of a room: a subset of FIPA-ACL, with the utterances that a message holds.

A turn is one message of one participant, which may hold several utterances (Gatti de Bayser et al. 2018, §4). The
fields are those of the FIPA ACL Message Structure Specification (FIPA00061) that a chat needs; `catalog.norms.fipa`
writes and reads its notation.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import MAXYEAR, UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue

from catalog.model.entry import Entry
from catalog.model.names import Name
from catalog.norms.vocabulary import TEXT, UNDEFINED
from catalog.values import UnfitDeclaration

LONGEST_TEXT = 20_000
"""Characters of a message."""
MOST_UTTERANCES = 50

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Id = Annotated[str, Field(max_length=200)]


def _in_reach(moment: datetime) -> datetime:
    """Take a time without a zone for one in UTC, so that all can be compared; deadlines can be added to it."""
    if not 1 < moment.year < MAXYEAR:
        raise UnfitDeclaration(f"Found the year {moment.year}.", f"Write a time between the years 2 and {MAXYEAR - 1}.")
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(_in_reach)]


_ASKING = frozenset({"query", "request"})
_ASKED, _GIVEN = "request", "inform"


class Utterance(Entry):
    """A part of a message that does one thing: a speech act about a topic.

    `content` says what it carries (`text`, a calculation, …), and `values` are what was read from it, as JSON.
    """

    act: Name
    topic: Name = UNDEFINED
    content: Name = TEXT
    text: Text = ""
    values: Mapping[str, JsonValue] = {}


class Message(Entry):
    """One turn of one participant.

    `receivers` are those whom it is addressed to; empty: everybody. All participants receive it in any case, unless it
    is `private`: then it is for its receivers alone. `mentions` are those named in it. `in_reply_to` is the
    `reply_with` (or the id) of the message that it answers, and `replies_to` who sent that one. `at` is its time.
    """

    sender: Name
    utterances: Annotated[tuple[Utterance, ...], Field(max_length=MOST_UTTERANCES)] = ()
    receivers: tuple[Name, ...] = ()
    mentions: tuple[Name, ...] = ()
    content: Text = ""
    id: Id = ""
    conversation_id: Id = ""
    in_reply_to: Id = ""
    replies_to: Name | None = None
    reply_with: Id = ""
    reply_to: tuple[Name, ...] = ()
    language: str = Field(default="en", max_length=40)
    ontology: str = Field(default="", max_length=200)
    protocol: str = Field(default="", max_length=200)
    private: bool = False
    at: Moment | None = None

    @property
    def text(self) -> str:
        return self.content or " ".join(one.text for one in self.utterances if one.text)

    @property
    def asks(self) -> bool:
        return any(one.act in _ASKING for one in self.utterances)

    def from_outside(self) -> Message:
        """Return what participants see of it who may not read it: who asked whom for something, or gave it."""
        return Message(
            sender=self.sender,
            receivers=self.receivers,
            private=True,
            id=self.id,
            in_reply_to=self.in_reply_to,
            replies_to=self.replies_to,
            conversation_id=self.conversation_id,
            at=self.at,
            utterances=(Utterance(act=_ASKED if self.asks else _GIVEN),),
        )
