"""Sessions: every conversation on this machine, to find, name, open again, take along or delete."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from functools import partial
from html import escape

import streamlit as st

from catalog.model import Catalog
from catalog.wording.grammar import capitalize, clean, count
from catalog.wording.values import expected
from dialogue.caller import Untold
from dialogue.log.events import ASSISTANT
from dialogue.log.stores import DamagedStream, StoreFailed
from dialogue.services import SessionRow, UnknownCatalog, UnknownSession
from dialogue.services.doubts import CallInDoubt, ask_again, find_doubts, settle
from dialogue.services.letters import html_page
from dialogue.services.views import Snapshot
from dialogue.state.goal_status import refusal_of
from dialogue.state.masking import mask, secrets_of
from language.responses.calls import at_item_of, still_in_doubt
from language.responses.exploration import say_ago
from pages.frame.frame import Lobby, LobbyRow
from pages.frame.problems import say_trouble, tried
from pages.shell import address
from pages.shell.address import page_file
from pages.shell.clicks import clicked
from pages.shell.frame import PATIENCE_S, bar, escape_markdown, notice, result_of
from pages.shell.root import catalog_labels, services
from pages.shell.sheet import draw, el, empty, hint, icon, pairs, problem, shorten
from pages.views import long_lists
from pages.views.snapshot_view import SnapshotView

_LISTED = "doubts_listed"
_NO_EFFECT = ""
_HOW = (
    "These calls gave no proper answer, and it is not known whether they took effect. The very same call is not made "
    "again before you say what you found out. That is kept with the conversation."
)


def draw_doubts() -> None:
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
        for one in calls[: long_lists.shown("doubts")]:
            _draw_call(one)
        long_lists.draw_more("doubts", len(calls))
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
            "Did it take effect?",
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


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "h1{font-size:1.4rem}dt{font-weight:600;margin-top:1rem}dd{margin:0;white-space:pre-wrap}"
)


def transcript(seen: Snapshot) -> str:
    """Write what was said, a paragraph for each message."""
    title, said = _title(seen), "\n\n".join(f"{who}: {words}" for who, words in _said(seen))
    return f"{title}\n\n{said}\n"


def transcript_page(seen: Snapshot) -> str:
    """Write what was said as one page of HTML that asks for nothing else."""
    title = _title(seen)
    said = "\n".join(f"<dt>{escape(who)}</dt><dd>{escape(words)}</dd>" for who, words in _said(seen))
    return html_page(title, f"<h1>{escape(title)}</h1>\n<dl>\n{said}\n</dl>", _STYLE)


def _title(seen: Snapshot) -> str:
    name = mask(seen.conversation.setup.name, secrets_of(seen.catalog, seen.log))
    begun = f"{seen.log[0].at:%Y-%m-%d %H:%M} UTC" if seen.log else ""
    return ", ".join(part for part in (name, clean(seen.catalog.label), begun) if part)


def _said(seen: Snapshot) -> Iterator[tuple[str, str]]:
    secrets = secrets_of(seen.catalog, seen.log)
    for message in seen.conversation.messages.all:
        who = clean(seen.catalog.label) if message.sender == ASSISTANT else capitalize(clean(message.sender))
        files = [f"[{clean(file.name)}]" for file in message.attachments]
        words = "\n".join(part for part in (message.text, *files) if part)
        yield "You" if message.sender == "user" else who, mask(words, secrets)


_SAID = "What was said, with sensitive values masked."
_FILES: tuple[tuple[str, Callable[[str], str], str, str, str], ...] = (
    (
        "Download JSON",
        lambda session_id: json.dumps(services().export(session_id), ensure_ascii=False, indent=1),
        *("json", "application/json", "Sensitive values are masked in the file."),
    ),
    ("Text", lambda session_id: transcript(services().snapshot(session_id)), "txt", "text/plain", _SAID),
    ("HTML", lambda session_id: transcript_page(services().snapshot(session_id)), "html", "text/html", _SAID),
)


def _row(session: SessionRow) -> LobbyRow | None:
    """Say what the list says of a conversation; None where it was deleted a moment ago."""
    row = partial(LobbyRow, id=session.session_id, changed=session.updated, entries=session.entries)
    number = session.session_id[:4]
    try:
        seen = SnapshotView(services().snapshot(session.session_id), None, "how")
    except UnknownSession:
        return None
    except DamagedStream as trouble:
        return row(title=str(trouble), beside=f"{session.catalog or 'damaged'}, {number}", damaged=True)
    except UnknownCatalog:
        words = "The catalog of this conversation is not loaded."
        return row(title=words, beside=f"{session.catalog}, {number}", locked=True)
    goals = (*reversed(seen.conversation.goals.stack), *seen.conversation.goals.past)
    declined = {goal.goal_id for goal in goals if refusal_of(seen.catalog, seen.conversation, goal)}
    labels = (f"{goal.label} (declined)" if goal.goal_id in declined else goal.label for goal in goals)
    asked = seen.text(", ".join(dict.fromkeys(labels)) or "nothing asked for yet")
    said = [message.text for message in seen.conversation.messages.all if message.text]
    name = seen.text(seen.conversation.setup.name)
    beside = ", ".join(filter(None, (name and asked, seen.catalog.label, number)))
    return row(title=name or asked, beside=beside, note=seen.text(said[-1]) if said else "")


def _open(page: str, session_id: str) -> None:
    address.go_to(session_id)
    st.switch_page(page_file(page), query_params={"session": session_id})


def _draw_more(row: LobbyRow) -> None:
    """Draw what else can be done with a conversation: its plans, its files, its name."""
    if clicked("Plans", key=f"plans-{row.id}"):
        _open("plans", row.id)
    for label, write, ending, mime, told in _FILES:
        st.download_button(
            label,
            data=partial(write, row.id),
            file_name=f"conversation-{row.id[:8]}.{ending}",
            mime=mime,
            key=f"{ending}-{row.id}",
            help=told,
            on_click="ignore",
        )
    if clicked("Rename…", key=f"rename-{row.id}", type="tertiary"):
        seen = SnapshotView(services().snapshot(row.id), None, "how")
        _rename(row.id, seen.text(seen.conversation.setup.name))


@st.dialog("Name this conversation")
def _rename(session_id: str, name: str) -> None:
    given: str = st.text_input("Name", name, max_chars=100, placeholder="none", key=f"name-{session_id}")
    if clicked("Save", key=f"rename-save-{session_id}", type="primary"):
        try:
            services().rename(session_id, given)
        except UnknownSession:
            st.toast("It was deleted already.")
        except StoreFailed as trouble:
            draw("rename-trouble", [problem(str(trouble))])
            return
        st.rerun()


def _delete(session_id: str) -> None:
    try:
        services().delete(session_id)
    finally:
        if st.session_state.get("session_id") == session_id:
            address.go_to(None)


def main() -> None:
    rows = services().sessions()
    if not rows:
        notice(
            "no-sessions",
            "glass",
            "No conversations yet",
            "Each conversation is kept on this machine from its first "
            "word on, and can be opened again here, also after a restart.",
        )
        with st.container(horizontal=True, horizontal_alignment="center"):
            if clicked("Begin one", key="sessions-begin", type="primary"):
                st.switch_page(page_file("assistant"))
        return
    bar("Sessions", f"{count(len(rows), 'conversation')} on this machine")
    draw_doubts()
    with st.container(horizontal=True, key="find", vertical_alignment="bottom", gap="small"):
        words: str = st.text_input(
            "Search", placeholder="a name, a goal, or words of the last message", key="find-words"
        )
        labels = catalog_labels()
        catalog: str | None = st.selectbox(
            "Assistant",
            sorted({row.catalog for row in rows if row.readable}),
            index=None,
            placeholder="all",
            format_func=lambda name: labels.get(name, name),
            key="find-catalog",
            width=240,
        )
    draw("sessions-head", [el("h2", "unseen", "All conversations")])
    shown = long_lists.shown("sessions")
    wanted = bool(words or catalog)
    among = [row for row in (rows if wanted else rows[:shown]) if catalog in (None, row.catalog)]
    found = [row for one in among if (row := _row(one)) is not None and row.has(words or "")]
    lobby = Lobby(
        *("conversation", "", "its uploads", partial(_open, "assistant"), _delete),
        icon=":material/open_in_new:",
        styles=("h2", "capital", ""),
        more=_draw_more,
    )
    lobby.draw_rows(found[:shown])
    if not found:
        draw("none-found", [empty("glass", "None found", "No conversation has these words. Try fewer of them.")])
    long_lists.draw_more("sessions", len(found) if wanted else len(rows))


if __name__ == "__main__":
    main()
