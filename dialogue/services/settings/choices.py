"""What can be chosen for a setting by name, and which settings are special."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dialogue.agents.orchestrators import ORCHESTRATORS
from dialogue.log.stores import STORES
from dialogue.policy import POLICIES
from dialogue.services.settings.agent_choices import (
    CALIBRATION,
    EXPLORE,
    read_figures,
    read_names,
    read_preferences,
    read_profile,
)
from language.languages import LANGUAGES
from language.understanding import UNDERSTANDERS
from planning.engines import ENGINES
from planning.likelihoods import LikelihoodSource

EMBEDDED = "sqlite"
"""The store in the data directory."""

CHOICES: Mapping[str, Mapping[str, object]] = {
    "engine": ENGINES,
    "policy": POLICIES,
    "understander": UNDERSTANDERS,
    "likelihoods": {source.value: source for source in LikelihoodSource},
    "language": LANGUAGES,
    "store": STORES,
    "orchestrator": ORCHESTRATORS,
    "shell_orchestrator": ORCHESTRATORS,
    "explore": EXPLORE,
    "calibration": CALIBRATION,
}
"""The registry that lists what can be chosen, by setting."""
READ: Mapping[str, Callable[[str], object]] = {
    "agents": read_names,
    "preferences": read_preferences,
    "profile": read_profile,
    "figures": read_figures,
}
"""What reads the settings that are written in a form of their own; it raises ValueError."""


class SettingsError(ValueError):
    """A setting that cannot be used; the message names it, says where it came from, and what to write instead."""


def check_choice(name: str, value: str) -> str:
    """Return a name that is registered for a setting. Raises ValueError, which lists the names or says what to install.

    A store is given by its URL, whose scheme is what is registered, or is the embedded one.
    """
    if name in READ:
        READ[name](value)
        return value
    known = CHOICES[name]
    if name == "store":
        scheme = value.partition(":")[0].partition("+")[0]
        if scheme not in known or ("://" not in value and value != EMBEDDED):
            write = f"{EMBEDDED} (a file in the data directory), {', '.join(f'{one}://…' for one in known)}"
            raise ValueError(f"There is no store {scheme!r:.60}. Write one of: {write}.")
    elif value not in known:
        raise ValueError(f"There is no {name.replace('_', ' ')} {value!r:.60}. There are: {', '.join(known)}.")
    if name == "engine" and not (package := ENGINES[value].package).is_installed:
        raise ValueError(str(package.missing(value)))
    return value


def installed(name: str) -> tuple[str, ...]:
    """Return the names that can be chosen for a setting: without engines whose package is missing."""
    return tuple(one for one in CHOICES[name] if name != "engine" or ENGINES[one].package.is_installed)


def not_installed() -> dict[str, str]:
    """Return what to do for each engine whose package is missing, by its name."""
    return {name: one.package.install for name, one in ENGINES.items() if not one.package.is_installed}
