"""The frame that pages share: a list, the way to what it lists and back, and why something was not taken."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from catalog.problems import CatalogError, Problem
from dialogue.log.stores import StoreFailed
from dialogue.log.stores.protocol import UnknownStream
from dialogue.turn import StillBusy
from pages.frame.frame import LobbyRow, Route
from pages.frame.problems import Trouble, say_trouble, tried

NOW = datetime(2026, 11, 27, tzinfo=UTC)


def page_with_a_list() -> None:
    from datetime import UTC, datetime

    import streamlit as st

    from pages.frame.frame import Lobby, LobbyRow

    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    rows = (
        LobbyRow("aaaa1", "Plain", "aaaa", long_ago, 3, status="at work", note="Hello."),
        LobbyRow("bbbb2", "Broken", "bbbb", long_ago, 3, damaged=True),
        LobbyRow("cccc3", "Elsewhere", "cccc", long_ago, 3, locked=True),
    )
    opened = st.session_state.setdefault("opened", [])
    Lobby("thing", "thing-", "all that is in it", opened.append, opened.remove).draw_rows(rows)


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_function(page_with_a_list, default_timeout=60).run()


def sheets(page: AppTest) -> list[Any]:
    return [json.loads(one.proto.json)[0]["tree"] for one in page.get("bidi_component")]


def words_of(tree: Any) -> str:
    if isinstance(tree, dict):
        return words_of(tree.get("children", []))
    return tree if isinstance(tree, str) else " ".join(map(words_of, tree))


def test_a_row_says_what_every_list_says_and_what_its_own_says(page: AppTest) -> None:
    plain, broken, elsewhere = (" ".join(words_of(tree).split()) for tree in sheets(page))
    assert plain.startswith("Plain aaaa at work ")
    assert plain.endswith("ago, 3 events Hello.")
    assert broken == "Broken bbbb"
    assert elsewhere.endswith("ago, 3 events")


def test_what_is_damaged_can_only_be_deleted_and_what_is_locked_not_even_that(page: AppTest) -> None:
    assert [button.key for button in page.button] == ["thing-open-aaaa1", "thing-delete-aaaa1", "thing-delete-bbbb2"]
    page.button(key="thing-open-aaaa1").click().run()
    assert page.session_state["opened"] == ["aaaa1"]
    page.button(key="thing-delete-bbbb2").click().run()
    asked = page.session_state["to_confirm"]
    assert asked.title == "Delete this thing?"
    assert asked.words == "Thing bbbb goes for good, with all that is in it. This cannot be undone."


def test_a_row_is_found_by_all_the_words_that_are_said_of_it() -> None:
    row = LobbyRow("f00d", "Loan", "bank, f00d", NOW, 1, note="Approved at 3 %")
    assert row.has("APPROVED loan") and row.has("f00d") and row.has("")
    assert not row.has("loan declined")


def test_what_belongs_to_one_thing_does_not_stay_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    query = {"room": "r1", "as": "Ana", "about": "who:Ben", "section": "norms"}
    state: dict[str, Any] = {"room_drawn": ("r1", 3, False), "room_shown": 90, "room_reply": 4, "rooms_shown": 40}
    monkeypatch.setattr(st, "query_params", query)
    monkeypatch.setattr(st, "session_state", state)
    way = Route("room", ("as", "about"), ("room_reply",))
    way.go("r2")
    assert (query, state) == ({"section": "norms", "room": "r2"}, {"rooms_shown": 40})
    way.go()
    assert query == {"section": "norms"}


FAULT = Problem("error", "unknown", "a.yaml", 3, "facts", "no such thing", "write another")


def raising(error: Exception) -> Callable[[], object]:
    def act() -> object:
        raise error

    return act


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (CatalogError([FAULT]), (FAULT,)),
        (StoreFailed("The disk is full."), ("Not kept.",)),
        (UnknownStream("t1"), ("It was deleted.",)),
        (KeyError("no such fact"), ("no such fact",)),
        (ValueError("not a number"), ("not a number",)),
        (StillBusy("It is at work."), ("It is at work.",)),
    ],
    ids=lambda one: type(one).__name__,
)
def test_what_is_not_taken_is_told_and_else_nothing_is(error: Exception, why: Trouble) -> None:
    assert tried(raising(error), "Not kept.", "It was deleted.") == (None, why)
    assert tried(raising(StoreFailed("Full."))) == (None, ("Full.",))
    assert tried(lambda: 3) == (3, ())
    assert all(str(getattr(one, "found", one)) in words_of(say_trouble(why)) for one in why)


def test_what_else_goes_wrong_is_a_fault_of_the_program_and_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        tried(raising(ZeroDivisionError()))
