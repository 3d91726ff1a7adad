"""Calls in doubt of all conversations: what is known of each, and a place to say what became of it."""

from __future__ import annotations

from concurrent.futures import wait
from functools import partial

import streamlit as st

from catalog.model import Catalog
from catalog.wording.grammar import count
from catalog.wording.values import expected
from dialogue.caller import Untold
from dialogue.services.doubts import CallInDoubt, ask_again, find_doubts, settle
from language.responses.calls import at_item_of, still_in_doubt
from language.responses.exploration import say_ago
from pages.frame.problems import say_trouble, tried
from pages.shell import address
from pages.shell.address import page_file
from pages.shell.clicks import clicked
from pages.shell.frame import escape_markdown
from pages.shell.root import services
from pages.shell.sheet import draw, el, hint, icon, pairs, shorten
from pages.shell.waiting import PATIENCE_S, result_of
from pages.views import latest
from pages.views.seen import SnapshotView

_LISTED = "doubts_listed"
_NO_EFFECT = ""
_HOW = (
    "These calls gave no proper answer, and nobody knows whether they took effect. The very same call is not made "
    "again before somebody has found out. What you say is kept with the conversation."
)


def draw_doubts() -> None:
    """Draw the calls in doubt, where there are any."""
    job = find_doubts(services())
    wait([job], PATIENCE_S)
    if job.done():
        st.session_state[_LISTED] = job.result()
    # those of before, so that what is typed stays on the page
    found: tuple[CallInDoubt, ...] | None = st.session_state.get(_LISTED)
    if found is None:
        found = result_of(job, "doubts", "Looking for calls in doubt")
    if (told := st.session_state.pop("doubt-told", None)) is not None:
        st.toast(told)
    if not found:
        return
    calls, tasks = [one for one in found if not one.request], [one for one in found if one.request]
    with st.container(border=True, key="doubts"):
        many = count(len(found), "call")
        draw("doubts-head", [el("h2", "", icon("problem", "warn"), " ", f"{many} in doubt"), hint(_HOW)])
        for one in calls[: latest.shown("doubts")]:
            _draw_call(one)
        latest.draw_more("doubts", len(calls))
        for task in tasks:
            _draw_task(task)


def _draw_call(one: CallInDoubt) -> None:
    key = f"doubt-{one.stream.id}-{one.call_id}"
    try:
        seen = services().snapshot(one.stream.id)
    except LookupError:
        return  # deleted a moment ago
    catalog, skill = seen.catalog, seen.catalog.skills[one.skill]
    mode = skill.modes[one.mode]
    name = SnapshotView(seen, None, "how").text(seen.conversation.setup.name) or catalog.label
    with st.container(border=True, key=key):
        where = f"{name}, {one.stream.id[:4]}, {say_ago(one.at)}"
        called_with = ((label, shorten(value)) for label, value in one.inputs.items())
        what = f"{one.label}{at_item_of(one.item, one.items)}"
        draw(f"{key}-words", [el("h3", "capital", what), el("p", "origin", where), pairs(called_with)])
        outcomes = (skill.modes.get(mode.calls or "") or mode).outcomes
        ends = {name: f"It took effect: {escape_markdown(outcome.label)}" for name, outcome in outcomes.items()}
        ends[_NO_EFFECT] = "It took no effect, and may be made again"
        ended: str | None = st.radio(
            "What became of it?",
            (*one.outcomes, _NO_EFFECT),
            index=None,
            format_func=ends.__getitem__,
            key=f"{key}-ended",
        )
        typed = {fact: _ask_for(catalog, fact, f"{key}-{fact}") for fact in (one.outcomes[ended] if ended else ())}
        reason: str = st.text_input(
            "How do you know?", key=f"{key}-reason", max_chars=500, placeholder="seen in the ledger"
        )
        with st.container(horizontal=True, gap="small"):
            if clicked("Settle", key=f"{key}-settle", type="primary", disabled=ended is None):
                _settle(one, key, ended or None, typed, reason)
            if one.has_lookup and clicked("Ask again", key=f"{key}-ask", help="The skill itself may know by now."):
                st.session_state[f"{key}-asked"] = services().analyses.compute(
                    (key, object()), partial(ask_again, services(), one.stream.id, one.call_id)
                )
                st.session_state.pop(f"{key}-trouble", None)
            if clicked("Open", key=f"{key}-open", icon=":material/open_in_new:"):
                address.go_to(one.stream.id)
                st.switch_page(page_file("assistant"), query_params={"session": one.stream.id})
        _hear(one, key)
        if trouble := st.session_state.get(f"{key}-trouble"):
            draw(f"{key}-said", say_trouble(trouble))


def _ask_for(catalog: Catalog, fact: str, key: str) -> str:
    """Let the value of a fact be typed; one that is sensitive is not shown while it is."""
    declared = catalog.facts[fact]
    given: str = st.text_input(
        escape_markdown(declared.label),
        key=key,
        type="password" if catalog.is_sensitive(fact) else "default",
        help=escape_markdown(f"Expected is {expected(declared.value)}."),
    )
    return given


def _settle(one: CallInDoubt, key: str, outcome: str | None, typed: dict[str, str], reason: str) -> None:
    """Record what a person says; where it is not taken, everything that was typed stays, with what is wrong."""
    say = partial(settle, services(), one.stream.id, one.call_id)
    _, trouble = tried(lambda: say(outcome=outcome, reason=reason, values=typed))
    if not trouble:
        _settled()
    st.session_state[f"{key}-trouble"] = trouble


def _hear(one: CallInDoubt, key: str) -> None:
    """Show what the skill says that was asked again."""
    if (job := st.session_state.get(f"{key}-asked")) is None:
        return
    told, trouble = tried(lambda: result_of(job, f"{key}-asking", "The skill is asked"))
    if not trouble and not job.done():
        return
    told, trouble = (None, trouble) if trouble else tried(job.result)
    del st.session_state[f"{key}-asked"]
    if not trouble and (told is None or isinstance(told, Untold)):
        trouble = (still_in_doubt(one.label, told.why if told else None),)
    if trouble:
        st.session_state[f"{key}-trouble"] = trouble
        return
    _settled()


def _settled() -> None:
    st.session_state["doubt-told"] = "Settled."
    del st.session_state[_LISTED]
    st.rerun()


def _draw_task(one: CallInDoubt) -> None:
    with st.container(border=True, key=f"doubt-task-{one.stream.id}"):
        words = [el("h3", "capital", one.label), el("p", "origin", f"Task: {one.title}")]
        draw(f"doubt-task-words-{one.stream.id}", words)
        if clicked("Settle it there", key=f"doubt-task-open-{one.stream.id}", icon=":material/task_alt:"):
            st.switch_page(page_file("tasks"), query_params={"task": one.stream.id})
