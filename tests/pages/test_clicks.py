"""A click counts, whatever else has the page drawn anew at that time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest


def page_with_buttons() -> None:
    """A page that is drawn anew before it comes to its buttons, as by a live part of it, as often as it is told to."""
    import streamlit as st

    from pages.shell.clicks import clicked, submitted

    left = st.session_state.get("interruptions", 0)
    if left:
        st.session_state["interruptions"] = left - 1
        st.rerun()
    shown = st.session_state.get("shown", True)
    if shown and clicked("Do it", key="do", disabled=st.session_state.get("disabled", False)):
        st.session_state["done"] = [*st.session_state.get("done", ()), "do"]
    with st.form("form"):
        words = st.text_input("Words", key="words")
        sent = submitted("Send", key="send")
    if sent:
        st.session_state["done"] = [*st.session_state.get("done", ()), words]


def done(page: AppTest) -> list[str]:
    return list(page.session_state["done"]) if "done" in page.session_state else []


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_function(page_with_buttons, default_timeout=60).run()


CLICKS: dict[str, Callable[[AppTest], object]] = {
    "do": lambda page: page.button(key="do").click(),
    "hello": lambda page: (page.text_input(key="words").set_value("hello"), page.button(key="send").click()),
}


@pytest.mark.parametrize("what", CLICKS)
@pytest.mark.parametrize("interruptions", [0, 1, 3])
def test_a_click_counts_once_however_often_the_page_is_drawn_anew_before_its_button(
    page: AppTest, what: str, interruptions: int
) -> None:
    CLICKS[what](page)
    page.session_state["interruptions"] = interruptions
    page.run()
    assert done(page) == [what]
    page.run()
    assert done(page) == [what]
    CLICKS[what](page)
    page.run()
    assert done(page) == [what, what]


@pytest.mark.parametrize("state", [{"disabled": True}, {"shown": False}])
def test_what_can_no_longer_be_done_is_not_done(
    page: AppTest, state: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is it done when its button comes back much later."""
    page.button(key="do").click()
    for name, value in state.items():
        page.session_state[name] = value
    page.run()
    assert done(page) == []
    monkeypatch.setattr("pages.shell.clicks.monotonic", lambda: 1e12)
    for name in state:
        del page.session_state[name]
    page.run()
    assert done(page) == []
