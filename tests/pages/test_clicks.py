"""A click counts, whatever else has the page drawn anew at that time."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state.session_state import SessionState
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


@pytest.mark.parametrize("place", [(ScriptRunContext, "reset"), (SessionState, "_call_callbacks")])
@pytest.mark.parametrize("what", CLICKS)
def test_a_click_counts_where_the_browser_sends_something_else_before_its_callback_is_called(
    page: AppTest, what: str, place: tuple[type, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next message comes when a run has begun, or when it has taken what the message before it says."""
    owner, name = place
    step: Callable[..., None] = getattr(owner, name)
    messages = [RerunData()]

    def with_a_message(*given: object, **more: object) -> None:
        requests = getattr(get_script_run_ctx(), "script_requests", None)
        if messages and requests is not None:
            requests.request_rerun(messages.pop())
        step(*given, **more)

    CLICKS[what](page)
    monkeypatch.setattr(owner, name, with_a_message)
    page.run()
    assert not messages
    assert done(page) == [what]


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize(
    ("what", "automatic", "asked"),
    [
        (WidgetState(id="act", json_trigger_value="[1]"), True, False),
        (WidgetState(id="act", json_trigger_value="[1]"), False, True),
        (WidgetState(id="typed", string_value="words"), True, True),
    ],
)
def test_a_click_that_the_timer_of_a_live_part_tells_of_too_counts_once(
    what: WidgetState, *, automatic: bool, asked: bool
) -> None:
    """The browser sends the click right after that."""
    session = MagicMock()
    AppSession.request_rerun(session, ClientState(widget_states=WidgetStates(widgets=[what]), is_auto_rerun=automatic))
    assert bool(session.mock_calls) is asked


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize(
    ("drawn_next", "end"),
    [
        ("look", ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY),
        ("part", ForwardMsg.FINISHED_EARLY_FOR_RERUN),
    ],
)
def test_a_part_that_was_drawn_whole_counts_as_such_where_a_look_for_news_comes_before_it_is_sent(
    drawn_next: str, end: int
) -> None:
    """Otherwise the browser keeps what that part no longer holds, such as an explanation that was closed."""
    queue, drawn, ended = ForwardMsgQueue(), ForwardMsg(), ForwardMsg()
    drawn.delta.new_element.text.body = "what is there now"
    drawn.delta.fragment_id = "part"
    ended.script_finished = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
    queue.enqueue(drawn)
    queue.enqueue(ended)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[drawn_next])
    assert queue.flush()[-1].script_finished == end
