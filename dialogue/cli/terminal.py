"""Where a command is given: what it reads and writes, where its paths begin, and whose services it uses.

A command that uses the store is a function of its options and a terminal. So it runs in the process that holds the
store, whichever that is: in its own, or in that of a dashboard (`dialogue/cli/app_socket/`), and knows no difference.
"""

from __future__ import annotations

import ctypes
import getpass
import io
import itertools
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from catalog.values.media import safe_name
from dialogue.cli.screen import OwnScreen, Screen
from dialogue.services import Services, make_services

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


class Output(Protocol):
    """A stream of text that is written to."""

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...


class Terminal(Protocol):
    """What a command has to do with whoever gave it. All of it raises KeyboardInterrupt where that is wanted."""

    @property
    def out(self) -> Output: ...

    @property
    def err(self) -> Output: ...

    @property
    def is_interactive(self) -> bool:
        """Whether somebody types here, and sees what is written."""
        ...

    @property
    def is_guest(self) -> bool:
        """Whether the services are another program's, which goes on with what a command leaves behind."""
        ...

    @property
    def choices(self) -> Mapping[str, str]:
        """What a conversation is to choose for itself, as the services are used with other settings."""
        ...

    def user(self) -> str:
        """Return the name of who gave the command."""
        ...

    def lines(self) -> Iterator[str]:
        """Yield the lines of the input, each with its end, as they are wanted."""
        ...

    def path(self, name: str | Path) -> Path:
        """Return a path as it counts from where the command was given."""
        ...

    def wait(self, wait: Callable[[float], bool], limit_s: float) -> bool: ...

    def screen(self, prompt: str) -> Screen:
        """Return what is typed on while others speak; only where it is interactive."""
        ...

    def services(
        self,
        chosen: Mapping[str, JsonValue],
        *,
        files: Sequence[Path] | None = None,
        today: date | None = None,
        own: Sequence[str] = (),
    ) -> AbstractContextManager[Services]:
        """Return the services for a command (see `make_services`); they are given back at the end of the context.

        `own` are settings that the command can choose for a conversation of its own. Raises SettingsError.
        """
        ...


class OwnTerminal:
    """The streams of this process, as they are at the moment, and services of its own."""

    is_guest = False
    choices: Mapping[str, str] = {}

    @property
    def out(self) -> Output:
        return sys.stdout

    @property
    def err(self) -> Output:
        return sys.stderr

    @property
    def is_interactive(self) -> bool:
        """Whether somebody types here, and sees what is written."""
        return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))

    def user(self) -> str:
        """Return the name of who gave the command."""
        return getpass.getuser()

    def lines(self) -> Iterator[str]:
        """Yield the lines of the input, each with its end, as they are wanted."""
        yield from sys.stdin

    def path(self, name: str | Path) -> Path:
        """Return a path as it counts from where the command was given."""
        return Path(name)

    def wait(self, wait: Callable[[float], bool], limit_s: float) -> bool:
        return wait(limit_s)

    def screen(self, prompt: str) -> Screen:
        """Return what is typed on while others speak."""
        return OwnScreen(prompt)

    def services(
        self,
        chosen: Mapping[str, JsonValue],
        *,
        files: Sequence[Path] | None = None,
        today: date | None = None,
        own: Sequence[str] = (),
    ) -> AbstractContextManager[Services]:
        """Assemble the services for a command, and close them at the end."""
        return closing(make_services(chosen=chosen, files=files, today=today))


_OUT, _ERR = 1, 2
_OURS = frozenset({"catalog", "planning", "explain", "language", "dialogue", "pages", *sys.stdlib_module_names})
"""Packages whose words are the output of a command; `argparse` writes what it was told to."""


class _OwnOutput(io.TextIOWrapper):
    """The output of a command: what a library prints by Python goes to the error stream."""

    def write(self, text: str, /) -> int:
        printing = str(sys._getframe(1).f_globals.get("__name__", "")).partition(".")[0]
        return super().write(text) if printing in _OURS else sys.stderr.write(text)


@contextmanager
def own_output() -> Iterator[None]:
    """Keep what libraries print out of the standard output of this process, also where native code writes it.

    Descriptor 1 leads to the error stream meanwhile, and the command writes to a copy of what it led to. A terminal is
    left as it is: both streams lead there, and typing a line needs it.
    """
    before = sys.stdout
    if before is not sys.__stdout__ or before is None or before.fileno() != _OUT or before.isatty():
        yield
        return
    before.flush()
    kept = os.dup(_OUT)
    sys.stdout = own = _OwnOutput(os.fdopen(kept, "wb"), before.encoding, before.errors)
    os.dup2(_ERR, _OUT)
    try:
        yield
        own.flush()
    except BrokenPipeError:
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), kept)  # the reader has gone: what is still to be written is dropped
        raise
    finally:
        sys.stdout = before
        ctypes.CDLL(None).fflush(None)  # what native code has not written yet
        own.flush()
        os.dup2(kept, _OUT)
        own.close()
