"""The way into a room, and out of it."""

from __future__ import annotations

import streamlit as st

from catalog.problems import CatalogError
from dialogue.services import StoreFailed
from language.responses.rooms.on_page import UNREADABLE_FILE
from pages.frame.frame import Way
from pages.rooms.findings import problem_list
from pages.shell.root import services
from pages.shell.sheet import draw, problem

ROOM = Way("room", ("as", "about", "denied"), ("room_reply", "room_receivers", "room_private", "room_same_name"))


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
    ROOM.go(room_id)
    st.rerun()
