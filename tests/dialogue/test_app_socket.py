"""Commands beside a program that holds the store run in it: as alone, with its services, and told when it ends."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from pathlib import Path
from queue import SimpleQueue

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.cli.app_socket import guest, server
from dialogue.cli.app_socket.client import connect, opening, run_there
from dialogue.cli.app_socket.server import MOST_GUESTS, commands_taken
from dialogue.cli.app_socket.wire import MAX_MESSAGE_BYTES, PIECE, Channel, address_of, batches, own_version
from dialogue.cli.main import main, run_for
from dialogue.cli.terminal import Output, OwnTerminal
from dialogue.log.stores import embedded_url
from dialogue.log.stores.one_app import socket_of
from dialogue.services.settings.sources import read_settings
from tests.catalog.reports_play import FOLDER
from tests.dialogue.toys import Toybox
from tests.examples import examples
from tests.waiting import wait_until


def socket_at(home: Path) -> Path:
    path = socket_of(embedded_url(home))
    assert path is not None
    return path


@contextmanager
def beside(box: Toybox) -> Iterator[Path]:
    """Take commands in for a box of toys, as the dashboard does for its services."""
    path = socket_at(box.home)
    with commands_taken(path, lambda: box.services, run_for):
        yield path


@pytest.fixture
def there(box: Toybox) -> Iterator[Path]:
    with beside(box) as path:
        yield path


Told = Callable[..., tuple[int, str, str]]


@pytest.fixture
def planglass(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Told:
    def run(*arguments: str, lines: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        code = main(list(arguments))
        return code, *capsys.readouterr()

    return run


class Typed(OwnTerminal):
    """A terminal at which a test types, and reads."""

    def __init__(self) -> None:
        self.keys: SimpleQueue[str | None] = SimpleQueue()
        self.seen, self.told = io.StringIO(), io.StringIO()

    @property
    def out(self) -> Output:
        return self.seen

    @property
    def err(self) -> Output:
        return self.told

    def lines(self) -> Iterator[str]:
        while (line := self.keys.get()) is not None:
            yield f"{line}\n"


class Command(threading.Thread):
    """A command beside the program, with a terminal of its own."""

    def __init__(self, path: Path, *arguments: str) -> None:
        super().__init__(daemon=True)
        channel = connect(path)
        assert channel is not None
        self.channel, self.terminal, self.code = channel, Typed(), -1
        self.said = opening(arguments, self.terminal, read_settings())
        self.start()

    def run(self) -> None:
        self.code = run_there(self.channel, self.said, self.terminal)

    def type(self, line: str | None) -> None:
        self.terminal.keys.put(line)

    @property
    def replies(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.terminal.seen.getvalue().splitlines()]

    def finish(self) -> int:
        self.join(120)
        assert not self.is_alive()
        return self.code


def heard(box: Toybox) -> list[str]:
    return [event.text for event in box.events("heard")]


def commands_at_work() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name == "guest"]


def test_a_command_uses_the_services_that_are_there_and_what_it_says_is_seen_there(
    box: Toybox, there: Path, planglass: Told
) -> None:
    """No program but this one knows the toys."""
    code, out, _ = planglass("sessions", "--json")
    assert (code, json.loads(out)["session"]) == (0, box.session)
    code, out, _ = planglass("chat", "--session", box.session[:6], "--json", lines="goal trophy\na=sea\n")
    assert code == 0
    assert [json.loads(line)["turn"] for line in out.splitlines()] == [1, 2]
    assert heard(box) == ["goal trophy", "a=sea"]
    assert planglass("explain", "what", "--session", box.session[:6])[0] == 0
    assert planglass("doubts")[1] == "No call is in doubt.\n"


def test_it_says_and_returns_what_it_would_alone(box: Toybox, planglass: Told) -> None:
    asked: list[tuple[tuple[str, ...], str]] = [
        (("sessions",), ""),
        (("orchestrators", "-v"), ""),
        (("orchestrators", "nobody"), ""),
        (("explain", "why", "--session", "zz"), ""),
        (("room", "--rooms"), ""),
        (("room", "cafe", "--as", "Ana", "--import", "nowhere"), ""),
        (("task", "nowhere.yaml", "--supply", "a=b"), ""),
        (("task", "--resume", "nothing"), ""),
        (("chat", "--session", "zz"), ""),
        (("chat", "nobody.yaml"), ""),
        (("chat", "banking"), "hello\n{\n"),
        (("chat", "banking", "--json"), "hello without an end"),
    ]
    box.services.delete(box.session)
    with beside(box):
        there = [planglass(*arguments, lines=lines) for arguments, lines in asked]
    box.services.close()
    alone = [planglass(*arguments, lines=lines) for arguments, lines in asked]
    box.services = box.open()
    cwd = f"{Path.cwd()}/"
    for (arguments, _), one, other in zip(asked, there, alone, strict=True):
        if "banking" in arguments:  # it is another conversation, and the toys' services know no bank
            continue
        assert tuple(str(part).replace(cwd, "") for part in one) == tuple(map(str, other)), arguments


def test_what_a_conversation_can_choose_is_chosen_for_it_and_all_else_is_refused_with_the_way_out(
    box: Toybox, there: Path, planglass: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ("--set", "engine=optimal")
    assert planglass("chat", "--session", box.session, "--json", *wanted, lines="a=1\n")[0] == 0
    assert box.now.setup.choices == {"engine": "optimal"}
    assert planglass("chat", "--session", box.session, "--json", "--set", "engine=native", lines="b=1\n")[0] == 0
    assert box.now.setup.choices == {"engine": "optimal"}, "the conversation's own choice outweighs, as ever"
    code, out, err = planglass("sessions", *wanted)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "another engine (native) than --set engine says (optimal). Leave that out, or end the dashboard" in err
    monkeypatch.setenv("PLANGLASS_LIMITS_WORKERS", "3")
    assert "than PLANGLASS_LIMITS_WORKERS says (3)" in planglass("chat", "--session", box.session)[2]
    monkeypatch.setenv("PLANGLASS_LIMITS_WORKERS", "8")
    assert planglass("sessions")[0] == 0, "what says the same is no contradiction"
    code, _, err = planglass("chat", "--session", box.session, "--today", "2020-02-02")
    assert (code, "counts from 2026-11-21: leave --today out" in err) == (2, True)
    other = embedded_url(box.home / "other")
    assert planglass("sessions", "--json", "--set", f"store={other}")[:2] == (0, ""), "another store is another matter"


def test_a_key_is_compared_and_never_shown(box: Toybox, there: Path, planglass: Told) -> None:
    code, out, err = planglass("sessions", "--set", "llm.key=canary-4711")
    assert code == 2
    assert "canary" not in out + err


def test_paths_count_from_where_the_command_is_given(
    box: Toybox, there: Path, planglass: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    mine = Path("catalog/demos/banking/catalog.yaml").read_text(encoding="utf-8")
    (folder / "mine.yaml").write_text(mine.replace("name: banking", "name: mine", 1))
    monkeypatch.chdir(folder)
    client = Command(there, "chat", "mine.yaml")
    client.type(None)
    monkeypatch.chdir(tmp_path)
    assert client.finish() == 0
    assert "Harbour Bank" in client.terminal.seen.getvalue()
    assert {row.catalog for row in box.services.sessions()} == {"toys", "mine"}
    (folder / "mine.yaml").write_text(mine.replace("name: banking", "name: mine", 1).replace("Harbour Bank", "My Bank"))
    monkeypatch.chdir(folder)
    assert "My Bank" in planglass("chat", "mine.yaml")[1], "the file as it is now, and not as it was"
    (folder / "note.txt").write_text("a note")
    line = json.dumps({"text": "a=1", "uploads": ["note.txt"]})
    assert planglass("chat", "--session", box.session, lines=f"{line}\n")[0] == 0
    (attached,) = box.events("heard")[-1].attachments
    assert box.services.file(box.session, attached.sha256) == b"a note"


@settings(max_examples=examples(6))
@given(
    said=st.lists(st.tuples(st.sampled_from(["one", "two", "here"]), st.booleans()), max_size=12),
)
def test_nothing_is_lost_or_twice_however_two_commands_and_a_page_speak_in_turn(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, bool]]
) -> None:
    """Sometimes the next one waits until what was said is on record; else all is said at once."""
    with ExitStack() as stack:
        box = Toybox(tmp_path_factory.mktemp("home"))
        stack.callback(box.services.close)
        there = stack.enter_context(beside(box))
        clients = {name: Command(there, "chat", "--session", box.session, "--json") for name in ("one", "two")}
        wanted: dict[str, list[str]] = {"one": [], "two": [], "here": []}
        for number, (who, waits) in enumerate(said):
            text = f"a={number}"
            wanted[who].append(text)
            if who == "here":
                box.services.say(box.session, text, command_id=text)
            else:
                clients[who].type(text)
            if waits:
                wait_until(lambda text=text: text in heard(box))  # type: ignore[misc]
        for client in clients.values():
            client.type(None)
        assert [client.finish() for client in clients.values()] == [0, 0]
        assert box.services.wait(box.session, 60)
        found = heard(box)
        assert sorted(found) == sorted(chain(*wanted.values()))
        for texts in wanted.values():
            assert [text for text in found if text in texts] == texts
        assert len(box.events("turn_ended")) == len(said)
        for name, client in clients.items():
            assert [one["turn"] for one in client.replies] == list(range(1, len(wanted[name]) + 1))


def test_who_leaves_ends_its_command_and_no_other(box: Toybox, there: Path) -> None:
    gone, stays = (Command(there, "chat", "--session", box.session, "--json") for _ in range(2))
    for number, client in enumerate((gone, stays), start=1):
        client.type(f"a={number}")
        wait_until(lambda client=client: client.replies)  # type: ignore[misc]
    gone.channel.end()
    wait_until(lambda: len(commands_at_work()) == 1)
    stays.type("a=3")
    stays.type(None)
    assert stays.finish() == 0
    assert heard(box) == ["a=1", "a=2", "a=3"]
    gone.finish()


def test_a_program_that_ends_tells_its_commands_in_one_line_and_keeps_what_they_said(box: Toybox) -> None:
    with beside(box) as there:
        client = Command(there, "chat", "--session", box.session, "--json")
        client.type("a=1")
        wait_until(lambda: client.replies)
    assert client.finish() == 1
    told = client.terminal.told.getvalue()
    assert told.startswith("planglass: The dashboard ends, and this command with it.")
    assert told.count("\n") == 1
    assert not there.exists()
    box.restart()
    assert heard(box) == ["a=1"]


def test_a_command_is_interrupted_where_it_waits(box: Toybox, there: Path) -> None:
    client = Command(there, "chat", "--session", box.session, "--json")
    client.type("a=1")
    wait_until(lambda: client.replies)
    client.channel.send({"interrupt": True})
    assert client.finish() == 2
    assert client.terminal.told.getvalue() == "planglass: stopped\n"
    assert heard(box) == ["a=1"]


def test_a_task_that_a_command_waits_for_is_paused_when_that_is_interrupted_or_leaves(
    box: Toybox, there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it goes on as the message says."""
    waits = box.services.tasks.wait
    task = str(FOLDER / "tasks" / "board_pack.yaml")
    known: set[str] = set()
    for leaves in (False, True):
        monkeypatch.setattr(box.services.tasks, "wait", lambda _, timeout_s: threading.Event().wait(timeout_s))
        client = Command(there, "task", task)
        wait_until(lambda: {row.id for row in box.services.tasks.rows()} - known)
        (task_id,) = {row.id for row in box.services.tasks.rows()} - known
        known.add(task_id)
        if leaves:
            client.channel.end()
        else:
            client.channel.send({"interrupt": True})
        wait_until(lambda task_id=task_id: box.services.tasks.view(task_id).task.paused)  # type: ignore[misc]
        assert client.finish() == 1
        if not leaves:
            told = client.terminal.told.getvalue()
            assert told == f"planglass: stopped. Go on with: planglass task --resume {task_id}\n"
        monkeypatch.setattr(box.services.tasks, "wait", waits)
        again = Command(there, "task", "--resume", task_id)
        assert again.finish() == 3
        assert "staff_list" in again.terminal.seen.getvalue()


@settings(max_examples=examples(1))
@given(answered=st.lists(st.integers(0, 4), min_size=2, max_size=2), pause_s=st.floats(0, 0.05))
def test_whatever_was_answered_is_on_record_once_however_the_program_dies(
    tmp_path_factory: pytest.TempPathFactory, answered: list[int], pause_s: float
) -> None:
    """It is killed while two commands have their next line on the way; the next one takes their place."""
    home = tmp_path_factory.mktemp("home")
    sure: list[str] = []
    typed: set[str] = set()
    session = ""
    for life in range(2):
        with subprocess.Popen(
            [sys.executable, "-m", "tests.dialogue.serving_process", str(home)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            session = process.stdout.readline().strip()
            chats = [Command(socket_at(home), "chat", "--session", session, "--json") for _ in answered]
            for who, (chat, number) in enumerate(zip(chats, answered, strict=True)):
                said = [f"a={life}{who}{one}" for one in range(number + 1)]
                typed.update(said)
                for many, text in enumerate(said[:-1], start=1):
                    chat.type(text)
                    wait_until(lambda chat=chat, many=many: len(chat.replies) == many)  # type: ignore[misc]
                sure += said[:-1]
                chat.type(said[-1])
            threading.Event().wait(pause_s)
            process.kill()
        for chat in chats:
            assert chat.finish() == 1
            assert chat.terminal.told.getvalue().startswith("planglass: The dashboard has ended")
    box = Toybox(home)
    box.services.delete(box.session)
    box.session = session
    found = heard(box)
    assert set(sure) <= set(found) <= typed
    assert len(found) == len(set(found))
    box.services.close()


def test_another_user_is_refused(box: Toybox, there: Path, planglass: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    me = os.geteuid()
    monkeypatch.setattr("os.geteuid", lambda: me + 1)
    code, out, err = planglass("sessions")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "is another user's" in err


def test_long_lines_and_long_answers_go_through_in_pieces(box: Toybox, there: Path, planglass: Told) -> None:
    long = "😀" * 300_000
    code, out, err = planglass("chat", "--session", box.session, "--json", lines=f"{long}\na=1\n")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 2
    assert list(map(len, batches(["x" * PIECE, "y", "z" * 3 * PIECE]))) == [1, 1, 1]
    code, _, err = planglass("sessions", "--set", f"skills={'x' * MAX_MESSAGE_BYTES}")
    assert (code, "longer than" in err) == (2, True)


def test_a_line_without_end_is_refused(
    box: Toybox, there: Path, planglass: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest, "LONGEST_LINE", 1000)
    code, _, err = planglass("chat", "--session", box.session, lines="x" * 2000)
    assert (code, err) == (2, "planglass: A line of the input has more than 1,000 characters.\n")
    assert heard(box) == []


def speak(path: Path, data: bytes) -> bytes:
    """Send something that no command sends, and return the answer."""
    with socket.socket(socket.AF_UNIX) as raw:
        with address_of(path) as address:
            raw.connect(address)
        raw.sendall(data)
        raw.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: raw.recv(65_536), b""))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", b""),
        (b"\n", b"no message"),
        (b"GET / HTTP/1.1\r\n\r\n", b"no message"),
        (b"[" * 100_000 + b"\n", b"no message"),
        (b"x" * (MAX_MESSAGE_BYTES + 2), b"longer than"),
        (json.dumps({"version": "0.0.1"}).encode() + b"\n", b"this command 0.0.1"),
        (json.dumps({"version": own_version(), "arguments": 3}).encode() + b"\n", b"no command"),
        (b'{"line": "a=1\\n"}\n', b"this command None"),
    ],
)
def test_what_is_no_command_is_refused_in_one_line_and_changes_nothing(
    box: Toybox, there: Path, planglass: Told, data: bytes, says: bytes
) -> None:
    answer = speak(there, data)
    assert says in answer
    assert answer.count(b"\n") == bool(says)
    assert planglass("sessions")[0] == 0
    assert heard(box) == []


def test_lines_that_nobody_wants_and_commands_that_are_none_for_it_are_refused(box: Toybox, there: Path) -> None:
    said = opening(["sessions"], Typed(), read_settings()).model_dump(mode="json")
    flood = json.dumps({**said, "arguments": ["chat", "--session", box.session]}) + "\n"
    flood += '{"line": "a=1\\n"}\n' * 1000
    speak(there, flood.encode())
    wait_until(lambda: not commands_at_work())
    assert len(heard(box)) <= 1
    for arguments in (["plan", "banking"], ["app"], ["--help"], []):
        channel = connect(there)
        assert channel is not None
        with closing(channel):
            channel.send({**said, "arguments": arguments})
            assert channel.receive() == {"err": "planglass: This is no command for a dashboard.\n"}
            assert channel.receive() == {"exit": 2}


def test_another_version_is_told_to_whoever_gives_the_command(
    box: Toybox, there: Path, planglass: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "own_version", lambda: "9.9.9 (7)")
    code, out, err = planglass("sessions")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "has version 9.9.9 (7), and this command" in err
    assert "Start the dashboard again" in err


def test_a_socket_that_somebody_left_is_none_and_is_replaced(box: Toybox, planglass: Told) -> None:
    path = socket_at(box.home)
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    box.services.close()
    assert planglass("sessions")[0] == 0, "it is used alone"
    box.services = box.open()
    with beside(box):
        assert planglass("chat", "--session", box.session, lines="a=1\n")[0] == 0
        assert path.stat().st_mode & 0o777 == 0o600
    assert heard(box) == ["a=1"]


def test_a_data_directory_may_have_a_long_path(
    tmp_path: Path, planglass: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / ("x" * 120) / ("y" * 120)
    home.mkdir(parents=True)
    monkeypatch.setenv("PLANGLASS_HOME", str(home))
    box = Toybox(home)
    with beside(box):
        assert planglass("chat", "--session", box.session, lines="a=1\n")[0] == 0
    assert heard(box) == ["a=1"]
    box.services.close()


def test_where_there_can_be_no_socket_commands_work_as_before(
    box: Toybox, planglass: Told, caplog: pytest.LogCaptureFixture
) -> None:
    path = socket_at(box.home)
    path.mkdir()
    with beside(box):
        assert "do not run in it" in caplog.text
        assert planglass("orchestrators")[0] == 0


def test_too_many_commands_are_told_so(box: Toybox, there: Path, planglass: Told) -> None:
    said = opening(["chat", "--session", box.session], Typed(), read_settings()).model_dump(mode="json")
    channels: list[Channel] = []
    for _ in range(MOST_GUESTS):
        channel = connect(there)
        assert channel is not None
        channel.send(said)
        assert channel.receive() is not None
        channels.append(channel)
    code, _, err = planglass("sessions")
    assert (code, f"{MOST_GUESTS} commands run" in err) == (2, True)
    for channel in channels:
        channel.end()
        channel.close()
    wait_until(lambda: not commands_at_work())
    assert planglass("sessions")[0] == 0
