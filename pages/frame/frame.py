"""Frame of a page about one kind of stream: its list, the one that is open, and the way between the two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import streamlit as st

from dialogue.log.stores.protocol import UnknownStream
from pages.shell import address
from pages.shell.frame import bar, notice

_Look = TypeVar("_Look")


@dataclass(frozen=True, slots=True)
class Route:
    """The way to a stream of a kind, and back to the list.

    Its id stands in the address under `noun`. What else stands there about the one that is open (`parts`), and what is
    kept of it on the page (`kept`), is gone with it.
    """

    noun: str
    parts: tuple[str, ...]
    kept: tuple[str, ...] = ()

    def go(self, stream_id: str = "") -> None:
        """Open a stream; without an id, the list."""
        address.forget()
        for name in (self.noun, *self.parts):
            st.query_params.pop(name, None)
        for name in (f"{self.noun}_drawn", f"{self.noun}_shown", *self.kept):
            st.session_state.pop(name, None)
        if stream_id:
            st.query_params[self.noun] = stream_id


@dataclass(frozen=True, slots=True)
class Frame(Generic[_Look]):
    """What a page declares: how it looks at a stream, its heading and panels, and its list.

    `look` raises UnknownStream; `missing` is said then. `actions` are drawn in the bar, before the way to the list.
    """

    way: Route
    look: Callable[[str], _Look]
    heading: Callable[[_Look], tuple[str, str]]
    panels: Callable[[_Look], None]
    lobby: Callable[[], None]
    missing: tuple[str, str]
    actions: Callable[[_Look], None] = lambda look: None

    def draw(self) -> None:
        """Draw the stream in the address, or the list."""
        noun, stream_id = self.way.noun, st.query_params.get(self.way.noun)
        if not stream_id:
            self.lobby()
            return
        try:
            look = self.look(stream_id)
        except UnknownStream:
            notice("missing", "glass", *self.missing)
            with st.container(horizontal=True, horizontal_alignment="center"):
                st.button(f"See all {noun}s", type="primary", on_click=self.way.go)
            return
        with st.container(horizontal=True, key="bar", vertical_alignment="center", gap="small"):
            bar(*self.heading(look))
            self.actions(look)
            icon, key = ":material/folder_open:", f"all-{noun}s"
            st.button(f"All {noun}s", icon=icon, type="tertiary", key=key, on_click=self.way.go)
        self.panels(look)
