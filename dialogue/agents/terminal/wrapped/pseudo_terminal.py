"""Runs a shell in a pseudo-terminal, between the user's terminal and a relay: all input and output is here.

The user's terminal is set to raw, so that each key, Ctrl-C and Ctrl-Z included, reaches the pseudo-terminal, which
makes signals of it for what runs there; job control is that of the shell. At the end the terminal is as it was.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import signal
import struct
import termios
import time
import tty
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from dialogue.agents.terminal.wrapped.hooks import Launch
from dialogue.agents.terminal.wrapped.relay import Relay
from dialogue.agents.terminal.wrapped.surface import Modes, ShownSuggestion, Surface

_CHUNK = 65_536
_CLOSED_SECONDS = 0.05
"""How often it is looked whether a shell whose terminal is not open any longer has ended."""
_SIGNALS = (signal.SIGWINCH, signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP)
_RESET = tuple(one for one in (signal.SIGPIPE, getattr(signal, "SIGXFSZ", None)) if one is not None)
"""Signals that Python ignores, and a shell must not."""


class NoTerminal(ValueError):
    """There is no terminal to wrap a shell in."""


class Mailbox:
    """Answers from other threads, and a pipe that wakes the waiter."""

    def __init__(self) -> None:
        self.waiting, self._waking = os.pipe()
        for end in (self.waiting, self._waking):
            os.set_blocking(end, False)
        self._letters: deque[tuple[int, ShownSuggestion | None]] = deque()

    @property
    def waking(self) -> int:
        return self._waking

    def post(self, number: int, suggestion: ShownSuggestion | None) -> None:
        """Hand in the answer to a question; any thread may."""
        self._letters.append((number, suggestion))
        with suppress(OSError):
            os.write(self._waking, b"a")

    def take(self) -> Iterator[tuple[int, ShownSuggestion | None]]:
        """Yield the answers that came, and empty the pipe."""
        with suppress(BlockingIOError):
            while os.read(self.waiting, 512):
                pass
        while self._letters:
            yield self._letters.popleft()

    def close(self) -> None:
        os.close(self.waiting)
        self.waiting, waking, self._waking = -1, self._waking, -1
        os.close(waking)


@dataclass(frozen=True)
class TerminalEnds:
    """The user's terminal: where keys come from, and where output goes."""

    source: int = 0
    target: int = 1


@dataclass(frozen=True)
class Child:
    """A shell that runs: its process, and our end of its terminal."""

    pid: int
    terminal: int


def require_terminal(descriptor: int) -> None:
    """Raise NoTerminal where a descriptor is none."""
    if not os.isatty(descriptor):
        raise NoTerminal("planglass shell needs a terminal, and what it reads is none. Start it from a terminal.")


def start_shell(launch: Launch, environment: Mapping[str, str], user: int) -> Child:
    """Start a shell in a pseudo-terminal that is set as the user's terminal is."""
    master, slave = os.openpty()
    try:
        termios.tcsetattr(slave, termios.TCSANOW, termios.tcgetattr(user))
        copy_size(user, slave)
        pid = os.posix_spawn(
            launch.arguments[0],
            launch.arguments,
            {**environment, **launch.environment},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.ttyname(slave), os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1),
                (os.POSIX_SPAWN_DUP2, 0, 2),
            ],
            setsid=True,
            setsigmask=(),
            setsigdef=_RESET,
        )
    except BaseException:
        os.close(master)
        raise
    finally:
        os.close(slave)
    os.set_blocking(master, False)
    return Child(pid, master)


def copy_size(source: int, target: int) -> None:
    with suppress(OSError):
        fcntl.ioctl(target, termios.TIOCSWINSZ, fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8)))


def columns_of(terminal: int) -> int:
    """Return how many columns a terminal has; 80 where it does not say."""
    try:
        return int(struct.unpack("HHHH", fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(8)))[1]) or 80
    except OSError:
        return 80


def surface_of(child: Child, user: int, put: Path) -> Surface:
    """Return what a relay must know of the terminals."""

    def modes() -> Modes:
        try:
            _, _, _, local, _, _, keys = termios.tcgetattr(child.terminal)
            return Modes(
                echo=bool(local & termios.ECHO),
                edits_lines=bool(local & termios.ICANON),
                shell_reads=os.tcgetpgrp(child.terminal) == child.pid,
                kill=keys[termios.VKILL],
                erase=keys[termios.VERASE],
            )
        except (OSError, termios.error):
            return Modes(echo=False, shell_reads=False)

    def mute(on: bool) -> None:
        with suppress(OSError, termios.error):
            settings = termios.tcgetattr(child.terminal)
            settings[3] = settings[3] & ~termios.ECHO if on else settings[3] | termios.ECHO
            termios.tcsetattr(child.terminal, termios.TCSANOW, settings)

    def lay(command: str) -> None:
        put.touch(mode=0o600)
        put.write_text(f"{command}\n", encoding="utf-8")

    return Surface(time.monotonic, modes, lambda: columns_of(user), lay, mute)


def attend(child: Child, relay: Relay, mailbox: Mailbox, ends: TerminalEnds) -> int:
    """Pass on what is typed and shown until the shell ends; return its exit code as shells tell it."""
    with _raw(ends.source), _woken(mailbox) as caught:
        return _Attendance(child, relay, mailbox, ends, caught).run()


@contextmanager
def _raw(terminal: int) -> Iterator[None]:
    before = termios.tcgetattr(terminal)
    tty.setraw(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        with suppress(OSError, termios.error):
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def _woken(mailbox: Mailbox) -> Iterator[set[int]]:
    caught: set[int] = set()
    before = {one: signal.signal(one, lambda number, _: caught.add(number)) for one in _SIGNALS}
    waking = signal.set_wakeup_fd(mailbox.waking, warn_on_full_buffer=False)
    try:
        yield caught
    finally:
        signal.set_wakeup_fd(waking)
        for one, handler in before.items():
            signal.signal(one, handler)


class _Attendance:
    """The loop between two terminals."""

    def __init__(self, child: Child, relay: Relay, mailbox: Mailbox, ends: TerminalEnds, caught: set[int]) -> None:
        self._child, self._relay, self._mailbox, self._caught = child, relay, mailbox, caught
        self._source, self._target = ends.source, ends.target
        self._listening = self._open = True

    def run(self) -> int:
        code = self._reap()  # it may have ended before the first look
        while code is None:
            self._pass()
            code = self._heed_signals()
        self._drain()
        self._relay.closed()
        self._show()
        return code

    def _pass(self) -> None:
        relay, master = self._relay, self._child.terminal
        wait = None if relay.deadline is None else max(0.0, relay.deadline - time.monotonic())
        reading = [
            self._mailbox.waiting,
            *([master] if self._open else []),
            *([self._source] if self._listening else []),
        ]
        if self._caught:
            wait = 0.0
        elif not self._open:
            wait = _CLOSED_SECONDS
        ready, writable, _ = select.select(reading, [master] if relay.to_shell else [], [], wait)
        if self._mailbox.waiting in ready:
            for number, suggestion in self._mailbox.take():
                relay.answered(number, suggestion)
        if master in ready:
            self._open = self._read_shell()
        if self._source in ready:
            self._read_user()
        relay.tick()
        self._show()
        if writable or relay.to_shell:
            self._write_shell()

    def _read_shell(self) -> bool:
        """Read what the shell wrote; return whether any program still has the terminal open."""
        try:
            data = os.read(self._child.terminal, _CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._relay.from_shell(data)
        return bool(data)

    def _read_user(self) -> None:
        try:
            data = os.read(self._source, _CHUNK)
        except OSError:
            data = b""
        if data:
            self._relay.from_user(data)
        else:
            self._hang_up()

    def _write_shell(self) -> None:
        try:
            sent = os.write(self._child.terminal, self._relay.to_shell)
            del self._relay.to_shell[:sent]
        except BlockingIOError:
            pass
        except OSError:
            self._relay.to_shell.clear()

    def _show(self) -> None:
        data, self._relay.to_user = self._relay.to_user, bytearray()
        try:
            while data:
                del data[: os.write(self._target, data[:_CHUNK])]
        except OSError as error:
            if error.errno == errno.EAGAIN:
                select.select([], [self._target], [])
                self._relay.to_user = data
            else:
                self._hang_up()

    def _drain(self) -> None:
        """Read what was written before the shell ended or stopped; programs that it left behind may go on writing."""
        while select.select([self._child.terminal], [], [], 0)[0] and self._read_shell():
            self._show()

    def _hang_up(self) -> None:
        """Take the terminal away from the shell, as when a window is closed: it is told so, and reads its end."""
        if self._open:
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, self._child.terminal, inheritable=False)
            os.close(nothing)
        self._listening = self._open = False

    def _heed_signals(self) -> int | None:
        caught: set[int] = set()
        while self._caught:  # one by one: the next one may come at any moment
            caught.add(self._caught.pop())
        if signal.SIGWINCH in caught:
            copy_size(self._target, self._child.terminal)
        if {signal.SIGTERM, signal.SIGHUP} & caught:
            self._hang_up()
        return self._reap() if signal.SIGCHLD in caught or not self._open else None

    def _reap(self) -> int | None:
        pid, status = os.waitpid(self._child.pid, os.WNOHANG | os.WUNTRACED)
        if pid == 0:
            return None
        if os.WIFSTOPPED(status):
            self._drain()
            self._suspend()
            return None
        return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)

    def _suspend(self) -> None:
        """The shell stopped itself (`suspend`): give the terminal back as it usually is, stop, and go on together."""
        raw = termios.tcgetattr(self._source)
        usual = list(raw)
        usual[0] |= termios.ICRNL | termios.IXON
        usual[1] |= termios.OPOST
        usual[3] |= termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN
        termios.tcsetattr(self._source, termios.TCSADRAIN, usual)
        os.kill(os.getpid(), signal.SIGSTOP)
        termios.tcsetattr(self._source, termios.TCSADRAIN, raw)
        copy_size(self._target, self._child.terminal)
        os.kill(self._child.pid, signal.SIGCONT)
