"""A journal that goes on from any state and writes to nothing."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime

from dialogue.conversation import Conversation
from dialogue.events import Calling, Entry, Event, Log
from dialogue.projection import advance

_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""When everything that is only imagined happens; nothing that is decided looks at it."""


class Fork:
    """Entries that are added to a conversation in memory alone: `entries` are those of this fork, `log` is all of them.

    A call that was begun can be taken back: the state before it is where its outcomes part. That of a call for each
    item of a list is not, once an item is done: it is gone on with.
    """

    def __init__(self, conversation: Conversation, log: Log = ()) -> None:
        self.lock: AbstractContextManager[object] = nullcontext()
        self.entries: list[Entry] = []
        self._log = log
        self._conversation = conversation
        self._before_call: tuple[int, Conversation] | None = None

    @classmethod
    def of(cls, log: Iterable[Entry]) -> Fork:
        """Go on from a whole log, which stays part of it."""
        fork = cls(Conversation())
        for entry in log:
            fork.add(entry.event)
        return fork

    @property
    def conversation(self) -> Conversation:
        """The state as of now."""
        return self._conversation

    @property
    def shown(self) -> tuple[Log, Conversation]:
        """What a reader would see; nothing here is kept from one."""
        return self.log, self._conversation

    @property
    def log(self) -> Log:
        """All entries, from the beginning of the conversation."""
        return (*self._log, *self.entries)

    def entry(self, seq: int) -> Entry:
        """Return an entry by its sequence number."""
        return self._log[seq - 1] if seq <= len(self._log) else self.entries[seq - len(self._log) - 1]

    def add(self, event: Event) -> int:
        """Append an event; return its sequence number."""
        if isinstance(event, Calling):
            self._before_call = len(self.entries), self._conversation
        entry = Entry.model_construct(seq=self._conversation.seq + 1, at=_NO_TIME, event=event)
        self._conversation = advance(self._conversation, entry)
        self.entries.append(entry)
        return entry.seq

    def flush(self) -> None:
        """Do nothing: there is nothing to write to."""

    def take_call_back(self) -> None:
        """Go back to the state before the last call was begun, unless an item of a list is done in it."""
        if self._conversation.open_items:
            return
        assert self._before_call is not None
        count, self._conversation = self._before_call
        del self.entries[count:]
