"""Sessions: every conversation on this machine, to open again, take along or delete."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import streamlit as st

from dialogue.services import SessionRow, UnknownCatalog, UnknownSession
from language.responses.exploration import count
from pages.shell import address
from pages.shell.address import page_file
from pages.shell.frame import bar, notice
from pages.shell.root import services
from pages.shell.sheet import draw, el, icon
from pages.views.seen import Seen

_DRAWN = 15


def _ago(then: datetime) -> str:
    seconds = (datetime.now(UTC) - then).total_seconds()
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{count(seconds // size, word)} ago"
    return "just now"


def _draw_row(row: SessionRow) -> None:
    try:
        seen = Seen(services().snapshot(row.session_id), None, "how")
    except UnknownSession:
        return  # deleted a moment ago
    except UnknownCatalog:
        _draw_words(row, row.catalog, "The catalog of this conversation is not loaded.", "")
        return
    goals = (*reversed(seen.conversation.goals.stack), *seen.conversation.goals.past)
    asked = ", ".join(dict.fromkeys(goal.label for goal in goals)) or "nothing asked for yet"
    said = [message for message in seen.conversation.messages.all if message.text]
    with st.container(border=True, key=f"row-{row.session_id}"):
        _draw_words(row, seen.catalog.label, seen.text(asked), seen.text(said[-1].text) if said else "")
        with st.container(horizontal=True, gap="small"):
            if st.button("Open", key=f"open-{row.session_id}", icon=":material/open_in_new:"):
                address.go_to(row.session_id)
                st.switch_page(page_file("assistant"), query_params={"session": row.session_id})
            if st.button("Plans", key=f"plans-{row.session_id}"):
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
            if st.button("Delete…", key=f"delete-{row.session_id}", type="tertiary"):
                _confirm(row.session_id)


def _draw_words(row: SessionRow, label: str, asked: str, last: str) -> None:
    draw(
        f"words-{row.session_id}",
        [
            el(
                "div",
                "barname",
                el("h3", "capital", asked),
                el("small", "", f"{label}, {row.session_id[:4]}"),
            ),
            el("p", "origin", icon("waiting"), f"{_ago(row.updated)}, {row.entries} events"),
            el("p", "", last) if last else None,
        ],
    )


@st.dialog("Delete this conversation?")
def _confirm(session_id: str) -> None:
    draw(
        "confirm",
        [el("p", "", f"Conversation {session_id[:4]} goes for good, with its uploads. This cannot be undone.")],
    )
    with st.container(horizontal=True):
        if st.button("Delete for good", type="primary"):
            try:
                services().delete(session_id)
            except UnknownSession:
                st.toast("It was deleted already.")
            if st.session_state.get("session_id") == session_id:
                address.go_to(None)
            st.rerun()
        if st.button("Keep it"):
            st.rerun()


def main() -> None:
    """Draw the page."""
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
            if st.button("Begin one", type="primary"):
                st.switch_page(page_file("assistant"))
        return
    bar("Sessions", f"{count(len(rows), 'conversation')} on this machine")
    shown: int = st.session_state.setdefault("sessions_shown", _DRAWN)
    for row in rows[:shown]:
        _draw_row(row)
    if len(rows) > shown:
        more = len(rows) - shown
        st.button(f"Show more ({more})", on_click=lambda: st.session_state.update(sessions_shown=shown + _DRAWN))


if __name__ == "__main__":
    main()
