"""Long lists: some of their items are drawn, and a button that shows more of them."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.shell.sheet import Node, button

DRAWN = 30
"""So many items are drawn; 500 drawn ones would cost a second and more."""
_LISTS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("messages", "plans", "goals"), (DRAWN, 60)),
    "room": (40, 60),
    "rooms": (20, 20),
    "tasks": (8, 8),
    "sessions": (15, 15),
    "doubts": (5, 5),
}
"""How many items of each list are drawn at first, and how many more on each click."""


def shown(what: str) -> int:
    """Return how many items of a list are to be drawn; `what` says what they are."""
    wanted: int = st.session_state.get(f"{what}_shown", _LISTS.get(what, (DRAWN, 0))[0])
    return wanted


def show_more(what: str) -> None:
    """Let more items of a list be drawn from now on."""
    if what in _LISTS:
        st.session_state[f"{what}_shown"] = shown(what) + _LISTS[what][1]


def earlier(what: str, hidden: int) -> list[Node]:
    """Offer the earlier items, where some are not drawn."""
    return [button("earlier", f"earlier {what} ({hidden})", act={"do": "earlier", "what": what})] if hidden else []


def draw_more(what: str, length: int) -> None:
    """Offer the rest of a list of rows, where there are more than are drawn."""
    if (left := length - shown(what)) > 0:
        st.button(f"Show more ({left})", key=f"{what}-more", on_click=show_more, args=(what,))
