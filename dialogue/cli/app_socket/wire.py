"""What goes through the socket: JSON objects, one a line, in ASCII.

From the command comes `Opening`, then `line` whenever one is wanted (a piece of the input, of which more follows unless
it ends with a newline; null is the end), and `interrupt`. To it go `out` and `err` (text), `want` (a line), `screen` (a
line that is typed after a prompt while others speak) and `show` (lines above it), and at the end `exit`, or `refused`.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from language.interpretation import Frozen

PROTOCOL = 1
"""Raised whenever messages change."""
MAX_MESSAGE_BYTES = 1 << 20
"""The longest message; texts are cut into pieces, so that none is longer."""
PIECE = 1 << 16
"""Characters of a text that go into one message: each takes up to twelve bytes in it."""
_LONGEST_ADDRESS_BYTES = 100
"""Addresses of sockets are short: Linux takes 107 bytes, other systems 103."""


def own_version() -> str:
    """Return the version that both ends have to have: that of the product, and of the messages."""
    try:
        return f"{version('planglass')} ({PROTOCOL})"
    except PackageNotFoundError:  # it runs from its sources
        return f"unknown ({PROTOCOL})"


class Asked(Frozen):
    """A setting that a command is given, and where it comes from."""

    value: JsonValue
    origin: str


class Opening(Frozen):
    """What a command is, and where it was given."""

    version: str
    arguments: tuple[str, ...]
    cwd: str
    user: str
    interactive: bool
    asked: dict[str, Asked]


class BadMessage(ValueError):
    """What came is no message; nothing of it is quoted."""


class Channel:
    """One end of a connection. Any thread may send, one receives."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._incoming = connection.makefile("rb")
        self._sending = threading.Lock()

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message. Raises OSError where nobody is there any more."""
        data = json.dumps(message).encode("ascii") + b"\n"
        with self._sending:
            self.connection.sendall(data)

    def send_last(self, *messages: Mapping[str, Any], patience_s: float) -> None:
        """Send messages to who may not be reading any more, and end the connection."""
        data = b"".join(json.dumps(message).encode("ascii") + b"\n" for message in messages)
        if self._sending.acquire(timeout=patience_s):
            with suppress(OSError):  # it is told by the end of the connection
                self.connection.send(data, socket.MSG_DONTWAIT)
            self._sending.release()
        self.end()

    def receive(self) -> dict[str, Any] | None:
        """Return the next message; None at the end. Raises BadMessage."""
        try:
            line = self._incoming.readline(MAX_MESSAGE_BYTES + 1)
        except (ConnectionError, ValueError):  # it was reset, or is closed
            return None
        if not line.endswith(b"\n"):
            if len(line) > MAX_MESSAGE_BYTES:
                raise BadMessage(f"A message is longer than {MAX_MESSAGE_BYTES:,} bytes.")
            return None
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise BadMessage("What came is no message.")
        return message

    def end(self) -> None:
        """End the connection for both sides: whoever receives is told so."""
        with suppress(OSError):  # the other side was faster
            self.connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._incoming.close()
        self.connection.close()


def pieces(text: str) -> Iterator[str]:
    """Cut a text into what goes into one message."""
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]


def batches(lines: Iterable[str]) -> Iterator[list[str]]:
    """Put lines together, as many as go into one message; the rest of a line that is too long for one is cut off."""
    batch: list[str] = []
    length = 0
    for line in lines:
        if batch and length + len(line) > PIECE:
            yield batch
            batch, length = [], 0
        batch.append(line[:PIECE])
        length += len(line) + 1
    if batch:
        yield batch


@contextmanager
def address_of(path: Path) -> Iterator[str]:
    """Return an address for a socket; where its path is too long for one, by way of its folder.

    Raises OSError.
    """
    if len(os.fsencode(path)) <= _LONGEST_ADDRESS_BYTES:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
