"""`planglass task --pause ID` and `--cancel ID`: what they do, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialogue.cli.main import main
from tests.catalog.reports_play import DATA, FOLDER

PACK, ORDERS = (str(FOLDER / "tasks" / name) for name in ("board_pack.yaml", "orders_report.yaml"))
STAFF = f"staff_list={DATA / 'staff_2025_q3.csv'}"


class Terminal:
    """The command, with what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.out = self.err = ""

    def task(self, *arguments: str) -> int:
        code = main(("task", *arguments))
        self.out, self.err = self.capsys.readouterr()
        return code

    @property
    def task_id(self) -> str:
        return self.out.splitlines()[0].rpartition("[")[2].rstrip("]")


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.setenv("PLANGLASS_HOME", str(tmp_path / "home"))
    return Terminal(capsys)


def test_a_paused_task_goes_on_where_it_was_and_a_cancelled_one_never_again(terminal: Terminal) -> None:
    assert terminal.task(PACK) == 3
    task_id = terminal.task_id
    for _ in range(2):
        assert terminal.task("--pause", task_id) == 0
        assert terminal.out.splitlines()[1] == "Paused."
    assert terminal.task("--resume", task_id) == 3
    assert "Paused." not in terminal.out
    assert terminal.task("--cancel", task_id) == 0
    assert "Cancelled." in terminal.out
    for again in (("--resume", task_id, "--supply", STAFF), ("--cancel", task_id), ("--pause", task_id)):
        assert terminal.task(*again) == 2
        assert "The task is over (cancelled), and takes nothing more." in terminal.err
    assert terminal.task("--resume", task_id) == 4
    assert "Cancelled." in terminal.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--pause", "nowhere"), "There is no task 'nowhere'. The last ones are: none."),
        (("--cancel", "nowhere"), "There is no task 'nowhere'."),
        (("--pause", "one", "--cancel", "one"), "Name a task file, or a task:"),
        ((ORDERS, "--cancel", "one"), "Name a task file, or a task:"),
    ],
)
def test_what_cannot_be_paused_or_cancelled_is_said(terminal: Terminal, arguments: tuple[str, ...], says: str) -> None:
    assert terminal.task(*arguments) == 2
    assert says in terminal.err
