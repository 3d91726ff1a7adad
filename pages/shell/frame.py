"""Frame of every page: style sheet, and pages where something is missing, broken, or still computed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import TypeVar
from uuid import uuid4

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, StopException

from catalog.skills.failures import describe_trouble
from catalog.wording.grammar import quote
from dialogue.log.stores import DamagedStream
from dialogue.services import StoreFailed, UnknownSession
from pages.shell import address
from pages.shell.address import page_file
from pages.shell.clicks import clicked
from pages.shell.root import services
from pages.shell.sheet import FOLDER, Node, dots, draw, el, icon, problem

_LOG = logging.getLogger(__name__)
_LOOK = FOLDER / "app.css"


def wear_look() -> None:
    st.html(f"<style>{_LOOK.read_text(encoding='utf-8')}</style>")


def entitle(page: str, shown: str = "") -> None:
    """Call the browser's tab by what is shown, the page, and the program."""
    st.session_state["page_title"] = page
    st.set_page_config(page_title=" · ".join(dict.fromkeys(filter(None, (shown, page, "Planglass")))))


def mark_section(place: int, page: str) -> None:
    """Mark the menu in which a page is, and write the page beside it: Streamlit's own menus look alike when closed."""
    named = f"\\00a0› {page}" if page else ""
    menu = f'[data-testid="stTopNav"]>:nth-child({place + 1}) [data-testid="stTopNavSection"] p'
    st.html(f"<style>{menu}{{font-weight:650}}{menu}::after{{content:'{named}';font-weight:450}}</style>")


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Show a kind message instead of a traceback; the log gets the trouble, under a number that people can quote."""
    try:
        yield
    except (RerunException, StopException):
        raise
    except DamagedStream as trouble:
        missing_session(trouble)
    except StoreFailed as trouble:
        notice("trouble", "problem", "This cannot be kept or read just now", f"{trouble} What was kept before is safe.")
    except Exception as trouble:
        number = uuid4().hex[:8]
        _LOG.error("trouble %s on %s: %s", number, what, describe_trouble(trouble))
        notice(
            "trouble",
            "problem",
            "Something went wrong here",
            f"This part of the page could not be drawn. Your conversation is safe: it is kept apart from what is shown."
            f" Please reload the page; if it happens again, the server's log tells more under the number {number}.",
        )


def notice(key: str, picture: str, title: str, words: str, *more: Node) -> None:
    """Draw a page-wide message: what is the case, and what can be done."""
    draw(key, [el("div", "notice", icon(picture), el("h2", "", title), el("p", "", words), *more)])


def go_on() -> None:
    """Have the page opened to which a click leads: callbacks cannot."""
    if (page := st.session_state.pop("go_on", None)) is not None:
        st.switch_page(page_file(page[0]), query_params=page[1])


def announce(words: str) -> None:
    """Announce the status of the page to screen readers."""
    draw("status", [announcement(words)])


def announcement(words: str) -> Node:
    """Return words that screen readers announce, politely; Streamlit itself has no such region."""
    return el("p", "unseen", words, role="status", aria_live="polite")


def bar(title: str, words: str, tab: str = "") -> None:
    """Draw a page's heading; the browser's tab is called by that, or by `tab`."""
    entitle(st.session_state.get("page_title", ""), tab or title)
    draw("bar-name", [el("div", "barname", el("h1", "", title), el("small", "", words))])


def missing_session(trouble: LookupError) -> None:
    """Say kindly that a conversation cannot be shown, and lead on."""
    if isinstance(trouble, UnknownSession):
        title = "There is no such conversation here"
        words = (
            "The link may be mistyped, or the conversation was deleted. Conversations are stored on the computer on "
            "which they took place."
        )
    elif isinstance(trouble, DamagedStream):
        title = "This is damaged, and cannot be shown"
        words = f"{trouble} All else can be opened as before."
    else:
        title = "The catalog of this conversation is not loaded"
        words = f"{trouble} Start Planglass with that catalog to open the conversation again."
    notice("missing", "glass", title, words)
    with st.container(horizontal=True, horizontal_alignment="center", vertical_alignment="center"):
        if clicked("Begin a new conversation", key="missing-begin", type="primary"):
            address.go_to(None)
            st.session_state.pop("demo_id", None)
            st.switch_page(page_file("assistant"))
        st.page_link(page_file("sessions"), label="See all conversations")


def missing_catalog(trouble: LookupError) -> None:
    """Say that the address names a catalog that is not loaded, and lead on."""
    notice("missing", "glass", "There is no such assistant here", f"{trouble} Nothing was begun.")
    with st.container(horizontal=True, horizontal_alignment="center", vertical_alignment="center"):
        if clicked("Choose another", key="missing-choose", type="primary"):
            address.go_to(None)
            st.rerun()
        st.page_link(page_file("catalog"), label="See all catalogs")


def say_unknown_catalog(wanted: str, shown: str) -> None:
    """Say it where the address names a catalog that is not loaded, for as long as what stands in for it is shown."""
    if wanted and wanted not in services().catalogs():
        st.session_state["catalog_unknown"] = (wanted, shown)
    unknown, instead = st.session_state.get("catalog_unknown", ("", ""))
    if unknown and instead == shown:
        draw("unknown-catalog", [problem(f"There is no catalog {quote(unknown)} here. This is another one.")])


def choose(label: str, sections: Mapping[str, str], default: str, key: str) -> str:
    """Let one of several sections be chosen, by key; the choice is kept in the URL."""
    chosen: str = st.segmented_control(
        label,
        list(sections),
        format_func=sections.__getitem__,
        default=default,
        required=True,
        key=key,
        label_visibility="collapsed",
        bind="query-params",
    )
    return chosen


def download(label: str, data: str | Callable[[], str], name: str, kind: str) -> None:
    """Offer a file; what is given as a function is only made once it is wanted, and not in the script run."""
    st.download_button(label, data, name, kind, icon=":material/download:", on_click="ignore")


def escape_markdown(text: str) -> str:
    """Take from a text what Streamlit's Markdown would act upon, where no sheet can show it."""
    return "".join(letter if letter.isalnum() or letter.isspace() else f"\\{letter}" for letter in text)


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
