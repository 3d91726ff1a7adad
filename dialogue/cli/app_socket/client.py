"""The command's side: it sends what it was given, and is then the terminal of a command that runs elsewhere."""

from __future__ import annotations

import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TextIO

from dialogue.cli.app_socket.wire import Asked, BadMessage, Channel, Opening, address_of, own_version, pieces
from dialogue.cli.screen import OwnScreen
from dialogue.cli.terminal import Output, Terminal
from dialogue.services.settings.configuration import Configuration

REFUSED, CUT_OFF = 2, 1


def connect(path: Path) -> Channel | None:
    """Connect with the dashboard that holds a store; None where there is none that answers.

    Raises PermissionError where it is another user's.
    """
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with address_of(path) as address:
            connection.connect(address)
    except PermissionError:
        connection.close()
        raise PermissionError(f"{path} is another user's: give the command as that user.") from None
    except OSError:  # there is none, or it died and left its socket
        connection.close()
        return None
    return Channel(connection)


def opening(arguments: Sequence[str], terminal: Terminal, configuration: Configuration) -> Opening:
    """Write down what a command is, and where it was given."""
    user = ""
    with suppress(OSError, KeyError):  # this user has no name
        user = terminal.user()
    return Opening(
        version=own_version(),
        arguments=tuple(arguments),
        cwd=str(Path.cwd()),
        user=user,
        interactive=terminal.is_interactive,
        asked={
            name: Asked(value=value, origin=configuration.origins[name])
            for name, value in configuration.fixed_values().items()
        },
    )


def run_there(channel: Channel, said: Opening, terminal: Terminal) -> int:
    """Have a command run at the other end, and be its terminal; return its exit code."""
    there = _There(channel, terminal)
    try:
        with _interrupts(channel):
            with suppress(OSError):  # it is refused, or nobody is there any more: what comes tells which
                channel.send(said.model_dump(mode="json"))
            return there.follow()
    except BadMessage as error:
        terminal.err.write(f"planglass: The dashboard does not speak as this program does. {error}\n")
        return REFUSED
    finally:
        channel.end()
        channel.close()


class _There:
    """Carries out what comes from the other end."""

    def __init__(self, channel: Channel, terminal: Terminal) -> None:
        self._channel, self._terminal = channel, terminal
        self._wanted: SimpleQueue[OwnScreen | None] = SimpleQueue()
        self._reader: threading.Thread | None = None
        self._screen: OwnScreen | None = None

    def follow(self) -> int:
        """Go on until the command ends, or the other end does."""
        with _left_as_it_was() if self._terminal.is_interactive else nullcontext():
            while (message := self._channel.receive()) is not None:
                match message:
                    case {"exit": int() as code}:
                        return code
                    case {"refused": str(why)}:
                        self._terminal.err.write(f"planglass: {why}\n")
                        return REFUSED
                    case _:
                        self._do(message)
        self._terminal.err.write(
            "planglass: The dashboard has ended, and this command with it. What was answered is kept; to go on, give "
            "the command again.\n"
        )
        return CUT_OFF

    def _do(self, message: Mapping[str, Any]) -> None:
        match message:
            case {"out": str(text)}:
                _write(self._terminal.out, text)
            case {"err": str(text)}:
                _write(self._terminal.err, text)
            case {"want": "line"}:
                self._want(None)
            case {"screen": str(prompt)}:
                self._want(self._screen_of(prompt))
            case {"show": [*lines], "prompt": str(prompt)}:
                self._screen_of(prompt).show(list(map(str, lines)))
            case _:
                raise BadMessage("What came is no message.")

    def _screen_of(self, prompt: str) -> OwnScreen:
        if self._screen is None:
            self._screen = OwnScreen(prompt)
        return self._screen

    def _want(self, screen: OwnScreen | None) -> None:
        """Read a line as soon as there is one, on a thread of its own: what comes meanwhile is shown."""
        if self._reader is None:
            self._reader = threading.Thread(target=self._read, name="read", daemon=True)
            self._reader.start()
        self._wanted.put(screen)

    def _read(self) -> None:
        with suppress(ValueError):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the main thread is the one to be interrupted
        lines = _lines(self._terminal)
        with suppress(OSError):  # nobody is there any more: the thread that follows tells
            while True:
                screen = self._wanted.get()
                try:
                    line = next(lines, None) if screen is None else screen.read()
                except ValueError as error:  # it is no text
                    self._channel.send({"unreadable": str(error)})
                    return
                if line is None:
                    self._channel.send({"line": None})
                    continue
                line = line if screen is None else f"{line}\n"
                for piece in pieces(line):
                    self._channel.send({"line": piece})
                if not line.endswith("\n"):  # the input ends without one
                    self._channel.send({"line": None})


def _write(stream: Output, text: str) -> None:
    stream.write(text)
    stream.flush()


def _lines(terminal: Terminal) -> Iterator[str]:
    """Yield the lines of the input, by way of a stream of our own where that is a file.

    Where the thread that reads is still at it when the program ends, Python could not take its own stream down.
    """
    stdin: TextIO | None = sys.stdin
    try:
        number = stdin.fileno() if stdin is not None else None
    except (OSError, ValueError, AttributeError):
        number = None
    if stdin is None or number is None:
        yield from terminal.lines()
        return
    yield from open(number, encoding=stdin.encoding, errors=stdin.errors, closefd=False)  # noqa: SIM115 - see above


@contextmanager
def _interrupts(channel: Channel) -> Iterator[None]:
    """Pass an interruption on: the command ends itself. A second one ends this program at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def pass_on(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        with suppress(OSError):
            channel.send({"interrupt": True})

    signal.signal(signal.SIGINT, pass_on)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _left_as_it_was() -> Iterator[None]:
    """Leave the terminal as it was, whatever is still being typed when the command ends."""
    import termios

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        yield
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
