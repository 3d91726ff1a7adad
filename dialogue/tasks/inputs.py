"""Inputs of a task: files and values become values of facts; files are told by what they hold."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from pathlib import Path, PurePath, PurePosixPath

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.problems import CatalogError, Findings, Place
from catalog.values import Kind, Unreadable
from catalog.values.base import listed, nearest
from catalog.values.documents import file_value
from catalog.values.media import FileKind, show_size
from catalog.wording import values as words
from dialogue.tasks.state.events import TaskGiven
from planning.hierarchy.description import Input
from planning.hierarchy.files.load import LoadedTask

MAX_TEXT = 5_000_000
"""Bytes of a file with a value that is no document; of a document, the catalog says how many it may have."""


ReadFile = Callable[[str, Kind], bytes | None]
"""Reads a file by the name that a task has for it, as a value of a kind; None where it is handed over later.

Raises OSError, ValueError.
"""


@dataclass(frozen=True, slots=True)
class Supplied:
    """A value for a fact, how it was given, and the files that it stands for."""

    fact: str
    value: JsonValue
    said: str
    files: tuple[bytes, ...] = ()
    secret: bool = False
    """Whether it was made from something sensitive."""


def read_inputs(given: LoadedTask, today: date, read: ReadFile | None = None) -> tuple[Supplied, ...]:
    """Read everything that a task file says its inputs are. Raises CatalogError with all that cannot be read.

    Files are looked for beside the task's own, unless it is said how they are read.
    """
    findings = Findings(given.file, given.lines)
    found = tuple(_read_all(given, read or read_beside(Path(given.file).parent), today, findings))
    if problems := findings.in_order():
        raise CatalogError(problems)
    return found


def open_task(given: LoadedTask, title: str, seed: int, conversation: tuple[str, int]) -> TaskGiven:
    """Return what begins the log of a task, with the text of its catalog.

    `conversation` is the one that hands it over, if one does, and its number there.
    """
    task, catalog = given.task, given.catalog
    return TaskGiven(
        description=task.as_description(),
        catalog=Path(catalog.file).read_text(encoding="utf-8"),
        file=catalog.file,
        activities=task.activities,
        title=title,
        seed=seed,
        confirmed=task.confirmed,
        conversation=conversation[0],
        number=conversation[1],
    )


def read_beside(folder: Path) -> ReadFile:
    return lambda name, kind: read_file(folder / name, kind)


def read_handed_over(files: Mapping[str, bytes], demo: Path | None = None) -> ReadFile:
    """Read files that came along with a task, by their names without folders, and else those in the folder of a demo.

    A task that came from elsewhere never reads another file of this computer.
    """

    def read(name: str, kind: Kind) -> bytes | None:
        came = files.get(PurePosixPath(name.replace("\\", "/")).name)
        if came is not None or demo is None:
            return came
        path = (demo / "tasks" / name).resolve()
        return read_file(path, kind) if path.is_relative_to(demo.resolve()) and path.is_file() else None

    return read


def _read_all(given: LoadedTask, read: ReadFile, today: date, findings: Findings) -> Iterator[Supplied]:
    for fact, declared in given.task.inputs.items():
        names = (declared.file,) if declared.file else declared.files
        if not names and declared.value is None:
            continue
        try:
            if (supplied := read_input(given.catalog.catalog, fact, declared, read, today)) is not None:
                yield supplied
        except (OSError, ValueError) as error:
            key = "file" if declared.file else "files" if declared.files else "value"
            place: Place = ("inputs", fact, key)
            findings.error("input", place, _say(error), "Hand over another one, or leave it out.")


def _say(error: OSError | ValueError) -> str:
    """Say why a file cannot be read; where there is none, which are there that are called alike."""
    if not isinstance(error, OSError):
        return str(error)
    said = f"{error.filename} cannot be read: {error.strerror}."
    there = Path(error.filename).parent
    if not isinstance(error, FileNotFoundError) or not there.is_dir():
        return said
    alike = nearest(Path(error.filename).name, (one.name for one in there.iterdir() if one.is_file()), most=3)
    return f"{said} There is {listed(alike, 'and')}." if alike else said


def read_input(catalog: Catalog, fact: str, declared: Input, read: ReadFile, today: date) -> Supplied | None:
    """Read one input; None where a file of it is handed over later.

    Raises OSError for a file that cannot be read, ValueError for what is no value of the fact.
    """
    if declared.value is not None:
        return supply(catalog, fact, declared.value, {}, today)
    paths = (declared.file,) if declared.file else declared.files
    files: dict[str, bytes] = {}
    for path, name in zip(paths, tell_apart(paths), strict=True):
        if (data := read(path, catalog.facts[fact].value)) is None:
            return None
        files[name] = data
    value: JsonValue = [file_value(name, data) for name, data in files.items()]
    if declared.file and isinstance(value, list):
        value = value[0]
    return supply(catalog, fact, value, files, today)


def tell_apart(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the names of files by which they are told apart: with their folders where two are called the same."""
    names = [PurePath(path).name for path in paths]
    parts = [[part for part in re.split(r"[/\\]", path) if part.strip(".")] for path in paths]
    levels = zip(*(one[:-1] for one in parts), strict=False)
    shared = sum(1 for _ in takewhile(lambda level: len(set(level)) == 1, levels))
    whole = ["-".join(one[shared:]) for one in parts]
    return tuple(path if names.count(name) > 1 else name for path, name in zip(whole, names, strict=True))


def read_file(path: Path, kind: Kind) -> bytes:
    """Read a file that a value of a kind is made of; one that is too large for that is not read at all.

    Raises OSError, and ValueError for one that is too large, or no file.
    """
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is a folder, or otherwise no file.")
    inner = kind.innermost
    most = inner.max_bytes if isinstance(inner, FileKind) else MAX_TEXT
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(most + 1) if size <= most else b""
    if max(size, len(data)) > most:
        fault = inner.unreadable("too_many_bytes", size=show_size(max(size, len(data))), most=show_size(most)).fault
        raise ValueError(f"{path.name} is too large. {words.say_fault(fault)}")
    return data


def supply(catalog: Catalog, fact: str, value: JsonValue, files: Mapping[str, bytes], today: date) -> Supplied:
    """Check a value of a fact. Raises LookupError for an unknown fact, and ValueError for what is no value of it."""
    if fact not in catalog.facts:
        raise LookupError(f"The catalog has no fact {fact!r:.100}. It has: {', '.join(catalog.facts)}.")
    kind = catalog.facts[fact].value
    try:
        checked = kind.check(value, today)
    except Unreadable as problem:
        raise ValueError(words.say_fault(problem.fault)) from problem
    said = ", ".join(files) or (value if isinstance(value, str) else "")
    return Supplied(fact, checked, said, tuple(files.values()))
