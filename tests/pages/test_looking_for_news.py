"""What looks for news of a page: cheap, its own for each drawing, and never the last thing that a page hears of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from dialogue.services import UnknownSession
from pages.assistant import workbench
from pages.assistant.workbench import Room

ROOM = Room("banking", "s1", lambda _session: None)


class Page:
    """A page that was drawn up to an entry, and counts how often it is to be drawn anew."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.state: dict[str, Any] = {"drawn": ("s1", 5)}
        self.redrawn = 0
        self.seq, self.busy, self.deleted = 5, False, False
        monkeypatch.setattr(st, "session_state", self.state)
        monkeypatch.setattr(st, "rerun", self.redraw)
        monkeypatch.setattr(workbench, "services", lambda: self)

    def redraw(self) -> None:
        self.redrawn += 1

    def snapshot(self, session: str) -> object:
        if self.deleted:
            raise UnknownSession(session)
        conversation = SimpleNamespace(seq=self.seq, tasks=SimpleNamespace(working=False))
        return SimpleNamespace(conversation=conversation, busy=self.busy)


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    return Page(monkeypatch)


def test_a_page_is_drawn_anew_where_there_is_something_new_and_only_there(page: Page) -> None:
    look = workbench._make_follow()
    look(ROOM, False)
    assert page.redrawn == 0
    page.seq = 6
    look(ROOM, False)
    assert page.redrawn == 1, "an entry that was not drawn yet"
    page.seq, page.busy = 5, True
    look(ROOM, False)
    assert page.redrawn == 2, "the assistant is at work, and the page does not say so"
    look(ROOM, True)
    assert page.redrawn == 2
    page.busy = False
    look(ROOM, True)
    assert page.redrawn == 3, "it has done with its work"
    page.deleted = True
    look(ROOM, False)
    assert page.redrawn == 4, "the conversation is gone"


def test_the_look_of_an_earlier_drawing_has_the_page_drawn_anew(page: Page) -> None:
    """A browser that still asks for it may never have got the drawing."""
    before, now = workbench._make_follow(), workbench._make_follow()
    assert before.__qualname__ != now.__qualname__, "Streamlit knows them by their names"
    now(ROOM, False)
    assert page.redrawn == 0
    before(ROOM, False)
    assert page.redrawn == 1
