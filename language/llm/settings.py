"""Whether, when and which language model is asked: from the environment, or from what was set on the settings page.

What the environment says stands; the page sets the rest. The key is kept in memory, or (if its owner wants so) in a
file that nobody else may read; it is never shown, logged or exported.
"""

from __future__ import annotations

import ipaddress
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

FILE = "language-model.json"
LONGEST = 2_000
"""Characters of any one setting."""


class Mode(StrEnum):
    """When the model is asked."""

    OFF = "off"
    """Never."""
    UNSURE = "unsure"
    """Where the offline reader has an idea of what is asked for, and is not sure."""
    ALWAYS = "always"
    """For every utterance that may be a request."""


VARIABLES = {
    "mode": "PLANGLASS_LLM_MODE",
    "url": "PLANGLASS_LLM_URL",
    "model": "PLANGLASS_LLM_MODEL",
    "key": "PLANGLASS_LLM_KEY",
}
"""Environment variables by setting."""


class Unfit(ValueError):
    """A setting that cannot be used; the message says what was found and what to write."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Which model is asked, and when. `limit_s` is for one utterance, with all that is tried again."""

    mode: Mode = Mode.OFF
    url: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    limit_s: float = 20.0

    @property
    def complete(self) -> bool:
        """Tell whether there is a model to ask."""
        return bool(self.url and self.model)

    @property
    def loopback(self) -> bool:
        """Tell whether the model runs on this machine."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    @property
    def exposes_key(self) -> bool:
        """Tell whether the key would travel where others can read it."""
        return bool(self.key) and urlsplit(self.url).scheme == "http" and not self.loopback


def check_settings(settings: Settings) -> Settings:
    """Return the settings with their URL as it is used; raise Unfit for what can never work."""
    for name, value in (("base URL", settings.url), ("model", settings.model), ("key", settings.key)):
        if len(value) > LONGEST or not value.isprintable():
            raise Unfit(f"The {name} is too long, or holds characters that cannot be typed. Copy it once more.")
    if settings.key and not settings.key.isascii():
        raise Unfit("The key holds letters that no key has. Copy it once more.")
    if settings.url:
        settings = replace(settings, url=_check_url(settings.url))
    if settings.mode is not Mode.OFF and not settings.complete:
        lacking = "a base URL" if not settings.url else "the name of a model"
        raise Unfit(f"To ask a language model, {lacking} is needed, such as {_example(settings)}.")
    return settings


def _example(settings: Settings) -> str:
    return "http://127.0.0.1:8080/v1" if not settings.url else "qwen2.5-7b-instruct, as its server calls it"


def _check_url(url: str) -> str:
    url = url.strip().rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise Unfit(f"That is no base URL: {error}. Write one such as http://127.0.0.1:8080/v1.") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0 or " " in url:
        raise Unfit("That is no base URL. Write one that begins with http:// or https://, and names a machine.")
    if parts.username or parts.password:
        raise Unfit("The base URL has a name or password in it. Leave that out, and use the key.")
    if parts.query or parts.fragment:
        raise Unfit("The base URL has a “?” or “#” in it. Write only what stands before it.")
    return url


def from_environment(environment: Mapping[str, str] | None = None, base: Settings | None = None) -> Settings:
    """Read the settings from the environment, over `base` where it says nothing. Raises Unfit."""
    said = os.environ if environment is None else environment
    found = base or Settings()
    if mode := said.get(VARIABLES["mode"], "").strip().lower():
        if mode not in list(Mode):
            known = ", ".join(Mode)
            raise Unfit(f"{VARIABLES['mode']} is {mode!r:.40}. Known are: {known}.")
        found = replace(found, mode=Mode(mode))
    texts = {name: said.get(VARIABLES[name], "").strip() or getattr(found, name) for name in ("url", "model", "key")}
    return check_settings(replace(found, url=texts["url"], model=texts["model"], key=texts["key"]))


def set_outside(environment: Mapping[str, str] | None = None) -> frozenset[str]:
    """Name the settings that the environment has set, and nobody else can change."""
    said = os.environ if environment is None else environment
    return frozenset(name for name, variable in VARIABLES.items() if said.get(variable, "").strip())


def load_settings(home: Path) -> Settings:
    """Read what was kept, or the defaults where nothing of use was."""
    try:
        kept = json.loads((home / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Settings()
    if not isinstance(kept, dict):
        return Settings()
    texts = {name: kept[name] for name in ("url", "model", "key") if isinstance(kept.get(name), str)}
    mode = Mode(kept["mode"]) if kept.get("mode") in list(Mode) else Mode.OFF
    try:
        return check_settings(Settings(mode=mode, **texts))
    except Unfit:
        return Settings()


def save_settings(home: Path, settings: Settings, *, with_key: bool) -> None:
    """Keep the settings in a file that only its owner may read; the key only if that is wanted."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {"mode": settings.mode.value, "url": settings.url, "model": settings.model}
    if with_key and settings.key:
        kept["key"] = settings.key
    beside = home / f"{FILE}.new"
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        json.dump(kept, out)
    beside.replace(home / FILE)
