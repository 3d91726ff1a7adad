"""The page on agents: its files are dropped in, and its commands are run."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from dialogue.agents.sources.manifest import KEYS
from dialogue.cli.main import main
from tests.docs.documents import ROOT, table_rows

PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`(my-agents/[^`]+)`\n\n```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
COMMANDS = re.findall(r"^planglass (.+)$", PAGE, re.MULTILINE)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the files of the page, and go where they are."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    assert main(command.split()) == 0
    return capsys.readouterr().out


@pytest.mark.row("C13")
def test_the_commands_of_the_page_do_what_it_says(
    written: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, listed, quiet = COMMANDS
    told = run(asked, "Will it rain today?\n", capsys, monkeypatch)
    assert "It looks dry." in told
    assert "It looks dry." in run(asked, "@weather will it rain?\n", capsys, monkeypatch)
    (written / "my-agents" / "quiet" / "install.sh").write_text("touch run\n\x1b[31mred", encoding="utf-8")
    shown = run(f"{listed} -v", "", capsys, monkeypatch)
    assert "    touch run\n    [31mred" in shown and not (written / "run").exists()
    assert re.search(r"^quiet\b", run(listed, "", capsys, monkeypatch), re.MULTILINE)
    told = run(f"{quiet} --set agents=weather", "Will it rain today?\n", capsys, monkeypatch)
    assert "It looks dry." not in told


def test_the_page_lists_the_keys_of_manifests() -> None:
    listed = [key for row in table_rows(PAGE) for key in re.findall(r"`(\w+)`", row[0])]
    assert sorted(listed) == sorted(KEYS)
