"""What is chosen about agents: for all conversations, or for the one that is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from dialogue.agents.model import ASSISTANT
from dialogue.agents.orchestrators import OrchestratorOptions
from dialogue.services import StoreFailed, UnknownSession
from dialogue.services.settings import SettingsError, choices_in, variable_of
from dialogue.services.settings.agent_choices import options_of
from pages.orchestrators.recordings import Recording
from pages.shell.root import services
from pages.shell.sheet import draw, hint, problem

_TROUBLE = "orchestrators-trouble"


@dataclass(frozen=True)
class Scope:
    """Whose choices are looked at: those of a conversation, or where `session` is None, those of all."""

    session: str | None

    @property
    def values(self) -> Mapping[str, str]:
        """What is chosen, by the names of the settings."""
        if self.session is not None:
            return services().choices_of(services().snapshot(self.session).conversation)
        return choices_in(services().settings)

    @property
    def options(self) -> OrchestratorOptions:
        return options_of(self.values)

    def fixed(self, name: str) -> str | None:
        """Say why a setting cannot be changed here, if so."""
        if self.session is not None or name not in services().configuration.fixed:
            return None
        return f"It is set by {variable_of(name)} or the command line, and is changed there."

    def save(self, name: str, value: str) -> bool:
        """Use another value from now on; return whether it is used. What is refused is told, and nothing is lost."""
        try:
            if self.session is not None:
                services().choose(self.session, {name: value})
            else:
                services().change_settings({name: value})
        except SettingsError as error:
            st.session_state[_TROUBLE] = str(error)
            return False
        except UnknownSession:
            st.session_state[_TROUBLE] = "This conversation has been deleted."
            return False
        except StoreFailed as error:
            st.session_state[_TROUBLE] = str(error)
            return False
        except OSError as error:
            st.session_state[_TROUBLE] = f"It is used, but could not be saved: {error.strerror or error}."
        return True


def choose_scope(recording: Recording | None) -> Scope:
    """Let it be chosen whose choices are looked at."""
    session = recording.session if recording is not None else None
    if session is None or recording is None:
        draw("scope-words", [hint("For all conversations that choose nothing of their own.")])
        return Scope(None)
    scopes = {"all": "All conversations", "one": f"This one: {recording.title}, {session[:4]}"}
    chosen: str = st.segmented_control(
        "For", list(scopes), format_func=scopes.__getitem__, default="one", required=True, key="orchestrators_scope"
    )
    return Scope(session if chosen == "one" else None)


def draw_trouble() -> None:
    if trouble := st.session_state.pop(_TROUBLE, None):
        draw("choices-trouble", [problem(trouble)])


def agent_names() -> tuple[str, ...]:
    """List the agents that can take part besides the assistant."""
    return services().agents.names()


def agents_of(recording: Recording | None, scope: Scope) -> list[str]:
    """List the agents that can be named: the assistant, those that there are, and those of the session."""
    declared = [name for one in recording.moments for name in one.moment.answers.declared] if recording else []
    named = [name for pair in scope.options.preferences for name in pair]
    return list(dict.fromkeys((ASSISTANT, *agent_names(), *declared, *named)))
