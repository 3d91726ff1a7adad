"""The way into a room, and out of it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from language.responses.rooms.on_page import UNREADABLE_FILE
from pages.frame.frame import Route
from pages.frame.problems import say_trouble, tried
from pages.shell.root import services
from pages.shell.sheet import draw, problem

ROOM = Route("room", ("as", "about", "denied"), ("room_reply", "room_receivers", "room_private", "room_same_name"))


def open_room(norms: str | None, title: str = "", *, governed: bool = True) -> None:
    """Open a room under norms and go there; what is wrong with them is said, and nothing is opened."""
    if norms is None:
        draw("room-open-trouble", [problem(UNREADABLE_FILE)])
        return
    make = partial(services().rooms.open, norms, title=title.strip(), governed=governed)
    room_id, trouble = tried(make, "The room could not be kept just now. Please try again.")
    if room_id is None:
        draw("room-open-trouble", say_trouble(trouble))
        return
    ROOM.go(room_id)
    st.rerun()
