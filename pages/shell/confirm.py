"""Ask before something goes for good, in a dialog that stays open while the page beneath it is drawn anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dialogue.log.stores.protocol import UnknownStream
from pages.shell.clicks import ASKED_ON
from pages.shell.commands import attempt
from pages.shell.sheet import draw, el

_ASKED = "to_confirm"


@dataclass(frozen=True, slots=True)
class ConfirmButtons:
    """What is asked, the buttons for yes and no, and what is done for a yes."""

    title: str
    words: str
    yes: str
    no: str
    do: Callable[[], None]


def draw_button(label: str, key: str, confirmation: ConfirmButtons) -> None:
    """Draw a button that asks first. The click counts whatever else has the page drawn anew at that time."""
    st.button(label, key=key, type="tertiary", on_click=_ask, args=(confirmation,))


def draw_deletion(key: str, what: str, words: str, delete: Callable[[], object]) -> None:
    """Draw a button that deletes a thing (`what`: "room") for good, once that was confirmed.

    `words` say what goes. `delete` raises UnknownStream where it is gone already.
    """

    def do() -> None:
        try:
            delete()
        except UnknownStream:
            st.toast("It was deleted already.")

    told = f"{words} This cannot be undone."
    draw_button("Delete…", key, ConfirmButtons(f"Delete this {what}?", told, "Delete for good", "Keep it", do))


def _ask(confirmation: ConfirmButtons) -> None:
    st.session_state[_ASKED] = confirmation
    st.session_state.pop(ASKED_ON, None)


def hand_on() -> None:
    """Have the whole page drawn where something was asked meanwhile; called where a live part of a page begins."""
    if _ASKED in st.session_state and ASKED_ON not in st.session_state:
        st.rerun()


def draw_confirmation(page: str) -> None:
    """Show what is asked on a page, if anything is; called before the page, whose live parts hand on to it."""
    asked: ConfirmButtons | None = st.session_state.get(_ASKED)
    if asked is None:
        return
    if st.session_state.setdefault(ASKED_ON, page) != page:  # another page was opened
        _forget()
    else:
        st.dialog(asked.title, on_dismiss=_forget)(_draw)(asked)


def _draw(asked: ConfirmButtons) -> None:
    if _ASKED not in st.session_state:  # it was answered
        st.rerun()
    draw("confirm", [el("p", "", asked.words)])
    with st.container(horizontal=True):
        st.button(asked.yes, key="confirm-yes", type="primary", on_click=_agree, args=(asked,))
        st.button(asked.no, key="confirm-no", on_click=_forget)


def _agree(asked: ConfirmButtons) -> None:
    _forget()
    attempt(asked.do)


def _forget() -> None:
    st.session_state.pop(_ASKED, None)
    st.session_state.pop(ASKED_ON, None)
