"""Sessions: every conversation on this machine, to find, name, open again, take along or delete."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial

import streamlit as st

from catalog.wording.grammar import count
from dialogue.log.stores import DamagedStream, StoreFailed
from dialogue.services import SessionRow, UnknownCatalog, UnknownSession
from dialogue.services.transcript import transcript, transcript_page
from dialogue.state.records import refusal_of
from language.responses.exploration import say_ago
from pages.sessions.doubts import draw_doubts
from pages.shell import address
from pages.shell.address import page_file
from pages.shell.clicks import clicked
from pages.shell.confirm import draw_deletion
from pages.shell.frame import bar, notice
from pages.shell.root import catalog_labels, services
from pages.shell.sheet import draw, el, empty, icon, problem
from pages.views.seen import Seen

_DRAWN = 15
_TRANSCRIPTS = (
    ("Text", transcript, "txt", "text/plain"),
    ("HTML", transcript_page, "html", "text/html"),
)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A conversation of the list: what it is called, and what else it can be found by."""

    row: SessionRow
    label: str
    asked: str
    last: str = ""
    name: str = ""
    readable: bool = True
    damaged: bool = False


def _look_at(row: SessionRow) -> _Listed | None:
    try:
        seen = Seen(services().snapshot(row.session_id), None, "how")
    except UnknownSession:
        return None  # deleted a moment ago
    except DamagedStream as trouble:
        return _Listed(row, row.catalog or "damaged", str(trouble), readable=False, damaged=True)
    except UnknownCatalog:
        return _Listed(row, row.catalog, "The catalog of this conversation is not loaded.", readable=False)
    goals = (*reversed(seen.conversation.goals.stack), *seen.conversation.goals.past)
    declined = {goal.goal_id for goal in goals if refusal_of(seen.catalog, seen.conversation, goal)}
    labels = (f"{goal.label} (declined)" if goal.goal_id in declined else goal.label for goal in goals)
    asked = ", ".join(dict.fromkeys(labels)) or "nothing asked for yet"
    said = [message for message in seen.conversation.messages.all if message.text]
    last = seen.text(said[-1].text) if said else ""
    return _Listed(row, seen.catalog.label, seen.text(asked), last, seen.text(seen.conversation.setup.name))


def _matches(one: _Listed, words: str, catalog: str | None) -> bool:
    told = " ".join((one.name, one.asked, one.label, one.last, one.row.session_id)).casefold()
    return (catalog is None or one.row.catalog == catalog) and all(word in told for word in words.casefold().split())


def _draw_row(one: _Listed) -> None:
    row = one.row
    if not one.readable:
        _draw_words(one)
        if one.damaged:
            _draw_deletion(row)
        return
    with st.container(border=True, key=f"row-{row.session_id}"):
        _draw_words(one)
        with st.container(horizontal=True, gap="small"):
            if clicked("Open", key=f"open-{row.session_id}", icon=":material/open_in_new:"):
                address.go_to(row.session_id)
                st.switch_page(page_file("assistant"), query_params={"session": row.session_id})
            if clicked("Plans", key=f"plans-{row.session_id}"):
                address.go_to(row.session_id)
                st.switch_page(page_file("plans"), query_params={"session": row.session_id})
            st.download_button(
                "Download JSON",
                data=lambda: json.dumps(services().export(row.session_id), ensure_ascii=False, indent=1),
                file_name=f"conversation-{row.session_id[:8]}.json",
                mime="application/json",
                key=f"json-{row.session_id}",
                help="Sensitive values are masked in the file.",
                on_click="ignore",
            )
            for label, write, ending, mime in _TRANSCRIPTS:
                st.download_button(
                    label,
                    data=lambda write=write: write(services().snapshot(row.session_id)),  # type: ignore[misc]
                    file_name=f"conversation-{row.session_id[:8]}.{ending}",
                    mime=mime,
                    key=f"{ending}-{row.session_id}",
                    help="What was said, with sensitive values masked.",
                    on_click="ignore",
                )
            if clicked("Rename…", key=f"rename-{row.session_id}", type="tertiary"):
                _rename(row.session_id, one.name)
            _draw_deletion(row)


def _draw_deletion(row: SessionRow) -> None:
    words = f"Conversation {row.session_id[:4]} goes for good, with its uploads."
    draw_deletion(f"delete-{row.session_id}", "conversation", words, partial(_delete, row.session_id))


def _draw_words(one: _Listed) -> None:
    row = one.row
    draw(
        f"words-{row.session_id}",
        [
            el(
                "div",
                "barname",
                el("h2", "capital", one.name or one.asked),
                el(
                    "small",
                    "",
                    ", ".join(part for part in (one.name and one.asked, one.label, row.session_id[:4]) if part),
                ),
            ),
            None
            if one.damaged
            else el("p", "origin", icon("waiting"), f"{say_ago(row.updated)}, {row.entries} events"),
            el("p", "", one.last) if one.last else None,
        ],
    )


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
    shown: int = st.session_state.setdefault("sessions_shown", _DRAWN)
    wanted = bool(words or catalog)
    looked_at = (one for row in (rows if wanted else rows[:shown]) if (one := _look_at(row)) is not None)
    found = [one for one in looked_at if _matches(one, words or "", catalog)]
    for one in found[:shown]:
        _draw_row(one)
    if not found:
        draw("none-found", [empty("glass", "None found", "No conversation has these words. Try fewer of them.")])
    left = len(found) if wanted else len(rows)
    if left > shown:
        more = left - shown
        st.button(f"Show more ({more})", on_click=lambda: st.session_state.update(sessions_shown=shown + _DRAWN))


if __name__ == "__main__":
    main()
