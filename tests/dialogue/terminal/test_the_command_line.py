"""`planglass shell`: sessions are kept, listed, told, exported and deleted; bad input gets one clear line."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pexpect
import pytest

from dialogue.agents.learning.learner import Learner
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.terminal.calls import TERMINAL_LEARNER
from dialogue.agents.terminal.sessions import KeptSession, SessionEnded, recorded_sessions
from dialogue.agents.terminal.wrapped.pseudo_terminal import TerminalEnds
from dialogue.agents.terminal.wrapper import run_shell
from dialogue.cli.main import main
from dialogue.log.stores import StoreFailed, embedded_url, open_store
from tests.dialogue.terminal.terminals import PROMPT, Keyboard, Program, Talk, attended, now

Told = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("logging_as_before")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLANGLASS_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PLANGLASS_SHELL", raising=False)
    (tmp_path / ".bashrc").write_text(f"PS1='{PROMPT}'\n")
    (tmp_path / "data").mkdir()
    return tmp_path


@pytest.fixture
def planglass(home: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["shell", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def spawn(home: Path, *arguments: str, **variables: str) -> Program:
    environment = {**os.environ, "HOME": str(home), "TERM": "xterm", "PYTHONPATH": str(Path.cwd()), **variables}
    return Program([sys.executable, "-m", "dialogue.cli.main", "shell", *arguments], environment, home)


def used(home: Path, monkeypatch: pytest.MonkeyPatch, person: Callable[[Keyboard], None], *arguments: str) -> Talk:
    """Let a person use `planglass shell` with these arguments, until the shell ends."""

    def run(ends: TerminalEnds) -> int:
        monkeypatch.setattr("dialogue.agents.terminal.wrapper.run_shell", partial(run_shell, ends=ends))
        return main(["shell", "--shell", "bash", *arguments])

    return attended(person, home, run)


@pytest.mark.row("C11", "C12")
def test_the_orchestrator_is_listed_and_switched_and_its_figures_are_set_in_the_shell_itself(
    home: Path, planglass: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        for typed, shown in (
            ("clai orchestrate", "max         in use"),
            ("clai orchestrate threshold start=0.3", "threshold   in use"),
            ("clai orchestrate -v", "start=0.3"),
            ("clai orchestrate loudest", "There is no shell orchestrator 'loudest'"),
            ("clai orchestrate followed=7", "from -1 to 0"),
            ("clai orchestrate", "threshold   in use"),
            ("clai gti stat", "Alt-A"),
        ):
            assert shown in keyboard.run(typed)
        keyboard.type("\x15exit\r")

    used(home, monkeypatch, person)
    saved = json.loads((home / "data" / "settings.json").read_text(encoding="utf-8"))
    assert saved == {"shell_orchestrator": "threshold", "figures": "threshold.start=0.3"}
    session = planglass("--sessions")[1].split()[0]
    chosen = [line for line in planglass("--export", session)[1].splitlines() if '"chosen"' in line]
    assert {json.loads(line)["event"]["orchestrator"] for line in chosen} == {"threshold"}


def test_a_session_is_kept_listed_told_exported_and_deleted(home: Path, planglass: Told) -> None:
    child = spawn(home, "--shell", "bash", "--set", "shell_orchestrator=threshold")
    child.expect_exact(PROMPT)
    child.send("clai gti stat\r")
    child.expect_exact("Alt-A")
    child.expect_exact(PROMPT)
    child.send("\x15(exit 3)\r")
    child.expect_exact(PROMPT)
    child.expect_exact(PROMPT)
    child.send("exit 9\r")
    child.expect(pexpect.EOF)
    assert child.finish() == 9

    code, out, _ = planglass("--sessions")
    assert code == 0
    name = out.split()[0]
    assert "threshold" in out
    listed = json.loads(planglass("--sessions", "--json")[1])
    assert [row["id"] for row in listed["sessions"]] == [name]
    assert listed["recorded"] == list(recorded_sessions())
    _, told, _ = planglass("--replay", name, "--orchestrator", "max")
    assert "threshold: fix (ignored)" in told
    assert "max would choose fix" in told
    _, lines, _ = planglass("--export", name)
    (home / "it.jsonl").write_text(lines)
    assert planglass("--replay", str(home / "it.jsonl"), "--orchestrator", "max")[1] == told
    store = open_store(embedded_url(home / "data"))
    orchestrator = ORCHESTRATORS["threshold"](OrchestratorOptions())
    state, learned = Learner(TERMINAL_LEARNER, store, now, home / "data").state_of(orchestrator)
    store.close()
    assert learned == 1
    assert state != orchestrator.begin()
    assert planglass("--delete", name)[:2] == (0, f"The session {name} is deleted.\n")
    assert "No sessions are kept." in planglass("--sessions")[1]
    assert planglass("--delete", name)[0] == 2


WEATHER = """
class Weather:
    def preview(self, event):
        return {"confidence": 0.6, "actions": [{"text": "curl wttr.in"}]} if event.text == "weather" else None

    def execute(self, event, actions):
        return {"text": "It rains.", "actions": actions}
"""
FAIR = """
from dialogue.agents.orchestrators import ORCHESTRATORS


def make(options):
    class Fair:
        own = ORCHESTRATORS["max"](options)
        begin, check, observe = own.begin, own.check, own.observe

        def choose(self, state, event, answers, forced, seed):
            assert options.profile.kind == "quiet"
            if event.text == "trouble":
                raise RuntimeError("no choice")
            return self.own.choose(state, event, answers, forced, seed)

    return Fair()
"""


def drop_in(home: Path, name: str, kind: str, code: str) -> None:
    folder = home / "dropped" / name
    folder.mkdir(parents=True)
    (folder / "manifest.properties").write_text(f"[DEFAULT]\nkind = {kind}\n")
    (folder / f"{name}.py").write_text(code)


def leave(keyboard: Keyboard) -> None:
    keyboard.wait()
    keyboard.type("exit 4\r")


def ask_for_the_weather(keyboard: Keyboard) -> None:
    keyboard.wait()
    keyboard.run('clai "weather" weather')
    keyboard.run("clai trouble")
    keyboard.type("exit 3\r")


@pytest.mark.parametrize("kept", [True, False])
def test_agents_and_orchestrators_that_were_dropped_in_take_part(
    home: Path,
    planglass: Told,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    kept: bool,
) -> None:
    for name, kind, code in (("weather", "agent", WEATHER), ("fix", "agent", WEATHER), ("fair", "orchestrator", FAIR)):
        drop_in(home, name, kind, code)
    told = {"drop_ins": home / "dropped", "agents": "weather, fix", "profile": "quiet"}
    settings = [part for name, value in told.items() for part in ("--set", f"{name}={value}")]
    arguments = [*settings, "--orchestrator", "fair", *(() if kept else ("--not-kept",))]
    talk = used(home, monkeypatch, ask_for_the_weather, *arguments)
    assert talk.code == 3
    assert "weather: It rains." in talk.plain
    assert "fix was dropped in, but the shell has an agent of that name" in capsys.readouterr().err
    assert "the orchestrator fair could not choose" in caplog.text
    _, out, _ = planglass("--sessions")
    assert ("fair" in out) is kept
    if kept:
        status, _, err = planglass("--replay", out.split()[0], *settings, "--orchestrator", "fair")
        assert status == 2
        assert "The orchestrator fair failed with RuntimeError at fair.py:" in err
        _, again, _ = planglass("--replay", "a-bandit-at-work", *settings, "--orchestrator", "fair")
        assert "fair would choose" in again


def test_who_chooses_has_to_be_there(planglass: Told) -> None:
    code, _, err = planglass("--orchestrator", "nobody-knows")
    assert code == 2
    assert "threshold" in err
    assert len(err.splitlines()) == 1


def test_a_session_that_is_not_to_be_kept_is_not(home: Path, planglass: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    assert used(home, monkeypatch, leave, "--not-kept").code == 4
    assert "No sessions are kept." in planglass("--sessions")[1]


def test_where_nothing_can_be_written_the_shell_runs_and_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "data" / "sessions.db").mkdir()
    talk = used(home, monkeypatch, leave)
    assert talk.code == 4
    assert PROMPT in talk.plain
    assert "nothing of this session is kept" in capsys.readouterr().err


def test_a_shell_can_stop_itself_and_go_on(home: Path) -> None:
    child = spawn(home, "--shell", "bash", "--not-kept")
    child.expect_exact(PROMPT)
    child.send("suspend -f\r")
    for _ in range(100):
        stat = Path(f"/proc/{child.pid}/stat")
        if not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "T":
            break
        child.expect([pexpect.TIMEOUT, "never"], timeout=0.1)
    os.kill(child.pid, signal.SIGCONT)
    child.expect_exact(PROMPT)
    child.send("exit 5\r")
    child.expect(pexpect.EOF)
    assert child.finish() == 5


@pytest.mark.parametrize("name", recorded_sessions())
def test_a_recorded_session_is_told(planglass: Told, name: str) -> None:
    code, out, _ = planglass("--replay", name, "--orchestrator", "bandit")
    assert code == 0
    assert "bandit would choose" in out


def test_without_a_terminal_it_says_so(planglass: Told) -> None:
    code, _, err = planglass("--not-kept")
    assert code == 2
    assert "needs a terminal" in err
    assert len(err.splitlines()) == 1


def test_what_cannot_be_wrapped_gets_one_clear_line(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert used(home, monkeypatch, lambda _: None, "--shell", "no-such-shell", "--not-kept").code == 2
    err = capsys.readouterr().err
    assert "There is no shell" in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("shell", "said"),
    [
        ("no-such-shell", "There is no shell"),
        ("cat", "cat cannot be wrapped: only bash and dash can"),
        ("old/bash", "bash 4.4 or later"),
        ("", "wrapped already"),
    ],
)
def test_it_is_said_in_one_line_why_a_shell_cannot_be_wrapped(
    home: Path, planglass: Told, monkeypatch: pytest.MonkeyPatch, shell: str, said: str
) -> None:
    monkeypatch.setattr("dialogue.agents.terminal.wrapper.require_terminal", lambda _: None)
    if not shell:
        monkeypatch.setenv("PLANGLASS_SHELL", "bash")
    old = home / "old" / "bash"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\nprintf '3 2'\n")
    old.chmod(0o755)
    code, out, err = planglass("--shell", str(old) if shell == "old/bash" else shell or "bash", "--not-kept")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert said in err


def test_a_line_that_is_no_event_is_refused(home: Path, planglass: Told) -> None:
    (home / "broken.jsonl").write_text('{"seq": 1}\n')
    assert planglass("--replay", str(home / "broken.jsonl"))[0] == 2


def test_when_the_store_fails_the_rest_is_not_kept_and_the_session_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    class Failing:
        def standing(self, _: object) -> None:
            return None

        def append(self, *_: object) -> None:
            raise StoreFailed("the disk is full")

    session = KeptSession("x", Failing(), now)  # type: ignore[arg-type]
    for number in (1, 2):
        assert session.add(SessionEnded(exit_code=0)) == number
        session.flush()
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.startswith("the rest of this session is not kept: StoreFailed")
