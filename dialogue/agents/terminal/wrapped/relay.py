"""What passes between a user and a shell, and what agents say in between: a state machine without input or output.

The shell is at its prompt, or it runs something. Keys that are typed at the prompt go to the shell as they come; only
Enter waits, until it is known what stands on the line and what agents say to it, and never longer than its budget.
What is typed to a program is passed on unseen. What a program writes is passed on at once; its end is kept for agents.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from dialogue.agents.terminal.calls import read_call, reads_as_english
from dialogue.agents.terminal.plain_text import plain, wrap
from dialogue.agents.terminal.wrapped.hooks import KEY_DONE, KEY_DRAW, KEY_LINE, KEY_PUT
from dialogue.agents.terminal.wrapped.markers import MarkReader, ReceivedMark, ShellMark, unquote
from dialogue.agents.terminal.wrapped.surface import Guide, Modes, ShownSuggestion, Surface


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


LINE_SECONDS = 0.06
"""How long Enter waits until the shell says what stands on the line."""
BEFORE_SECONDS = 0.02
"""How long Enter waits for agents."""
UNLIKELY_SECONDS = 0.35
"""The same where the line is hardly a command: its first word is none, or it reads as English."""
AFTER_SECONDS = 0.25
"""How long the prompt after a failed command waits for agents."""
FORCED_SECONDS = 10.0
"""How long an answer that was asked for is waited for."""
KEPT_OUTPUT = 8_192
"""Bytes of a command's output that agents see: the last ones."""
NARROWEST = 40
"""Columns that a suggestion needs."""
_MISSES = 3
"""So often the shell may not say what stands on the line until it is asked no more."""
KEY_TAKE, KEY_DROP = b"\x1ba", b"\x1bz"
"""Alt-A takes a suggestion, Alt-Z turns it down and empties the line; where there is none, the shell gets the keys."""
_PASTE, _PASTED = b"\x1b[200~", b"\x1b[201~"
_KEYS = re.compile(rb"\x1b\[20[01]~|\x1b[az]|[\r\n\x12\x13\x03\x07]")
_BEGINS_A_LINE = frozenset(bytes([byte]) for byte in range(0x21, 0x100) if byte != 0x7F)
"""Bytes that a command may begin with; the arrows, Backspace and other keys change the line that stands there."""
_NEXT_IS_DATA = b"\x1b\x16\x11\x18\x1d"
"""Esc, Ctrl-V, Ctrl-Q, Ctrl-X, Ctrl-]: the key after one of these does not mean what it usually does."""
_MODES = re.compile(rb"\x1b\[\?[\d;]*[hl]\r?")
"""Modes that are set around a prompt; they write nothing."""
_FULL_SCREEN = re.compile(rb"\x1b\[\?(?:1049|1047|47)h")


class Phase(Enum):
    """What the shell is at."""

    RUNNING = auto()
    """It runs something, or that is not known."""
    PROMPT = auto()
    """It waits for a line."""
    LINE = auto()
    """Enter was pressed; it is to say what stands on the line."""
    BEFORE = auto()
    """Enter was pressed; agents are asked."""
    AFTER = auto()
    """A command ended; agents are asked, and the prompt waits."""


_HOLDING = frozenset({Phase.LINE, Phase.BEFORE})


class Relay:
    """What passes between a user and a shell. `to_shell` and `to_user` are to be written out."""

    def __init__(self, nonce: str, guide: Guide, surface: Surface, *, edits: bool) -> None:
        self.to_shell = bytearray()
        self.to_user = bytearray()
        self.deadline: float | None = None
        self._reader = MarkReader(nonce)
        self._guide = guide
        self._surface = surface
        self._edits = edits
        self._phase = Phase.RUNNING
        self._number = 0
        self._prompt = ""
        self._waiting = b""
        self._withheld = b""
        self._enter = b"\r"
        self._tail = b""
        self._pasting = self._searching = self._continued = self._muted = self._narrow_told = False
        self._misses = 0
        self._typed = CookedLine()
        self._lines: list[str] | None = []
        self._held: str | None = None
        self._untouched = False
        self._command: str | None = None
        self._output = b""
        self._full_screen = False
        self._call = False
        self._pending: tuple[int, ShownSuggestion] | None = None

    @property
    def phase(self) -> Phase:
        return self._phase

    # --- from the user

    def from_user(self, data: bytes) -> None:
        if self._phase in _HOLDING:
            self._waiting += data
        elif self._phase is not Phase.PROMPT:
            if self._command is None and re.search(rb"[\r\n]", data):
                self._lines = None  # a line was typed before the shell asked for it: what it is is not known
            self.to_shell += data
        else:
            self._at_prompt(data)

    def _at_prompt(self, data: bytes) -> None:
        if self._untouched and (data[:1] in _BEGINS_A_LINE or data.startswith(_PASTE)):
            self.to_shell += KEY_DONE  # another command is typed: the line that was held back goes to the history
            self._held = None
        self._untouched = False
        joined = self._tail + data
        shift = len(self._tail)
        sent = 0
        for found in _KEYS.finditer(joined):
            key, start = found.group(), found.start() - shift
            paste = key in {_PASTE, _PASTED}
            if start < 0 and not (paste and found.end() > shift):
                continue
            if paste:
                self._pasting = key == _PASTE
            elif self._pasting:
                continue
            elif key in {b"\x12", b"\x13"}:
                self._searching = True
            elif key in {b"\x03", b"\x07"}:
                self._searching = False
            elif key in {KEY_TAKE, KEY_DROP}:
                if self._pending is not None and self._edits:
                    self._send(data[sent:start])
                    sent = start + len(key)
                    self._react(key)
            else:
                self._send(data[sent:start])
                before = joined[found.start() - 1 : found.start()] if found.start() else b""
                if self._press_enter(key, before, data[start + 1 :]):
                    return
                sent = start + 1
                if self._phase is not Phase.PROMPT:
                    break
        self._send(data[sent:])
        self._tail = joined[-(len(_PASTE) - 1) :]

    def _send(self, data: bytes) -> None:
        self.to_shell += data
        if not self._edits and data:
            self._typed.take(data, self._surface.modes())

    def _press_enter(self, key: bytes, before: bytes, rest: bytes) -> bool:
        """Handle Enter; return whether what is typed after it waits."""
        modes = self._surface.modes()
        searching, self._searching, self._tail = self._searching, False, b""
        if not self._edits:
            return self._enter_without_editing(key, modes, rest)
        plain_key = not searching and (not before or before not in _NEXT_IS_DATA)
        if not plain_key or not modes.shell_reads or modes.edits_lines or self._misses >= _MISSES:
            self._lines = None
            self.to_shell += key
            return False
        self.to_shell += KEY_LINE
        self._hold(Phase.LINE, LINE_SECONDS, rest)
        self._enter = key
        return True

    def _enter_without_editing(self, key: bytes, modes: Modes, rest: bytes) -> bool:
        """The line is what was typed and echoed; a line of which anything was typed unseen is not known."""
        text = self._typed.text if modes.echo and modes.edits_lines and modes.shell_reads else None
        self._typed = CookedLine()
        call = read_call(text) if text is not None and not self._continued else None
        if call is None:
            self._lines = [text] if text is not None and text.strip() and not text.startswith(" ") else None
            self.to_shell += key
            self._begin()
            return False
        self._hold(Phase.BEFORE, FORCED_SECONDS, rest)
        self._call = True
        self._guide.before(self._number, call.text, call.forced, known=True)
        return True

    def _hold(self, phase: Phase, seconds: float, rest: bytes = b"") -> None:
        self._phase = phase
        self._waiting += rest
        self._number += 1
        self.deadline = self._surface.clock() + seconds

    def _react(self, key: bytes) -> None:
        assert self._pending is not None
        number, suggestion = self._pending
        if key == KEY_DROP:
            self._pending = None
            self.to_shell += KEY_DONE  # what was refused, or taken before, is not the beginning of the next command
            self._guide.dropped(number)
        elif suggestion.command:
            self._surface.put(suggestion.command)
            self.to_shell += KEY_PUT
            self._guide.taken(number)

    # --- from the shell

    def from_shell(self, data: bytes) -> None:
        for part in self._reader.read(data):
            if isinstance(part, ReceivedMark):
                self._told(part)
            else:
                self._wrote(part)

    def closed(self) -> None:
        """The shell has ended: nothing is held back any longer."""
        self.to_user += self._withheld + self._reader.rest()
        self._withheld = b""
        self.deadline = None
        self._phase = Phase.RUNNING

    def _wrote(self, data: bytes) -> None:
        if self._phase is Phase.AFTER:
            self._withheld += data
            return
        self.to_user += data
        if self._phase is Phase.RUNNING and self._command is not None:
            self._full_screen = self._full_screen or bool(_FULL_SCREEN.search(data))
            self._output = (self._output + data)[-KEPT_OUTPUT:]

    def _told(self, told: ReceivedMark) -> None:
        text, _, number = told.text.rpartition(";")
        match told.mark:
            case ShellMark.LINE:
                self._line(unquote(told.text.partition(";")[2]), known=not told.text.startswith("1"))
            case ShellMark.BEGIN:
                self._begin()
            case ShellMark.CONTINUED if number != self._prompt:
                self._prompt, self._continued = number, True
                if self._phase is Phase.RUNNING and self._command is None:
                    self._phase = Phase.PROMPT
            case ShellMark.PROMPT if number != self._prompt:
                self._prompt = number
                self._prompted(int(text) if text.isdigit() else 0)
            case _:
                pass  # the same prompt was drawn anew

    def _line(self, text: str, *, known: bool) -> None:
        self._misses = 0
        if self._lines is not None:
            self._lines = [*(self._lines if self._continued else ()), text]
        if self._phase is not Phase.LINE:
            return
        call = None if self._continued else read_call(text)
        quiet = self._continued or not text.strip() or text.startswith(" ") or text == self._held
        if text.startswith(" ") and not self._continued:
            self._lines = None
        if call is None and quiet:
            self._pass_on()
            return
        self._call = call is not None
        self._phase = Phase.BEFORE
        self.deadline = self._surface.clock() + (patience(text, known=known) if call is None else FORCED_SECONDS)
        if call is None:
            self._guide.before(self._number, text, None, known=known)
        else:
            self._guide.before(self._number, call.text, call.forced, known=True)

    def _begin(self) -> None:
        """A command begins, or a line that is its first part."""
        self._command = None if self._lines is None else "\n".join(self._lines) or None
        self._output, self._full_screen, self._held, self._pending = b"", False, None, None
        self._lines = []
        self._release(Phase.RUNNING)

    def _prompted(self, exit_code: int) -> None:
        command, self._command = self._command, None
        ended, self._phase = self._phase, Phase.PROMPT
        self._continued, self._lines = False, []
        if self._muted:
            self._muted = False
            self._surface.mute(False)
        if ended is Phase.RUNNING and command is not None:
            output = "" if self._full_screen else plain(self._output.decode("utf-8", "replace"))
            if not self._edits:
                output = output.removeprefix(command).lstrip("\n")  # the terminal showed what was typed
            self._hold(Phase.AFTER, AFTER_SECONDS)
            self._guide.after(self._number, command, output, exit_code)
        elif ended in _HOLDING:
            self._release(Phase.PROMPT)

    # --- from the guide, and from the clock

    def answered(self, number: int, suggestion: ShownSuggestion | None) -> None:
        """Take the answer to a question; one that comes too late is dropped."""
        if number != self._number:
            return
        if self._phase is Phase.AFTER:
            if suggestion is not None:
                written = _MODES.sub(b"", self._output)
                if written and not written.endswith(b"\n"):
                    self.to_user += b"\r\n"
                self._show(suggestion)
            self._end_after()
        elif self._phase is Phase.BEFORE:
            if suggestion is None and not self._call:
                self._pass_on()
            else:
                self._hold_back(suggestion)

    def tick(self) -> None:
        """Go on where the time is up."""
        if self.deadline is None or self._surface.clock() < self.deadline:
            return
        self.deadline = None
        if self._phase is Phase.AFTER:
            self._end_after()
        elif self._phase is Phase.BEFORE and self._call:
            self._hold_back(None)
        elif self._phase in _HOLDING:
            self._misses += self._phase is Phase.LINE
            self._pass_on()

    def _pass_on(self) -> None:
        self.to_shell += self._enter
        self._command = None
        self._release(Phase.RUNNING)

    def _hold_back(self, suggestion: ShownSuggestion | None) -> None:
        """Show a suggestion under the line that was not run yet; a forced call is never run."""
        self.to_user += b"\r\n\x1b[J"
        if suggestion is not None:
            self._show(suggestion)
        if not self._edits:
            self._surface.mute(True)
            self._muted = True
            self.to_shell += self._surface.modes().kill + b"\r"
            self._lines = None
            self._command = None
            self._release(Phase.RUNNING)
            return
        self.to_shell += KEY_DONE if self._call else KEY_DRAW
        self._held = None if self._call or self._lines is None else self._lines[0]
        self._untouched = not self._call
        self._lines = []
        self._release(Phase.PROMPT)

    def _show(self, suggestion: ShownSuggestion) -> None:
        columns = self._surface.columns()
        if columns >= NARROWEST or self._call:
            for line in wrap(suggestion.lines, columns):
                self.to_user += f"\x1b[2m{line}\x1b[22m\r\n".encode()
            self._pending = (self._number, suggestion)
            self._guide.shown(self._number)

    def _end_after(self) -> None:
        self.to_user += self._withheld
        self._withheld = b""
        self._release(Phase.PROMPT)

    def _release(self, phase: Phase) -> None:
        self._phase, self.deadline, self._call = phase, None, False
        waiting, self._waiting = self._waiting, b""
        if waiting:
            self.from_user(waiting)


def patience(text: str, *, known: bool) -> float:
    """Return how long Enter may wait for agents."""
    return UNLIKELY_SECONDS if not known or reads_as_english(text) else BEFORE_SECONDS
