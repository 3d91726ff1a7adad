"""Streams of typed events: their entries, their kinds, and the form in which a store keeps them.

A stream is an append-only list of entries. It has a kind (a conversation, say) and an id. Sequence numbers start at 1
and have no gaps; explanations cite them. The kind says which events a stream may hold: each package that brings events
registers them when it is imported, and the composition root imports all such packages before it reads a stream.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar, Generic

from pydantic import Field, SerializeAsAny, TypeAdapter
from typing_extensions import TypeVar

from dialogue.log.sensitive import Sensitive
from language.interpretation import Frozen


class Event(Frozen):
    """Base of all events. `kind` names the class in JSON; each class narrows it to one literal.

    Each class also declares `sensitive`, the fields that hold values of facts or a person's own words; an empty tuple
    says that it has none. `dialogue.log.entry` refuses a class that declares neither.
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


class StreamKind(Generic[E]):
    """A kind of stream. Events are registered under their `kind`, which is on disk and therefore stays as it is."""

    def __init__(self, name: str, *events: type[E]) -> None:
        self.name = name
        self._events: dict[str, type[E]] = {}
        self._adapter: TypeAdapter[Entry[E]] | None = None
        self._lock = threading.Lock()
        self.register(*events)

    @property
    def events(self) -> tuple[type[E], ...]:
        """The classes that are registered."""
        return tuple(self._events.values())

    def register(self, *events: type[E]) -> None:
        """Add classes of events. Raises TypeError for one that is not declared in full, or whose kind is taken."""
        with self._lock:
            for event in events:
                kind = event.model_fields["kind"].default
                if not isinstance(kind, str):
                    raise TypeError(f"{event.__name__} has no kind: write `kind: Literal[…] = …`")
                if not hasattr(event, "sensitive"):
                    raise TypeError(f"{event.__name__} must declare `sensitive`; write `sensitive = ()` if nothing is")
                unknown = {item.field for item in event.sensitive} - set(event.model_fields)
                if unknown:
                    raise TypeError(f"{event.__name__} declares {sorted(unknown)} as sensitive, and has no such field")
                taken = self._events.setdefault(kind, event)
                if taken is not event:
                    raise TypeError(f"{event.__name__}: the kind {kind!r} belongs to {taken.__name__}; choose another")
            self._adapter = None

    def encode(self, entry: Entry[E]) -> StoredEntry:
        """Write an entry in the form that a store keeps."""
        return StoredEntry(entry.seq, entry.at, entry.event.kind, entry.model_dump_json())

    def decode(self, text: str) -> Entry[E]:
        """Read an entry back. Raises ValueError where it is none, or its event is of a kind that is not registered."""
        adapter = self._adapter or self._compose()
        return adapter.validate_json(text)

    def _compose(self) -> TypeAdapter[Entry[E]]:
        with self._lock:
            union: Any = reduce(or_, self._events.values())
            if len(self._events) > 1:
                union = Annotated[union, Field(discriminator="kind")]
            self._adapter = TypeAdapter(Entry[union])
            return self._adapter
