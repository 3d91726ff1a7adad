"""Where settings come from, and where changes are saved.

A value comes from the first of these that has it: the command line, the environment (`PLANGLASS_ENGINE`,
`PLANGLASS_LIMITS_WORKERS`), `settings.json` in the data directory, the default. The page Settings writes that file;
what the command line or the environment sets cannot be changed there. `language-model.json`, which version 0.1.0
wrote, is read where `settings.json` says nothing, and is merged into it when something is saved.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import JsonValue
from pydantic_settings import EnvSettingsSource

from catalog.data_directory import default_home
from dialogue.settings import configuration
from dialogue.settings.choices import SettingsError, leaves, merge, nest
from dialogue.settings.settings import Settings

OLD_FILE = "language-model.json"
_log = logging.getLogger(__name__)


def read_settings(
    chosen: Mapping[str, JsonValue] | None = None, home: Path | None = None, *, aloud: bool = True
) -> configuration.Configuration:
    """Read the settings from all sources; `chosen` is what the command line says, by dotted name.

    What cannot be used of the files and the environment is a problem of the configuration, told in the program's log
    where it is read `aloud`, and the default is used. Raises SettingsError for what the command line says.
    """
    said = nest(dict(chosen or {}) | ({"home": str(home)} if home is not None else {}))
    environment = EnvSettingsSource(Settings)()
    folder = Path(said.get("home") or environment.get("home") or default_home()).expanduser()
    problems: dict[str, str] = {}
    try:
        in_file = _read_file(folder)
    except SettingsError as error:
        in_file = {}
        problems[configuration.FILE] = str(error)
    layers = (
        (configuration.COMMAND_LINE, said),
        (configuration.ENVIRONMENT, environment),
        (configuration.FILE, in_file),
        (OLD_FILE, _read_old_file(folder)),
    )
    origins: dict[str, str] = {}
    values: dict[str, Any] = {"home": folder}
    for origin, layer in layers:
        for name, _ in leaves(layer):
            origins.setdefault(name, origin)
        values = merge(values, layer)
    while faults := configuration.find_setting_faults(values, origins):
        if typed := [fault.told for fault in faults if fault.origin == configuration.COMMAND_LINE]:
            raise SettingsError(" ".join(typed))
        for fault in faults:
            name = ".".join(fault.keys)
            values = nest({known: one for known, one in leaves(values) if not f"{known}.".startswith(f"{name}.")})
            origins = {known: one for known, one in origins.items() if not f"{known}.".startswith(f"{name}.")}
            problems[name] = (
                f"{fault.told} {configuration.SERVES if configuration.is_setting(name) else configuration.IGNORED}"
            )
    if aloud:
        for problem in problems.values():
            _log.error("planglass: %s", problem)
    return configuration.Configuration(configuration.build(values, origins), origins, problems, dict(leaves(in_file)))


def read_again(now: configuration.Configuration) -> configuration.Configuration:
    """Return a configuration with what was written into the file since it was read.

    Where that cannot be used, it is a problem of the file, which is told in the program's log, and nothing changes.
    """
    problems = {name: told for name, told in now.problems.items() if name != configuration.FILE}
    try:
        return replace(now, problems=problems).take_up(dict(leaves(_read_file(now.settings.home))))
    except (SettingsError, OSError) as error:
        _log.error("planglass: %s", told := str(error))
        return replace(now, problems={**problems, configuration.FILE: told})


def state_of_file(home: Path) -> tuple[int, ...]:
    """Return numbers that are others after each change of the file; none where there is no file."""
    with suppress(OSError):
        found = (home / configuration.FILE).stat()
        return found.st_mtime_ns, found.st_size, found.st_ino
    return ()


def save_settings(home: Path, changes: Mapping[str, JsonValue]) -> None:
    """Write values into `settings.json`, which only its owner may read; None takes one out.

    Raises OSError, also where the file that is there is damaged: it is not written over.
    """
    try:
        kept = merge(_read_file(home), _read_old_file(home))
    except SettingsError as error:
        raise OSError(str(error)) from error
    kept = nest({name: value for name, value in {**dict(leaves(kept)), **changes}.items() if value is not None})
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = home / f"{configuration.FILE}.new"
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        json.dump(kept, out, indent=2)
    beside.replace(home / configuration.FILE)
    (home / OLD_FILE).unlink(missing_ok=True)


def _read_file(home: Path) -> dict[str, Any]:
    try:
        kept = json.loads((home / configuration.FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise SettingsError(
            f"{home / configuration.FILE} is not JSON: {error}. Correct it, or delete it to use the defaults."
        ) from error
    if not isinstance(kept, dict):
        raise SettingsError(
            f"{home / configuration.FILE} holds no JSON object. Correct it, or delete it to use the defaults."
        )
    for name in ("catalogs", "drop_ins", "skill_folders"):
        if isinstance(files := kept.get(name), list):
            kept[name] = [str(home / str(file)) for file in files]
    return kept


def _read_old_file(home: Path) -> dict[str, Any]:
    """Read what version 0.1.0 saved of a language model; like 0.1.0, take a damaged file for none."""
    try:
        kept = json.loads((home / OLD_FILE).read_text(encoding="utf-8"))
        known = {name: kept[name] for name in ("mode", "url", "model", "key") if isinstance(kept.get(name), str)}
        Settings(llm=known)
    except (OSError, ValueError, AttributeError):
        return {}
    return {"llm": known} if known else {}
