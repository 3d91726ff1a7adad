"""What looks for news of a page: cheap, its own for each drawing, and never the last thing that a page hears of."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from dialogue.services import UnknownSession
from pages.assistant import workbench
from pages.assistant.workbench import OpenConversation
from pages.frame import frame
from pages.rooms import chat
from pages.shell import confirm
from pages.tasks import progress

ROOM = OpenConversation("banking", "s1", lambda _session: None)


class Page:
    """A page that was drawn up to an entry, and counts how often it is to be drawn anew."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.state: dict[str, Any] = {}
        self.redrawn = 0
        self.seq, self.busy, self.deleted = 5, False, False
        monkeypatch.setattr(st, "session_state", self.state)
        monkeypatch.setattr(st, "rerun", self.redraw)
        monkeypatch.setattr(st, "dialog", lambda *_words, **_more: lambda _draw: lambda *_asked: None)

    def redraw(self) -> None:
        self.redrawn += 1


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    return Page(monkeypatch)


def conversation(page: Page) -> frame.Mark:
    tasks = SimpleNamespace(working=False)
    seen: Any = SimpleNamespace(conversation=SimpleNamespace(seq=page.seq, tasks=tasks), busy=page.busy)
    return workbench._mark(ROOM, seen)


def room(page: Page) -> frame.Mark:
    look: Any = SimpleNamespace(room_id="r1", room=SimpleNamespace(seq=page.seq), busy=page.busy)
    return chat._mark(look)


def task(page: Page) -> frame.Mark:
    view = SimpleNamespace(busy=page.busy, fault="")
    look: Any = SimpleNamespace(id="t1", task=SimpleNamespace(seq=page.seq), view=view)
    return progress._mark(look)


@pytest.mark.parametrize("mark", [conversation, room, task])
def test_a_page_is_drawn_anew_where_there_is_something_new_and_only_there(
    page: Page, mark: Callable[[Page], frame.Mark]
) -> None:
    def find() -> frame.Mark:
        if page.deleted:
            raise UnknownSession("s1")
        return mark(page)

    look = frame.make_follow("it", find)
    frame.keep_drawn("it", mark(page))
    page.seq = 6
    look()
    assert page.redrawn == 0, "it is just being drawn: with news all the time, it would never be to its end"
    page.seq = 5
    look()
    assert page.redrawn == 0
    page.seq = 6
    look()
    assert page.redrawn == 1, "an entry that was not drawn yet"
    page.seq, page.busy = 5, True
    look()
    assert page.redrawn == 2, "it is at work, and the page does not say so"
    frame.keep_drawn("it", mark(page))
    look()
    look()
    assert page.redrawn == 2
    page.busy = False
    look()
    assert page.redrawn == 3, "it has done with its work"
    page.deleted = True
    look()
    assert page.redrawn == 4, "it is gone"


def test_a_page_is_not_drawn_anew_under_a_question(page: Page) -> None:
    """The dialog would close, and another one open: a press on one of its buttons would be lost."""
    look = frame.make_follow("it", lambda: ("s1", page.seq, False))
    confirm._ask(confirm.ConfirmButtons("Delete it?", "It goes.", "Delete it", "Keep it", lambda: None))
    confirm.draw_confirmation("tasks")
    look()
    assert page.redrawn == 0
    confirm._forget()
    look()
    assert page.redrawn == 1


def test_the_look_of_an_earlier_drawing_has_the_page_drawn_anew(page: Page) -> None:
    """A browser that still asks for it may never have got the drawing."""
    before, now = (frame.make_follow("it", lambda: ("s1", 5, False)) for _ in range(2))
    frame.keep_drawn("it", ("s1", 5, False))
    assert before.__qualname__ != now.__qualname__, "Streamlit knows them by their names"
    now()
    assert page.redrawn == 0
    before()
    assert page.redrawn == 1
