"""Norms to be changed: an editor with what is wrong as one types, and a replay of the room."""

from __future__ import annotations

from concurrent.futures import Future

import streamlit as st

from catalog.wording.grammar import count
from dialogue.rooms.checker.report import NormReport
from language.responses.rooms.on_page import CHECKING, CHECKING_WORDS, EDITOR, FAULTS, LOADS
from pages.frame.problems import draw_found, draw_text
from pages.rooms import doors
from pages.rooms.findings import findings, read, walked
from pages.rooms.look import RoomLook
from pages.rooms.norms import replay
from pages.shell.clicks import clicked
from pages.shell.editor import typed_in
from pages.shell.frame import announce, download, guarded
from pages.shell.root import services
from pages.shell.waiting import result_of

_CHECK = "norms_check"
"""Where the text that is being checked is kept, with the check."""


def draw_workshop(norms: str, look: RoomLook | None) -> None:
    """Draw the editor, beginning with some norms, and beside it what is found about what stands in it."""
    key = f"norms-{look.room_id}" if look is not None else "norms"
    text = typed_in(key, norms)
    loaded, problems = read(text)
    left, right = st.columns(2, gap="medium")
    with left:
        draw_text(key, EDITOR, norms, problems)
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
            draw_found(f"{key}-walked", key, walked(report))
        with above:
            draw_found(f"{key}-findings", key, findings(loaded, problems))
        if look is not None and loaded is not None:
            replay.draw_replay(look, text)


def leave() -> None:
    """Cancel the check of a text that is not looked at any more."""
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
