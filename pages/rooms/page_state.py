"""What the page shows of a room: who is in it, as whom it is looked at, and what is selected."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from catalog.norms.vocabulary import ParticipantKind
from dialogue.log.streams import Log
from dialogue.rooms.events import Joined
from dialogue.rooms.room import Room
from explain.rooms.record import RoomRecord
from pages.shell import address
from pages.shell.root import services
from pages.shell.sheet import Node, el, icon

COLOURS = 7
"""So many participants have colours of their own; after that they come again. Names tell who it is in any case."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class QuestionTarget:
    """What is asked about: a message, by its entry, or a participant, by name."""

    entry: int | None = None
    name: str = ""

    def __str__(self) -> str:
        """Write it as it stands in the address."""
        return f"message:{self.entry}" if self.entry is not None else f"who:{self.name}"


def read_about(text: str | None) -> QuestionTarget | None:
    """Read what is asked about from an address; anything malformed is nothing."""
    kind, _, what = (text or "").partition(":")
    if kind == "message" and what.isdecimal() and len(what) < 9:
        return QuestionTarget(entry=int(what))
    return QuestionTarget(name=what) if kind == "who" and what else None


@dataclass(frozen=True)
class RoomPage:
    """A room at one moment, as a viewer sees it; `viewer` is None for who has not joined.

    `read` returns what explanations are made from.
    """

    room_id: str
    room: Room
    log: Log
    busy: bool
    viewer: str | None
    read: Callable[[], RoomRecord]
    about: QuestionTarget | None = None
    denied: bool = False

    @cached_property
    def names(self) -> Mapping[str, ParticipantKind]:
        """Everybody who is or was in the room: those of the norms first, then as they joined."""
        found = {one.name: one.kind for one in self.room.specification.participants.values()}
        found |= {one.event.participant: one.event.what for one in self.log if isinstance(one.event, Joined)}
        return found

    @cached_property
    def record(self) -> RoomRecord:
        return self.read()

    def is_bot(self, name: str) -> bool:
        return self.names.get(name) is ParticipantKind.BOT

    def is_here(self, name: str) -> bool:
        return self.room.status.member(name) is not None

    def label(self, name: str) -> str:
        """Return what a participant is, in words of the norms, if they have any for it."""
        declared = self.room.specification.participants.get(name)
        return declared.label if declared is not None and declared.label != name else ""

    def face(self, name: str) -> Node:
        """Draw a participant's picture: initials on a colour; the name stands beside it in words."""
        place = list(self.names).index(name) if name in self.names else -1
        colour = f"who-{place % COLOURS}" if place >= 0 else ""
        return el("span", f"face who {colour} {'bot' if self.is_bot(name) else ''}", initials(name), aria_hidden="true")

    def norm(self, name: str) -> str:
        norm = self.room.specification.norms.get(name)
        return norm.label if norm is not None else name


def initials(name: str) -> str:
    """Return one or two letters for a name: a short name whole, else the first letters of its words."""
    words = _WORD.findall(name)
    if not words:
        return "?"
    if len(name) <= 2:
        return name
    return "".join(word[0] for word in words[:2]).upper()


def named(page: RoomPage, name: str) -> list[Node]:
    """Draw a name with what it is: a word beside the colour."""
    label = page.label(name)
    return [
        el("strong", "", name),
        el("span", "tag", icon("skill"), "bot") if page.is_bot(name) else el("span", "tag", icon("person"), "person"),
        el("span", "tag good", "you") if name == page.viewer else "",
        el("small", "muted", label) if label else "",
    ]


def read_page(room_id: str) -> RoomPage:
    """Take a look at a room, as the participant of the address. Raises UnknownSession."""
    viewer = st.query_params.get("as") or None
    view = services().rooms.view(room_id, viewer)
    return RoomPage(
        room_id,
        view.room,
        view.log,
        view.busy,
        viewer,
        lambda: services().rooms.record(room_id, viewer),
        read_about(address.get("about")),
        address.get("denied") == "yes",
    )
