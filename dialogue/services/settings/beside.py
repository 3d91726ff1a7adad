"""What a command asks for beside a program that runs with settings of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pydantic import JsonValue

from dialogue.services.settings.choices import SettingsError
from dialogue.services.settings.configuration import ENVIRONMENT, shown_value, variable_of
from dialogue.services.settings.dotted_names import leaves
from dialogue.services.settings.settings import Settings

_ELSEWHERE = ("home", "app_hosts", "app_address", "shell_orchestrator")
"""Settings that say nothing of what a command does that uses the services."""


def choices_beside(
    asked: Mapping[str, tuple[JsonValue, str]], used: Settings, own: Collection[str] = ()
) -> dict[str, str]:
    """Return what a conversation has to choose for itself to run as it is asked: value and origin, by dotted name.

    `own` are the settings that there is a conversation for. Raises SettingsError for others that differ from those that
    are in use.
    """
    now = dict(leaves(used.model_dump(mode="json")))
    differ = {name: one for name, one in asked.items() if name not in _ELSEWHERE and one[0] != now.get(name)}
    for name, (value, origin) in differ.items():
        if name not in own:
            where = variable_of(name) if origin == ENVIRONMENT else f"--set {name}"
            raise SettingsError(
                f"The dashboard that holds this data directory has another {name} ({_told(name, now.get(name))}) than "
                f"{where} says ({_told(name, value)}). Leave that out, or end the dashboard first."
            )
    return {name: str(value) for name, (value, _) in differ.items()}


def _told(name: str, value: JsonValue) -> str:
    shown = shown_value(name, value)
    return ", ".join(map(str, shown)) if isinstance(shown, list) else str(shown) or "none"
