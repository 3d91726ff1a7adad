"""What is submitted: its id, by which it counts once, and what is kept of it on the page where it was not taken."""

from __future__ import annotations

import hmac
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_bytes

import streamlit as st

from catalog.wording.grammar import listing
from dialogue.services import StoreFailed
from pages.shell.root import services
from pages.shell.sheet import draw, el, problem
from pages.shell.web import browser

_KEY = token_bytes(32)
"""Known to this process only: what is said cannot be found out from the id of its command."""
_NOT_TAKEN = "not_taken"
_MINUTE_S = 60.0
_MOST_NAMES = 10_000
"""Names that are kept before those are dropped that sent nothing lately."""


def command_of(*said: str) -> str:
    """Name a submission by everything that it consists of."""
    whole = "\0".join(said)
    return f"typed-{hmac.new(_KEY, whole.encode('utf-8', 'replace'), sha256).hexdigest()[:32]}"


class RecentSubmissions:
    """When submissions were taken in the last minute, by who sent them and by where. Shared by all threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._times: dict[str, list[float]] = {}

    def take(self, limits: Mapping[str, int]) -> str:
        """Count a submission for each name, unless one has had its limit; then say what to do."""
        with self._lock:
            now = self._clock()
            if len(self._times) > _MOST_NAMES:
                self._times = {name: times for name, times in self._times.items() if times[-1] > now - _MINUTE_S}
            lately = {name: [at for at in self._times.get(name, ()) if at > now - _MINUTE_S] for name in limits}
            for name, most in limits.items():
                if len(lately[name]) >= most:
                    wait = max(1, round(lately[name][-most] + _MINUTE_S - now))
                    return f"More than {most} messages came within a minute. Try again in {wait} s."
            self._times |= {name: [*times, now] for name, times in lately.items()}
            return ""


_lately = RecentSubmissions()


@dataclass(frozen=True, slots=True)
class UnsentSubmission:
    """What was typed and could not be kept, why, and how it is handed over again."""

    text: str
    files: tuple[str, ...]
    why: str
    send: Callable[[], None]


def submit(place: str, text: str, files: Sequence[str], send: Callable[[], None]) -> bool:
    """Hand over what was typed in a place (a conversation, say); return whether it was taken.

    Where the store fails, or too much came within a minute, it stays on the page, and can be sent again. It is held in
    this tab alone, and in no log.
    """
    kept: dict[str, UnsentSubmission] = st.session_state.setdefault(_NOT_TAKEN, {})
    services().refresh()
    limits, who = services().settings.limits, browser()
    where = f"{place} {who}" if place.startswith("new ") else place  # of no conversation yet
    if wait := _lately.take({f"by {who}": limits.browser_messages, f"in {where}": limits.conversation_messages}):
        kept[place] = UnsentSubmission(text, tuple(files), wait, send)
        return False
    try:
        send()
    except StoreFailed as trouble:
        kept[place] = UnsentSubmission(text, tuple(files), str(trouble), send)
        return False
    kept.pop(place, None)
    return True


def attempt(act: Callable[..., object], *args: object) -> None:
    """Do what a click asks for; where the store fails, say why. The click can be repeated."""
    try:
        act(*args)
    except StoreFailed as trouble:
        st.toast(str(trouble), icon=":material/warning:")


def draw_not_taken(place: str) -> None:
    """Draw what was typed in a place and not taken, with what went wrong, and buttons to send it again or drop it."""
    kept: dict[str, UnsentSubmission] = st.session_state.get(_NOT_TAKEN, {})
    one = kept.get(place)
    if one is None:
        return
    files = f"With {listing(one.files)}." if one.files else ""
    with st.container(key="not-taken"):
        draw(
            "not-taken-words",
            [
                el(
                    "div",
                    "card outcome bad",
                    problem(f"This was not taken. {one.why}"),
                    el("p", "typed", one.text) if one.text else None,
                    el("p", "hint", files) if files else None,
                    role="alert",
                )
            ],
        )
        with st.container(horizontal=True):
            st.button("Try again", key="not-taken-again", type="primary", on_click=_send_again, args=(place, one))
            st.button("Discard", key="not-taken-discard", type="tertiary", on_click=_drop, args=(place,))


def _send_again(place: str, one: UnsentSubmission) -> None:
    submit(place, one.text, one.files, one.send)


def _drop(place: str) -> None:
    st.session_state.get(_NOT_TAKEN, {}).pop(place, None)
