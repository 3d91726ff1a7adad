"""Frame of a page about one kind of stream: its list, the one that is open, and how it is followed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar

import streamlit as st

from catalog.wording.grammar import count
from dialogue.log.stores.protocol import UnknownStream
from language.responses.exploration import say_ago
from pages.shell import address
from pages.shell.clicks import ASKED_ON, clicked
from pages.shell.confirm import draw_deletion
from pages.shell.frame import bar, notice
from pages.shell.sheet import Node, draw, el, icon

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


@dataclass(frozen=True, slots=True)
class LobbyRow:
    """One stream in a list: `beside` are small words beside its title, `note` is what else is said of it.

    One that is `damaged` can only be deleted, one that is `locked` not even that.
    """

    id: str
    title: str
    beside: str
    changed: datetime
    entries: int
    status: Node | None = None
    note: str = ""
    damaged: bool = False
    locked: bool = False

    def has(self, words: str) -> bool:
        """Return whether all of some words are in what is said of the stream."""
        told = " ".join((self.title, self.beside, self.note, self.id)).casefold()
        return all(word in told for word in words.casefold().split())


@dataclass(frozen=True, slots=True)
class Lobby:
    """A list of streams: what one is called (`noun`), what goes with it when it is deleted, and how it is opened.

    `key` begins the keys of widgets, `styles` are those of titles and notes, and `more` draws further buttons.
    """

    noun: str
    key: str
    goes: str
    open: Callable[[str], None]
    delete: Callable[[str], None]
    label: str = "Open"
    icon: str = ":material/login:"
    styles: tuple[str, str, str] = ("h3", "", "hint")
    more: Callable[[LobbyRow], None] = lambda row: None

    def columns(self, row: LobbyRow) -> Iterator[Node | None]:
        title, cls, note = self.styles
        yield el("div", "barname", el(title, cls, row.title), el("small", "", row.beside))
        yield el("p", "origin", row.status) if row.status else None
        when = f"{say_ago(row.changed)}, {count(row.entries, 'event')}"
        yield None if row.damaged else el("p", "origin", icon("waiting"), when)
        yield el("p", note, row.note) if row.note else None

    def draw_rows(self, rows: Iterable[LobbyRow]) -> None:
        for row in rows:
            with st.container(border=True, key=f"{self.key}row-{row.id}"):
                draw(f"{self.key}words-{row.id}", self.columns(row))
                with st.container(horizontal=True, gap="small"):
                    self._draw_buttons(row)

    def _draw_buttons(self, row: LobbyRow) -> None:
        if row.locked:
            return
        if not row.damaged:
            if clicked(self.label, key=f"{self.key}open-{row.id}", icon=self.icon):
                self.open(row.id)
                st.rerun()
            self.more(row)
        words = f"{self.noun.capitalize()} {row.id[:4]} goes for good, with {self.goes}."
        draw_deletion(f"{self.key}delete-{row.id}", self.noun, words, partial(self.delete, row.id))


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
