"""The way into a room, and out of it."""

from __future__ import annotations

import streamlit as st

from catalog.problems import CatalogError
from dialogue.services import StoreFailed
from language.responses.rooms.on_page import UNREADABLE_FILE
from pages.rooms.findings import problem_list
from pages.shell import address
from pages.shell.root import services
from pages.shell.sheet import draw, problem


def go(room_id: str = "", viewer: str | None = None) -> None:
    address.forget()
    for name in ("room", "as", "about", "denied"):
        st.query_params.pop(name, None)
    for name in ("room_reply", "room_receivers", "room_private", "room_same_name", "room_shown", "room_drawn"):
        st.session_state.pop(name, None)
    if room_id:
        st.query_params["room"] = room_id
    if viewer:
        st.query_params["as"] = viewer


def open_room(norms: str | None, title: str = "", *, governed: bool = True) -> None:
    """Open a room under norms and go there; what is wrong with them is said, and nothing is opened."""
    if norms is None:
        draw("room-open-trouble", [problem(UNREADABLE_FILE)])
        return
    try:
        room_id = services().rooms.open(norms, title=title.strip(), governed=governed)
    except CatalogError as error:
        draw("room-open-trouble", problem_list(error.problems))
        return
    except StoreFailed:
        draw("room-open-trouble", [problem("The room could not be kept just now. Please try again.")])
        return
    go(room_id)
    st.rerun()
