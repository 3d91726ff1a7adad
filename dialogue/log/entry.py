"""Entries: the typed events of a stream with their place in it, and the form in which a store keeps them.

A stream is an append-only list of entries. It has a kind (a conversation, say) and an id. Sequence numbers start at 1
and have no gaps; explanations cite them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Generic

from pydantic import SerializeAsAny
from typing_extensions import TypeVar

from dialogue.log.sensitive import Sensitive
from language.interpretation import Frozen


class Event(Frozen):
    """Base of all events. `kind` names the class in JSON; each class narrows it to one literal.

    Each class also declares `sensitive`, the fields that hold values of facts or a person's own words; an empty tuple
    says that it has none. `dialogue.log.stream_kind` refuses a class that declares neither.
    """

    kind: str
    sensitive: ClassVar[tuple[Sensitive, ...]]


E = TypeVar("E", bound=Event)
"""The events of a stream."""
_E = TypeVar("_E", bound=Event, default=Event)


class Entry(Frozen, Generic[_E]):
    """An event and its place in a stream; a plain `Entry` may hold any event."""

    seq: int
    at: datetime
    event: SerializeAsAny[_E]


Log = tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class StreamId:
    """The address of a stream: its kind, and its id among those of that kind."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry as a store keeps it: `kind` is that of the event, `text` the whole entry as JSON."""

    seq: int
    at: datetime
    kind: str
    text: str
