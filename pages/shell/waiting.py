"""Drawing what a job in the background is still computing: a placeholder, until the job is done."""

from __future__ import annotations

from concurrent.futures import Future, wait
from typing import TypeVar

import streamlit as st

from pages.shell.frame import announcement, guarded, notice
from pages.shell.sheet import dots, draw, el

POLL_S = 0.3
PATIENCE_S = 0.4
"""Seconds that a drawing waits for what is mostly there at once."""
_FAILED = "failed-"
"""Where a failure is kept, by the key of its placeholder, until the page is drawn anew and shows it."""
_Result = TypeVar("_Result")


def result_of(job: Future[_Result], key: str, title: str, words: str = "") -> _Result | None:
    """Return the result of a job; or None until it is done, with a placeholder that then draws the page anew.

    Raises what the job raised. A job that was cancelled is never done: it is said so, and the page can be drawn anew.
    """
    wait([job], PATIENCE_S)
    if (trouble := st.session_state.pop(f"{_FAILED}{key}", None)) is not None:
        raise trouble
    if job.cancelled():
        notice(f"waiting-{key}", "problem", "This was interrupted", f"{title}: it was stopped before it was done.")
        st.button("Try again", key=f"again-{key}")
        return None
    if job.done():
        return job.result()
    st.fragment(_watch, run_every=POLL_S)(job, key, title, words)
    return None


def _watch(job: Future[_Result], key: str, title: str, words: str) -> None:
    with guarded(title):
        if job.done():
            if not job.cancelled() and (trouble := job.exception()) is not None:
                st.session_state[f"{_FAILED}{key}"] = trouble  # or the job, if begun anew, would be waited for again
            st.rerun()
        hint = el("p", "", words) if words else ""
        shown = el("div", "notice", dots(), el("h2", "", title), hint)
        draw(f"waiting-{key}", [shown, announcement(f"{title}.")])
