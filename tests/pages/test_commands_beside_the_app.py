"""Real commands beside a real dashboard: they run in it, its pages show what they say, and either may die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.catalog.reports_play import DATA, FOLDER
from tests.dialogue.terminal.terminals import Program
from tests.pages.screen import ROOT, Screen, Server, own_server, stop_server
from tests.waiting import wait_until

HALL = """
name: hall
label: the town hall
roles: {guest: }
participants: {}
people: {roles: guest}
norms: {}
"""


def environment(server: Server) -> dict[str, str]:
    return {**os.environ, "PLANGLASS_HOME": str(server.home), "PYTHONPATH": str(ROOT), "TERM": "xterm"}


def planglass(server: Server, *arguments: str, lines: str = "", cwd: Path = ROOT) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "dialogue.cli.main", *arguments]
    done = subprocess.run(
        command, input=lines, text=True, capture_output=True, env=environment(server), cwd=cwd, timeout=300, check=False
    )
    return done.returncode, done.stdout, done.stderr


class Chat:
    """A chat that goes on, one line after the other."""

    def __init__(self, server: Server, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dialogue.cli.main", "chat", "--json", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(server),
            cwd=ROOT,
        )  # fmt: skip

    def say(self, line: str) -> dict[str, object]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return dict(json.loads(self.process.stdout.readline()))

    def finish(self) -> tuple[int, str]:
        _, err = self.process.communicate(timeout=120)
        return self.process.returncode, err


def conversations(server: Server) -> list[str]:
    code, out, _ = planglass(server, "sessions", "--json")
    assert code == 0
    return [json.loads(line)["session"] for line in out.splitlines()]


def test_a_page_shows_live_what_a_command_says_and_the_command_what_it_is_told(screen: Screen, server: Server) -> None:
    screen.open("")
    screen.say("I want a loan of $12,000")
    code, out, err = planglass(server, "chat", "--session", screen.session, lines="ada@example.org\n")
    assert (code, err) == (0, "")
    expect(screen.page.locator(".message.user").last).to_contain_text("ada@example.org")
    assert out.strip().splitlines()[-1].strip() in screen.last_said.replace("\n", " ")


@pytest.mark.long
def test_a_task_runs_in_the_dashboard_with_files_from_where_it_is_given(server: Server, tmp_path: Path) -> None:
    code, out, err = planglass(
        server, "task", os.path.relpath(FOLDER / "tasks" / "board_pack.yaml", tmp_path), "--json", cwd=tmp_path
    )
    assert (code, err) == (3, "")
    task = json.loads(out)["id"]
    (tmp_path / "staff.csv").write_bytes((DATA / "staff_2025_q3.csv").read_bytes())
    more = ("--resume", task, "--supply", "staff_list=staff.csv", "--out", "results", "--tree", "tree.json", "--json")
    code, out, err = planglass(server, "task", *more, cwd=tmp_path)
    assert (code, err) == (0, "")
    assert json.loads((tmp_path / "tree.json").read_text())
    assert [path.suffix for path in (tmp_path / "results").glob("*.docx")] == [".docx"]
    code, _, err = planglass(server, "task", "--resume", task, "--supply", "staff_list=nowhere.csv", cwd=tmp_path)
    assert (code, "there is no file 'nowhere.csv'" in err) == (2, True)


def test_who_reads_no_further_ends_a_command_without_a_word(server: Server) -> None:
    command = f"{sys.executable} -m dialogue.cli.main orchestrators -v | head -1"
    done = subprocess.run(
        ["bash", "-c", f"{command}; echo ${{PIPESTATUS[0]}}"],
        text=True, capture_output=True, env=environment(server), cwd=ROOT, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[0].startswith("planner")
    assert (done.stdout.splitlines()[-1], done.stderr) == ("0", "")


def test_two_people_in_a_room_beside_the_dashboard_see_what_the_other_says_and_one_is_interrupted(
    server: Server, tmp_path: Path
) -> None:
    (tmp_path / "hall.yaml").write_text(HALL)

    def sit_down(*arguments: str) -> Program:
        return Program([sys.executable, "-m", "dialogue.cli.main", "room", *arguments], environment(server), tmp_path)

    ana = sit_down("hall.yaml", "--as", "Ana")
    ana.expect(r"the town hall, room (\w+)\. You are Ana\.")
    ben = sit_down("--room", ana.match.group(1), "--as", "Ben")
    ana.expect_exact("Ben joined.")
    ben.expect_exact("Ben> ")
    ben.send("I wonder wh")
    ben.expect_exact("I wonder wh")
    ana.send("Hello there\r")
    for one in (ana, ben):
        one.expect_exact("  Ana: Hello there\r\n")
    ben.expect_exact("Ben> I wonder wh")
    ben.send("o is there\r")
    ana.expect_exact("  Ben: I wonder who is there\r\n")
    os.kill(ben.pid, signal.SIGINT)
    ben.expect_exact("planglass: stopped")
    assert ben.finish() == 2
    ana.send("/leave\r")
    ana.expect_exact("Ana left.")
    assert ana.finish() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.long)])
def test_a_command_that_is_cut_off_leaves_what_it_said_and_the_dashboard_goes_on(
    server: Server, number: signal.Signals
) -> None:
    chat = Chat(server, "banking")
    assert chat.say("hello")["turn"] == 1
    session = conversations(server)[0]
    chat.process.send_signal(number)
    chat.process.wait(120)  # its input has not ended by then
    code, err = chat.finish()
    assert (code, err) == ((2, "planglass: stopped\n") if number is signal.SIGINT else (-signal.SIGKILL, ""))
    again = Chat(server, "--session", session)
    events = again.say("I want a loan")["events"]
    assert isinstance(events, list)
    assert [one["turn"] for one in events if one["kind"] == "heard"] == [2]
    assert again.finish() == (0, "")


@pytest.mark.long
def test_a_dashboard_that_dies_or_ends_tells_its_commands_and_what_was_answered_is_kept(tmp_path: Path) -> None:
    """A socket that a dead one left is none for commands, and the next dashboard replaces it."""
    home = tmp_path / "home"
    said = 0
    session = ""
    for killed in (True, False):
        with own_server(home) as server:
            chat = Chat(server, *(("--session", session) if session else ("banking",)))
            for text in ("hello", "I want a loan"):
                said += 1
                events = chat.say(text)["events"]
                assert isinstance(events, list)
                assert [one["turn"] for one in events if one["kind"] == "heard"] == [said], "nothing is lost or twice"
            session = conversations(server)[0]
            if killed:
                server.process.kill()
            else:
                stop_server(server)
            code, err = chat.finish()
            assert code == 1
            assert err.count("\n") == 1
            assert err.startswith("planglass: The dashboard ") and "What was answered is kept" in err
            assert (home / "sessions.db-socket").exists() is killed
            assert conversations(server) == [session], "without a dashboard, a command works by itself"


@pytest.mark.long
def test_commands_without_a_dashboard_speak_at_once_in_one_conversation(tmp_path: Path) -> None:
    server = Server("", tmp_path / "home", subprocess.Popen(["true"]), tmp_path / "log")
    server.process.wait()
    first = Chat(server, "banking")
    first.say("hello")
    (session,) = conversations(server)
    second = Chat(server, "--session", session)
    turns = []
    for number in range(4):
        events = (first, second)[number % 2].say(f"I want a loan of {number + 1}000")["events"]
        assert isinstance(events, list)
        turns += [one["turn"] for one in events if one["kind"] == "heard"]
    assert [first.finish(), second.finish()] == [(0, ""), (0, "")]
    assert sorted(set(turns)) == [2, 3, 4, 5]
    wait_until(lambda: not list((tmp_path / "home").glob("*-wal")))
