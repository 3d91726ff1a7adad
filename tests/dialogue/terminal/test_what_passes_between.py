"""What passes between a user and a shell, step by step: budgets, keys, pastes, and lines that nobody can know."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.agents.model import Forced
from dialogue.agents.terminal.calls import read_call
from dialogue.agents.terminal.plain_text import plain, without_credentials, wrap
from dialogue.agents.terminal.wrapped.hooks import KEY_DONE, KEY_DRAW, KEY_LINE, KEY_PUT
from dialogue.agents.terminal.wrapped.markers import MarkReader, ReceivedMark, mark_start, unquote
from dialogue.agents.terminal.wrapped.relay import CookedLine, Phase, Relay
from dialogue.agents.terminal.wrapped.surface import Modes, ShownSuggestion, Surface

NONCE = "5e1f"
READLINE = Modes(echo=False, edits_lines=False)


@dataclass
class Bench:
    """A relay at its prompt, with a clock that is set by hand."""

    edits: bool = True
    columns: int = 80
    time: float = 0.0
    modes: Modes = READLINE
    asked: list[tuple[str, int, str]] = field(default_factory=list)
    laid: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        surface = Surface(
            lambda: self.time, lambda: self.modes, lambda: self.columns, self.laid.append, lambda on: None
        )
        self.relay = Relay(NONCE, self, surface, edits=self.edits)
        self.prompts = 0
        self.prompt()

    def before(self, number: int, text: str, forced: Forced | None, *, known: bool) -> None:
        self.asked.append(("before", number, text))

    def after(self, number: int, text: str, output: str, exit_code: int) -> None:
        self.asked.append(("after", number, f"{text}|{output}|{exit_code}"))

    def shown(self, number: int) -> None:
        self.asked.append(("shown", number, ""))

    def taken(self, number: int) -> None:
        self.asked.append(("taken", number, ""))

    def dropped(self, number: int) -> None:
        self.asked.append(("dropped", number, ""))

    def mark(self, text: str) -> None:
        self.relay.from_shell(f"{mark_start(NONCE)}{text}\a".encode())

    def prompt(self, code: int = 0) -> None:
        self.prompts += 1
        self.mark(f"prompt;{code};{self.prompts}")

    def sent(self) -> bytes:
        sent = bytes(self.relay.to_shell)
        self.relay.to_shell.clear()
        return sent

    def wait(self, seconds: float) -> None:
        self.time += seconds
        self.relay.tick()


def test_enter_goes_on_when_the_shell_does_not_say_what_stands_there_and_after_a_few_times_it_is_asked_no_more() -> (
    None
):
    bench = Bench()
    for _ in range(3):
        bench.relay.from_user(b"ls\r")
        assert bench.sent() == b"ls" + KEY_LINE
        bench.wait(0.01)
        assert bench.sent() == b""
        bench.wait(1)
        assert bench.sent() == b"\r"
        bench.prompt()
    bench.relay.from_user(b"ls\r")
    assert bench.sent() == b"ls\r"


def test_enter_goes_on_when_agents_are_late_and_what_they_say_then_is_dropped() -> None:
    bench = Bench()
    bench.relay.from_user(b"ls\rnext")
    bench.mark("line;0;'ls'")
    assert bench.asked == [("before", 1, "ls")]
    bench.wait(1)
    assert bench.sent() == b"ls" + KEY_LINE + b"\rnext"
    bench.relay.answered(1, ShownSuggestion(("late",), "pwd"))
    assert bytes(bench.relay.to_user) == b""


def test_a_prompt_that_waits_for_agents_comes_when_their_time_is_up() -> None:
    bench = Bench()
    bench.relay.from_user(b"ls\r")
    bench.mark("line;0;'ls'")
    bench.relay.answered(1, None)
    bench.mark("begin;")
    bench.relay.from_shell(b"no such thing\n")
    bench.prompt(2)
    bench.relay.from_shell(b"$ ")
    assert bench.asked[-1] == ("after", 2, "ls|no such thing\n|2")
    assert not bench.relay.to_user.endswith(b"$ ")
    bench.wait(1)
    assert bench.relay.to_user.endswith(b"$ ")
    assert bench.relay.phase is Phase.PROMPT


@pytest.mark.parametrize("keys", [b"\x12ls\r", b"\x16\r", b"ls\x1b\r", b"\x18\r"])
def test_enter_that_means_something_else_is_left_alone(keys: bytes) -> None:
    bench = Bench()
    bench.relay.from_user(keys)
    assert bench.sent() == keys


def test_enter_is_left_alone_while_a_program_reads_at_the_prompt() -> None:
    bench = Bench(modes=Modes(echo=False, edits_lines=True, shell_reads=False))
    bench.relay.from_user(b"secret\r")
    assert bench.sent() == b"secret\r"
    assert bench.asked == []


@given(st.integers(1, 18), st.integers(19, 30))
def test_a_paste_is_passed_on_whole_however_it_is_cut(first: int, second: int) -> None:
    bench = Bench()
    pasted = b"\x1b[200~one\rtwo\rthree\r\x1b[201~"
    for part in (pasted[:first], pasted[first:second], pasted[second:]):
        bench.relay.from_user(part)
    assert bench.sent() == pasted
    bench.relay.from_user(b"\r")
    assert bench.sent() == KEY_LINE


def test_a_suggestion_is_taken_or_turned_down_and_without_one_the_keys_are_the_shells() -> None:
    bench = Bench()
    bench.relay.from_user(b"\x1ba\x1bz")
    assert bench.sent() == b"\x1ba\x1bz"
    bench.relay.from_user(b"show\r")
    bench.mark("line;1;'show'")
    bench.relay.answered(1, ShownSuggestion(("command: ls",), "ls"))
    assert bench.sent() == b"show" + KEY_LINE + KEY_DRAW
    bench.relay.from_user(b"\x1ba")
    assert (bench.sent(), bench.laid) == (KEY_PUT, ["ls"])
    bench.relay.from_user(b"\x1bz")
    assert bench.sent() == KEY_DONE, "what was taken and then turned down is off the line"
    assert [what for what, *_ in bench.asked] == ["before", "shown", "taken", "dropped"]


@pytest.mark.parametrize("typed", [b"\x1bzls\r", b"\x7f\x1bzls\r", b"\x1ba\x1bzls\r"])
def test_turned_down_leaves_an_empty_line_and_the_next_command_stands_alone(typed: bytes) -> None:
    bench = Bench()
    bench.relay.from_user(b"pyhton3 a.py\r")
    bench.mark("line;1;'pyhton3 a.py'")
    bench.relay.answered(1, ShownSuggestion(("fix: python3 a.py",), "python3 a.py"))
    bench.sent()
    bench.relay.from_user(typed)
    before, after = bench.sent().split(KEY_DONE)
    assert (before, after) == (typed.split(b"\x1bz")[0].replace(b"\x1ba", KEY_PUT), b"ls" + KEY_LINE)


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        (b"ls -l", KEY_DONE + b"ls -l"),
        (b"\x1b[200~ls\x1b[201~", KEY_DONE + b"\x1b[200~ls\x1b[201~"),
        ("größe".encode(), KEY_DONE + "größe".encode()),
        (b"\x7f", b"\x7f"),
        (b"\x1b[D", b"\x1b[D"),
        (b" x", b" x"),
        (b"\r", KEY_LINE),
    ],
)
def test_another_command_takes_the_place_of_a_line_that_waits_and_keys_that_edit_change_it(
    typed: bytes, sent: bytes
) -> None:
    bench = Bench()
    bench.relay.from_user(b"pyhton3\r")
    bench.mark("line;1;'pyhton3'")
    bench.relay.answered(1, ShownSuggestion(("fix: python3",), "python3"))
    bench.sent()
    bench.relay.from_user(typed)
    assert bench.sent() == sent
    bench.relay.from_user(b"y")
    assert KEY_DONE not in bench.sent()


def test_enter_that_was_typed_ahead_of_an_answer_that_never_came_waits_no_longer_than_its_budget() -> None:
    bench = Bench()
    bench.relay.from_user(b"clai x\r")
    bench.mark("line;0;'clai x'")
    bench.relay.from_user(b"ls\r")
    bench.wait(60)
    assert bench.relay.phase is Phase.LINE
    bench.sent()
    bench.wait(1)
    assert bench.sent() == b"\r"


def test_in_a_narrow_window_only_what_was_asked_for_is_shown() -> None:
    bench = Bench(columns=20)
    bench.relay.from_user(b"show\r")
    bench.mark("line;1;'show'")
    bench.relay.answered(1, ShownSuggestion(("command: ls",), "ls"))
    assert b"command" not in bench.relay.to_user
    bench.relay.from_user(b"clai show\r")
    bench.mark("line;0;'clai show'")
    bench.relay.answered(2, ShownSuggestion(("command: ls",), "ls"))
    assert b"command: ls" in bench.relay.to_user


def test_an_answer_that_was_asked_for_and_does_not_come_gives_the_prompt_back() -> None:
    bench = Bench()
    bench.relay.from_user(b"clai x\r")
    bench.mark("line;0;'clai x'")
    bench.wait(60)
    assert bench.relay.phase is Phase.PROMPT


def test_what_is_held_back_is_shown_at_the_end() -> None:
    bench = Bench()
    bench.relay.from_shell(b"end\x1b]77")
    assert bytes(bench.relay.to_user) == b"end"
    bench.relay.closed()
    assert bytes(bench.relay.to_user) == b"end\x1b]77"


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("ls -l", "ls -l"),
        ("lss\x7f", "ls"),
        ("größe\x7f", "größ"),
        ("bad\x15ls", "ls"),
        ("git stat\x17log", "git log"),
        ("a\x1b[A", None),
    ],
)
def test_a_line_is_edited_as_the_terminal_does(keys: str, line: str | None) -> None:
    typed = CookedLine()
    typed.take(keys.encode(), Modes())
    assert typed.text == line


def test_a_line_of_which_a_part_was_typed_unseen_is_not_known() -> None:
    typed = CookedLine()
    typed.take(b"ls ", Modes())
    typed.take(b"secret", Modes(echo=False))
    typed.take(b"x", Modes())
    assert typed.text is None


@given(st.lists(st.binary(max_size=12)), st.integers(1, 7))
def test_marks_are_taken_out_and_everything_else_is_passed_on_however_it_comes(parts: list[bytes], size: int) -> None:
    reader = MarkReader(NONCE)
    mark = f"{mark_start(NONCE)}begin;\a".encode()
    data = mark.join(parts)
    found = [part for start in range(0, len(data), size) for part in reader.read(data[start : start + size])]
    shown = b"".join(part for part in found if isinstance(part, bytes)) + reader.rest()
    assert shown == b"".join(parts)
    assert sum(isinstance(part, ReceivedMark) for part in found) == max(0, len(parts) - 1)


@pytest.mark.parametrize(
    ("quoted", "text"),
    [
        ("'ls -l'", "ls -l"),
        (r"'it'\''s'", "it's"),
        (r"$'a\nb\E\'\\'", "a\nb\x1b'\\"),
        (r"$'gr\303\266\303\237e'", "größe"),
        ("plain", "plain"),
        ("'open", "open"),
        (r"$'\x41'", "A"),
    ],
)
def test_what_bash_quotes_is_read_back(quoted: str, text: str) -> None:
    assert unquote(quoted) == text


@given(st.text())
def test_no_escape_sequence_is_left_in_plain_text(text: str) -> None:
    shown = plain(text)
    assert not any((c < " " and c != "\n") or "\x7f" <= c <= "\x9f" for c in shown)
    assert all(len(line) <= 30 for line in wrap([text], 31))


@pytest.mark.parametrize(
    "text",
    [
        "mysql -u ada -pCANARY shop",
        "export API_TOKEN=CANARY",
        "curl -u ada:CANARY example.org",
        "git clone https://ada:CANARY@example.org/x",
        "curl -H 'Authorization: Bearer CANARY'",
        "tool --password CANARY",
        "tool --api-key=CANARY",
        "password: CANARY",
    ],
)
def test_credentials_are_masked(text: str) -> None:
    assert "CANARY" not in without_credentials(text)


def test_calls_are_read() -> None:
    call = read_call('clai "manual" tar -x')
    assert call is not None
    assert (call.text, call.forced.agent) == ("tar -x", "manual")
    assert read_call("claim it") is None
