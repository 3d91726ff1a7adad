"""Marks that the shell's hooks write into its output, and that are taken out of it before it is shown.

A mark is an operating system command (ECMA-48, OSC) with a number of our own and a nonce, so that a program cannot
make one up. What looks like the beginning of a mark is held back until it is known to be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_NUMBER = 7717
_END = b"\a"
_LONGEST = 1 << 20
"""Bytes of a mark at most; what goes on longer is none."""


class ShellMark(StrEnum):
    """What the shell tells."""

    PROMPT = "prompt"
    """A prompt is shown; with the exit code of the last command, and the number of the prompt."""
    CONTINUED = "continued"
    """A prompt for the rest of a command is shown; with nothing, and the number of the prompt."""
    BEGIN = "begin"
    """A command begins."""
    LINE = "line"
    """What stands on the line that is edited, quoted for the shell; before it 1 where its first word is no command."""


@dataclass(frozen=True, slots=True)
class ReceivedMark:
    """A mark, and what came with it."""

    mark: ShellMark
    text: str = ""


def mark_start(nonce: str) -> str:
    return f"\x1b]{_NUMBER};{nonce};"


class MarkReader:
    """Parts the output of a shell into what is for the user and what the shell's hooks tell."""

    def __init__(self, nonce: str) -> None:
        self._start = mark_start(nonce).encode()
        self._rest = b""

    def read(self, data: bytes) -> Iterator[bytes | ReceivedMark]:
        """Yield output and marks in their order; the beginning of a mark is kept for the next time."""
        data, self._rest = self._rest + data, b""
        while data:
            place = data.find(self._start)
            if place < 0:
                kept = self._begun(data)
                self._rest = data[len(data) - kept :]
                if kept < len(data):
                    yield data[: len(data) - kept]
                return
            if place:
                yield data[:place]
            end = data.find(_END, place)
            if end < 0:
                if len(data) - place > _LONGEST:
                    yield data[place:]
                else:
                    self._rest = data[place:]
                return
            told = _read(data[place + len(self._start) : end])
            if told is not None:
                yield told
            data = data[end + 1 :]

    def rest(self) -> bytes:
        """Return what was held back, at the end."""
        rest, self._rest = self._rest, b""
        return rest

    def _begun(self, data: bytes) -> int:
        """Return how many bytes at the end may be the beginning of a mark."""
        longest = min(len(self._start) - 1, len(data))
        return next((n for n in range(longest, 0, -1) if data.endswith(self._start[:n])), 0)


def _read(body: bytes) -> ReceivedMark | None:
    kind, _, text = body.decode("utf-8", "replace").partition(";")
    return ReceivedMark(ShellMark(kind), text) if kind in set(ShellMark) else None


_ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)


def unquote(quoted: str) -> str:
    r"""Return the text that bash quoted with `${name@Q}`: parts in '…' or $'…', and characters after a backslash."""
    found: list[str] = []
    place = 0
    while place < len(quoted):
        if quoted.startswith("$'", place):
            end = _end_of_escaped(quoted, place + 2)
            found.append(_unescape(quoted[place + 2 : end]))
            place = end + 1
        elif quoted[place] == "'":
            end = quoted.find("'", place + 1)
            end = len(quoted) if end < 0 else end
            found.append(quoted[place + 1 : end])
            place = end + 1
        elif quoted[place] == "\\":
            found.append(quoted[place + 1 : place + 2])
            place += 2
        else:
            found.append(quoted[place])
            place += 1
    return "".join(found)


def _end_of_escaped(quoted: str, place: int) -> int:
    while place < len(quoted) and quoted[place] != "'":
        place += 2 if quoted[place] == "\\" else 1
    return place


def _unescape(text: str) -> str:
    """Bytes that are no characters of the shell's locale stand there in octal digits."""

    def replace(found: re.Match[str]) -> str:
        octal, hexadecimal, other = found.groups()
        if octal or hexadecimal:
            return bytes([int(octal, 8) & 255 if octal else int(hexadecimal, 16)]).decode("latin-1")
        return _ESCAPES.get(other, other)

    if not re.search(r"\\[0-7x]", text):
        return _ESCAPE.sub(replace, text)
    plain = _ESCAPE.sub(replace, text.encode().decode("latin-1"))
    return plain.encode("latin-1").decode("utf-8", "replace")
