"""A room made by hand: entries are added one by one, without a hub, and messages are judged as they come."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from catalog.norms import Message
from dialogue.log.streams import Entry, Event, Log
from dialogue.rooms.events import Joined, JudgedMessage, Lapsed, Left, RoomOpened, Sent
from dialogue.rooms.room import ROOM_FOLD, Room
from tests.dialogue.rooms.test_governance import DESK, START


class RoomByHand:
    """A room of the help desk that the tests of governance are about, where `changes` do not say otherwise."""

    def __init__(self, *people: str, title: str = "", governed: bool = True, **changes: Any) -> None:
        self.log: Log = ()
        self.room: Room = ROOM_FOLD.initial
        self.add(RoomOpened(norms=json.dumps({**DESK, **changes}), title=title, governed=governed))
        for name in people:
            self.add(Joined(participant=name, roles=self.room.specification.people.roles))

    @property
    def now(self) -> datetime:
        """The time of the next entry: each is a second after the one before."""
        return START + timedelta(seconds=len(self.log))

    def add(self, event: Event) -> int:
        """Add an entry; return its number."""
        entry: Entry = Entry(seq=len(self.log) + 1, at=self.now, event=event)
        self.room = ROOM_FOLD.advance(self.room, entry)
        self.log = (*self.log, entry)
        return entry.seq

    def say(self, message: Message, **more: Any) -> int:
        """Send a message and judge it; return the entry in which it was sent."""
        sent = self.add(Sent(message=message, **more))
        judged = self.room.messages[sent].message.model_copy(update={"at": self.now})
        self.add(JudgedMessage(of=sent, verdict=self.room.governance.judge(self.room.status, judged)[0]))
        return sent

    def lapse(self, norm: str) -> int:
        """Let an obligation end unmet, of all who owe it; return the entry."""
        bearers = next(one.bearers for one in self.room.status.active if one.norm == norm)
        return self.add(Lapsed(lapse=self.room.governance.end_unmet(self.room.status, norm, bearers)[0]))

    def leave(self, name: str) -> int:
        """Let somebody leave, with what lapses by that; return the entry."""
        lapses, _ = self.room.governance.leave(self.room.status, name)
        entry = self.add(Left(participant=name))
        for lapse in lapses:
            self.add(Lapsed(lapse=lapse, left=True))
        return entry
