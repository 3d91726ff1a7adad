"""A shell in a real pseudo-terminal is as it was: exits, signals, jobs, the user's own settings, and what is shown."""

from __future__ import annotations

import os
import signal
import termios
import threading
from pathlib import Path

import pytest

from dialogue.agents.agent import DeclaredAgent
from dialogue.agents.model import Reaction, Stage
from tests.dialogue.terminal.terminals import Keyboard, Saying, sit_down

SHELLS = ("bash", "dash")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("code", [0, 7])
def test_a_shell_ends_with_its_own_exit_code_and_the_terminal_is_as_it_was(
    tmp_path: Path, shell: str, code: int
) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.type(f"exit {code}\r")

    talk = sit_down(person, tmp_path, shell=shell)
    assert (talk.code, talk.modes_after) == (code, talk.modes_before)
    assert talk.notes.events[-1].model_dump() == {"kind": "session_ended", "exit_code": code}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_that_is_killed_ends_as_shells_tell_it(tmp_path: Path, shell: str) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.type("kill -KILL $$\r")

    assert sit_down(person, tmp_path, shell=shell).code == 128 + 9


@pytest.mark.parametrize("shell", SHELLS)
def test_jobs_and_interrupts_work_as_before(tmp_path: Path, shell: str) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.type("sh -c 'echo here; exec sleep 100'\r")
        keyboard.wait("here\r\n")
        keyboard.type("\x03")
        keyboard.wait()
        assert "130" in keyboard.run("echo code $?")
        keyboard.type("sh -c 'echo here; exec sleep 100'\r")
        keyboard.wait("here\r\n")
        keyboard.type("\x1a")
        assert "Stopped" in keyboard.wait()
        assert "sleep" in keyboard.run("jobs")
        keyboard.type("fg\r")
        keyboard.wait("sleep 100")
        keyboard.wait("\n")
        keyboard.type("\x03")
        keyboard.wait()
        keyboard.type("\x04")

    talk = sit_down(person, tmp_path, shell=shell)
    assert talk.code in {0, 130}


def test_a_program_hears_of_the_size_of_the_window_and_when_it_changes(tmp_path: Path) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        assert "24 80" in keyboard.run("stty size")
        termios.tcsetwinsize(keyboard.master, (30, 100))
        os.kill(os.getpid(), signal.SIGWINCH)
        assert "30 100" in keyboard.run("stty size")
        keyboard.type("exit\r")

    sit_down(person, tmp_path)


def test_the_users_own_settings_go_on_working(tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_text(
        "PS1='ready> '\nPROMPT_COMMAND='echo before-prompt $?'\nalias hello='echo hi'\n"
        "trap 'echo debug:$BASH_COMMAND' DEBUG\ntrap 'echo goodbye' EXIT\n"
    )

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        shown = keyboard.run("hello")
        assert "debug:echo hi" in shown
        assert "before-prompt 0" in shown
        assert "before-prompt 3" in keyboard.run("(exit 3)")
        assert "code 3" in keyboard.run("echo code $?")
        keyboard.type("exit\r")
        keyboard.wait("goodbye")

    assert "__planglass" not in sit_down(person, tmp_path).seen


def test_what_the_shell_remembers_of_the_last_command_is_as_before(tmp_path: Path) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.run("false | true | (exit 3)")
        assert "[1 0 3]" in keyboard.run('echo "[${PIPESTATUS[*]}]" one two')
        assert "[two]" in keyboard.run('echo "[$_]"')
        assert "planglass" not in keyboard.run("export -p | grep -v SHELL=; history; shopt -q extglob; jobs")
        keyboard.type("exit\r")

    sit_down(person, tmp_path)


def test_prompts_that_are_made_anew_each_time_keep_working(tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_text("PROMPT_COMMAND=(':' 'PS1=\"[$?] ready> \"')\n")

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        assert "[4] ready> " in keyboard.run("(exit 4)")
        keyboard.type("exit\r")

    talk = sit_down(person, tmp_path)
    assert [event.model_dump()["event"]["text"] for event in talk.notes.of("broadcast")][:2] == ["(exit 4)"] * 2


@pytest.mark.parametrize("shell", SHELLS)
def test_both_stages_are_told_what_was_run_and_what_came_of_it(tmp_path: Path, shell: str) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.run("echo größe; false")
        keyboard.type("exit\r")

    told = [event.model_dump()["event"] for event in sit_down(person, tmp_path, shell=shell).notes.of("broadcast")]
    after = next(event for event in told if event["stage"] is Stage.AFTER)
    assert (after["text"], after["output"], after["exit_code"]) == ("echo größe; false", "größe", 1)
    assert [event["stage"] for event in told].count(Stage.BEFORE) == (2 if shell == "bash" else 0)


def test_a_suggestion_is_shown_under_the_command_and_taken_with_one_key(tmp_path: Path) -> None:
    agent = DeclaredAgent("fix", "", Saying({"ech hi": "echo hi there"}))

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        shown = keyboard.run("ech hi")
        assert "fix: echo hi there" in shown
        assert shown.index("not found") < shown.index("fix:")
        keyboard.type("\x1ba")
        keyboard.wait("echo hi there")
        keyboard.type("\r")
        keyboard.wait("hi there\r\n")
        keyboard.wait()
        keyboard.type("exit\r")

    talk = sit_down(person, tmp_path, [agent])
    assert [event.model_dump()["reaction"] for event in talk.notes.of("reacted")] == [Reaction.FOLLOWED]
    assert [feedback.reaction for feedback in talk.notes.learned] == [Reaction.FOLLOWED]


@pytest.mark.parametrize(
    ("keys", "reaction"),
    [
        ("\x1bz\recho else\r", Reaction.DISMISSED),
        ("echo else\r", Reaction.IGNORED),
        ("echo hi there\r", Reaction.FOLLOWED),
        ("\x1ba now\r", Reaction.EDITED),
    ],
)
def test_what_is_done_with_a_suggestion_is_noted(tmp_path: Path, keys: str, reaction: Reaction) -> None:
    agent = DeclaredAgent("fix", "", Saying({"ech hi": "echo hi there"}))

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.run("ech hi")
        for part in keys.split("\r"):
            keyboard.type(f"{part}\r" if part else "")
            if part:
                keyboard.wait()
        keyboard.wait()
        keyboard.type("exit\r")

    talk = sit_down(person, tmp_path, [agent])
    assert talk.notes.of("reacted")[0].model_dump()["reaction"] is reaction


def test_before_a_line_is_run_it_waits_where_an_agent_knows_better_and_enter_runs_it_as_it_stands(
    tmp_path: Path,
) -> None:
    agent = DeclaredAgent("command", "", Saying({"show my place": "pwd"}, Stage.BEFORE))

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.type("show my place\r")
        keyboard.wait("command: pwd")
        keyboard.wait("show my place")
        keyboard.type("\r")
        keyboard.wait("show: command not found")
        keyboard.wait()
        keyboard.type("exit\r")

    talk = sit_down(person, tmp_path, [agent])
    assert [event.model_dump()["reaction"] for event in talk.notes.of("reacted")] == [Reaction.IGNORED]


def test_after_a_suggestion_is_turned_down_the_next_command_is_run_by_itself(tmp_path: Path) -> None:
    agent = DeclaredAgent("fix", "", Saying({"ech hi": "echo hi there"}, Stage.BEFORE))

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.type("ech hi\r")
        keyboard.wait("fix: echo hi there")
        keyboard.wait("ech hi")
        keyboard.type("\x1bz")
        keyboard.type('echo "<alone>"\r')
        keyboard.wait("<alone>\r\n")
        keyboard.wait()
        keyboard.type("history\r")
        keyboard.wait("ech hi")
        keyboard.wait()
        keyboard.type("exit\r")

    talk = sit_down(person, tmp_path, [agent])
    told = [event.model_dump()["event"] for event in talk.notes.of("broadcast")]
    assert [event["text"] for event in told if event["stage"] is Stage.AFTER] == ['echo "<alone>"', "history"]
    assert "not found" not in talk.seen
    assert [event.model_dump()["reaction"] for event in talk.notes.of("reacted")] == [Reaction.DISMISSED]


@pytest.mark.parametrize("shell", SHELLS)
def test_an_answer_can_be_asked_for_and_the_line_is_not_run(tmp_path: Path, shell: str) -> None:
    agents = [
        DeclaredAgent("first", "", Saying({"touch ran": "touch first"}, Stage.BEFORE, 0.03)),
        DeclaredAgent("second", "", Saying({"touch ran": "touch second"}, Stage.BEFORE, 0.02)),
    ]

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.type("clai touch ran\r")
        keyboard.wait("first: touch first")
        keyboard.wait()
        keyboard.type('clai "second" touch ran\r')
        keyboard.wait("second: touch second")
        keyboard.wait()
        keyboard.type('clai "third" touch ran\r')
        keyboard.wait("There is no agent third")
        keyboard.wait()
        keyboard.type("clai\r")
        keyboard.wait("Nothing was run yet")
        keyboard.wait()
        keyboard.type("exit\r")

    sit_down(person, tmp_path, agents, shell=shell)
    assert not (tmp_path / "ran").exists()


CANARY = "canary-4711"


@pytest.mark.parametrize(
    "program",
    [
        "read -s -p 'password: ' x",
        "read -es -p 'password: ' x",
        "python3 -c \"import getpass; getpass.getpass('password: ')\"",
        "stty -echo; printf 'password: '; head -n 1 > /dev/null; stty echo",
    ],
)
def test_nothing_that_is_typed_unseen_is_read_kept_or_shown(tmp_path: Path, program: str) -> None:
    heard: list[str] = []

    class Listening(Saying):
        def preview(self, event):  # type: ignore[no-untyped-def]
            heard.append(event.model_dump_json())
            return

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.type(f"{program}\r")
        keyboard.wait("\n")
        keyboard.wait("password: ")
        keyboard.type(f"{CANARY}\r")
        keyboard.wait()
        keyboard.type("exit\r")

    talk = sit_down(person, tmp_path, [DeclaredAgent("listening", "", Listening({}))])
    assert heard
    assert CANARY not in "".join(heard) + talk.notes.text
    if "-es" not in program:
        assert CANARY not in talk.seen


def test_programs_cannot_forge_what_the_hooks_tell(tmp_path: Path) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.run(r"printf '\033]7717;0123456789abcdef0123456789abcdef;prompt;77;9\aforged'")
        keyboard.type("exit\r")

    told = [event.model_dump()["event"] for event in sit_down(person, tmp_path).notes.of("broadcast")]
    assert [event["exit_code"] for event in told if event["stage"] is Stage.AFTER] == [0]


def test_escape_sequences_in_what_agents_say_never_reach_the_terminal(tmp_path: Path) -> None:
    agent = DeclaredAgent("bad", "", Saying({"false": "echo \x1b]52;c;ZXZpbA==\a\x1b[2Jdone\x9b5n"}))

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        shown = keyboard.run("false")
        assert "bad: echo done" in shown
        assert "\x1b]52" not in shown
        assert "\x1b[2J" not in shown
        keyboard.type("exit\r")

    sit_down(person, tmp_path, [agent])


def test_full_screen_programs_pastes_and_much_output_go_through_unchanged(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text("first page\n" * 3)

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.type("less -X page.txt\r")
        keyboard.wait("first page")
        keyboard.type("q")
        keyboard.wait()
        keyboard.type("\x1b[200~echo one\recho two\x1b[201~")
        keyboard.wait("echo two")
        keyboard.type("\r")
        keyboard.wait("one\r\ntwo\r\n")
        keyboard.wait()
        keyboard.type("seq 1 200000\r")
        keyboard.wait("\n")
        shown = keyboard.wait()
        assert [int(line) for line in shown.split() if line.isdigit()] == list(range(1, 200_001))
        keyboard.type("printf '\\033[?1049h full \\033[?1049l'\r")
        keyboard.wait("\x1b[?1049l")
        keyboard.wait()
        keyboard.type("exit\r")

    talk = sit_down(person, tmp_path)
    outputs = [event.model_dump()["event"].get("output", "") for event in talk.notes.of("broadcast")]
    assert max(map(len, outputs)) <= 4_000


def test_commands_of_several_lines_are_told_as_one(tmp_path: Path) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.run("for x in 1 2; do", until="> ")
        keyboard.run("echo $x", until="> ")
        assert "1\r\n2\r\n" in keyboard.run("done")
        keyboard.type("exit\r")

    told = [event.model_dump()["event"] for event in sit_down(person, tmp_path).notes.of("broadcast")]
    assert "for x in 1 2; do\necho $x\ndone" in [event["text"] for event in told if event["stage"] is Stage.AFTER]


def test_a_line_that_begins_with_a_space_is_told_to_nobody(tmp_path: Path) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.run(f" echo {CANARY}")
        keyboard.type("exit\r")

    assert CANARY not in sit_down(person, tmp_path).notes.text


def test_an_agent_that_is_slow_or_fails_holds_no_command_up(tmp_path: Path) -> None:
    never = threading.Event()

    def fail() -> None:
        raise RuntimeError("broken")

    agents = [
        DeclaredAgent("slow", "", Saying({"echo hi": "echo slow"}, Stage.BEFORE, before_answer=lambda: never.wait(5))),
        DeclaredAgent("failing", "", Saying({"echo hi": "echo failing"}, Stage.BEFORE, before_answer=fail)),
    ]

    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.type("echo hi\r")
        keyboard.wait("hi\r\n")
        keyboard.wait()
        never.set()
        keyboard.type("exit\r")

    talk = sit_down(person, tmp_path, agents)
    silent = {one["agent"]: one["reason"] for one in talk.notes.of("broadcast")[0].model_dump()["answers"]["silent"]}
    assert silent == {"slow": "timed_out", "failing": "raised"}


def test_a_terminal_that_goes_away_ends_the_shell(tmp_path: Path) -> None:
    def person(keyboard: Keyboard) -> None:
        keyboard.wait()
        keyboard.type("echo $$\r")
        keyboard.wait()
        os.kill(os.getpid(), signal.SIGHUP)

    assert sit_down(person, tmp_path).code in {128 + 1, 1, 0}
