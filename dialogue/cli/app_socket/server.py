"""The dashboard's side: it takes commands in, and runs each on a thread of its own, with the dashboard's services."""

from __future__ import annotations

import logging
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from pydantic import ValidationError

from catalog.skills.failures import describe_trouble
from dialogue.cli.app_socket.guest import AppStops, ClientLeft, Guest
from dialogue.cli.app_socket.wire import BadMessage, Channel, Opening, address_of, own_version
from dialogue.services import Services

MOST_GUESTS = 64
"""So many commands may run in a dashboard at the same time."""
_OPENING_S = 10.0
"""So long a connection may say nothing before it says what it wants."""
_PATIENCE_S = 1.0
_ENDING_S = 10.0
_FAILED = 1
_log = logging.getLogger(__name__)

Run: TypeAlias = Callable[[Sequence[str], Guest], int]
"""Runs a command with a guest as its terminal, tells what is wrong, and returns the exit code."""


@contextmanager
def commands_taken(path: Path | None, services: Callable[[], Services], run: Run) -> Iterator[None]:
    """Take commands in through a socket at a path, until the end of the context; only for the holder of the store.

    Where there can be no socket, that is noted, and commands work on the store themselves.
    """
    listener = None if path is None else _listen(path)
    if path is None or listener is None:
        yield
        return
    server = _Server(listener, services, run)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        server.close()


def _listen(path: Path) -> socket.socket | None:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.unlink(missing_ok=True)  # that of one that died: there is one holder of the store, which is this one
        os.fchmod(listener.fileno(), 0o600)  # it is created so, and not open for a moment
        with address_of(path) as address:
            listener.bind(address)
        path.chmod(0o600)
        listener.listen(16)
    except OSError as error:
        listener.close()
        _log.warning(
            "commands beside this dashboard do not run in it, as there can be no socket %s: %s",
            path.name,
            error.strerror or type(error).__name__,
        )
        return None
    return listener


class _Server:
    def __init__(self, listener: socket.socket, services: Callable[[], Services], run: Run) -> None:
        self._listener, self._services, self._run = listener, services, run
        self._lock = threading.Lock()
        self._guests: dict[Guest, threading.Thread] = {}
        self._ended = False
        threading.Thread(target=self._accept, name="commands", daemon=True).start()

    def close(self) -> None:
        """Take no command in any more, and end those that run."""
        with self._lock:
            self._ended = True
            running = dict(self._guests)
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        until = monotonic() + _ENDING_S
        for guest in running:
            guest.stop(min(_PATIENCE_S, max(0.0, until - monotonic())))
        for thread in running.values():
            thread.join(max(0.0, until - monotonic()))

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                if self._ended:
                    return
                threading.Event().wait(0.1)  # too many files are open, for now
                continue
            threading.Thread(target=self._serve, args=(connection,), name="command", daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with closing(Channel(connection)) as channel:
            if not _is_own(connection):
                why = "The dashboard that holds this data directory is another user's: give the command as that user."
                channel.send_last({"refused": why}, patience_s=_PATIENCE_S)
                return
            connection.settimeout(_OPENING_S)
            opened = self._open(channel)
            if isinstance(opened, str):
                channel.send_last({"refused": opened}, patience_s=_PATIENCE_S)
                return
            if opened is None:
                return
            connection.settimeout(None)
            guest = Guest(channel, opened, self._services)
            work = threading.Thread(target=self._work, args=(guest, opened.arguments), name="guest", daemon=True)
            with self._lock:
                refused = self._ended or len(self._guests) >= MOST_GUESTS
                if not refused:
                    self._guests[guest] = work
            if refused:
                why = f"{MOST_GUESTS} commands run in the dashboard already, or it ends. Try again later."
                channel.send_last({"refused": why}, patience_s=_PATIENCE_S)
                return
            work.start()
            guest.listen()
            work.join()
            with self._lock:
                del self._guests[guest]

    def _open(self, channel: Channel) -> Opening | str | None:
        """Return what is wanted, or why that cannot be; None where nothing came."""
        try:
            message = channel.receive()
        except BadMessage as error:
            return str(error)
        except TimeoutError:
            return None
        if message is None:
            return None
        if message.get("version") != own_version():
            return (
                f"The dashboard that holds this data directory has version {own_version()}, and this command "
                f"{message.get('version')!s:.60}. Start the dashboard again from the release that the command is of, "
                "or give the command with the dashboard's."
            )
        try:
            return Opening.model_validate(message)
        except ValidationError:
            return "What came is no command."

    def _work(self, guest: Guest, arguments: Sequence[str]) -> None:
        code = _FAILED
        try:
            code = self._run(arguments, guest)
        except (ClientLeft, AppStops, KeyboardInterrupt):
            pass
        except Exception as error:  # whatever it was, the dashboard goes on; no value is ever put in a message
            _log.error("a command ended in %s", describe_trouble(error))
            with suppress(ClientLeft, AppStops, KeyboardInterrupt):
                guest.err.write(f"planglass: This is an error of the program: {describe_trouble(error)}\n")
        finally:
            guest.leave(code)


def _is_own(connection: socket.socket) -> bool:
    """Return whether who connected is the user that this program runs as; where that cannot be known, modes tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return bool(struct.unpack("3i", found)[1] == os.geteuid())
