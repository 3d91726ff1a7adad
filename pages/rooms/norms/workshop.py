"""Norms to be changed: an editor with what is wrong as one types, and a replay of the room."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

import streamlit as st

from catalog.wording.grammar import count
from dialogue.rooms.checker.report import NormReport
from language.responses.rooms.on_page import CHECKING, CHECKING_WORDS, EDITOR, FAULTS, LOADS
from pages.rooms import doors
from pages.rooms.findings import findings, read, walked
from pages.rooms.look import Look
from pages.rooms.norms import replay
from pages.shell.clicks import clicked
from pages.shell.editor import draw_editor, typed_in
from pages.shell.frame import announce, download, guarded
from pages.shell.root import services
from pages.shell.sheet import draw
from pages.shell.waiting import result_of

_CHECK = "norms_check"
"""Where the text that is being checked is kept, with the check."""


def draw_workshop(norms: str, look: Look | None) -> None:
    """Draw the editor, beginning with some norms, and beside it what is found about what stands in it."""
    key = f"norms-{look.room_id}" if look is not None else "norms"
    text = typed_in(key, norms)
    loaded, problems = read(text)
    left, right = st.columns(2, gap="medium")
    with left:
        marks = {one.line: f"{one.found} {one.write}" for one in reversed(problems) if one.line is not None}
        draw_editor(key, EDITOR, norms, marks, st.session_state.get(f"{key}-line"))
        with st.container(horizontal=True, gap="small"):
            download("Download", text, "norms.yaml", "application/yaml")
            if clicked("Open a room with these", type="primary", disabled=loaded is None, key=f"{key}-open"):
                doors.open_room(text)
    with right:
        above = st.container()
        report = None
        if loaded is None:
            leave()
            announce(f"{FAULTS}: {count(len(problems), 'problem')}.")
        else:
            announce(f"{LOADS} {count(len(problems), 'warning')}.")
            with guarded(CHECKING):
                report = result_of(_check(text), "norms-check", CHECKING, CHECKING_WORDS)
        if report is not None:
            problems = report.rest
            draw(f"{key}-walked", walked(report), lambda act: _act(key, act))
        with above:
            draw(f"{key}-findings", findings(loaded, problems), lambda act: _act(key, act))
        if look is not None and loaded is not None:
            replay.draw_replay(look, text)


def leave() -> None:
    """Cancel the check of a text that nobody looks at any more."""
    kept: tuple[str, Future[NormReport]] | None = st.session_state.pop(_CHECK, None)
    if kept is not None:
        kept[1].cancel()


def _check(text: str) -> Future[NormReport]:
    """Check a text in the background; that of another text is given up."""
    kept: tuple[str, Future[NormReport]] | None = st.session_state.get(_CHECK)
    if kept is None or kept[0] != text or kept[1].cancelled():
        leave()
        kept = st.session_state[_CHECK] = (text, services().rooms.check(text))
    return kept[1]


def _act(key: str, act: Mapping[str, Any]) -> None:
    what = str(act.get("what", ""))
    if act.get("do") == "line" and what.isdecimal():
        st.session_state[f"{key}-line"] = {"line": int(what), "at": time.time_ns() // 1_000_000}
