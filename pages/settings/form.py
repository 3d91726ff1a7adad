"""Forms that are made from the fields of settings: for all conversations, or for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import streamlit as st
from pydantic import JsonValue

from dialogue.settings import SETTINGS, installed, variable_of
from dialogue.settings.settings import AT_START
from pages.frame.problems import tried
from pages.shell.root import services

TROUBLE = "settings-trouble"
"""Where it is kept why a value was not taken, until it is shown."""


@dataclass(frozen=True)
class SettingsScope:
    """Whose settings are looked at: those of a conversation, or where `session` is None, those of all."""

    session: str | None = None

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """What is set, by dotted name; of a conversation, what it may choose for itself."""
        if self.session is not None:
            return services().choices_of(services().snapshot(self.session).conversation)
        return {row.name: row.value for row in services().configuration.rows()}

    def fixed(self, name: str) -> str | None:
        """Say why a setting cannot be changed here, if so."""
        configuration = services().configuration
        if self.session is not None or name not in configuration.fixed:
            return None
        where = variable_of(name) if configuration.origins.get(name) == "environment" else "the command line"
        return f"It is set by {where}, and is changed there."

    def held(self, name: str, tip: str = "") -> dict[str, Any]:
        """Return how the field of a setting is drawn: one that is fixed cannot be changed, and says why."""
        fixed = self.fixed(name)
        return {"disabled": fixed is not None, "help": fixed or tip or None}

    def ask(self, name: str, say: Callable[[str], str] = str, label: str = "") -> JsonValue:
        """Draw the field of a setting as it is declared, a choice or a number; return what is in it."""
        setting, now = SETTINGS[name], self.values[name]
        label = label or setting.label
        if setting.choices:
            names = list(dict.fromkeys((*installed(name), now)))
            chosen: str = st.selectbox(label, names, names.index(now), say, **self.held(name))
            return chosen
        kind = type(now)
        waits = "It takes effect when Planglass starts again." if AT_START in setting.about else ""
        given: float = st.number_input(
            label, kind(1), value=now, step=kind(1), **self.held(name, waits or setting.description)
        )
        return given

    def save(self, name: str, value: str) -> bool:
        """Use another value from now on; return whether it is used. What is refused is told, and nothing is lost."""
        use = services().change_settings if self.session is None else partial(services().choose, self.session)
        try:
            _, trouble = tried(lambda: use({name: value}), gone="This conversation has been deleted.")
            used = not trouble
        except OSError as error:
            trouble, used = (f"It is used, but could not be saved: {error.strerror or error}.",), True
        if trouble:
            st.session_state[TROUBLE] = trouble
        return used
