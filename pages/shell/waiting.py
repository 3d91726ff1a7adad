"""Drawing what a job in the background is still computing: a placeholder, until the job is done."""

from __future__ import annotations

from concurrent.futures import Future, wait
from typing import TypeVar

import streamlit as st

from pages.shell.frame import announcement, guarded
from pages.shell.sheet import dots, draw, el

POLL_S = 0.3
PATIENCE_S = 0.4
"""Seconds that a drawing waits for what is mostly there at once."""
_Result = TypeVar("_Result")


def result_of(job: Future[_Result], key: str, title: str, words: str = "") -> _Result | None:
    """Return the result of a job; or None until it is done, with a placeholder that then draws the page anew."""
    wait([job], PATIENCE_S)
    if job.done() and not job.cancelled():
        return job.result()
    st.fragment(_watch, run_every=POLL_S)(job, key, title, words)
    return None


def _watch(job: Future[_Result], key: str, title: str, words: str) -> None:
    with guarded(title):
        if job.done():
            st.rerun()
        hint = el("p", "", words) if words else ""
        shown = el("div", "notice", dots(), el("h2", "", title), hint)
        draw(f"waiting-{key}", [shown, announcement(f"{title}.")], cls="panel")
