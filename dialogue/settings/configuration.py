"""Settings with where each value came from: how they are shown, checked and changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from pydantic import JsonValue, ValidationError

from dialogue.settings.choices import SettingsError, check_choice, leaves, merge, nest
from dialogue.settings.settings import (
    AT_START,
    OPERATOR,
    PER_CONVERSATION,
    PREFIX,
    SETTINGS,
    Setting,
    Settings,
    declared,
)

FILE = "settings.json"
MASK = "••••"
COMMAND_LINE, ENVIRONMENT, _DEFAULT, _THIS_RUN = "command line", "environment", "default", "this run"
SERVES, IGNORED = "The default is used.", "It is ignored."


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting as it is shown: secrets are masked."""

    name: str
    value: JsonValue
    origin: str
    setting: Setting

    @property
    def variable(self) -> str:
        return variable_of(self.name)

    @property
    def shown(self) -> str:
        """The value in words."""
        if isinstance(self.value, list):
            return ", ".join(map(str, self.value)) or "none"
        return "none" if self.value in ("", None) else f"{self.value}"


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings, and where each value that is not a default came from, by dotted name (`limits.workers`)."""

    settings: Settings
    origins: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    """What was found in a file or the environment and cannot be used, by dotted name: the defaults are used."""
    said: Mapping[str, JsonValue] = field(default_factory=dict, repr=False)
    """What the file said when it was read last, by dotted name."""

    def without(self, name: str, why: str) -> Configuration:
        """Return a configuration with the default of a setting whose value cannot be used, and with that problem.

        Raises SettingsError where the command line gave it.
        """
        origin = self.origins.get(name)
        told = f"The setting {name}{_say_where(origin, name)} cannot be used. {why}"
        if origin == COMMAND_LINE:
            raise SettingsError(told)
        default = dict(leaves(Settings().model_dump()))[name]
        settings = build(merge(nest({name: default}), self.settings.model_dump()), {})
        origins = {known: one for known, one in self.origins.items() if known != name}
        return replace(self, settings=settings, origins=origins, problems={**self.problems, name: f"{told} {SERVES}"})

    @property
    def fixed(self) -> frozenset[str]:
        """Settings that the command line or the environment sets: they cannot be changed while the program runs."""
        return frozenset(name for name, origin in self.origins.items() if origin in (COMMAND_LINE, ENVIRONMENT))

    def rows(self) -> tuple[SettingRow, ...]:
        values = self._values()
        return tuple(
            SettingRow(name, shown_value(name, values[name]), self.origins.get(name, _DEFAULT), setting)
            for name, setting in declared().items()
        )

    def _values(self) -> dict[str, JsonValue]:
        return dict(leaves(self.settings.model_dump(mode="json")))

    def change(self, changes: Mapping[str, JsonValue], *, keep_secrets: bool = True) -> Configuration:
        """Return a configuration with other values, by dotted name; what is fixed stays. Raises SettingsError."""
        if barred := [name for name, one in SETTINGS.items() if name in changes and OPERATOR in one.about]:
            write = f"set {variable_of(barred[0])} or write it into {FILE}, and start Planglass again"
            raise SettingsError(f"The setting {barred[0]} is not changed while the program runs: {write}.")
        free = {name: value for name, value in changes.items() if name not in self.fixed}
        origins = {name: FILE if keep_secrets or not SETTINGS[name].secret else _THIS_RUN for name in free}
        return self._with(free, origins, "this change")

    def take_up(self, said: Mapping[str, JsonValue]) -> Configuration:
        """Return a configuration with what the file says otherwise than before, and that takes effect while it is used.

        Raises SettingsError.
        """
        free = {
            name: said.get(name, one.default)
            for name, one in SETTINGS.items()
            if said.get(name) != self.said.get(name) and name not in self.fixed and AT_START not in one.about
        }
        origins = {name: FILE if name in said else _DEFAULT for name in free}
        return replace(self._with(free, origins, FILE), said=said)

    def _with(self, values: Mapping[str, JsonValue], origins: Mapping[str, str], found_in: str) -> Configuration:
        settings = build(merge(nest(values), self.settings.model_dump()), dict.fromkeys(values, found_in))
        problems = {name: told for name, told in self.problems.items() if name not in values}
        return replace(self, settings=settings, origins={**self.origins, **origins}, problems=problems)

    def to_save(self, changes: Mapping[str, JsonValue], *, keep_secrets: bool) -> dict[str, JsonValue]:
        """Return the changes that are saved: nothing that is fixed, and secrets only if they are kept."""
        now = self._values()
        return {
            name: now[name] if (keep_secrets or not SETTINGS[name].secret) and now[name] != "" else None
            for name in changes
            if name not in self.fixed
        }


def variable_of(name: str) -> str:
    """Return the environment variable that sets a setting."""
    return PREFIX + name.replace(".", "_").upper()


@dataclass(frozen=True, slots=True)
class SettingFault:
    """A value that cannot be used: the keys that lead to it, what is told of it, and where it came from."""

    keys: tuple[str, ...]
    told: str
    origin: str | None


def find_setting_faults(values: Mapping[str, Any], origins: Mapping[str, str]) -> list[SettingFault]:
    """Return what cannot be used of values, none twice; `origins` says where each came from."""
    try:
        Settings(**values)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
    else:
        return []
    found: dict[tuple[str, ...], SettingFault] = {}
    for fault in faults:
        keys = tuple(map(str, fault["loc"][: 2 if fault["loc"][0] in ("limits", "llm") else 1]))
        origin = _origin_of(".".join(keys), origins)
        found.setdefault(keys, SettingFault(keys, _tell(".".join(map(str, fault["loc"])), fault, origin), origin))
    return list(found.values())


def build(values: Mapping[str, Any], origins: Mapping[str, str]) -> Settings:
    """Check values; `origins` says where each came from, for messages. Raises SettingsError."""
    if faults := find_setting_faults(values, origins):
        raise SettingsError(" ".join(fault.told for fault in faults))  # not the validation's own error: it holds values
    return Settings(**values)


def _origin_of(name: str, origins: Mapping[str, str]) -> str | None:
    found = next((origin for known, origin in origins.items() if f"{name}.".startswith(f"{known}.")), None)
    return found or next((origin for known, origin in origins.items() if known.startswith(f"{name}.")), None)


def _tell(name: str, fault: Any, origin: str | None) -> str:
    where = _say_where(origin, name)
    if fault["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        return f"There is no setting {name!r:.60}{where}. There are: {', '.join(known_names())}."
    told = str(fault["msg"]).removeprefix("Value error, ").rstrip(".")
    return f"The setting {name}{where} cannot be used. {told}."


def _say_where(origin: str | None, name: str) -> str:
    return f" ({variable_of(name) if origin == ENVIRONMENT else origin})" if origin else ""


def known_names() -> tuple[str, ...]:
    return tuple(SETTINGS)


def is_setting(name: str) -> bool:
    """Return whether there is a setting or a section of that dotted name."""
    return any(f"{known}.".startswith(f"{name}.") for known in known_names())


def shown_value(name: str, value: JsonValue) -> JsonValue:
    if SETTINGS[name].secret:
        return MASK if value else ""
    if name == "store" and isinstance(value, str) and (password := urlsplit(value).password):
        return value.replace(f":{password}@", f":{MASK}@")
    return value


def check_choices(choices: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return what a conversation chooses for itself; None: as the settings say. Raises SettingsError."""
    for name, value in choices.items():
        if name not in PER_CONVERSATION:
            known = ", ".join(PER_CONVERSATION)
            raise SettingsError(f"A conversation has no {name!r:.60} of its own. It may choose: {known}.")
        try:
            if value is not None:
                check_choice(name, value)
        except ValueError as error:
            raise SettingsError(str(error)) from error
    return dict(choices)
