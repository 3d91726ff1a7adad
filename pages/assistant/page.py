"""Assistant: talk, and watch how the answer is composed."""

from __future__ import annotations

from functools import partial

import streamlit as st

from catalog.wording.grammar import capitalize
from dialogue.services import UnknownCatalog, UnknownSession
from pages.assistant.workbench import OpenConversation, draw_workbench
from pages.shell import address
from pages.shell.commands import submit
from pages.shell.frame import bar, missing_catalog, missing_session
from pages.shell.root import catalog_labels, services


def _enter(session_id: str) -> None:
    chosen = address.selection()
    address.go_to(session_id)
    address.select(chosen)


def _bar(catalog: str, session_id: str | None, own: str, named: str) -> None:
    """Draw the row above the chat: where we are, and what can be done with the conversation as a whole."""
    declared = services().loaded(catalog).catalog
    with st.container(horizontal=True, key="bar", vertical_alignment="center", gap="small"):
        words = f"conversation {session_id[:4]}{own}" if session_id else "new conversation"
        bar(declared.label, words, f"{declared.label}, {named or words}")
        if declared.triggers and session_id:
            st.menu_button(
                "Simulate an event",
                list(declared.triggers),
                format_func=lambda name: _plain(capitalize(declared.triggers[name].label)),
                icon=":material/notifications:",
                type="tertiary",
                key="trigger",
                on_click=_alert,
                args=(session_id,),
            )
        begun = st.session_state.get("begun", 0)  # another key each time: the popover is closed by what is begun in it
        with st.popover("New conversation", icon=":material/add:", type="tertiary", key=f"begin-{begun}"):
            names = services().catalogs()
            st.selectbox(
                "Assistant",
                names,
                index=names.index(catalog) if catalog in names else 0,
                format_func=catalog_labels().__getitem__,
                key="new-catalog",
            )
            st.button("Begin", type="primary", on_click=_begin)
        if session_id:
            st.button(
                "Start over",
                icon=":material/replay:",
                type="tertiary",
                key="start-over",
                help="Begin a new conversation with the same assistant. This one is kept under Sessions.",
                on_click=_start_over,
                args=(catalog,),
            )
        shown = st.session_state.get("inspector", True)
        st.button(
            "Hide the inspector" if shown else "Show the inspector",
            icon=":material/right_panel_close:" if shown else ":material/right_panel_open:",
            type="tertiary",
            key="inspector-toggle",
            on_click=lambda: st.session_state.update(inspector=not shown),
        )


def _alert(session_id: str) -> None:
    chosen: str | None = st.session_state.get("trigger")
    if chosen is not None:
        drawn = services().snapshot(session_id).conversation.seq
        label = services().snapshot(session_id).catalog.triggers[chosen].label
        submit(session_id, label, (), partial(services().alert, session_id, chosen, None, f"alert-{chosen}-{drawn}"))


def _plain(label: str) -> str:
    return label.replace("[", "(").replace("]", ")")


def _begin() -> None:
    """Begin with what is chosen at the moment of the click, which may be later than what was drawn."""
    address.go_to(None)
    st.session_state["catalog"] = st.session_state["new-catalog"]
    st.session_state["begun"] = st.session_state.get("begun", 0) + 1


def _start_over(catalog: str) -> None:
    address.go_to(None)
    st.session_state["catalog"] = catalog


def _take_up_catalog() -> UnknownCatalog | None:
    """Begin anew with the catalog in the address, where it names one and no conversation; return what is wrong."""
    wanted = st.query_params.get("catalog")
    if wanted is None or "session" in st.query_params:
        return None
    try:
        st.session_state["catalog"] = services().library.find(wanted)
    except UnknownCatalog as trouble:
        return trouble
    st.session_state.pop("session_id", None)
    return None


def main() -> None:
    if trouble := _take_up_catalog():
        missing_catalog(trouble)
        return
    session_id = address.session_id()
    catalog: str = st.session_state.get("catalog") or services().catalogs()[0]
    own = named = ""
    if session_id is not None:
        try:
            conversation = services().snapshot(session_id).conversation
            catalog = conversation.setup.catalog
            choices, named = conversation.setup.choices, conversation.setup.name
            chosen = (choices.get(name) for name in ("engine", "policy", "understander", "orchestrator", "agents"))
            own = "".join(f", with {name}" for name in chosen if name)
        except (UnknownSession, UnknownCatalog) as trouble:
            missing_session(trouble)
            return
    services().warm_all(catalog)
    _bar(catalog, session_id, own, named)
    draw_workbench(OpenConversation(catalog, session_id, _enter))


if __name__ == "__main__":
    main()
