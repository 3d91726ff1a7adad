"""How calls have ended in the conversations that are kept: counted in the background, and only what is new."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field

from dialogue.log.events import CONVERSATION, ItemDone, Ran, SessionStarted, Settled
from dialogue.log.stores import open_store
from dialogue.log.stores.protocol import DamagedStream, Store, StoreFailed, StreamId, UnknownStream
from dialogue.log.streams import Event
from dialogue.settings import Settings
from planning.likelihoods import Likelihoods, LikelihoodSource

CallEnding = tuple[str, str, str]
_KINDS = {event.model_fields["kind"].default for event in (Ran, ItemDone, Settled)}


@dataclass(frozen=True, slots=True)
class _Read:
    """What was counted of a conversation, as far as it was read."""

    catalog: str
    entries: int = 0
    calls: Counter[CallEnding] = field(default_factory=Counter)


class CallCounts:
    """Counts of outcomes by catalog. To read them takes no time; what happens meanwhile is counted after that.

    A conversation that was deleted no longer counts. Only names and numbers are kept, in memory.
    """

    def __init__(self, store: Store, run: Callable[[Callable[[], None]], Future[None]]) -> None:
        """`run` does work in the background."""
        self._store = store
        self._run = run
        self._lock = threading.Lock()
        self._read: dict[str, _Read] = {}
        self._under_way: Future[None] | None = None

    def count(self) -> Future[None]:
        """Count in the background what is new; there is one count at a time."""
        with self._lock:
            if self._under_way is None or self._under_way.done():
                self._under_way = self._run(self.count_now)
            return self._under_way

    def count_now(self) -> None:
        """Count what is new, on this thread. A conversation that cannot be read is left out."""
        with suppress(StoreFailed):
            rows = self._store.streams(CONVERSATION.name)
            there = {row.stream_id for row in rows}
            with self._lock:
                self._read = {name: read for name, read in self._read.items() if name in there}
                read_before = dict(self._read)
            for row in rows:
                before = read_before.get(row.stream_id)
                if before is None:
                    opening = CONVERSATION.opening_of(row)
                    if not isinstance(opening, SessionStarted):
                        continue
                    before = _Read(opening.catalog)
                if row.entries > before.entries:
                    with suppress(UnknownStream, DamagedStream):
                        read = self._go_on(row.stream_id, before)
                        with self._lock:
                            self._read[row.stream_id] = read

    def forget(self, session_id: str) -> None:
        """Leave a conversation out that is deleted."""
        with self._lock:
            self._read.pop(session_id, None)

    def calls_of(self, catalog: str) -> tuple[tuple[str, str, str, int], ...]:
        """Return how often calls ended how, as (skill, mode, outcome, calls), in the order of the names."""
        with self._lock:
            read = [one.calls for one in self._read.values() if one.catalog == catalog]
        total: Counter[CallEnding] = Counter()
        for calls in read:
            total.update(calls)
        return tuple((*way, number) for way, number in sorted(total.items()))

    def likelihoods(self, catalog: str, source: LikelihoodSource, prior_calls: float) -> Likelihoods:
        """Return which likelihoods count, with the counts of a catalog as they are now; what is new is counted then."""
        if source is not LikelihoodSource.COUNTED:
            return Likelihoods(source)
        with suppress(RuntimeError):  # everything is being closed
            self.count()
        return Likelihoods(source, prior_calls, self.calls_of(catalog))

    def _go_on(self, session_id: str, before: _Read) -> _Read:
        stored = self._store.read(StreamId(CONVERSATION.name, session_id), since=before.entries + 1)
        calls = before.calls.copy()
        for entry in stored:
            if entry.kind in _KINDS:
                with suppress(ValueError):
                    calls.update(_ended(CONVERSATION.decode(entry.text).event))
        return _Read(before.catalog, before.entries + len(stored), calls)


def count_once(settings: Settings, catalog: str) -> Likelihoods:
    """Count how calls have ended so far, in all conversations with a catalog."""
    store = open_store(settings.store_url)
    try:
        counts = CallCounts(store, _nobody)
        counts.count_now()
        return Likelihoods(LikelihoodSource.COUNTED, settings.prior_calls, counts.calls_of(catalog))
    finally:
        store.close()


def _nobody(_: Callable[[], None]) -> Future[None]:
    raise RuntimeError("nothing is counted in the background")


def _ended(event: Event) -> list[CallEnding]:
    """Return what a call ended in: each item of a list is a call of its own, and what a person found out counts."""
    match event:
        case Ran(items=None) | ItemDone(again=None):
            return [(event.skill, event.mode, event.outcome)]
        case Settled(outcome=str(outcome), item=0):  # else the item counts
            return [(event.skill, event.mode, outcome)]
        case _:
            return []
