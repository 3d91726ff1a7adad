"""The settings: a field for every choice of the operator, with what it means and its default."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue
from pydantic_core.core_schema import ValidationInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from catalog.data_directory import default_home
from catalog.endpoints import ALLOWED
from catalog.endpoints.confinement import DISK_MIB, MEMORY_MIB, PROCESSES, Confinement
from catalog.model.entry import USUAL, CatalogLimits
from dialogue.settings.choices import CHOICES, EMBEDDED, check_choice
from language import DEFAULT_LANGUAGE
from language.llm.settings import ModelSettings, check_settings
from planning.engines import DEFAULT_ENGINE
from planning.likelihoods import PRIOR_CALLS, LikelihoodSource
from planning.model import Limits

PREFIX = "PLANGLASS_"
"""What the environment variables begin with."""


def _chosen(name: str) -> AfterValidator:
    def check(value: str, info: ValidationInfo) -> str:
        if name in ("orchestrator", "shell_orchestrator") and (folders := info.data.get("drop_ins")):
            from dialogue.agents.sources.manifest import is_dropped_in  # only drop-ins need it

            if is_dropped_in(value, folders):
                return value
        return check_choice(name, value)

    return AfterValidator(check)


def _separated(separator: str) -> BeforeValidator:
    def split(value: object) -> object:
        return [part.strip() for part in value.split(separator) if part.strip()] if isinstance(value, str) else value

    return BeforeValidator(split)


def _join(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


class About(Enum):
    """What is special about a setting; its field says so."""

    OWN = "a conversation may choose it for itself"
    AT_START = "it takes effect when the program starts; all others do at once"
    OPERATOR = "it decides which files and code are reached, so it is not changed from the dashboard"


OWN, AT_START, OPERATOR = About
_Files = Annotated[tuple[Path, ...], _separated(os.pathsep)]
_Names = Annotated[tuple[str, ...], _separated(",")]


class LimitSettings(BaseModel):
    """Limits on time, memory and work."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    search_seconds: float = Field(10.0, gt=0, le=3_600, title="Seconds for one plan")
    """Seconds that one search for a plan may take."""
    search_memory_mib: float = Field(1_024.0, gt=0, le=1_048_576, title="Memory for one plan (MiB)")
    """Memory that one search may use, in MiB."""
    skill_seconds: float = Field(3_600.0, gt=0, le=3_600, title="Seconds for one call of a skill")
    """Seconds for one call of a skill, where its catalog allows it more."""
    skill_memory_mib: Annotated[float, AT_START] = Field(
        MEMORY_MIB, ge=256, le=1_048_576, title="Memory for a process of skills (MiB)"
    )
    """Memory that a process may use in which skills run, in MiB."""
    skill_processes: Annotated[int, AT_START] = Field(
        PROCESSES, ge=1, le=65_536, title="Processes that skills may start"
    )
    """Processes and threads that skills may start, unless root runs them."""
    skill_disk_mib: Annotated[float, AT_START] = Field(DISK_MIB, ge=1, le=1_048_576, title="Disk of a skill")
    """What such a process may write to its scratch folder, in MiB."""
    explore_seconds: float = Field(60.0, gt=0, le=86_400, title="Seconds for one exploration")
    """Seconds that one exploration may take."""
    explore_states: int = Field(100_000, gt=0, title="States for one exploration")
    """States that one exploration may visit."""
    room_messages: int = Field(60, gt=0, le=100_000, title="Messages a minute, of each in a group chat")
    """Messages that are taken from one participant of a room in a minute."""
    conversation_messages: int = Field(60, gt=0, le=100_000, title="Messages a minute, in one conversation")
    """Messages that the dashboard takes in one conversation in a minute."""
    browser_messages: int = Field(120, gt=0, le=100_000, title="Messages a minute, from one browser")
    """Messages that the dashboard takes from one browser in a minute."""
    bot_seconds: float = Field(10.0, gt=0, le=600, title="Seconds for one answer of a bot")
    """Seconds that a bot of a room may take to answer."""
    catalog_entries: Annotated[int, AT_START] = Field(
        USUAL.entries, gt=0, le=10_000_000, title="Facts of a catalog (and skills, goals, triggers)"
    )
    """Facts that a catalog may have, and so skills, goals and triggers."""
    catalog_mib: Annotated[float, AT_START] = Field(
        USUAL.mib, gt=0, le=1_024, title="Size of the file of a catalog (MiB)"
    )
    """Size of the file of a catalog, in MiB."""
    workers: Annotated[int, AT_START] = Field(8, gt=0, le=256, title="Conversations worked on at once")
    """Conversations that are worked on at the same time."""


class Settings(BaseSettings):
    """Every choice of the operator. To make one reads nothing but its arguments: `sources` reads them."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        env_ignore_empty=True,
        enable_decoding=False,
        validate_default=False,  # which would import every registry that one is chosen from
    )

    engine: Annotated[str, _chosen("engine"), OWN] = Field(DEFAULT_ENGINE, title="Planning engine")
    """What searches for plans."""
    policy: Annotated[str, _chosen("policy"), OWN] = Field("planner", title="Policy")
    """What decides the next step for a goal."""
    understander: Annotated[str, _chosen("understander"), OWN] = Field("model", title="Understanding")
    """What reads utterances; `model` asks a language model where one is set up, `offline` never."""
    likelihoods: Annotated[str, _chosen("likelihoods")] = LikelihoodSource.DECLARED.value
    """Likelihoods of outcomes in plans: `declared`, `counted` in the conversations kept, or `ignored`."""
    prior_calls: float = Field(PRIOR_CALLS, gt=0, le=1_000_000)
    """Calls that declared likelihoods weigh as much as, where counted."""
    language: Annotated[str, _chosen("language")] = Field(DEFAULT_LANGUAGE, title="Language")
    """The language that conversations are held in."""
    store: Annotated[str, _chosen("store"), OPERATOR, AT_START] = EMBEDDED
    """Where conversations are kept: `sqlite` for a file in the data directory, or a URL."""
    catalogs: Annotated[_Files, OPERATOR, AT_START] = ()
    """Files of catalogs that are loaded besides the demos."""
    skills: Annotated[_Names, OPERATOR, AT_START] = ()
    """Packages whose functions catalogs may name as skills, and norms as bots, besides the demos'."""
    trusted: Annotated[_Names, OPERATOR, AT_START] = ALLOWED
    """Packages whose skills and bots run in this process, and drop-ins that do; all others run apart."""
    unconfined: Annotated[bool, OPERATOR] = False
    """Skills of packages that are not trusted run even where the system cannot confine them."""
    skill_folders: Annotated[_Files, OPERATOR, AT_START] = ()
    """Folders that skills in processes of their own may read and write."""
    skill_variables: Annotated[_Names, OPERATOR, AT_START] = ()
    """Variables of the environment that skills in processes of their own see, such as a key."""
    drop_ins: Annotated[_Files, OPERATOR, AT_START] = ()
    """Folders in which agents and orchestrators are dropped in."""
    room_hosts: Annotated[_Names, OPERATOR] = ()
    """Hosts inside this network that bots of rooms may have: `host` or `host:port`, with commas."""
    app_hosts: Annotated[_Names, OPERATOR, AT_START] = ()
    """Names of the dashboard besides those of this machine, as a proxy has: `name` or `name:port`."""
    app_address: Annotated[str, AfterValidator(lambda given: str(ip_address(given))), OPERATOR, AT_START] = "127.0.0.1"
    """Address that the dashboard listens on; others than loopback open it to a network."""
    orchestrator: Annotated[str, _chosen("orchestrator"), OWN] = Field("planner", title="Who acts")
    """What chooses who acts on an utterance, where there are agents besides the assistant."""
    agents: Annotated[str, BeforeValidator(_join), _chosen("agents"), OWN] = Field(
        "", title="Agents that take part, besides the assistant"
    )
    """Agents that take part besides the assistant: names of catalogs and drop-ins, with commas."""
    preferences: Annotated[str, BeforeValidator(_join), _chosen("preferences"), OWN] = Field("", title="Preferences")
    """Whom `preference` puts before whom, such as `find>guess, ask>find`."""
    profile: Annotated[str, _chosen("profile"), OWN] = Field("max", title="The bandit begins so")
    """What `bandit` starts from: max, quiet, ignore:NAME or prefer:NAME>OTHER."""
    explore: Annotated[str, _chosen("explore"), OWN] = Field("thompson", title="How the bandit tries things out")
    """How `bandit` tries what it is unsure of."""
    calibration: Annotated[str, _chosen("calibration"), OWN] = Field("none", title="Correction of confidences")
    """How confidences of agents are corrected by what became of earlier choices."""
    figures: Annotated[str, BeforeValidator(_join), _chosen("figures"), OWN] = Field(
        "", title="Figures of the orchestrators"
    )
    """Figures that orchestrators work with, such as `s3.count=2, threshold.start=0.3`."""
    shell_orchestrator: Annotated[str, _chosen("shell_orchestrator")] = Field(
        "max", title="Who chooses in planglass shell"
    )
    """What chooses who acts in `planglass shell`."""
    home: Annotated[Path, OPERATOR, AT_START] = Field(default_factory=default_home)
    """The data directory."""
    limits: LimitSettings = LimitSettings()
    llm: Annotated[ModelSettings, AfterValidator(check_settings)] = ModelSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The packages that endpoints may name: the demos' skills, and those the operator allows."""
        return (*ALLOWED, *self.skills)

    @property
    def confinement(self) -> Confinement:
        """What skills in processes of their own may use; never the data directory."""
        return Confinement(
            hidden=(str(self.home),),
            folders=tuple(map(str, self.skill_folders)),
            variables=self.skill_variables,
            memory_mib=self.limits.skill_memory_mib,
            processes=self.limits.skill_processes,
            disk_mib=self.limits.skill_disk_mib,
        )

    @property
    def store_url(self) -> str:
        from dialogue.log.stores import embedded_url  # a database, which many commands do not need

        return embedded_url(self.home) if self.store == EMBEDDED else self.store

    @property
    def catalog_limits(self) -> CatalogLimits:
        return CatalogLimits(self.limits.catalog_entries, self.limits.catalog_mib)

    @property
    def search_limits(self) -> Limits:
        return Limits(self.limits.search_seconds, self.limits.search_memory_mib)


@dataclass(frozen=True, slots=True)
class Setting:
    """What is declared of one setting: its label in forms, what it means, and what is special about it.

    One that is `secret` is never shown.
    """

    name: str
    label: str
    description: str
    about: tuple[About, ...]
    secret: bool
    default: JsonValue

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be chosen; empty where that is not from a list."""
        return tuple(CHOICES.get(self.name, ()))


def _settings_in(section: Any, values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Setting]]:
    for name, field in section.__pydantic_fields__.items():
        if isinstance(value := values[name], Mapping):
            yield from _settings_in(field.annotation, value, f"{name}.")
        else:
            about = tuple(one for one in field.metadata if isinstance(one, About))
            label, description = field.title or f"{above}{name}", field.description or ""
            dotted = f"{above}{name}"
            yield dotted, Setting(dotted, label, description, about, not field.repr, value)


def declared() -> dict[str, Setting]:
    """Return what is declared of every setting, by dotted name."""
    return dict(_settings_in(Settings, Settings().model_dump(mode="json")))


SETTINGS = declared()
PER_CONVERSATION = tuple(name for name, one in SETTINGS.items() if OWN in one.about)


def choices_in(settings: Settings) -> dict[str, str]:
    """Return what settings say of all that a conversation may choose for itself."""
    return {name: getattr(settings, name) for name in PER_CONVERSATION}
