"""Demo: conversations that play by themselves, with nothing to type."""

from __future__ import annotations

import streamlit as st

from dialogue.services import UnknownCatalog, UnknownSession
from pages.assistant.workbench import Room, draw_workbench
from pages.demo import player
from pages.demo.scripts import SCRIPTS
from pages.shell import address
from pages.shell.frame import missing_session
from pages.shell.root import services
from pages.shell.sheet import draw, el


def _enter(session_id: str) -> None:
    chosen = st.query_params.get("script")
    address.go_to(session_id)
    st.session_state["demo_id"] = session_id
    if chosen:
        st.query_params["script"] = chosen


def _choose() -> None:
    address.go_to(None)
    st.session_state.pop("demo_id", None)
    st.session_state["demo_playing"] = False
    st.query_params["script"] = st.session_state["demo_script"]


def _session() -> str | None:
    given: str | None = st.query_params.get("session")
    if given is None and (kept := st.session_state.get("demo_id")):
        st.query_params["session"] = given = kept
    if given:
        st.session_state["demo_id"] = st.session_state["session_id"] = given
    return given


def main() -> None:
    """Draw the page."""
    session_id = _session()
    if session_id is not None:
        try:
            services().snapshot(session_id)
        except (UnknownSession, UnknownCatalog) as trouble:
            missing_session(trouble)
            return
    names = list(SCRIPTS)
    now = player.script()
    with st.container(horizontal=True, key="bar", vertical_alignment="center", gap="small"):
        draw("bar-name", [el("div", "barname", el("h1", "", "Demo"), el("small", "", now.title))])
        st.selectbox(
            "Script",
            names,
            index=next((i for i, name in enumerate(names) if SCRIPTS[name] is now), 0),
            format_func=lambda name: SCRIPTS[name].title,
            key="demo_script",
            on_change=_choose,
            label_visibility="collapsed",
            width=260,
        )
    draw_workbench(
        Room(now.catalog, session_id, _enter, player.draw_controls, player.tick, player.is_over),
        ticking=player.is_playing(),
    )


main()
