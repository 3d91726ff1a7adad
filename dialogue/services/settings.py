"""Settings: every choice of the operator. Where they are read from and saved is in `settings_sources`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError
from pydantic_core.core_schema import ValidationInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from catalog.data_directory import default_home
from catalog.endpoints import ALLOWED
from dialogue.agents.orchestrators import ORCHESTRATORS
from dialogue.agents.sources.manifest import is_dropped_in
from dialogue.log.stores import STORES, embedded_url
from dialogue.policy import POLICIES
from dialogue.services.agent_choices import CALIBRATION, EXPLORE, read_names, read_preferences, read_profile
from language.languages import DEFAULT_LANGUAGE, LANGUAGES
from language.llm.settings import ModelSettings, check_settings
from language.understanding import UNDERSTANDERS
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.model import Limits

FILE = "settings.json"
MASK = "••••"
EMBEDDED = "sqlite"
"""The store in the data directory."""
_PREFIX = "PLANGLASS_"
COMMAND_LINE, ENVIRONMENT, _DEFAULT, _THIS_RUN = "command line", "environment", "default", "this run"

CHOICES: Mapping[str, Mapping[str, object]] = {
    "engine": ENGINES,
    "policy": POLICIES,
    "understander": UNDERSTANDERS,
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
}
"""What reads the settings that are written in a form of their own; it raises ValueError."""
PER_CONVERSATION = (
    *("engine", "policy", "understander"),
    *("orchestrator", "agents", "preferences", "profile", "explore", "calibration"),
)
"""Settings that a conversation may choose for itself."""
AT_START = ("home", "catalogs", "skills", "drop_ins", "store", "limits.workers")
"""Settings that take effect when the program starts; all others do at once."""
OPERATOR_ONLY = ("home", "catalogs", "skills", "drop_ins", "store")
"""Settings that decide which files and code are reached: they are not changed from the dashboard."""
SECRETS = ("llm.key",)
"""Settings that are never shown."""


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


def choices_in(settings: Settings) -> dict[str, str]:
    """Return what settings say of all that a conversation may choose for itself."""
    return {name: getattr(settings, name) for name in PER_CONVERSATION}


def _chosen(name: str) -> AfterValidator:
    def check(value: str, info: ValidationInfo) -> str:
        folders = info.data.get("drop_ins", ()) if CHOICES.get(name) is ORCHESTRATORS else ()
        return value if is_dropped_in(value, folders) else check_choice(name, value)

    return AfterValidator(check)


def _separated(separator: str) -> BeforeValidator:
    def split(value: object) -> object:
        return [part.strip() for part in value.split(separator) if part.strip()] if isinstance(value, str) else value

    return BeforeValidator(split)


def _join(value: object) -> object:
    """Write a list as text, with commas."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


class LimitSettings(BaseModel):
    """Limits on time, memory and work."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    search_seconds: float = Field(10.0, gt=0, le=3_600, description="Seconds that one search for a plan may take.")
    search_memory_mib: float = Field(1_024.0, gt=0, le=1_048_576, description="Memory that one search may use, in MiB.")
    skill_seconds: float = Field(
        3_600.0, gt=0, le=3_600, description="Seconds for one call of a skill, where its catalog allows it more."
    )
    explore_seconds: float = Field(60.0, gt=0, le=86_400, description="Seconds that one exploration may take.")
    explore_states: int = Field(100_000, gt=0, description="States that one exploration may visit.")
    workers: int = Field(8, gt=0, le=256, description="Conversations that are worked on at the same time.")


class Settings(BaseSettings):
    """Every choice of the operator. To make one reads nothing but its arguments: `settings_sources` reads them."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix=_PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        env_ignore_empty=True,
        enable_decoding=False,
    )

    engine: Annotated[str, _chosen("engine")] = Field(DEFAULT_ENGINE, description="What searches for plans.")
    policy: Annotated[str, _chosen("policy")] = Field("planner", description="What decides the next step for a goal.")
    understander: Annotated[str, _chosen("understander")] = Field(
        "model",
        description="What reads utterances; `model` asks a language model where one is set up, `offline` never.",
    )
    language: Annotated[str, _chosen("language")] = Field(
        DEFAULT_LANGUAGE, description="The language that conversations are held in."
    )
    store: Annotated[str, _chosen("store")] = Field(
        EMBEDDED, description="Where conversations are kept: `sqlite` for a file in the data directory, or a URL."
    )
    catalogs: Annotated[tuple[Path, ...], _separated(os.pathsep)] = Field(
        (), description="Files of catalogs that are loaded besides the demos."
    )
    skills: Annotated[tuple[str, ...], _separated(",")] = Field(
        (), description="Packages whose functions catalogs may name as skills, besides the demos'."
    )
    drop_ins: Annotated[tuple[Path, ...], _separated(os.pathsep)] = Field(
        (), description="Folders in which agents and orchestrators are dropped in."
    )
    orchestrator: Annotated[str, _chosen("orchestrator")] = Field(
        "planner", description="What chooses who acts on an utterance, where there are agents besides the assistant."
    )
    agents: Annotated[str, BeforeValidator(_join), _chosen("agents")] = Field(
        "", description="Agents that take part besides the assistant: names of catalogs and drop-ins, with commas."
    )
    preferences: Annotated[str, BeforeValidator(_join), _chosen("preferences")] = Field(
        "", description="Whom `preference` puts before whom, such as `find>guess, ask>find`."
    )
    profile: Annotated[str, _chosen("profile")] = Field(
        "max", description="What `bandit` starts from: max, quiet, ignore:NAME or prefer:NAME>OTHER."
    )
    explore: Annotated[str, _chosen("explore")] = Field(
        "thompson", description="How `bandit` tries what it is unsure of."
    )
    calibration: Annotated[str, _chosen("calibration")] = Field(
        "none", description="How confidences of agents are corrected by what became of earlier choices."
    )
    shell_orchestrator: Annotated[str, _chosen("shell_orchestrator")] = Field(
        "max", description="What chooses who acts in `planglass shell`."
    )
    home: Path = Field(default_factory=default_home, description="The data directory.")
    limits: LimitSettings = Field(LimitSettings(), description="Limits.")
    llm: Annotated[ModelSettings, AfterValidator(check_settings)] = Field(
        ModelSettings(), description="The language model that may help to understand."
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take the arguments alone."""
        return (init_settings,)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The packages that endpoints may name: the demos' skills, and those the operator allows."""
        return (*ALLOWED, *self.skills)

    @property
    def store_url(self) -> str:
        """Where conversations are kept, as a URL."""
        return embedded_url(self.home) if self.store == EMBEDDED else self.store

    @property
    def search_limits(self) -> Limits:
        """The limits of one search for a plan."""
        return Limits(self.limits.search_seconds, self.limits.search_memory_mib)


@dataclass(frozen=True, slots=True)
class Row:
    """One setting as it is shown: secrets are masked."""

    name: str
    value: JsonValue
    origin: str
    default: JsonValue
    description: str

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return variable_of(self.name)

    @property
    def per_conversation(self) -> bool:
        """Whether a conversation may choose it for itself."""
        return self.name in PER_CONVERSATION

    @property
    def at_start(self) -> bool:
        """Whether a change takes effect only when the program starts again."""
        return self.name in AT_START

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be chosen, where a registry lists it."""
        return tuple(CHOICES.get(self.name, ()))


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings, and where each value that is not a default came from, by dotted name (`limits.workers`)."""

    settings: Settings
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def fixed(self) -> frozenset[str]:
        """Settings that the command line or the environment sets: nobody can change them while the program runs."""
        return frozenset(name for name, origin in self.origins.items() if origin in (COMMAND_LINE, ENVIRONMENT))

    def rows(self) -> tuple[Row, ...]:
        """List every setting."""
        defaults = dict(leaves(_plain(Settings())))
        return tuple(
            Row(name, _shown(name, value), self.origins.get(name, _DEFAULT), defaults[name], _describe(name))
            for name, value in leaves(_plain(self.settings))
        )

    def change(self, changes: Mapping[str, JsonValue], *, keep_secrets: bool = True) -> Configuration:
        """Return a configuration with other values, by dotted name; what is fixed stays. Raises SettingsError."""
        if barred := [name for name in changes if name in OPERATOR_ONLY]:
            write = f"set {variable_of(barred[0])} or write it into {FILE}, and start Planglass again"
            raise SettingsError(f"The setting {barred[0]} is not changed while the program runs: {write}.")
        free = {name: value for name, value in changes.items() if name not in self.fixed}
        settings = build(merge(nest(free), _plain(self.settings, python=True)), dict.fromkeys(free, "this change"))
        origins = {name: FILE if keep_secrets or name not in SECRETS else _THIS_RUN for name in free}
        return replace(self, settings=settings, origins={**self.origins, **origins})

    def to_save(self, changes: Mapping[str, JsonValue], *, keep_secrets: bool) -> dict[str, JsonValue]:
        """Return the changes that are saved: nothing that is fixed, and secrets only if they are kept."""
        now = dict(leaves(_plain(self.settings)))
        return {
            name: now[name] if (keep_secrets or name not in SECRETS) and now[name] != "" else None
            for name in changes
            if name not in self.fixed
        }


def variable_of(name: str) -> str:
    """Return the environment variable that sets a setting."""
    return _PREFIX + name.replace(".", "_").upper()


class WrongModel(SettingsError):
    """Only the settings of the language model are invalid."""


def build(values: Mapping[str, Any], origins: Mapping[str, str]) -> Settings:
    """Check values; `origins` says where each came from, for messages. Raises SettingsError."""
    try:
        return Settings(**values)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        told = " ".join(_tell(".".join(map(str, fault["loc"])), fault, origins) for fault in faults)
        only_model = all(fault["loc"][:1] == ("llm",) and fault["type"] != "extra_forbidden" for fault in faults)
        raise (WrongModel if only_model else SettingsError)(told) from None  # the error holds values


def _tell(name: str, fault: Any, origins: Mapping[str, str]) -> str:
    found = next((origin for known, origin in origins.items() if f"{name}.".startswith(f"{known}.")), None)
    found = found or next((origin for known, origin in origins.items() if known.startswith(f"{name}.")), None)
    where = f" ({variable_of(name) if found == ENVIRONMENT else found})" if found else ""
    if fault["type"] == "extra_forbidden":
        return f"There is no setting {name!r:.60}{where}. There are: {', '.join(known_names())}."
    told = str(fault["msg"]).removeprefix("Value error, ").rstrip(".")
    return f"The setting {name}{where} cannot be used. {told}."


def known_names() -> tuple[str, ...]:
    """Return the dotted names of all settings."""
    return tuple(name for name, _ in leaves(_plain(Settings())))


def nest(values: Mapping[str, Any]) -> dict[str, Any]:
    """Convert values by dotted names to nested sections."""
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


def _plain(settings: Settings, *, python: bool = False) -> dict[str, Any]:
    return settings.model_dump(mode="python" if python else "json")


def _shown(name: str, value: JsonValue) -> JsonValue:
    if name in SECRETS:
        return MASK if value else ""
    if name == "store" and isinstance(value, str) and (password := urlsplit(value).password):
        return value.replace(f":{password}@", f":{MASK}@")
    return value


def _describe(name: str) -> str:
    section, _, last = name.partition(".")
    if section == "limits":
        return LimitSettings.model_fields[last].description or ""
    return _OF_MODEL[last] if section == "llm" else Settings.model_fields[name].description or ""


_OF_MODEL = {
    "mode": "When a language model is asked: off, unsure or always.",
    "url": "Where a server with OpenAI's interface listens.",
    "model": "The model, as its server calls it.",
    "key": "The key, if the server wants one.",
    "limit_s": "Seconds for one utterance, with everything that is tried again.",
}
