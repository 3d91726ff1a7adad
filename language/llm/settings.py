"""Whether, when and which language model is asked.

Where these settings come from and where they are saved is decided in `dialogue.settings`. The key is never
shown, logged or exported.
"""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from enum import StrEnum
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

LONGEST = 2_000
"""Characters of any one setting."""


class ModelUse(StrEnum):
    """When the model is asked."""

    OFF = "off"
    """Never."""
    UNSURE = "unsure"
    """Where the offline reader has an idea of what is asked for, and is not sure."""
    ALWAYS = "always"
    """For every utterance that may be a request."""

    @classmethod
    def _missing_(cls, value: object) -> ModelUse | None:
        """Read " Always " as `always`."""
        return next((mode for mode in cls if isinstance(value, str) and mode.value == value.strip().lower()), None)


class UnfitSetting(ValueError):
    """A setting that cannot be used; the message says what was found and what to write."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class ModelSettings:
    """Which model is asked, and when."""

    mode: ModelUse = Field(default=ModelUse.OFF, description="When a language model is asked: off, unsure or always.")
    url: str = Field(default="", description="Where a server with OpenAI's interface listens.")
    model: str = Field(default="", description="The model, as its server calls it.")
    key: str = Field(default="", repr=False, description="The key, if the server wants one.")
    limit_s: float = Field(
        default=20.0,
        description="Seconds for one utterance, with all that is tried again; three times that for a split of a task.",
    )

    @property
    def complete(self) -> bool:
        """Return whether there is a model to ask."""
        return bool(self.url and self.model)

    @property
    def loopback(self) -> bool:
        """Return whether the model runs on this machine."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    @property
    def exposes_key(self) -> bool:
        """Return whether the key would travel where others can read it."""
        return bool(self.key) and urlsplit(self.url).scheme == "http" and not self.loopback


def check_settings(settings: ModelSettings) -> ModelSettings:
    """Return the settings with their URL as it is used; raise Unfit for what can never work."""
    for name, value in (("base URL", settings.url), ("model", settings.model), ("key", settings.key)):
        if len(value) > LONGEST or not value.isprintable():
            raise UnfitSetting(f"The {name} is too long, or holds characters that cannot be typed. Copy it once more.")
    if settings.key and not settings.key.isascii():
        raise UnfitSetting("The key holds letters that no key has. Copy it once more.")
    if settings.url:
        settings = replace(settings, url=_check_url(settings.url))
    if settings.mode is not ModelUse.OFF and not settings.complete:
        lacking = "a base URL" if not settings.url else "the name of a model"
        raise UnfitSetting(f"To ask a language model, {lacking} is needed, such as {_example(settings)}.")
    return settings


def _example(settings: ModelSettings) -> str:
    return "http://127.0.0.1:8080/v1" if not settings.url else "qwen2.5-7b-instruct, as its server calls it"


def _check_url(url: str) -> str:
    url = url.strip().rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UnfitSetting(f"That is no base URL: {error}. Write one such as http://127.0.0.1:8080/v1.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0 or " " in url:
        raise UnfitSetting("That is no base URL. Write one that begins with http:// or https://, and names a machine.")
    if parts.username or parts.password:
        raise UnfitSetting("The base URL has a name or password in it. Leave that out, and use the key.")
    if parts.query or parts.fragment:
        raise UnfitSetting("The base URL has a “?” or “#” in it. Write only what stands before it.")
    return url
