"""The manifest of a drop-in: `manifest.properties`, in the form of CLAI (name, description, exclude) with keys of ours.

A manifest is data: whatever is wrong with it is told in one line, and nothing is guessed.
"""

from __future__ import annotations

import configparser
import platform
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import regex

from catalog.values.words import compile_pattern
from dialogue.agents.agent import EXECUTE_SECONDS, PREVIEW_SECONDS
from dialogue.agents.model import AgentEvent
from language.responses.agents import faults as drop_in_faults

MANIFEST = "manifest.properties"
AGENT, ORCHESTRATOR = "agent", "orchestrator"
_KINDS = (AGENT, ORCHESTRATOR)
_BOTH = ("name", "description", "exclude", "kind")
_OF_AGENTS = tuple("process limit_ms execute_ms assumed words inputs outputs catalog skill preview".split())
KEYS = (*_BOTH, *_OF_AGENTS)
_TRUTHS = configparser.ConfigParser.BOOLEAN_STATES
_SYSTEMS = {
    **dict.fromkeys(("linux",), "linux"),
    **dict.fromkeys(("darwin", "macos", "osx", "mac"), "darwin"),
    **dict.fromkeys(("windows", "win32", "cygwin"), "windows"),
    **{other: other for other in ("aix", "freebsd", "openbsd", "netbsd", "sunos", "zos", "z/os")},
}
"""Names of operating systems, as manifests write them, and as Python calls them."""
_LARGEST_BYTES = 64 * 1024
_LONGEST_LIMIT_MS = 3_600_000
_PATTERN_S = 0.05
"""Seconds that a pattern may take for one event."""
_T = TypeVar("_T")


class DropInFault(ValueError):
    """What is wrong with a drop-in, in one line: what, where, and what to do."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a drop-in says about itself. It is called as its folder; `label` is the name that it gives itself.

    `kind` is None where the code has to say it. `installer` is the text of its `install.sh`, which is never run.
    """

    folder: Path
    label: str = ""
    description: str = ""
    excluded: bool = False
    kind: str | None = None
    process: bool = False
    limit_s: float = PREVIEW_SECONDS
    execute_s: float = EXECUTE_SECONDS
    assumed: float | None = None
    words: str = ""
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    catalog: str = ""
    skill: tuple[str, str] | None = None
    preview: tuple[str, str] | None = None
    installer: str = ""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def main(self) -> Path:
        return self.folder / f"{self.name}.py"

    @property
    def admits(self) -> Callable[[AgentEvent], bool] | None:
        return filter_of(self.words) if self.words else None

    @property
    def place(self) -> str:
        return str(self.folder / MANIFEST)


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a drop-in. Raises DropInFault."""
    place = str(folder / MANIFEST)
    keys = _read(folder / MANIFEST)
    if unknown := [key for key in keys if key not in KEYS]:
        raise DropInFault(drop_in_faults.unknown_key(place, unknown[0], KEYS))
    read = _Reader(place, keys)
    kind = read.one_of("kind", _KINDS)
    if kind is None and any(key in keys for key in _OF_AGENTS):
        kind = AGENT
    if kind == ORCHESTRATOR and (odd := [key for key in _OF_AGENTS if key in keys]):
        raise DropInFault(drop_in_faults.key_of_agents(place, odd[0]))
    return Manifest(
        folder=folder,
        label=keys.get("name", ""),
        description=keys.get("description", ""),
        excluded=read.excluded(systems=kind != ORCHESTRATOR),
        kind=kind,
        process=bool(read.truth("process")),
        limit_s=read.milliseconds("limit_ms", PREVIEW_SECONDS),
        execute_s=read.milliseconds("execute_ms", EXECUTE_SECONDS),
        assumed=read.share("assumed"),
        words=read.words("words"),
        inputs=_split(keys.get("inputs", "")),
        outputs=_split(keys.get("outputs", "")),
        catalog=keys.get("catalog", ""),
        skill=read.skill("skill"),
        preview=read.skill("preview"),
        installer=_read_text(folder / "install.sh"),
    )


def is_dropped_in(name: str, folders: Iterable[Path]) -> bool:
    places = (folder if folder.name == name else folder / name for folder in folders)
    return any((place / MANIFEST).is_file() for place in places)


def filter_of(words: str) -> Callable[[AgentEvent], bool]:
    """Return the filter that admits an event in which one of some words stands, or `/a pattern/` is found.

    It raises TimeoutError for a pattern that takes too long. Raises regex.error for one that is none.
    """
    if len(words) > 2 and words.startswith("/") and words.endswith("/"):
        pattern = compile_pattern(words[1:-1], regex.IGNORECASE)
    else:
        alternatives = "|".join(map(regex.escape, _split(words)))
        pattern = regex.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", regex.IGNORECASE)
    return lambda event: any(pattern.search(text, timeout=_PATTERN_S) for text in (event.text, event.output))


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _read(file: Path) -> dict[str, str]:
    try:
        data = file.read_bytes()
        if len(data) > _LARGEST_BYTES:
            raise DropInFault(drop_in_faults.not_readable(str(file), f"has more than {_LARGEST_BYTES} bytes"))
        parser = configparser.ConfigParser(interpolation=None)
        parser.read_string(data.decode("utf-8-sig"))
    except OSError as error:
        raise DropInFault(drop_in_faults.not_readable(str(file), f"cannot be read ({type(error).__name__})")) from error
    except UnicodeDecodeError as error:
        raise DropInFault(drop_in_faults.not_readable(str(file), "is not written in UTF-8")) from error
    except configparser.Error as error:
        lines = [line for line, _ in getattr(error, "errors", ())] or [getattr(error, "lineno", None) or 0]
        raise DropInFault(drop_in_faults.no_properties(str(file), lines[0])) from error
    if sections := parser.sections():
        raise DropInFault(drop_in_faults.odd_section(str(file), sections[0]))
    return {key: value.strip() for key, value in parser.defaults().items()}


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")[:_LARGEST_BYTES]
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads values of keys. Each raises DropInFault for one that it cannot read."""

    place: str
    keys: dict[str, str]

    def _fault(self, key: str, write: str) -> DropInFault:
        return DropInFault(drop_in_faults.wrong_value(self.place, key, self.keys[key], write))

    def one_of(self, key: str, known: tuple[str, ...]) -> str | None:
        if (value := self.keys.get(key)) is None or value.lower() in known:
            return value.lower() if value else None
        raise self._fault(key, " or ".join(known))

    def truth(self, key: str) -> bool | None:
        if key not in self.keys:
            return None
        if (value := self.keys[key].lower()) in _TRUTHS:
            return _TRUTHS[value]
        raise self._fault(key, "yes or no")

    def excluded(self, *, systems: bool) -> bool:
        """Return whether it is left out: as CLAI has it, here, or on some operating systems."""
        names = [part.lower() for part in re.split(r"[\s,]+", self.keys.get("exclude", "")) if part]
        if len(names) == 1 and names[0] in _TRUTHS:
            return _TRUTHS[names[0]]
        if names and not systems:
            raise self._fault("exclude", "true or false")
        if any(name not in _SYSTEMS for name in names):
            raise self._fault("exclude", "true, false, or names of operating systems such as linux, darwin, windows")
        return platform.system().lower() in {_SYSTEMS[name] for name in names}

    def milliseconds(self, key: str, usual_s: float) -> float:
        if (value := self.keys.get(key)) is None:
            return usual_s
        if not re.fullmatch("[0-9]{1,7}", value) or not 1 <= int(value) <= _LONGEST_LIMIT_MS:
            raise self._fault(key, f"a whole number of milliseconds from 1 to {_LONGEST_LIMIT_MS}")
        return int(value) / 1_000

    def share(self, key: str) -> float | None:
        if (value := self.keys.get(key)) is None:
            return None
        if not re.fullmatch(r"[01](\.[0-9]{1,9})?|\.[0-9]{1,9}", value) or float(value) > 1:
            raise self._fault(key, "a number from 0 to 1")
        return float(value)

    def words(self, key: str) -> str:
        if (words := self.keys.get(key)) is None:
            return ""
        write = "words with commas between them, or a /pattern/"
        if not _split(words):
            raise self._fault(key, write)
        try:
            filter_of(words)
        except regex.error as error:
            raise self._fault(key, write) from error
        return words

    def skill(self, key: str) -> tuple[str, str] | None:
        if not (value := self.keys.get(key, "")):
            return None
        catalog, slash, skill = (part.strip() for part in value.partition("/"))
        if not (catalog and slash and skill):
            raise self._fault(key, "CATALOG/SKILL")
        return catalog, skill
