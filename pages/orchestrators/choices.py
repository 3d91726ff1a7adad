"""What is chosen about agents: for all conversations, or for the one that is looked at."""

from __future__ import annotations

import streamlit as st

from dialogue.agents.model import ASSISTANT
from dialogue.settings.agent_choices import options_of
from pages.frame.problems import say_trouble
from pages.orchestrators.recordings import Recording
from pages.settings.form import TROUBLE, SettingsScope
from pages.shell.root import services
from pages.shell.sheet import draw, hint


def choose_scope(recording: Recording | None) -> SettingsScope:
    """Let it be chosen whose choices are looked at."""
    session = recording.session if recording is not None else None
    if session is None or recording is None:
        draw("scope-words", [hint("For all conversations that choose nothing of their own.")])
        return SettingsScope(None)
    scopes = {"all": "All conversations", "one": f"This one: {recording.title}, {session[:4]}"}
    chosen: str = st.segmented_control(
        "For", list(scopes), format_func=scopes.__getitem__, default="one", required=True, key="orchestrators_scope"
    )
    return SettingsScope(session if chosen == "one" else None)


def draw_trouble() -> None:
    if trouble := st.session_state.pop(TROUBLE, None):
        draw("choices-trouble", say_trouble(trouble))


def agents_of(recording: Recording | None, scope: SettingsScope) -> list[str]:
    """List the agents that can be named: the assistant, those that there are, and those of the session."""
    declared = [name for one in recording.moments for name in one.moment.answers.declared] if recording else []
    named = [name for pair in options_of(scope.values).preferences for name in pair]
    return list(dict.fromkeys((ASSISTANT, *services().agents.names(), *declared, *named)))
