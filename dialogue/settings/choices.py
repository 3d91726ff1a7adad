"""What can be chosen for a setting by name; settings in sections, and by dotted names such as `limits.workers`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from planning.engines import ENGINES
from planning.likelihoods import LikelihoodSource


def nest(values: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for name, value in values.items():
        for part in reversed(name.split(".")):
            value = {part: value}  # noqa: PLW2901
        nested = merge(value, nested)
    return nested


def merge(over: Mapping[str, Any], under: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two nested mappings; the first takes precedence."""
    both = {name: merge(over[name], value) for name, value in under.items() if _are_sections(over.get(name), value)}
    return {**under, **over, **both}


def _are_sections(one: object, other: object) -> bool:
    return isinstance(one, Mapping) and isinstance(other, Mapping)


def leaves(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Convert nested sections to values by dotted name."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


EMBEDDED = "sqlite"
"""The store in the data directory."""


class _Registry(Mapping[str, object]):
    """A registry in another module, which is imported when something is looked up in it: reading settings is cheap."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def _imported(self) -> Mapping[str, object]:
        registry: Mapping[str, object] = getattr(import_module(self._module), self._name)
        return registry

    def __getitem__(self, name: str) -> object:
        return self._imported()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._imported())

    def __len__(self) -> int:
        return len(self._imported())


_ORCHESTRATORS = _Registry("dialogue.agents.orchestrators", "ORCHESTRATORS")
_AGENT_CHOICES = "dialogue.settings.agent_choices"
CHOICES: Mapping[str, Mapping[str, object]] = {
    "engine": ENGINES,
    "policy": _Registry("dialogue.policy", "POLICIES"),
    "understander": _Registry("language.understanding", "UNDERSTANDERS"),
    "likelihoods": {source.value: source for source in LikelihoodSource},
    "language": _Registry("language.languages", "LANGUAGES"),
    "store": _Registry("dialogue.log.stores", "STORES"),
    "orchestrator": _ORCHESTRATORS,
    "shell_orchestrator": _ORCHESTRATORS,
    "explore": _Registry(_AGENT_CHOICES, "EXPLORE"),
    "calibration": _Registry(_AGENT_CHOICES, "CALIBRATION"),
}
"""The registry that lists what can be chosen, by setting."""


class SettingsError(ValueError):
    """A setting that cannot be used; the message names it, says where it came from, and what to write instead."""


def check_choice(name: str, value: str) -> str:
    """Return a name that is registered for a setting. Raises ValueError, which lists the names or says what to install.

    A store is given by its URL, whose scheme is what is registered, or is the embedded one.
    """
    if name not in CHOICES:  # it is written in a form of its own
        from dialogue.settings.agent_choices import READ

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
