"""Streams of typed events: their entries, their kinds, and the journal, the only place where a stream grows.

A stream is an append-only list of entries. It has a kind (a conversation, say) and an id. Sequence numbers start at 1
and have no gaps; explanations cite them. The kind says which events a stream may hold: each package that brings events
registers them when it is imported, and the composition root imports all such packages before it reads a stream.
Journals are generic in events and in the state that they are folded into.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar, Generic, Literal, Protocol

from pydantic import Field, SerializeAsAny, TypeAdapter
from typing_extensions import ParamSpec, TypeVar

from dialogue.log.sensitive import NOTHING, Derivation, Sensitive
from dialogue.log.stores.protocol import Conflict, DamagedStream, Store, StoredEntry, StoreMark, StreamId, StreamRow
from language.interpretation import Frozen


class Event(Frozen):
    """Base of all events. `kind` names the class in JSON, as its first field, with one literal as its type.

    Each class also declares `sensitive`, the fields that hold values of facts or a person's own words; an empty tuple
    says that it has none. A class statement without either raises TypeError.
    """

    kind: str = ""
    sensitive: ClassVar[tuple[Sensitive, ...]]

    def __init_subclass__(cls, *, kind: str, sensitive: tuple[Sensitive, ...], **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls.__annotations__ = {"kind": Literal[kind], **cls.__annotations__}
        cls.kind, cls.sensitive = kind, sensitive

    @property
    def made_of(self) -> Derivation:
        """What its values were made of; whatever holds values that skills or mappings made says so."""
        return NOTHING


E = TypeVar("E", bound=Event)
"""The events of a stream."""
_E = TypeVar("_E", bound=Event, default=Event)


class Entry(Frozen, Generic[_E]):
    """An event and its place in a stream; a plain `Entry` may hold any event."""

    seq: int
    at: datetime
    event: SerializeAsAny[_E]


Log = tuple[Entry, ...]


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
        return tuple(self._events.values())

    def register(self, *events: type[E]) -> None:
        """Add classes of events. Raises TypeError for one without a kind of its own, or with fields that it has not."""
        with self._lock:
            for event in events:
                kind = event.model_fields["kind"].default
                if not kind:
                    raise TypeError(f"{event.__name__} has no kind: register the classes that derive from it")
                unknown = {item.field for item in event.sensitive} - set(event.model_fields)
                if unknown:
                    raise TypeError(f"{event.__name__} declares {sorted(unknown)} as sensitive, and has no such field")
                taken = self._events.setdefault(kind, event)
                if taken is not event:
                    raise TypeError(f"{event.__name__}: the kind {kind!r} belongs to {taken.__name__}; choose another")
            self._adapter = None

    def encode(self, entry: Entry[E]) -> StoredEntry:
        return StoredEntry(entry.seq, entry.at, entry.event.kind, entry.model_dump_json())

    def decode(self, text: str) -> Entry[E]:
        """Read an entry back. Raises ValueError where it is none, or its event is of a kind that is not registered."""
        adapter = self._adapter or self._compose()
        return adapter.validate_json(text)

    def decode_all(self, stored: Sequence[StoredEntry], first: int = 1) -> tuple[Entry[E], ...]:
        """Read the entries of a stream from the first on. Raises DamagedStream where one is missing, or is none."""
        entries = []
        for seq, one in enumerate(stored, start=first):
            try:
                entry = self.decode(one.text)
            except ValueError:  # it quotes what it has read
                raise DamagedStream(_DAMAGED.format(seq=seq, kind=self.name)) from None
            if not one.seq == entry.seq == seq:
                raise DamagedStream(_DAMAGED.format(seq=seq, kind=self.name))
            entries.append(entry)
        return tuple(entries)

    def opening_of(self, row: StreamRow) -> E | None:
        """Return the first event of a stream; None where it cannot be read."""
        try:
            return self.decode(row.opening).event
        except ValueError:
            return None

    def _compose(self) -> TypeAdapter[Entry[E]]:
        with self._lock:
            union: Any = reduce(or_, self._events.values())
            if len(self._events) > 1:
                union = Annotated[union, Field(discriminator="kind")]
            self._adapter = TypeAdapter(Entry[union])
            return self._adapter


_DAMAGED = (
    "Entry {seq} of this {kind} is missing or cannot be read: it was damaged, or written by a newer release. "
    "Nothing else is concerned."
)
Clock = Callable[[], datetime]
S = TypeVar("S")
_T = TypeVar("_T")
_P = ParamSpec("_P")
S_co = TypeVar("S_co", covariant=True)


@dataclass(frozen=True)
class Fold(Generic[E, S]):
    """How a stream becomes a state: the state before the first entry, and the step from one entry to the next."""

    initial: S
    advance: Callable[[S, Entry[E]], S]


class Journal(Protocol[E, S_co]):
    """What a turn writes into: the state reflects each event as soon as it is added."""

    @property
    def lock(self) -> AbstractContextManager[object]:
        """Hold this to add several entries that belong together."""
        ...

    @property
    def state(self) -> S_co:
        """The state, including what is not written yet."""
        ...

    @property
    def shown(self) -> tuple[tuple[Entry[E], ...], S_co]: ...

    def entry(self, seq: int) -> Entry[E]:
        """Return an entry by its sequence number, written or not."""
        ...

    def add(self, event: E) -> int:
        """Append an event; return its sequence number."""
        ...

    def flush(self) -> None: ...


class StoredJournal(Generic[E, S]):
    """A stream held in memory and written to a store; it begins with the entries in `log`.

    Entries added since the last `flush` are written together, in one transaction, and are not shown before: what
    a reader sees is durable. Hold `lock` to add several entries that belong together, or to decide on the state.
    """

    def __init__(
        self,
        stream_id: str,
        store: Store,
        clock: Clock,
        kind: StreamKind[E],
        fold: Fold[E, S],
        *,
        log: tuple[Entry[E], ...] = (),
    ) -> None:
        self.stream = StreamId(kind.name, stream_id)
        self.lock = threading.RLock()
        self._store = store
        self._clock = clock
        self._kind = kind
        self._advance = fold.advance
        self._log = log
        self._state = reduce(fold.advance, log, fold.initial)
        self._unwritten: list[Entry[E]] = []
        self._shown = (self._log, self._state)
        self._standing: StoreMark | None = None
        self.taken_up: Callable[[S], object] = lambda before: None
        """Called with the state before, each time that entries of other processes were taken up, or were in the way."""

    @classmethod
    def open(
        cls, stream_id: str, store: Store, clock: Clock, kind: StreamKind[E], fold: Fold[E, S]
    ) -> StoredJournal[E, S]:
        """Go on with a stream that is in the store. Raises UnknownStream or DamagedStream."""
        log = kind.decode_all(store.read(StreamId(kind.name, stream_id)))
        return cls(stream_id, store, clock, kind, fold, log=log)

    @property
    def state(self) -> S:
        return self._state

    @property
    def shown(self) -> tuple[tuple[Entry[E], ...], S]:
        return self._shown

    @property
    def unwritten(self) -> Sequence[Entry[E]]:
        """The entries that were added since the last `flush`."""
        return self._unwritten

    def entry(self, seq: int) -> Entry[E]:
        return self._log[seq - 1] if seq <= len(self._log) else self._unwritten[seq - len(self._log) - 1]

    def add(self, event: E) -> int:
        with self.lock:
            entry: Entry[E] = Entry(seq=len(self._log) + len(self._unwritten) + 1, at=self._clock(), event=event)
            self._state = self._advance(self._state, entry)
            self._unwritten.append(entry)
            return entry.seq

    def append(self, *events: E) -> int:
        """Add events and write them; return the sequence number of the last."""
        with self.lock:
            seq = [self.add(event) for event in events][-1]
            self.flush()
            return seq

    def commit(self, decide: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Have something decided and written on what the stream holds by now.

        `decide` adds and flushes. Where another process was first, nothing was written: what that wrote is taken up,
        and decided again. Each time, the other process has come on, so there is no bound. Raises UnknownStream where
        the stream was deleted meanwhile.
        """
        while True:
            try:
                return decide(*args, **kwargs)
            except Conflict:
                with self.lock:
                    if not (self._unwritten or self._take_up(self._store.standing(self.stream))):
                        self.taken_up(self._state)

    @property
    def is_current(self) -> bool:
        """Whether it is sure, without reading, that no other process has written to the stream meanwhile."""
        standing = self._store.standing(self.stream)
        return standing is not None and standing == self._standing

    def catch_up(self) -> bool:
        """Take up what others have written to the stream; return whether there was anything. Raises UnknownStream.

        Does nothing while something of its own is not written yet, or the stream is not begun.
        """
        with self.lock:
            standing = self._store.standing(self.stream)
            is_current = standing is not None and standing == self._standing
            if self._unwritten or not self._log or is_current:
                return False
            return self._take_up(standing)

    def _take_up(self, standing: StoreMark | None) -> bool:
        stored = self._store.read(self.stream, max(1, len(self._log)))[1 if self._log else 0 :]
        entries = self._kind.decode_all(stored, len(self._log) + 1)
        self._standing = standing
        if entries:
            before = self._state
            self._log = (*self._log, *entries)
            self._state = reduce(self._advance, entries, before)
            self._shown = (self._log, self._state)
            self.taken_up(before)
        return bool(entries)

    def flush(self) -> None:
        """Write what was added. If that fails, what was added is dropped, and the error is raised."""
        with self.lock:
            if not self._unwritten:
                return
            entries = tuple(self._unwritten)
            self._unwritten.clear()
            before = self._store.standing(self.stream)
            try:
                self._store.append(self.stream, tuple(map(self._kind.encode, entries)))
            except Exception:
                self._state = self._shown[1]
                raise
            self._log = (*self._log, *entries)
            self._shown = (self._log, self._state)
            after = StoreMark(before.others, len(self._log)) if before is not None else None
            self._standing = after if after == self._store.standing(self.stream) else None
