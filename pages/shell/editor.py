"""Draw a text area with numbered lines, in which faults are marked while one types."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import streamlit as st

from pages.shell.assets import component

_mount = component(
    "editor",
    '<div class="editor"><div class="lines" aria-hidden="true"></div><textarea readonly spellcheck="false" '
    'autocomplete="off" autocapitalize="off" wrap="off"></textarea></div>',
)


def typed_in(key: str, begun: str) -> str:
    """Return what stands in an editor that began with a text: what was typed, or still that."""
    of, typed = st.session_state.get(_typed(key), ("", ""))
    return str(typed) if of == digest(begun) else begun


def draw_editor(
    key: str, label: str, begun: str, marks: Mapping[int, str], show: Mapping[str, int] | None, *, short: bool = False
) -> None:
    """Draw it; `marks` says what is wrong in which line, and `show` is a line to go to, with the moment of the click.

    What was typed stays where another section is looked at, and is gone with another text to begin with.
    """

    def keep() -> None:
        text = st.session_state[key].get("text")
        if isinstance(text, str):
            st.session_state[_typed(key)] = (digest(begun), text)

    data = {
        "label": label,
        "text": typed_in(key, begun),
        "begun": digest(begun),
        "marks": {str(line): words for line, words in marks.items()},
        "show": dict(show) if show else None,
        "short": short,
    }
    _mount(key=key, data=data, on_text_change=keep)


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def _typed(key: str) -> str:
    return f"{key}-typed"
