"""Norms to be changed, and to open a room with: an editor with what is wrong as one types, and a replay of the room."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from functools import partial

import streamlit as st

from catalog.norms.checks import check_norms
from catalog.norms.load import LoadedNorms, read_norms
from catalog.problems import CatalogError, Problem, line_of, where
from catalog.wording.grammar import count
from dialogue.rooms.checker.findings import Finding
from dialogue.rooms.checker.report import CheckVerdict, NormReport, in_brief, place_of, say_finding, say_steps
from dialogue.rooms.governance.verdict import MessageVerdict
from dialogue.rooms.hub.replay import Replay, VerdictDifference
from dialogue.rooms.room import RoomMessage
from language.responses.rooms import on_page
from language.responses.rooms.notices import say_differences, say_follows, say_lapse, say_verdict
from pages.frame.frame import Route
from pages.frame.problems import (
    MOST,
    draw_found,
    draw_text,
    line_button,
    problem_list,
    say_trouble,
    tried,
    typed_in,
    verdict,
)
from pages.rooms.page_state import RoomPage
from pages.shell.clicks import clicked
from pages.shell.frame import announce, announcement, download, guarded, result_of
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, empty, folded, hint, icon, problem, shorten, table


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
        return [verdict("bad", f"{on_page.FAULTS}: {count(len(problems), 'problem')}"), *problem_list(problems)]
    spec = loaded.specification
    holds = ", ".join(
        (
            count(len(spec.participants), "participant"),
            count(len(spec.norms), "norm"),
            count(len(spec.transitions), "transition"),
        )
    )
    words = f"{on_page.LOADS} {count(len(problems), 'warning')}" if problems else on_page.LOADS
    return [verdict("warn" if problems else "good", words, hint(f"{holds}.")), *problem_list(problems)]


def walked(report: NormReport) -> list[Node]:
    """Draw what walking all message sequences found, each with the shortest one that shows it."""
    sound, proved = report.is_sound, report.verdict is CheckVerdict.PROVED
    tone, picture = ("bad", "problem") if not sound else ("good", "done") if proved else ("warn", "problem")
    said = on_page.NO_FINDING if sound else count(report.found, "finding")
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
        folded(on_page.SHOW_STEPS, el("ol", "", steps), is_open=True) if steps else None,
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
        draw_text(key, on_page.EDITOR, norms, problems)
        with st.container(horizontal=True, gap="small"):
            download("Download", text, "norms.yaml", "application/yaml")
            if clicked("Open a room with these", type="primary", disabled=loaded is None, key=f"{key}-open"):
                open_room(text)
    with right:
        above = st.container()
        report = None
        if loaded is None:
            leave()
            announce(f"{on_page.FAULTS}: {count(len(problems), 'problem')}.")
        else:
            announce(f"{on_page.LOADS} {count(len(problems), 'warning')}.")
            with guarded(on_page.CHECKING):
                report = result_of(_check(text), "norms-check", on_page.CHECKING, on_page.CHECKING_WORDS)
        if report is not None:
            problems = report.rest
            draw_found(f"{key}-walked", key, walked(report))
        with above:
            draw_found(f"{key}-findings", key, findings(loaded, problems))
        if page is not None and loaded is not None:
            draw_replay(page, text)


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


_MOST = 300
_QUOTED = 110


def draw_replay(page: RoomPage, norms: str) -> None:
    """Draw the messages of a room with what becomes of them now and under other norms."""
    if not any(one.verdict is not None for one in page.room.messages.values()):
        draw("replay", [empty("later", on_page.REPLAY_EMPTY, on_page.REPLAY_EMPTY_WORDS)])
        return
    found = services().rooms.replay(page.room_id, norms)
    draw("replay", replay_view(page, found))


def replay_view(page: RoomPage, found: Replay) -> list[Node]:
    """Draw a replay: first in one line, then message by message."""
    otherwise = [one for one in found.differences if one.posted_otherwise]
    denied = sum(one.before.posted for one in otherwise)
    words = say_differences(len(found.differences), denied, len(otherwise) - denied)
    head = el("h3", "headline", icon("problem" if otherwise else "done"), words)
    judged = sorted((one for one in page.room.messages.values() if one.verdict is not None), key=lambda one: one.judged)
    differences = {one.entry: one for one in found.differences}
    rows = [_row(page, one, found.verdicts.get(one.entry), differences.get(one.entry)) for one in judged[-_MOST:]]
    lapses = [
        el("li", "", say_lapse(found_label(page, one.norm), one.bearers, left=False)) for one in found.lapses[:_MOST]
    ]
    return [
        el("div", f"insight {'warn' if otherwise else 'good'}", head, hint(on_page.REPLAY_HOW)),
        announcement(words),
        table(("Message", "In the room", "Under these norms"), rows, "replay room"),
        el("h4", "", f"Would not be met: {count(len(found.lapses), 'obligation')}") if lapses else "",
        el("ul", "lapses", lapses) if lapses else "",
    ]


def found_label(page: RoomPage, norm: str) -> str:
    """Return what a norm is called in the room; one that is new goes by its name."""
    return page.norm(norm).replace("_", " ")


def _row(page: RoomPage, one: RoomMessage, after: MessageVerdict | None, difference: VerdictDifference | None) -> Node:
    words = shorten(one.message.text, _QUOTED) if one.is_for(page.viewer) else "something private"
    said, would_say = _said(page, one.verdict), _said(page, after)
    if difference and said == would_say:  # it is what follows that differs
        said, would_say = (f"{said}, {_follows(page, verdict)}" for verdict in (one.verdict, after))
    return el(
        "tr",
        "",
        el("th", "wrap", el("strong", "", one.message.sender), ": ", words or "no words", scope="row"),
        el("td", "wrap", said),
        el(
            "td",
            f"wrap {'differs' if difference else ''}",
            would_say,
            el("span", "tag warn", "≠ differs") if difference else None,
        ),
    )


def _follows(page: RoomPage, verdict: MessageVerdict | None) -> str:
    if verdict is None:
        return say_follows("", (), (), ())
    norms = (
        tuple(found_label(page, name) for name in some)
        for some in (verdict.met, verdict.activated, verdict.deactivated)
    )
    return say_follows(verdict.transition or "", *norms)


def _said(page: RoomPage, verdict: MessageVerdict | None) -> str:
    if verdict is None:
        return say_verdict("", ())
    return say_verdict(verdict.tag.value, [found_label(page, name) for name in verdict.norms])


ROOM = Route("room", ("as", "about", "denied"), ("room_reply", "room_receivers", "room_private", "room_same_name"))


def open_room(norms: str | None, title: str = "", *, governed: bool = True) -> None:
    """Open a room under norms and go there; what is wrong with them is said, and nothing is opened."""
    if norms is None:
        draw("room-open-trouble", [problem(on_page.UNREADABLE_FILE)])
        return
    make = partial(services().rooms.open, norms, title=title.strip(), governed=governed)
    room_id, trouble = tried(make, "The room could not be kept just now. Please try again.")
    if room_id is None:
        draw("room-open-trouble", say_trouble(trouble))
        return
    ROOM.go(room_id)
    st.rerun()
