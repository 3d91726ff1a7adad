"""What agents are told besides a command: the shell, and names near those that a failed command could not find."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import psutil
from pydantic import JsonValue
from rapidfuzz import fuzz, process

from dialogue.agents.model import Stage
from dialogue.agents.terminal.advisers.vocabulary import NEAR, NOT_FOUND

_MOST_NAMES = 2_000
_NEAR = 3
_ALIKE = 60.0
_WORDS = 12


def folder_of(pid: int) -> Path | None:
    """Return the folder that a process is in; None where that cannot be found out."""
    try:
        return Path(psutil.Process(pid).cwd())
    except (psutil.Error, OSError):
        return None


def near_names(line: str, folder: Path) -> dict[str, list[str]]:
    """Return, for each word that names a file that is not there, the names beside it that are most like it."""
    found: dict[str, list[str]] = {}
    for word in _words(line)[1:_WORDS]:
        path = folder / Path(word).expanduser() if not word.startswith("-") and len(word) < 200 else None
        if path is None or path.exists():
            continue
        names = _names(path.parent)
        alike = process.extract(path.name, names, scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=_NEAR)
        if alike:
            start = word[: len(word) - len(Path(word).name)]
            found[word] = [f"{start}{name}" for name, *_ in alike]
    return found


def look_around(pid: int, shell: str, line: str, stage: Stage, exit_code: int | None) -> Mapping[str, JsonValue]:
    """Tell about the surroundings of a command. Files are looked at only after one that failed."""
    told: dict[str, JsonValue] = {"shell": shell}
    if stage is Stage.AFTER and exit_code and exit_code != NOT_FOUND:
        folder = folder_of(pid)
        if folder is not None and (near := near_names(line, folder)):
            told[NEAR] = {word: list(names) for word, names in near.items()}
    return told


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def _names(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in islice(folder.iterdir(), _MOST_NAMES)]
    except OSError:
        return []
