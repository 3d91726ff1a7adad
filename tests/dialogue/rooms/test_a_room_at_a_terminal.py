"""`planglass room`: people talk in a room from terminals, and rooms are listed, exported and deleted."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from catalog.norms.fipa import read_messages
from dialogue.cli.main import main
from tests.dialogue.terminal.terminals import Program

HALL = """
name: hall
label: the town hall
topics: {bread: {words: [bread, rye], examples: [what bread is there, is the rye fresh]}}
roles: {guest: }
participants: {}
people: {roles: guest}
norms:
  no_bread: {kind: prohibition, label: nobody speaks of bread, bearer: guest, act: {topic: bread}, standing: true}
"""
Told = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("logging_as_before")


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLANGLASS_HOME", str(tmp_path / "data"))
    (tmp_path / "hall.yaml").write_text(HALL)
    return tmp_path / "hall.yaml"


@pytest.fixture
def planglass(hall: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Told:
    def run(*arguments: str, lines: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        code = main(["room", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def sit_down(hall: Path, *arguments: str) -> Program:
    environment = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(Path.cwd())}
    return Program([sys.executable, "-m", "dialogue.cli.main", "room", *arguments], environment, hall.parent)


@pytest.mark.long
def test_two_people_at_two_terminals_see_at_once_what_the_other_says(hall: Path) -> None:
    ana = sit_down(hall, str(hall), "--as", "Ana")
    ana.expect(r"the town hall, room (\w+)\. You are Ana\.")
    room = ana.match.group(1)
    ben = sit_down(hall, "--room", room, "--as", "Ben", "--denied")
    ana.expect_exact("Ben joined.")
    ben.expect_exact("Ben> ")
    ana.send("Hello there\r")
    for one in (ana, ben):
        one.expect_exact("  Ana: Hello there\r\n")
    ben.send("I wonder wh")
    ben.expect_exact("I wonder wh")
    ana.send("Nice rye bread!\r")
    ana.expect_exact("Your message was not posted. Denied by “nobody speaks of bread”.")
    ben.expect_exact("Ana wanted to say “Nice rye bread!”. Denied by “nobody speaks of bread”.")
    ben.expect_exact("Ben> I wonder wh")
    ben.send("at time it is\r")
    for one in (ana, ben):
        one.expect_exact("  Ben: I wonder what time it is\r\n")
    ana.send("who may speak now?\r")
    ben.expect_exact("Ana asks: who may speak now?")
    ben.expect_exact("Planglass: ")
    ana.send("/who\r")
    ana.expect_exact("No one has to speak now.")
    ana.send("/leave\r")
    ben.expect_exact("Ana left.")
    assert ana.finish() == 0
    ben.expect_exact("Ben> ")
    os.kill(ben.pid, signal.SIGINT)
    ben.expect_exact("planglass: stopped")
    assert ben.finish() == 2


def test_lines_from_a_pipe_are_said_one_by_one_and_the_room_can_be_gone_on_with(hall: Path, planglass: Told) -> None:
    lines = 'Hello\nIs the rye fresh?\nwhat was denied?\n\n/denied\n/norms\n/what\n{"text": 3}\n{"text": "To Bo", '
    code, out, _ = planglass(
        str(hall), "--as", "Ana", lines=lines + '"receivers": ["Bo"]}\n/help\n/leave\nnever said\n'
    )
    assert code == 2, "lines that were none are told, and the others are said all the same"
    assert "  Ana joined.\n  Ana: Hello\n" in out
    assert "Your message was not posted. Denied by “nobody speaks of bread”." in out
    assert "Ana asks: what was denied?" in out and "Planglass: You wanted to say “Is the rye fresh”" in out
    assert "\n  You wanted to say “Is the rye fresh”" in out, "without Planglass: only who wrote /denied sees it"
    assert "There is no command /what." in out and "Found: text: " in out
    assert "Ana: To Bo" in out and "Ana left." in out and "never said" not in out

    code, listed, _ = planglass("--rooms", "--json")
    (row,) = map(json.loads, listed.splitlines())
    assert (code, row["title"], row["governed"]) == (0, "the town hall", True)
    assert planglass("--rooms")[1].startswith(f"{row['room'][:8]}  ")
    code, out, _ = planglass("--room", row["room"][:6], "--as", "Bo", "--json", lines="Hi\nrye bread\nwho may speak?\n")
    first, second, third = map(json.loads, out.splitlines())
    assert code == 0
    assert [(one["sender"], one["text"]) for one in first["posted"]] == [
        ("Ana", "Hello"),
        ("Ana", "To Bo"),
        ("Bo", "Hi"),
    ]
    assert [(one["sender"], one["norms"]) for one in second["denied"]] == [("Bo", ["no_bread"])]
    assert second["stands"] == {"must": [], "may": ["Bo"], "must_not": []}
    assert [one["kind"] for one in third["events"]] == ["room_asked", "room_explained"]
    exported = json.loads(planglass("--export", row["room"])[1])
    assert exported["entries"][-1]["event"]["kind"] == "room_explained"
    assert planglass("--delete", row["room"])[0] == 0
    assert planglass("--rooms")[1] == "There are no rooms yet. `planglass room finch` opens one.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Name norms for a new room, or --room ID"),
        (("finch", "--room", "a"), "Name norms for a new room, or --room ID"),
        (("--room", "zzz"), "No room begins with 'zzz'"),
        (("--export", "zzz"), "No room begins with 'zzz'"),
        (("--delete", "zzz"), "No room begins with 'zzz'"),
        (("nowhere.yaml",), "nowhere.yaml"),
        (("bad.yaml",), "bad.yaml:3: "),
        (("finch", "--as", ""), "planglass: "),
        (("finch", "--as", "In"), "The name 'In' belongs to a bot of this room."),
    ],
)
def test_bad_input_gets_one_clear_line_and_opens_no_room(
    hall: Path, planglass: Told, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(hall.parent)
    (hall.parent / "bad.yaml").write_text(
        "name: bad\nparticipants: {}\nnorms: {no: {kind: prohibition, bearer: ghost}}\n"
    )
    code, out, err = planglass(*arguments)
    assert (code, out) == (2, "") and said in err and "Traceback" not in err
    assert planglass("--rooms", "--json")[1] == ""


def test_what_others_wrote_cannot_steer_the_terminal(hall: Path, planglass: Told) -> None:
    _, out, _ = planglass(str(hall), "--as", "Ana", lines="\x1b[2Jgone\x07\n")
    assert "Ana: gone" in out and "\x1b" not in out and "\x07" not in out


ACL = """
(inform :sender (agent-identifier :name Ana@home) :content "Good morning" :reply-with m1)
(query-ref :sender Bo :content "Is the rye fresh?" :in-reply-to m1)
(confirm :sender Bo :content "It is a good morning" :in-reply-to m1)
"""


def test_messages_in_fipa_acl_are_said_by_their_senders_and_what_was_posted_is_exported(
    hall: Path, planglass: Told
) -> None:
    code, out, _ = planglass(str(hall), "--import", "-", lines=ACL)
    assert code == 0
    assert [line.strip() for line in out.splitlines()] == [
        "Ana joined.",
        "Ana: Good morning",
        "Bo joined.",
        "Bo wanted to say “Is the rye fresh?”. Denied by “nobody speaks of bread”.",
        "Bo: It is a good morning",
    ]
    room = json.loads(planglass("--rooms", "--json")[1])["room"]
    exported = planglass("--export", room, "--fipa")[1]
    first, second = read_messages(exported)
    assert (first.sender, first.content, first.reply_with) == ("Ana", "Good morning", "m1")
    assert (second.sender, second.replies_to, second.in_reply_to) == ("Bo", "Ana", "m1")
    assert exported.startswith("(inform\n") and "(confirm\n" in exported
    code, again, _ = planglass("--room", room, "--import", "-", lines=exported)
    assert code == 0 and again.splitlines() == ["  Ana: Good morning", "  Bo: It is a good morning"]
    assert [one.in_reply_to for one in read_messages(planglass("--export", room, "--fipa")[1])] == ["", "m1", "", "m1"]


def test_a_text_with_a_fault_says_nothing_and_opens_no_room(hall: Path, planglass: Told) -> None:
    code, out, err = planglass(str(hall), "--import", "-", lines=f"{ACL}(inform :sender (agent")
    assert (code, out) == (2, "") and "The notation of FIPA is broken" in err
    assert planglass(str(hall), "--import", "no such file")[0] == 2
    assert planglass("--rooms", "--json")[1] == ""
