"""The list of a kind of stream: what it says of each, and how one is opened and deleted.

What every list says of its streams stands in `Lobby.columns` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import streamlit as st

from catalog.wording.grammar import count
from language.responses.exploration import say_ago
from pages.shell.clicks import clicked
from pages.shell.confirm import draw_deletion
from pages.shell.sheet import Node, draw, el, icon


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
