"""The terminal of a command that runs in another process than the one in which it was given."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from time import monotonic
from typing import Any

from pydantic import JsonValue

from catalog.load import load
from dialogue.cli.app_socket.wire import BadMessage, Channel, Opening, batches, pieces
from dialogue.cli.screen import Lines, Screen
from dialogue.services import Services
from dialogue.services.settings.beside import choices_beside

LONGEST_LINE = 1 << 24
"""Characters of the longest line of input; more is an error."""
_SLICE_S = 0.2
"""How soon a command that waits heeds that it is to end."""
STOPS = (
    "planglass: The dashboard ends, and this command with it. What was answered is kept; to go on, give the command "
    "again.\n"
)
CUT_OFF = 1


class ClientLeft(BrokenPipeError):
    """Nobody is there any more for whom the command works."""


class AppStops(RuntimeError):
    """The program in which the command runs ends."""


_SILENT = (ClientLeft, AppStops)
"""What ends a command that has nobody to speak to any more."""


class Guest:
    """A command's terminal at the other end of a channel. Its command is one thread; another one calls `listen`."""

    is_guest = True

    def __init__(self, channel: Channel, said: Opening, services: Callable[[], Services]) -> None:
        self._channel, self._said, self._services = channel, said, services
        self._changed = threading.Condition()
        self._lines: deque[str | None] = deque()
        self._piece = ""
        self._wanted = self._deaf = False
        self._over: BaseException | None = None
        self.choices: Mapping[str, str] = {}
        self.out = _Output("out", self._send)
        self.err = _Output("err", self._send)

    # what a command has of it

    @property
    def is_interactive(self) -> bool:
        """Whether somebody types there, and sees what is written."""
        return self._said.interactive

    def user(self) -> str:
        """Return the name of who gave the command."""
        return self._said.user

    def lines(self) -> Iterator[str]:
        """Yield the lines of the input, each with its end, as they are wanted."""
        while (line := self.ask({"want": "line"})) is not None:
            yield line

    def path(self, name: str | Path) -> Path:
        """Return a path as it counts from where the command was given."""
        return Path(self._said.cwd) / name

    def wait(self, wait: Callable[[float], bool], limit_s: float) -> bool:
        """Call what waits until it has come about, at most so many seconds; return whether it has."""
        until = monotonic() + limit_s
        while True:
            self._heed()
            left_s = until - monotonic()
            if wait(max(0.0, min(left_s, _SLICE_S))):
                return True
            if left_s <= _SLICE_S:
                return False

    def screen(self, prompt: str) -> Screen:
        """Return what is typed on while others speak."""
        return _GuestScreen(self, prompt)

    @contextmanager
    def services(
        self,
        chosen: Mapping[str, JsonValue],
        *,
        files: Sequence[Path] | None = None,
        today: date | None = None,
        own: Sequence[str] = (),
    ) -> Iterator[Services]:
        """Return the services in use, where they can serve the command as it was given. Raises SettingsError."""
        services = self._services()
        asked = {name: (one.value, one.origin) for name, one in self._said.asked.items()}
        self.choices = choices_beside(asked, services.settings, own)
        if today is not None and today != services.today:
            raise ValueError(
                f"The dashboard that holds this data directory counts from {services.today}: leave --today out, or "
                "end the dashboard first."
            )
        for file in files or ():
            services.library.take(load(file, services.settings.catalog_limits))
        yield services

    def ask(self, message: Mapping[str, Any]) -> str | None:
        """Ask for a line of the input; None at its end."""
        self._heed()
        with self._changed:
            self._wanted = True
        self._send(message)
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._over is not None)
        self._heed()
        with self._changed:
            return self._lines.popleft()

    def show(self, lines: Sequence[str], prompt: str) -> None:
        """Show lines above the one that is being typed, on any thread; what ends the command is for its own to heed."""
        with suppress(OSError):
            for some in batches(lines):
                self._channel.send({"show": some, "prompt": prompt})

    def _send(self, message: Mapping[str, Any]) -> None:
        self._heed()
        try:
            self._channel.send(message)
        except OSError:
            self._end(ClientLeft())
            self._heed()

    def _heed(self) -> None:
        """Raise what ends the command, if anything is to; what it may still speak of counts once."""
        with self._changed:
            over = self._over
            if not isinstance(over, _SILENT):
                self._over = None
        if over is not None:
            raise over

    # what comes from the other end

    def listen(self) -> None:
        """Take in what comes, until the connection ends."""
        try:
            while (message := self._channel.receive()) is not None:
                self._take(message)
        except BadMessage:
            self._channel.end()
        self._end(ClientLeft())

    def _take(self, message: Mapping[str, Any]) -> None:
        match message:
            case {"line": str() | None as text}:
                self._take_line(text)
            case {"unreadable": str(why)}:
                self._end(ValueError(why))
            case {"interrupt": True}:
                self._end(KeyboardInterrupt())
            case _:
                raise BadMessage("What came is no message.")

    def _take_line(self, text: str | None) -> None:
        """Take a piece of a line, of the last one at the end of the input, or that end."""
        with self._changed:
            if self._deaf:
                return
            if not self._wanted:
                raise BadMessage("No line was wanted.")
            if text is not None:
                self._piece += text
                if len(self._piece) > LONGEST_LINE:
                    self._over = ValueError(f"A line of the input has more than {LONGEST_LINE:,} characters.")
                    self._deaf = True  # what is left of it may still come
                elif not text.endswith("\n"):
                    return
            line, self._piece = self._piece or None, ""
            self._wanted = False
            self._lines.append(line)
            self._changed.notify_all()

    def _end(self, why: BaseException) -> None:
        with self._changed:
            if not isinstance(self._over, _SILENT):
                self._over = why
            self._changed.notify_all()

    # how it ends

    def leave(self, code: int) -> None:
        """Hand the exit code over, and end the connection."""
        with self._changed:
            self._over = self._over if isinstance(self._over, _SILENT) else None  # it is too late for that
        with suppress(OSError, AppStops, KeyboardInterrupt, ValueError):  # or they were told another thing
            self.out.flush()
            self.err.flush()
            self._channel.send({"exit": code})
        self._channel.end()

    def stop(self, patience_s: float) -> None:
        """End the command, because the program ends in which it runs, and say so."""
        self._end(AppStops())
        self._channel.send_last({"err": STOPS}, {"exit": CUT_OFF}, patience_s=patience_s)


class _Output:
    """A stream whose text is sent line by line, or when it is flushed."""

    def __init__(self, name: str, send: Callable[[Mapping[str, Any]], None]) -> None:
        self._name, self._send = name, send
        self._kept: list[str] = []

    def write(self, text: str, /) -> int:
        self._kept.append(text)
        if "\n" in text:
            self.flush()
        return len(text)

    def flush(self) -> None:
        text = "".join(self._kept)
        self._kept.clear()
        for piece in pieces(text):
            self._send({self._name: piece})


class _GuestScreen:
    def __init__(self, guest: Guest, prompt: str) -> None:
        self._guest, self._prompt = guest, prompt
        self._lock = threading.Lock()

    def read(self) -> str | None:
        """Read a line; None at the end."""
        line = self._guest.ask({"screen": self._prompt})
        return None if line is None else line.rstrip("\n")

    def show(self, lines: Lines) -> None:
        """Show lines, each once and in the order in which they are called for."""
        with self._lock:
            shown = lines() if callable(lines) else lines
            if shown:
                self._guest.show(shown, self._prompt)
