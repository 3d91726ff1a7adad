"""Lines that are typed, and a terminal on which others appear above the one that is being typed."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from dialogue.agents.terminal.plain_text import plain

Lines: TypeAlias = Sequence[str] | Callable[[], Sequence[str]]
"""Lines, or what returns them when it is their turn to be shown."""
Form = TypeVar("Form", bound=BaseModel)


def read_object(line: str, form: type[Form], fields: str) -> Form:
    """Read a line that is a JSON object. Raises ValueError, which says what its `fields` are."""
    try:
        return form.model_validate_json(line)
    except ValidationError as error:
        found = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'the line'}: {e['msg']}" for e in error.errors())
        raise ValueError(f"A line that begins with {{ is to be a JSON object with {fields}. Found: {found}.") from error


def is_interactive() -> bool:
    """Return whether input is typed on a terminal, which also shows the output."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


class Screen:
    """What is typed on, line by line, while others speak."""

    def __init__(self, prompt: str) -> None:
        self._prompt = prompt
        self._typing = False
        self._lock = threading.Lock()
        self._can_move = os.environ.get("TERM", "dumb") != "dumb"
        try:
            import readline
        except ImportError:
            self._typed: Callable[[], str] = lambda: ""
        else:
            self._typed = readline.get_line_buffer

    def read(self) -> str | None:
        """Read a line; None at the end. What is said stands where the room has it, and not where it was typed."""
        self._typing = True
        try:
            line = input(self._prompt).strip()
        except EOFError:
            print()
            return None
        finally:
            self._typing = False
        if self._can_move and not line.startswith("/"):
            sys.stdout.write("\x1b[A" + self._cleared(line))
        return line

    def show(self, lines: Lines) -> None:
        """Show lines, each once and in the order in which they are called for."""
        with self._lock:
            shown = lines() if callable(lines) else lines
            if not shown:
                return
            said = "".join(f"  {plain(line)}\n" for line in shown)
            if self._typing:
                typed = self._typed()
                said = self._cleared(typed) + said + self._prompt + typed
            sys.stdout.write(said)
            sys.stdout.flush()

    def _cleared(self, typed: str) -> str:
        """Return what takes away a line that was typed, in all the rows that it takes, from the last of them."""
        if not self._can_move:
            return "\n"
        rows = len(self._prompt + typed) // max(1, shutil.get_terminal_size().columns)
        return "\r" + "\x1b[A" * rows + "\x1b[J"
