"""The line that a shell without an editor of its own reads: kept as the terminal edits it, from what is typed."""

from __future__ import annotations

from dialogue.agents.terminal.wrapped.surface import Modes


class CookedLine:
    """A line as the terminal itself edits it, from what is typed: for shells without an editor of their own."""

    def __init__(self) -> None:
        self._typed: bytearray | None = bytearray()

    @property
    def text(self) -> str | None:
        """The line; None where a part of it was typed unseen."""
        return None if self._typed is None else self._typed.decode("utf-8", "replace")

    def take(self, data: bytes, modes: Modes) -> None:
        """Take what was typed; a part that is not echoed makes the line unknown."""
        if not modes.echo or not modes.shell_reads:
            self._typed = None
            return
        for byte in data:
            self._take(bytes([byte]), modes)

    def _take(self, key: bytes, modes: Modes) -> None:
        if self._typed is None:
            return
        if key == modes.erase:
            kept = self._typed.decode("utf-8", "replace")[:-1]
            self._typed = bytearray(kept.encode())
        elif key in {modes.kill, b"\x03"}:
            self._typed.clear()
        elif key == b"\x17":
            kept = self._typed.decode("utf-8", "replace").rstrip()
            self._typed = bytearray(kept[: kept.rfind(" ") + 1].encode())
        elif key == b"\x1b":
            self._typed = None  # what such a key stands for is not known here
        elif key >= b" ":
            self._typed += key
