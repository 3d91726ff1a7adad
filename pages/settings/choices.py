"""Settings of the operator, for all conversations or the open one, each with its source."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from pydantic import JsonValue

from dialogue.services import UnknownCatalog, UnknownSession
from dialogue.services.settings import FILE, PER_CONVERSATION, Row, SettingsError, installed, not_installed, variable_of
from language.languages import LANGUAGES
from language.responses.grammar import listing
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, icon

LABELS = {
    "engine": "Planning engine",
    "policy": "Policy",
    "understander": "Understanding",
    "language": "Language",
    "limits.search_seconds": "Seconds for one plan",
    "limits.search_memory_mib": "Memory for one plan (MiB)",
    "limits.skill_seconds": "Seconds for one call of a skill",
    "limits.explore_seconds": "Seconds for one exploration",
    "limits.explore_states": "States for one exploration",
    "limits.workers": "Conversations worked on at once",
}
_NAMES = {
    "engine": {"native": "native, built in"},
    "understander": {"model": "Rules, and a language model where one is set up", "offline": "Rules alone"},
    "language": {name: language.label for name, language in LANGUAGES.items()},
}
_DONE = "settings-done"


def outcome(picture: str, title: str, words: str, *more: Node, key: str = "trial") -> Node:
    """Say how something went, in a card."""
    return el(
        "div",
        "card outcome" if picture == "done" else "card outcome bad",
        el("h3", "", icon(picture), el("span", "", title)),
        el("p", "", words),
        *more,
        key=key,
        role="status",
    )


def label_of(name: str) -> str:
    """Return the label of a setting; a setting that has none is shown by its name."""
    return LABELS.get(name, name)


def fixed_by(name: str) -> str | None:
    """Say why a setting cannot be changed here, if so."""
    origin = services().configuration.origins.get(name)
    if name not in services().configuration.fixed:
        return None
    return f"It is set by {variable_of(name) if origin == 'environment' else 'the command line'}, and is changed there."


def draw_choices() -> None:
    """Draw what can be chosen for all conversations."""
    rows = {row.name: row for row in services().configuration.rows()}
    draw("choices-head", [el("h2", "", "All conversations")], cls="panel")
    with st.form("choices", border=True, enter_to_submit=False):
        entered: dict[str, JsonValue] = {}
        for name in (*PER_CONVERSATION, "language"):
            names = installed(name)
            if len(names) > 1:
                entered[name] = st.selectbox(
                    label_of(name),
                    names,
                    index=names.index(str(rows[name].value)),
                    format_func=lambda one, name=name: say_choice(name, one),
                    disabled=fixed_by(name) is not None,
                    help=fixed_by(name),
                )
        if missing := not_installed():
            draw("choices-missing", [el("p", "hint", f"Not installed: {listing(tuple(missing))}.")], cls="panel")
        with st.expander("Limits"):
            for name, row in rows.items():
                if name.startswith("limits."):
                    entered[name] = _ask_number(row)
        save = st.form_submit_button("Save choices", type="primary")
    if save:
        _save({name: value for name, value in entered.items() if value != rows[name].value})
    if (done := st.session_state.get(_DONE)) is not None:
        draw("choices-done", [done], cls="panel")


def _ask_number(row: Row) -> JsonValue:
    whole = isinstance(row.value, int)
    number = int if whole else float
    waits = "It takes effect when Planglass starts again." if row.at_start else ""
    return st.number_input(
        label_of(row.name),
        min_value=number(1),
        value=number(str(row.value)),
        step=number(1),
        disabled=fixed_by(row.name) is not None,
        help=fixed_by(row.name) or waits or row.description,
    )


def say_choice(name: str, choice: str) -> str:
    """Put a choice into words."""
    return _NAMES.get(name, {}).get(choice, choice)


def _save(changes: Mapping[str, JsonValue]) -> None:
    try:
        services().change_settings(changes)
    except SettingsError as error:
        st.session_state[_DONE] = outcome("problem", "Choices not saved", str(error), key="choices")
    except OSError as error:
        words = f"The data directory could not be written to ({error.strerror}). Until Planglass ends, they are used."
        st.session_state[_DONE] = outcome("problem", "Used, but not kept", words, key="choices")
    else:
        words = "They are used from now on, by conversations that are open, too." if changes else "Nothing was changed."
        st.session_state[_DONE] = outcome("done", "Choices saved", words, key="choices")
    st.rerun()


def draw_conversation(session_id: str) -> None:
    """Draw what the open conversation runs with; it may have parts of its own."""
    try:
        conversation = services().snapshot(session_id).conversation
    except (UnknownSession, UnknownCatalog):
        return
    words = f"Conversation {session_id[:4]}, {conversation.title}. It may run with something else than all others."
    draw("own-head", [el("h2", "", "This conversation"), el("p", "hint", words)], cls="panel")
    with st.form("own-choices", border=True, enter_to_submit=False):
        entered = {
            name: _ask_own(name, conversation.choices.get(name, ""))
            for name in PER_CONVERSATION
            if len(installed(name)) > 1 or name in conversation.choices
        }
        use = st.form_submit_button("Use here")
    if use:
        services().choose(session_id, entered)
        st.rerun()


def _ask_own(name: str, own: str) -> str | None:
    """Let one part be chosen for one conversation; None: the same as for all."""
    names: list[str] = ["", *installed(name)]
    usual = f"As above: {say_choice(name, getattr(services().settings, name))}"

    def say(one: str) -> str:
        return say_choice(name, one) if one else usual

    at = names.index(own) if own in names else 0
    return st.selectbox(f"{label_of(name)} here", names, index=at, format_func=say) or None


def draw_all() -> None:
    """List every setting, with its value and where it came from."""
    rows = [
        el(
            "tr",
            "",
            el("td", "", el("code", "", row.name)),
            el("td", "", _say_value(row.value)),
            el("td", "", row.origin),
            el("td", "", el("code", "", row.variable)),
        )
        for row in services().configuration.rows()
    ]
    head = el(
        "thead",
        "",
        el("tr", "", [el("th", "", word, scope="col") for word in ("Setting", "Value", "From", "Variable")]),
    )
    words = (
        "A value comes from the command line, else from the environment, else from "
        f"{FILE} in the data directory, which this page writes, else it is the default."
    )
    table = el("div", "tablebox wide", el("table", "", head, el("tbody", "", rows)))
    draw(
        "all-settings",
        [el("details", "evidence", el("summary", "", "All settings"), el("p", "hint", words), table)],
        cls="panel",
    )


def _say_value(value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value in ("", None) else f"{value}"
