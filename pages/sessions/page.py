"""Sessions: every conversation on this machine, to find, name, open again, take along or delete."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import streamlit as st

from catalog.wording.grammar import count
from dialogue.log.stores import DamagedStream, StoreFailed
from dialogue.services import SessionRow, UnknownCatalog, UnknownSession
from dialogue.services.transcript import transcript, transcript_page
from dialogue.state.standing import refusal_of
from pages.frame.lobby import Lobby, LobbyRow
from pages.sessions.doubts import draw_doubts
from pages.shell import address
from pages.shell.address import page_file
from pages.shell.clicks import clicked
from pages.shell.frame import bar, notice
from pages.shell.root import catalog_labels, services
from pages.shell.sheet import draw, el, empty, problem
from pages.views import latest
from pages.views.seen import SnapshotView

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
    shown = latest.shown("sessions")
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
    latest.draw_more("sessions", len(found) if wanted else len(rows))


if __name__ == "__main__":
    main()
