"""Group chat: several people and bots in one room, under norms that are judged before anything is posted."""

from __future__ import annotations

from functools import cache

import streamlit as st

from catalog.load.demo_files import NORM_DEMOS
from catalog.norms.load import load_norms
from catalog.wording.grammar import capitalize, count
from dialogue.services.rooms.rooms import RoomRow
from language.responses.rooms import on_page
from pages.frame.frame import Frame, Lobby, LobbyRow
from pages.rooms.chat import draw_room
from pages.rooms.norms import timeline, workshop
from pages.rooms.norms.workshop import ROOM, open_room
from pages.rooms.page_state import RoomPage, read_page
from pages.shell.clicks import clicked
from pages.shell.commands import attempt
from pages.shell.frame import announce, bar, choose
from pages.shell.root import services
from pages.shell.sheet import Act, button, draw, el, empty, icon, shorten
from pages.views import long_lists

_OWN = ""  # in place of a demo's name: a file of one's own


def draw_lobby() -> None:
    """Draw the list of rooms, what it takes to open one, and the editor of norms."""
    with st.container(horizontal=True, key="bar", vertical_alignment="center"):
        bar("Group chat", on_page.LOBBY)
    section = choose("Section", on_page.LOBBY_SECTIONS, "rooms", key="lobby_section")
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
    governed = st.toggle("Check every message against the norms", True, help=on_page.WITHOUT_NORMS, key="room-governed")
    if clicked("Open the room", type="primary", key="room-open", disabled=chosen == _OWN and file is None):
        norms: str | None = chosen
        if file is not None:
            try:
                norms = file.getvalue().decode("utf-8")
            except UnicodeDecodeError:
                norms = None
        open_room(norms, title, governed=governed)


@cache
def _called(demo: str) -> str:
    return capitalize(load_norms(demo).specification.label) if demo else on_page.OWN_FILE


def _draw_rows() -> None:
    rows = services().rooms.rooms()
    draw("rooms-head", [el("h2", "", "Rooms")])
    announce(count(len(rows), "room"))
    if not rows:
        draw("rooms-empty", [empty("ask", on_page.NO_ROOMS, on_page.NO_ROOMS_WORDS)])
        return
    lobby = Lobby("room", "room-", "what was said", ROOM.go, services().rooms.delete, "Enter")
    lobby.draw_rows(map(_row, rows[: long_lists.shown("rooms")]))
    long_lists.draw_more("rooms", len(rows))


def _row(room: RoomRow) -> LobbyRow:
    title, note = shorten(capitalize(room.title), 80), "" if room.governed else on_page.NOT_GOVERNED
    return LobbyRow(room.id, title, room.id[:4], room.updated, room.entries, note=note)


def _heading(page: RoomPage) -> tuple[str, str]:
    spec = page.room.specification
    title, number = page.room.title or spec.label, f"room {page.room_id[:4]}"
    return capitalize(title), number if title == spec.label else f"{number}, {spec.label}"


def _draw_actions(page: RoomPage) -> None:
    link = f"{(st.context.url or '').partition('?')[0]}?room={page.room_id}"
    copied: Act = {"do": "copy", "text": link}
    draw("room-link", [button("copy share", icon("copy"), " Copy the link", act=copied)])
    if page.viewer is not None and page.is_here(page.viewer):
        st.button("Leave", icon=":material/logout:", type="tertiary", key="leave", on_click=_leave, args=(page,))


def _leave(page: RoomPage) -> None:
    if page.viewer is not None:
        attempt(services().rooms.leave, page.room_id, page.viewer)
    st.query_params.pop("as", None)


def _draw_panels(page: RoomPage) -> None:
    section = choose("Section", on_page.SECTIONS, "conversation", key="room_section")
    if section != "workshop":
        workshop.leave()
    if section == "norms":
        timeline.draw_norms(page)
    elif section == "workshop":
        workshop.draw_workshop(page.room.norms, page)
    else:
        draw_room(page.room_id)


if __name__ == "__main__":
    Frame(
        ROOM,
        read_page,
        _heading,
        _draw_panels,
        draw_lobby,
        (on_page.NO_SUCH_ROOM, on_page.NO_SUCH_ROOM_WORDS),
        _draw_actions,
    ).draw()
