"""A user at a real pseudo-terminal: what is typed, what is seen, and what is written about it."""

from __future__ import annotations

import os
import re
import termios
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pexpect import fdpexpect

from dialogue.agents.agent import DeclaredAgent, Proposal
from dialogue.agents.feedback import Feedback
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction, Stage
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.orchestrators.protocol import State
from dialogue.agents.terminal.advisers.vocabulary import COMMAND
from dialogue.agents.terminal.session import ShellParticipants
from dialogue.agents.terminal.wrapped.pseudo_terminal import TerminalEnds
from dialogue.agents.terminal.wrapper import run_shell
from dialogue.log.streams import Event

SECONDS = 10
PROMPT = "ready> "
BASHRC = f"PS1='{PROMPT}'\nexport USED=yes\n"
DASHRC = f"PS1='{PROMPT}'\n"

Seen = str


@dataclass
class Saying:
    """An agent that suggests a command for each line that it is told of, at one stage."""

    suggestions: dict[str, str]
    stage: Stage = Stage.AFTER
    confidence: float = 0.9
    before_answer: Callable[[], object] = lambda: None

    def preview(self, event: AgentEvent) -> Proposal | None:
        suggestion = self.suggestions.get(event.text)
        if suggestion is None or event.stage is not self.stage:
            return None
        self.before_answer()
        action = ProposedAction(text=suggestion, description="as it is meant", outputs=(COMMAND,))
        return Proposal(confidence=self.confidence, actions=(action,))

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        return AgentReply(text=actions[0].description, actions=tuple(actions))


@dataclass
class Notes:
    """Keeps events, and what is learned, in memory."""

    events: list[Event] = field(default_factory=list)
    learned: list[Feedback] = field(default_factory=list)

    def add(self, event: Event) -> int:
        self.events.append(event)
        return len(self.events)

    def flush(self) -> None:
        pass

    def state(self) -> tuple[State, int]:
        return {"version": 1}, len(self.learned)

    def learn(self, feedback: Feedback, entry: int) -> None:
        self.learned.append(feedback)

    def of(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.kind == kind]

    @property
    def text(self) -> str:
        return "\n".join(event.model_dump_json() for event in self.events)


class Program(fdpexpect.fdspawn):  # type: ignore[misc]
    """A program in a terminal of its own, begun without a fork: one of a process with many threads may hang."""

    def __init__(self, arguments: Sequence[str], environment: dict[str, str], folder: Path) -> None:
        master, slave = os.openpty()
        name = os.ttyname(slave)
        self.pid = os.posix_spawn(
            "/bin/sh",
            ["sh", "-c", 'cd "$0" && exec "$@"', str(folder), *arguments],
            environment,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, name, os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1),
                (os.POSIX_SPAWN_DUP2, 0, 2),
                (os.POSIX_SPAWN_CLOSE, master),
            ],
            setsid=True,
        )
        os.close(slave)
        super().__init__(master, timeout=60, encoding="utf-8")
        self.delaybeforesend = None

    def finish(self) -> int:
        """Wait until it has ended; return its exit code."""
        _, status = os.waitpid(self.pid, 0)
        self.close()
        return os.waitstatus_to_exitcode(status)


class Keyboard:
    """What a person at the terminal does; `wait` reads what is shown until a text comes."""

    def __init__(self, master: int) -> None:
        self.master = master
        self._screen = fdpexpect.fdspawn(master, timeout=SECONDS, encoding="utf-8", codec_errors="replace")
        self._screen.delaybeforesend = None
        self.seen = ""

    def wait(self, text: str = PROMPT) -> Seen:
        self._screen.expect_exact(text)
        shown = str(self._screen.before) + text
        self.seen += shown
        return shown

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def run(self, line: str, until: str = PROMPT) -> Seen:
        """Type a line with Enter, and return what is shown from then until the next prompt."""
        self.type(line)
        self.wait(line[-1:])
        self.type("\r")
        self.wait("\n")
        return self.wait(until)


@dataclass
class Talk:
    """How it went: the exit code, what was seen, and what was noted."""

    code: int
    seen: str
    notes: Notes
    modes_before: object
    modes_after: object

    @property
    def plain(self) -> str:
        """What was seen, without escape sequences."""
        return re.sub(r"\x1b\[[?\d;]*[a-zA-Z]|\x1b\][^\a]*\a", "", self.seen)


def sit_down(
    person: Callable[[Keyboard], None],
    home: Path,
    agents: Sequence[DeclaredAgent] = (),
    *,
    shell: str = "bash",
    columns: int = 80,
    variables: dict[str, str] | None = None,
) -> Talk:
    """Let a person use a wrapped shell in a terminal of its own, until the shell ends."""
    for name, text in ((".bashrc", BASHRC), (".dashrc", DASHRC)):
        if not (home / name).exists():
            (home / name).write_text(text)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ENV": str(home / ".dashrc"),
        "TERM": "xterm",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        **(variables or {}),
    }
    notes = Notes()
    orchestrator = ORCHESTRATORS["max"](OrchestratorOptions())
    participants = ShellParticipants(tuple(agents), orchestrator)

    def run(ends: TerminalEnds) -> int:
        return run_shell(shell, participants, notes, notes, environment=environment, ends=ends)

    return attended(person, home, run, notes, columns)


def attended(
    person: Callable[[Keyboard], None],
    home: Path,
    run: Callable[[TerminalEnds], int],
    notes: Notes | None = None,
    columns: int = 80,
) -> Talk:
    """Let a person use what is run in a terminal of its own, until it ends."""
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, columns))
    before = termios.tcgetattr(slave)
    keyboard = Keyboard(master)
    troubles: list[BaseException] = []

    def act() -> None:
        try:
            person(keyboard)
            while True:
                keyboard.seen += os.read(master, 4096).decode("utf-8", "replace")
        except OSError:
            pass  # the shell has ended
        except BaseException as error:
            troubles.append(error)
            os.close(master)

    actor = threading.Thread(target=act, daemon=True)
    actor.start()
    here = Path.cwd()
    os.chdir(home)
    try:
        code = run(TerminalEnds(slave, slave))
        after = termios.tcgetattr(slave) if not troubles else before
    finally:
        os.chdir(here)
        os.close(slave)
        actor.join(SECONDS)
    if troubles:
        raise troubles[0]
    os.close(master)
    return Talk(code, keyboard.seen, notes or Notes(), before, after)


def now() -> datetime:
    """Tell the time of a test."""
    return datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
