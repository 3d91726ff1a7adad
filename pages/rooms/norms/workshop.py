"""Norms to be changed: an editor with what is wrong as one types, and a replay of the room."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future

import streamlit as st

from catalog.norms.checks import check_norms
from catalog.norms.load import LoadedNorms, read_norms
from catalog.problems import CatalogError, Problem, line_of, where
from catalog.wording.grammar import count
from dialogue.rooms.checker.findings import Finding
from dialogue.rooms.checker.report import CheckVerdict, NormReport, in_brief, place_of, say_finding, say_steps
from language.responses.rooms.on_page import CHECKING, CHECKING_WORDS, EDITOR, FAULTS, LOADS, NO_FINDING, SHOW_STEPS
from pages.frame.problems import MOST, draw_found, draw_text, line_button, problem_list, verdict
from pages.rooms import opening
from pages.rooms.norms import replay
from pages.rooms.page_state import RoomPage
from pages.shell.clicks import clicked
from pages.shell.editor import typed_in
from pages.shell.frame import announce, download, guarded
from pages.shell.root import services
from pages.shell.sheet import Node, el, folded, hint, icon, shorten
from pages.shell.waiting import result_of


def read(text: str) -> tuple[LoadedNorms | None, tuple[Problem, ...]]:
    """Load norms from what was typed; return them, unless there are errors, and all problems."""
    try:
        loaded = read_norms(text, "norms")
    except CatalogError as error:
        return None, error.problems
    return loaded, check_norms(loaded)


def findings(loaded: LoadedNorms | None, problems: Iterable[Problem]) -> list[Node]:
    """Draw what norms hold if they load, and what is wrong with them."""
    problems = tuple(problems)
    if loaded is None:
        return [verdict("bad", f"{FAULTS}: {count(len(problems), 'problem')}"), *problem_list(problems)]
    spec = loaded.specification
    holds = ", ".join(
        (
            count(len(spec.participants), "participant"),
            count(len(spec.norms), "norm"),
            count(len(spec.transitions), "transition"),
        )
    )
    words = f"{LOADS} {count(len(problems), 'warning')}" if problems else LOADS
    return [verdict("warn" if problems else "good", words, hint(f"{holds}.")), *problem_list(problems)]


def walked(report: NormReport) -> list[Node]:
    """Draw what walking all message sequences found, each with the shortest one that shows it."""
    sound, proved = report.is_sound, report.verdict is CheckVerdict.PROVED
    tone, picture = ("bad", "problem") if not sound else ("good", "done") if proved else ("warn", "problem")
    said = NO_FINDING if sound else count(report.found, "finding")
    known = el("span", f"tag {'good' if proved else 'warn'}", report.verdict.value)
    head = el("h3", "headline", icon(picture), said, known)
    rows = [_finding(report, one) for one in report.findings[:MOST]]
    listed = [el("ul", "faults", rows, aria_label="Findings")] if rows else []
    return [el("div", f"insight {tone}", head, hint(in_brief(report))), *listed]


def _finding(report: NormReport, finding: Finding) -> Node:
    place = place_of(finding)
    line = line_of(place, report.loaded.lines)
    steps = [el("li", "", shorten(step)) for step in say_steps(report.specification, finding)]
    return el(
        "li",
        "fault error",
        el("span", "tag bad", "finding"),
        line_button(line),
        el("span", "where", where(place)) if place else None,
        el("p", "", shorten(say_finding(report, finding))),
        folded(SHOW_STEPS, el("ol", "", steps), is_open=True) if steps else None,
    )


_CHECK = "norms_check"
"""Where the text that is being checked is kept, with the check."""


def draw_workshop(norms: str, page: RoomPage | None) -> None:
    """Draw the editor, beginning with some norms, and beside it what is found about what stands in it."""
    key = f"norms-{page.room_id}" if page is not None else "norms"
    text = typed_in(key, norms)
    loaded, problems = read(text)
    left, right = st.columns(2, gap="medium")
    with left:
        draw_text(key, EDITOR, norms, problems)
        with st.container(horizontal=True, gap="small"):
            download("Download", text, "norms.yaml", "application/yaml")
            if clicked("Open a room with these", type="primary", disabled=loaded is None, key=f"{key}-open"):
                opening.open_room(text)
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
        if page is not None and loaded is not None:
            replay.draw_replay(page, text)


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
