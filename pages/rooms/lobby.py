"""Where one comes in: the rooms that there are, a new one, and norms to look at before there is any room."""

from __future__ import annotations

from functools import cache

import streamlit as st

from catalog.load.demo_files import NORM_DEMOS
from catalog.norms.load import load_norms
from catalog.wording.grammar import capitalize, count
from dialogue.services.rooms.rooms import RoomRow
from language.responses.rooms.on_page import (
    LOBBY,
    LOBBY_SECTIONS,
    NO_ROOMS,
    NO_ROOMS_WORDS,
    NOT_GOVERNED,
    OWN_FILE,
    WITHOUT_NORMS,
)
from pages.frame.lobby import Lobby, LobbyRow
from pages.rooms import doors
from pages.rooms.norms import workshop
from pages.shell.clicks import clicked
from pages.shell.frame import announce, bar, choose
from pages.shell.root import services
from pages.shell.sheet import draw, el, empty, shorten
from pages.views import latest

_OWN = ""
"""In place of a demo's name: a file of one's own."""


def draw_lobby() -> None:
    """Draw the list of rooms, what it takes to open one, and the editor of norms."""
    with st.container(horizontal=True, key="bar", vertical_alignment="center"):
        bar("Group chat", LOBBY)
    section = choose("Section", LOBBY_SECTIONS, "rooms", key="lobby_section")
    if section == "workshop":
        demo = next(iter(NORM_DEMOS))
        workshop.draw_workshop(NORM_DEMOS[demo].read_text(encoding="utf-8"), None)
        return
    workshop.leave()
    left, right = st.columns([6, 5], gap="medium")
    with left:
        _draw_rows()
    with right, st.container(border=True, key="room-new"):
        _draw_opening()


def _draw_opening() -> None:
    draw("room-new-head", [el("h2", "", "Open a room")])
    title: str = st.text_input(
        "Name of the room", max_chars=80, placeholder="optional", autocomplete="off", key="room-title"
    )
    chosen: str = st.selectbox("Norms", [*NORM_DEMOS, _OWN], format_func=_called, key="room-norms")
    file = st.file_uploader("Norm file", ["yaml", "yml"], key="room-file") if chosen == _OWN else None
    governed = st.toggle("Check every message against the norms", True, help=WITHOUT_NORMS, key="room-governed")
    if clicked("Open the room", type="primary", key="room-open", disabled=chosen == _OWN and file is None):
        norms: str | None = chosen
        if file is not None:
            try:
                norms = file.getvalue().decode("utf-8")
            except UnicodeDecodeError:
                norms = None
        doors.open_room(norms, title, governed=governed)


@cache
def _called(demo: str) -> str:
    return capitalize(load_norms(demo).specification.label) if demo else OWN_FILE


def _draw_rows() -> None:
    rows = services().rooms.rooms()
    draw("rooms-head", [el("h2", "", "Rooms")])
    announce(count(len(rows), "room"))
    if not rows:
        draw("rooms-empty", [empty("ask", NO_ROOMS, NO_ROOMS_WORDS)])
        return
    lobby = Lobby("room", "room-", "what was said", doors.ROOM.go, services().rooms.delete, "Enter")
    lobby.draw_rows(map(_row, rows[: latest.shown("rooms")]))
    latest.draw_more("rooms", len(rows))


def _row(room: RoomRow) -> LobbyRow:
    title, note = shorten(capitalize(room.title), 80), "" if room.governed else NOT_GOVERNED
    return LobbyRow(room.id, title, room.id[:4], room.updated, room.entries, note=note)
