"""Files that commands save: what skills and bots made."""

from __future__ import annotations

import itertools
from pathlib import Path

from catalog.values.media import safe_name
from dialogue.services import Services

RESULTS = "results"
"""The folder in the data directory in which files may be saved."""


def save_new(services: Services, folder: Path, name: str, data: bytes) -> Path:
    """Save a file from a skill or a bot as a new file of a folder; return its path.

    Its name is made safe. Nothing is written over, nor through a link: the same bytes are there already, others get a
    number. Raises ValueError for a folder among the program's own files.
    """
    home, there, name = services.settings.home.resolve(), folder.resolve(), safe_name(name)
    if there.is_relative_to(home) and not there.is_relative_to(home / RESULTS):
        raise ValueError(f"{folder} is part of the data directory, which holds what this program needs. Name another.")
    folder.mkdir(parents=True, exist_ok=True)
    stem, dot, ending = name.rpartition(".") if "." in name else (name, "", "")
    for number in itertools.count(2):
        path = folder / name
        try:
            with path.open("xb") as file:
                file.write(data)
            return path
        except FileExistsError:
            if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
                return path
            name = f"{stem}-{number}{dot}{ending}"
    raise AssertionError("unreachable")
