"""What stands around the relay: who asks agents, what is shown of their answers, and what the terminals can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from dialogue.agents.model import Forced


@dataclass(frozen=True)
class Modes:
    """How the terminal is set: does it show what is typed, does it edit lines, and does the shell itself read?"""

    echo: bool = True
    edits_lines: bool = True
    shell_reads: bool = True
    kill: bytes = b"\x15"
    erase: bytes = b"\x7f"


@dataclass(frozen=True)
class ShownSuggestion:
    """What is shown: lines, and the command that can be taken; an empty one means that there is none."""

    lines: tuple[str, ...]
    command: str = ""


class Guide(Protocol):
    """Asks agents, elsewhere; answers come back by `Relay.answered` with the number of the question."""

    def before(self, number: int, text: str, forced: Forced | None, *, known: bool) -> None:
        """Ask about a line that is about to be run; `forced` where the user asked: without a text, about the last.

        `known` is False where the shell knows no command of the name that the line begins with.
        """
        ...

    def after(self, number: int, text: str, output: str, exit_code: int) -> None: ...

    def shown(self, number: int) -> None:
        """Hear that the answer to a question was shown."""
        ...

    def taken(self, number: int) -> None:
        """Hear that the suggestion was put on the line."""
        ...

    def dropped(self, number: int) -> None:
        """Hear that the suggestion was turned down."""
        ...


@dataclass(frozen=True)
class Surface:
    """What the relay must be able to do and to know about the terminals."""

    clock: Callable[[], float]
    modes: Callable[[], Modes]
    columns: Callable[[], int]
    put: Callable[[str], None]
    """Lay a suggestion where the shell can read it."""
    mute: Callable[[bool], None]
    """Turn the echo of what is typed off and on."""
