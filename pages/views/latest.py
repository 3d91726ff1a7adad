"""Long lists: their latest items are drawn, and a button that shows more of the earlier ones."""

from __future__ import annotations

import streamlit as st

from pages.shell.sheet import Node, button

DRAWN = 30
"""So many items are drawn; 500 drawn ones would cost a second and more."""
_STEP = 60
"""So many more are drawn on each click."""
_LISTS = ("messages", "plans", "goals")


def shown(what: str) -> int:
    """Return how many items of a list are to be drawn; `what` says what they are."""
    wanted: int = st.session_state.get(f"{what}_shown", DRAWN)
    return wanted


def show_more(what: str) -> None:
    """Let more items of a list be drawn from now on."""
    if what in _LISTS:
        st.session_state[f"{what}_shown"] = shown(what) + _STEP


def earlier(what: str, hidden: int) -> list[Node]:
    """Offer the earlier items, where some are not drawn."""
    return [button("earlier", f"earlier {what} ({hidden})", act={"do": "earlier", "what": what})] if hidden else []
