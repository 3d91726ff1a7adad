"""A house with rooms for tests: bots are plain functions, the clock stands still until it is moved."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from catalog.norms.message import Message, Utterance
from catalog.norms.occasion import Happening, Occasion
from dialogue.log.stores import SqliteStore
from dialogue.log.streams import Event, Log
from dialogue.rooms.connectors.http import http_bot
from dialogue.rooms.connectors.protocol import Bot, BotRefused, Conversations
from dialogue.rooms.hub import RoomLimits
from dialogue.rooms.hub.admission import Secrets
from dialogue.rooms.room import Room
from dialogue.services.rooms.bots import PythonBot
from dialogue.services.rooms.rooms import RoomServices
from tests.dialogue.rooms.test_governance import DESK, START

Answer = Callable[[Occasion], object]
OPEN: dict[str, Any] = {
    "name": "hall",
    "roles": {"user": None},
    "participants": {"Pat": {"kind": "bot", "bot": "pat"}, "Bill": {"kind": "bot", "bot": "bill"}},
    "people": {"roles": "user"},
    "defaults": {"bot": "permitted"},
}
"""A room in which everybody may say anything."""


def says(act: str, text: str = "", **more: Any) -> Message:
    """Return a message of one utterance, in nobody's name yet."""
    return Message(sender="?", utterances=(Utterance(act=act, text=text),), **more)


def answering(act: str, text: str = "", **more: Any) -> Answer:
    """Return a bot that answers every message of a person."""

    def answer(occasion: Occasion) -> object:
        people = {one.name for one in occasion.participants if one.kind == "person"}
        if occasion.message is None or occasion.message.sender not in people:
            return None
        said = {"text": text or f"{occasion.you} to {occasion.message.text}", "act": act}
        return {"utterances": [said], **more}

    return answer


def silent(occasion: Occasion) -> object:
    """Answer nothing."""
    return None


@dataclass
class House:
    """Rooms over a store of their own."""

    home: Path
    bots: dict[str, Answer] = field(default_factory=dict)
    now: datetime = START
    limit_s: float = 20.0
    limits: RoomLimits = field(default_factory=RoomLimits)
    hosts: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.seen: list[tuple[str, Happening, str]] = []
        self.rooms = self.open()

    def open(self) -> RoomServices:
        """Open the services; with what is in the store already."""
        store = SqliteStore(self.home / "rooms.db")
        self.rooms = RoomServices(
            store,
            lambda: self.now,
            lambda room: self.connect,
            lambda: self.limits,
            lambda room, message: Secrets(tuple(one for one in self.secrets if one in message.text), ("Pat",)),
        )
        self.store = store
        return self.rooms

    def close(self) -> None:
        """Close the services, and the store."""
        self.rooms.close()
        self.store.close()

    def restart(self) -> None:
        """Begin anew with what is in the store."""
        self.close()
        self.open()

    def connect(self, name: str, written: str, conversations: Conversations) -> Bot:
        """Return a bot that notes what it is shown."""
        if written.startswith("http"):
            return http_bot(written, self.hosts, self.limit_s)
        if written not in self.bots:
            raise BotRefused(f"There is no bot {written}.")
        bot = self.bots[written]

        def answer(occasion: Occasion) -> object:
            self.seen.append((name, occasion.what, "" if occasion.message is None else occasion.message.text))
            return bot(occasion)

        return PythonBot(answer, self.limit_s)

    def room(self, base: Mapping[str, Any] | None = None, *people: str, governed: bool = True, **changes: Any) -> str:
        """Open a room under norms, where people are; the help desk by default."""
        declared = {**(DESK if base is None else base), **changes}
        for name, one in declared["participants"].items():
            self.bots.setdefault(one.get("bot", name), silent)
            declared["participants"] = {**declared["participants"], name: {**one, "bot": one.get("bot", name)}}
        room = self.rooms.open(json.dumps(declared), governed=governed)
        for name in people:
            self.rooms.join(room, name)
        self.quiet(room)
        return room

    def say(self, room: str, who: str, text: str, act: str = "inform", topic: str = "undefined", **more: Any) -> int:
        """Say something that is understood already, and wait until the room is quiet; return the entry."""
        said = (Utterance(act=act, topic=topic, text=text),)
        receipt = self.rooms.say(room, who, text, utterances=said, **more)
        self.quiet(room)
        return receipt.entry

    def quiet(self, room: str) -> None:
        """Wait until nobody is at work."""
        assert self.rooms.wait(room, 200), "the room is not done"

    def move(self, seconds: float) -> None:
        """Move the clock on."""
        self.now += timedelta(seconds=seconds)

    def state(self, room: str, viewer: str | None = None) -> Room:
        """Return a room as somebody sees it."""
        return self.rooms.view(room, viewer).room

    def log(self, room: str) -> Log:
        """Return the log, as it is seen by somebody outside."""
        return self.rooms.view(room).log

    def events(self, room: str, kind: type[Event]) -> list[Any]:
        """Return the events of a kind."""
        return [entry.event for entry in self.log(room) if isinstance(entry.event, kind)]

    def posted(self, room: str, viewer: str | None = None) -> list[tuple[str, str]]:
        """Return who said what, in the order of the room."""
        return [(one.message.sender, one.message.text) for one in self.state(room, viewer).posted]
