"""A second dashboard on the same embedded store is refused, with the ways out; commands work beside a running one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from dialogue.cli.main import main
from dialogue.log.stores import UnusableStore, embedded_url
from dialogue.log.stores.app_lock import only_app
from tests.pages.screen import HOSTILE, ROOT, Server, await_server, begin_server, stop_server

HOLD = (
    "import sys, time\n"
    "from dialogue.log.stores.app_lock import only_app\n"
    "with only_app(sys.argv[1], 'http://there'):\n"
    "    print('held', flush=True)\n"
    "    time.sleep(600)\n"
)


def test_a_second_dashboard_on_a_data_directory_is_refused_with_the_ways_out(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said where the first one is, and what several may share."""
    monkeypatch.setenv("PLANGLASS_HOME", str(server.home))
    assert main(["app", "--port", "8698"]) == 2
    said = capsys.readouterr().err
    assert server.url in said
    assert f"process {server.process.pid}" in said
    assert "PLANGLASS_HOME=FOLDER" in said
    assert "PLANGLASS_STORE=postgresql://" in said
    assert said.count("\n") == 1


def test_what_cannot_be_used_is_told_at_the_start_and_keeps_nobody_from_the_rest(tmp_path: Path) -> None:
    """Catalogs that are broken or not there, settings with wrong values, an orchestrator that is gone."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "broken.yaml").write_text("version: 1\nname: broken\nfacts: {}\n", encoding="utf-8")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    files = [tmp_path / name for name in ("broken.yaml", "bytes.yaml", "none.yaml", "home")]
    (home / "settings.json").write_text('{"orchestrator": "loudest", "limits": {"workers": 0}}', encoding="utf-8")
    catalogs = os.pathsep.join([*map(str, files), str(HOSTILE)])
    begun = begin_server(
        home, ("-m", "dialogue.cli.main", "app"), PLANGLASS_CATALOGS=catalogs, PLANGLASS_ENGINE="fastest"
    )
    server = await_server(begun)
    try:
        with urllib.request.urlopen(f"{server.url}/api/ready", timeout=60) as answer:
            assert len(json.load(answer)["catalogs"]) == 4, "the demos, and the one that can be used"
    finally:
        stop_server(server)
    lines = server.log.read_text().splitlines()
    for told in (*map(str, files), "limits.workers (settings.json)", "PLANGLASS_ENGINE", "'loudest'"):
        assert len([line for line in lines if told in line]) == 1, (told, lines)
    assert not [line for line in lines if "Traceback" in line]


def test_commands_work_beside_a_running_dashboard(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A conversation that is held in a terminal is in the list of the same store."""
    monkeypatch.setenv("PLANGLASS_HOME", str(server.home))
    monkeypatch.setattr("sys.stdin", io.StringIO("hello\n"))
    assert main(["chat", "banking", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replies"]
    assert main(["sessions", "--json"]) == 0
    assert any(json.loads(line)["catalog"] == "banking" for line in capsys.readouterr().out.splitlines())
    assert main(["orchestrators"]) == 0


def test_the_right_ends_with_the_process_however_it_ends_and_another_store_is_another_right(tmp_path: Path) -> None:
    url, other = embedded_url(tmp_path / "a"), embedded_url(tmp_path / "b")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, url], stdout=subprocess.PIPE, text=True, env=environment
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(UnusableStore, match=f"http://there, process {holder.pid}"), only_app(url, "here"):
            pass
        with only_app(other, "here"):
            pass
        holder.kill()
    with only_app(url, "here"), pytest.raises(UnusableStore, match=r"already \(here, process"), only_app(url, "twice"):
        pass


def test_a_store_that_several_may_share_is_for_no_dashboard_alone() -> None:
    with only_app("postgresql://somewhere/planglass", "one"), only_app("postgresql://somewhere/planglass", "two"):
        pass


def test_a_data_directory_that_cannot_be_made_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnusableStore, match="cannot be written to"), only_app(embedded_url(tmp_path / "file"), "here"):
        pass
