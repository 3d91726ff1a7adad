"""The conversation in a room, live: what is said, who may speak now, and why."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import streamlit as st
from pydantic import ValidationError

from catalog.wording.grammar import listing
from dialogue.rooms.hub.admission import open_private_question
from dialogue.services import StoreFailed, UnknownSession
from language.responses.rooms import on_page
from language.responses.rooms.notices import say_turned_away
from pages.frame.frame import Mark, drawn, follow, keep_drawn
from pages.rooms import messages, speaking_rights
from pages.rooms.page_state import RoomPage, read_page
from pages.shell import address
from pages.shell.clicks import submitted
from pages.shell.commands import command_of, draw_not_taken, submit
from pages.shell.frame import announce, escape_markdown, guarded
from pages.shell.root import services
from pages.shell.sheet import button, draw, el, hint, icon, problem, shorten
from pages.views import long_lists

FOLLOW_S = 0.5
"""Seconds between two looks for new messages."""
_LONGEST = 2_000


def draw_room(room_id: str) -> None:
    """Draw the room, and draw it again as soon as something happened in it."""
    st.fragment(_live)(room_id)
    follow("room", lambda: _mark(read_page(room_id)), FOLLOW_S)


def _mark(page: RoomPage) -> Mark:
    return page.room_id, page.room.seq, page.busy


def _live(room_id: str) -> None:
    with guarded("the room"):
        page = read_page(room_id)
        if not drawn("room") and page.about is not None and page.about.entry is not None:
            _bring(page, f"m{page.about.entry}")  # a link to a message
        keep_drawn("room", _mark(page))
        announce(_latest(page))
        left, right = st.columns([7, 5], gap="medium")
        with left, st.container(key="chat-card", border=True):
            _draw_chat(page)
        with right, st.container(key="inspector-card", border=True):
            _draw_board(page)


def _latest(page: RoomPage) -> str:
    """Say what was posted last, and who is to speak now."""
    posted = [one for one in page.room.posted if one.is_for(page.viewer)]
    last = f"{posted[-1].message.sender} said: {shorten(posted[-1].message.text, 300)} " if posted else ""
    return f"{last}{speaking_rights.spoken(page)}"


def _draw_chat(page: RoomPage) -> None:
    draw("room-head", messages.head(page), lambda act: _act(page, act))
    with st.container(key="chat-box"):
        draw(
            "room-chat",
            messages.conversation(page, long_lists.shown("room")),
            lambda act: _act(page, act),
            cls="chat",
            end=f"{page.room.seq}-{page.busy}-{page.denied}",
            show=st.session_state.pop("message_shown", None),
        )
    if page.viewer is not None and page.is_here(page.viewer) and not page.is_bot(page.viewer):
        _draw_composer(page, page.viewer)
    else:
        _draw_joining(page)


def _draw_joining(page: RoomPage) -> None:
    with st.form("room-join", border=False):
        draw("room-join-words", [hint(on_page.HOW_TO_JOIN if page.viewer is None else on_page.LOOKING_ON)])
        with st.container(horizontal=True, vertical_alignment="bottom"):
            given: str = st.text_input(
                "Your name", page.viewer or "", max_chars=40, autocomplete="off", key="room-name"
            )
            joined = submitted("Join", key="room-join-go", type="primary")
    if joined:
        trouble = _join(page, given.strip())
        if trouble:
            draw("room-join-trouble", [problem(trouble)])
        else:
            st.rerun()


def _join(page: RoomPage, name: str) -> str:
    """Add a participant under a name; return what is wrong with it, if anything."""
    if not name:
        return on_page.NO_NAME
    name = unicodedata.normalize("NFC", name)
    if page.is_bot(name):
        return on_page.NAME_TAKEN_BY_BOT
    if page.is_here(name) and st.session_state.get("room_same_name") != name:
        st.session_state["room_same_name"] = name
        return on_page.NAME_HERE.format(name=name)
    try:
        services().rooms.join(page.room_id, name)
    except ValidationError as error:
        return str(error.errors()[0]["msg"]).removeprefix("Value error, ")
    except (StoreFailed, ValueError) as trouble:
        return str(trouble)
    st.query_params["as"] = name
    return ""


def _draw_composer(page: RoomPage, viewer: str) -> None:
    asked = open_private_question(page.room, viewer)
    answered = page.room.messages.get(st.session_state.get("room_reply", 0))
    chosen = _receivers(page)
    here = (one.name for one in page.room.status.members if one.name != viewer)
    others = dict.fromkeys((*here, *chosen))
    only = _is_private()
    draw_not_taken(_place(page))
    draw(
        "room-to",
        [
            el(
                "div",
                "to",
                el("span", "muted", "To"),
                button("chip", "everybody", act={"do": "to", "what": ""}, pressed=not chosen),
                [
                    button(
                        "chip",
                        name if page.is_here(name) else f"{name} (left)",
                        act={"do": "to", "what": name},
                        pressed=name in chosen,
                    )
                    for name in others
                ],
                button("chip", icon("authorize"), " for them alone", act={"do": "private"}, pressed=only)
                if chosen
                else None,
                role="group",
                aria_label="Whom it is addressed to",
            ),
            el("p", "replying", icon("authorize"), on_page.PRIVATELY_ASKED.format(name=asked.message.sender))
            if asked is not None
            else None,
            el(
                "p",
                "replying",
                "In reply to ",
                el("strong", "", answered.message.sender),
                f": {shorten(answered.message.text, 80)} ",
                button("close", icon("failed"), act={"do": "no-reply"}, label="Do not reply to it"),
            )
            if answered is not None
            else None,
        ],
        lambda act: _act(page, act),
    )
    key = f"room-say-{page.room_id}-{viewer}"
    words = f"Say something as {viewer}, or to @name"
    st.chat_input(words, key=key, max_chars=_LONGEST, on_submit=_submitted, args=(page, key))


def _receivers(page: RoomPage) -> tuple[str, ...]:
    """Return whom it is addressed to; of a private message also who left since: it must not become one for all."""
    kept: tuple[str, ...] = st.session_state.get("room_receivers", ())
    return kept if _is_private() else tuple(name for name in kept if page.is_here(name))


def _is_private() -> bool:
    return bool(st.session_state.get("room_private") and st.session_state.get("room_receivers"))


def _submitted(page: RoomPage, key: str) -> None:
    text = str(st.session_state[key] or "").strip()
    if not text or page.viewer is None:
        return
    answered = st.session_state.get("room_reply")
    receivers = _receivers(page)
    private = _is_private() or None
    if gone := tuple(name for name in receivers if not page.is_here(name)):
        st.toast(
            escape_markdown(on_page.GONE_RECEIVER.format(names=listing(gone), text=text)), icon=":material/warning:"
        )
        return
    command = command_of("room", page.room_id, page.viewer, str(drawn("room")), text)

    def send() -> None:
        assert page.viewer is not None
        asked = None if receivers or answered else services().rooms.ask(page.room_id, page.viewer, text)
        receipt = asked or services().rooms.say(
            page.room_id,
            page.viewer,
            text,
            receivers=receivers,
            in_reply_to=str(answered) if answered else "",
            command_id=command,
            private=private,
        )
        if receipt.turned_away is not None:
            st.toast(escape_markdown(say_turned_away(page.viewer, receipt.turned_away)), icon=":material/warning:")
            return
        for name in ("room_reply", "room_receivers", "room_private"):
            st.session_state.pop(name, None)

    try:
        submit(_place(page), text, (), send)
    except UnknownSession:
        st.toast("This room has been deleted.", icon=":material/warning:")
    except ValueError as trouble:
        st.toast(escape_markdown(str(trouble)), icon=":material/warning:")


def _place(page: RoomPage) -> str:
    return f"room {page.room_id} {page.viewer}"


def _draw_board(page: RoomPage) -> None:
    with st.container(key="panel-box", gap="small"):
        draw(
            "room-board",
            [el("h2", "small-head", "Who may speak now"), *speaking_rights.board(page, datetime.now(UTC))],
            lambda act: _act(page, act),
        )
        draw("room-counters", speaking_rights.counters(page))
    if page.about is not None:
        with st.container(key="drill-box"):
            draw("room-why", messages.why_card(page, page.about), lambda act: _act(page, act), show=f"why {page.about}")


def _act(page: RoomPage, act: Mapping[str, Any]) -> None:
    what = str(act.get("what", ""))
    match act.get("do"):
        case "about":
            address.put("about", None if what == str(page.about) else what)
        case "close":
            address.put("about", None)
        case "denied":
            address.put("denied", None if page.denied else "yes")
        case "show":
            _bring(page, what)
        case "reply" if what.isdecimal():
            st.session_state["room_reply"] = int(what)
        case "no-reply":
            st.session_state.pop("room_reply", None)
        case "to":
            kept = _receivers(page)
            others = tuple(name for name in kept if name != what)
            st.session_state["room_receivers"] = () if not what else others if what in kept else (*kept, what)
        case "private":
            st.session_state["room_private"] = not st.session_state.get("room_private", False)
        case "earlier":
            long_lists.show_more("room")


def _bring(page: RoomPage, what: str) -> None:
    """Bring a message into sight; a denied one is shown for that."""
    st.session_state["message_shown"] = what
    with suppress(ValueError, KeyError):
        if not (page.denied or page.room.messages[int(what[1:])].posted):
            address.put("denied", "yes")
    st.session_state["room_shown"] = max(len(page.log), long_lists.shown("room"))
