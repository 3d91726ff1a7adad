"""Buttons whose click counts whatever else has the page drawn anew at that time.

Streamlit tells of a click in one run of a script alone. Where that run is broken off before it comes to the button (a
live part of the page is drawn, something else was clicked), it is lost. Callbacks are called at the beginning
of a run: they put the click down, and the next run that comes to the button takes it. The dialog that asks before
something goes for good stays open in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

import streamlit as st

from dialogue.log.stores.protocol import UnknownStream
from pages.shell.commands import attempt
from pages.shell.sheet import draw, el

_KEPT_S = 30.0
"""Seconds for which a click waits for its button to be drawn; after that, it is not expected to do anything."""


def clicked(label: str, key: str, **how: Any) -> bool:
    """Draw a button; return whether it was clicked since it was last drawn. `how` is as for `st.button`."""
    st.button(label, key=key, on_click=_note, args=(key,), **how)
    return _take(key) and not how.get("disabled")


def submitted(label: str, key: str, **how: Any) -> bool:
    """Draw the button of a form; return whether it was clicked. `how` is as for `st.form_submit_button`."""
    st.form_submit_button(label, key=key, on_click=_note, args=(key,), **how)
    return _take(key) and not how.get("disabled")


def _note(key: str) -> None:
    st.session_state[_place(key)] = monotonic()


def _take(key: str) -> bool:
    at: float | None = st.session_state.pop(_place(key), None)
    return at is not None and monotonic() - at < _KEPT_S


def _place(key: str) -> str:
    return f"clicked {key}"


_ASKED, _ON_PAGE = "to_confirm", "to_confirm_on"


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
    st.session_state.pop(_ON_PAGE, None)


def hand_on() -> None:
    """Have the whole page drawn where something was asked meanwhile; called where a live part of a page begins."""
    if _ASKED in st.session_state and _ON_PAGE not in st.session_state:
        st.rerun()


def draw_confirmation(page: str) -> None:
    """Show what is asked on a page, if anything is; called before the page, whose live parts hand on to it."""
    asked: ConfirmButtons | None = st.session_state.get(_ASKED)
    if asked is None:
        return
    if st.session_state.setdefault(_ON_PAGE, page) != page:  # another page was opened
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
    st.session_state.pop(_ON_PAGE, None)
