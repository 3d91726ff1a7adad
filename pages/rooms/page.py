"""Group chat: several people and bots in one room, under norms that are judged before anything is posted."""

from __future__ import annotations

import streamlit as st

from catalog.wording.grammar import capitalize
from language.responses.rooms.on_page import NO_SUCH_ROOM, NO_SUCH_ROOM_WORDS, SECTIONS
from pages.frame.frame import Frame
from pages.rooms.chat import draw_room
from pages.rooms.doors import ROOM
from pages.rooms.lobby import draw_lobby
from pages.rooms.look import RoomLook, look_at
from pages.rooms.norms import in_time, workshop
from pages.shell.commands import attempt
from pages.shell.frame import choose
from pages.shell.root import services
from pages.shell.sheet import Act, button, draw, icon


def _heading(look: RoomLook) -> tuple[str, str]:
    spec = look.room.specification
    title, number = look.room.title or spec.label, f"room {look.room_id[:4]}"
    return capitalize(title), number if title == spec.label else f"{number}, {spec.label}"


def _draw_actions(look: RoomLook) -> None:
    link = f"{(st.context.url or '').partition('?')[0]}?room={look.room_id}"
    copied: Act = {"do": "copy", "text": link}
    draw("room-link", [button("copy share", icon("copy"), " Copy the link", act=copied)])
    if look.viewer is not None and look.is_here(look.viewer):
        st.button("Leave", icon=":material/logout:", type="tertiary", key="leave", on_click=_leave, args=(look,))


def _leave(look: RoomLook) -> None:
    if look.viewer is not None:
        attempt(services().rooms.leave, look.room_id, look.viewer)
    st.query_params.pop("as", None)


def _draw_panels(look: RoomLook) -> None:
    section = choose("Section", SECTIONS, "conversation", key="room_section")
    if section != "workshop":
        workshop.leave()
    if section == "norms":
        in_time.draw_norms(look)
    elif section == "workshop":
        workshop.draw_workshop(look.room.norms, look)
    else:
        draw_room(look.room_id)


if __name__ == "__main__":
    Frame(ROOM, look_at, _heading, _draw_panels, draw_lobby, (NO_SUCH_ROOM, NO_SUCH_ROOM_WORDS), _draw_actions).draw()
