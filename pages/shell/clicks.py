"""Buttons whose click counts whatever else has the page drawn anew at that time.

Streamlit tells of a click in one run of a script alone. Where that run is broken off before it comes to the button (a
live part of the page is drawn, something else was clicked), it is lost. Callbacks are called at the beginning
of a run: they put the click down, and the next run that comes to the button takes it.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

import streamlit as st

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
