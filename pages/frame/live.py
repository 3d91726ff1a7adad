"""Follow a stream: the page is drawn anew as soon as something happened in what it shows."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import streamlit as st

from dialogue.log.stores.protocol import UnknownStream
from pages.shell.clicks import ASKED_ON

Mark = tuple[str | None, int, Hashable]
"""What is drawn: the stream, its last entry, and what may change without one, such as whether it is at work."""


def drawn(key: str) -> Mark | None:
    """Return the mark of what the page shows; None before anything was drawn."""
    mark: Mark | None = st.session_state.get(f"{key}_drawn")
    return mark


def keep_drawn(key: str, mark: Mark) -> None:
    st.session_state[f"{key}_drawn"] = mark
    st.session_state["being_drawn"] = True


def follow(key: str, look: Callable[[], Mark], every_s: float) -> None:
    """Have the page drawn anew when `look` finds another mark than was drawn, or the stream deleted (UnknownStream).

    To look is cheap, to draw is not: with many pages open, those that wait would else keep the others waiting. No look
    is before the page is drawn to its end: it has one, however fast news come. None is under a question.
    """
    st.fragment(make_follow(key, look), run_every=every_s)()


def make_follow(key: str, look: Callable[[], Mark]) -> Callable[[], None]:
    """Return what looks for news of this drawing of the page.

    A browser may still ask for the look of an earlier drawing, which it has before it has the new one. On a busy server
    Streamlit then begins a new script for it, and drops what the drawing has not sent yet
    (`AppSession.request_rerun`): the page would stay as it was, with nothing left to look for. So each drawing has a
    look of its own (Streamlit knows it by its name), and that of an earlier one has the page drawn anew.
    """
    st.session_state["drawings"] = number = st.session_state.get("drawings", 0) + 1

    def look_for_news() -> None:
        if st.session_state.get("drawings") != number:
            st.rerun()
        if st.session_state.pop("being_drawn", False) or ASKED_ON in st.session_state:
            return
        try:
            found: Mark | None = look()
        except UnknownStream:
            found = None
        if found != drawn(key):
            st.rerun()

    look_for_news.__qualname__ = f"follow_{number}"
    return look_for_news
