"""Buttons whose click counts whatever else has the page drawn anew at that time.

Streamlit tells of a click in one run of a script alone. Where that run is broken off before it comes to the button (a
live part of the page is drawn, something else was clicked), it is lost. Callbacks are called at the beginning
of a run: they put the click down, and the next run that comes to the button takes it. That the browser sends a click
at all, wherever the button moves while it is pressed, is for `assets/press.js`.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

import streamlit as st
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner_utils.script_requests import _has_active_trigger_value
from streamlit.runtime.state.safe_session_state import SafeSessionState

ASKED_ON = "to_confirm_on"
"""In the session's state while a question stands above the page: to draw that anew closes its dialog, and opens another
one (`pages.shell.confirm`)."""
_apply = SafeSessionState.on_script_will_rerun
_request = AppSession.request_rerun
_clear = ForwardMsgQueue.clear
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


def _apply_to_the_end(state: Any, *given: Any, **more: Any) -> None:
    """Apply a message of the browser, with its callbacks, before the next one may stop the run.

    Streamlit looks for that wherever a callback touches `st.session_state`: the callback would end half way, for good.
    """
    runner = state._yield_callback.__self__
    runner._execing = False  # so that it does not look
    try:
        _apply(state, *given, **more)
    finally:
        runner._execing = True


def _request_once(session: Any, message: Any) -> None:
    """Hand a message of the browser to its session, except for a look for news that tells of a click.

    A click that is about to be sent is in the message of a timer too, and would count twice.
    """
    if not (message and message.is_auto_rerun and any(map(_has_active_trigger_value, message.widget_states.widgets))):
        _request(session, message)


def _clear_whole(queue: Any, *given: Any, **more: Any) -> None:
    """Take from a queue what a new run draws anew; a run of which nothing is taken counts as ended, not broken off.

    Else, where a look for news comes right after a part of the page was drawn, what is no longer in that would stay.
    """
    ends = [(message, message.script_finished) for message in queue._queue if message.HasField("script_finished")]
    before = len(queue)
    _clear(queue, *given, **more)
    if len(queue) == before:
        for message, end in ends:
            message.script_finished = end


SafeSessionState.on_script_will_rerun = _apply_to_the_end  # type: ignore[assignment, method-assign]
AppSession.request_rerun = _request_once  # type: ignore[assignment, method-assign]
ForwardMsgQueue.clear = _clear_whole  # type: ignore[assignment, method-assign]
