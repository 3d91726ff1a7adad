"""Group chat: several people and bots in one room, under norms that are judged before anything is posted."""

from __future__ import annotations

import streamlit as st

from catalog.wording.grammar import capitalize
from dialogue.services import UnknownSession
from language.responses.rooms.on_page import NO_SUCH_ROOM, NO_SUCH_ROOM_WORDS, SECTIONS
from pages.rooms import doors, lobby
from pages.rooms.chat import draw_room
from pages.rooms.look import Look, look_at
from pages.rooms.norms import in_time, workshop
from pages.shell.commands import attempt
from pages.shell.frame import bar, choose, notice
from pages.shell.root import services
from pages.shell.sheet import Act, button, draw, icon


def _bar(look: Look) -> None:
    with st.container(horizontal=True, key="bar", vertical_alignment="center", gap="small"):
        spec = look.room.specification
        title, number = look.room.title or spec.label, f"room {look.room_id[:4]}"
        bar(capitalize(title), number if title == spec.label else f"{number}, {spec.label}")
        link = f"{(st.context.url or '').partition('?')[0]}?room={look.room_id}"
        copied: Act = {"do": "copy", "text": link}
        draw("room-link", [button("copy share", icon("copy"), " Copy the link", act=copied)])
        if look.viewer is not None and look.is_here(look.viewer):
            st.button("Leave", icon=":material/logout:", type="tertiary", key="leave", on_click=_leave, args=(look,))
        st.button("All rooms", icon=":material/folder_open:", type="tertiary", key="all-rooms", on_click=doors.go)


def _leave(look: Look) -> None:
    if look.viewer is not None:
        attempt(services().rooms.leave, look.room_id, look.viewer)
    st.query_params.pop("as", None)


def _missing() -> None:
    notice("missing", "glass", NO_SUCH_ROOM, NO_SUCH_ROOM_WORDS)
    with st.container(horizontal=True, horizontal_alignment="center"):
        st.button("See all rooms", type="primary", on_click=doors.go)


def main() -> None:
    room_id = st.query_params.get("room")
    if not room_id:
        lobby.draw_lobby()
        return
    try:
        look = look_at(room_id)
    except UnknownSession:
        _missing()
        return
    _bar(look)
    section = choose("Section", SECTIONS, "conversation", key="room_section")
    if section != "workshop":
        workshop.leave()
    if section == "norms":
        in_time.draw_norms(look)
    elif section == "workshop":
        workshop.draw_workshop(look.room.norms, look)
    else:
        draw_room(room_id)


if __name__ == "__main__":
    main()
