"""A hostile package and hostile files, given to a dashboard by commands: it answers, nothing outside changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from catalog.endpoints import confinement
from tests.dialogue import hostile_package as hostile
from tests.pages.screen import answers, own_server
from tests.pages.test_commands_beside_the_app import planglass

pytestmark = [
    pytest.mark.long,  # a dashboard and four commands; the same package goes through all other doors in each run
    pytest.mark.skipif(not confinement.is_possible(), reason="this kernel cannot confine skills"),
]
FROZEN = (
    "task: Freeze it\ncatalog: hostile.yaml\nconfirmed: true\ninputs: {order: {value: name a.json}}\n"
    "results: {paper: {schema: {pattern: '^((.)+)+!!$'}}}\ncriteria: [{check: schema, of: paper}]\n"
)


def test_the_dashboard_answers_after_all_that_a_hostile_package_and_its_files_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANGLASS_SKILLS", hostile.MODULE)
    kept = tmp_path / "kept.txt"
    kept.write_text("kept", encoding="utf-8")
    catalog = tmp_path / "hostile.yaml"
    catalog.write_text(hostile.CATALOG, encoding="utf-8")
    task, out = tmp_path / "task.yaml", tmp_path / "out"
    with own_server(tmp_path / "home") as server:
        for order in ("exit now", f"kill {server.process.pid}"):
            lines = f"get me the papers\n{order}\n"
            code, said, _ = planglass(server, "chat", "--json", str(catalog), "--out", str(out), lines=lines)
            assert code == 0 and len(said.splitlines()) == 2
            assert answers(server)
        for text in (FROZEN, FROZEN.replace("name a.json", f"name {kept}")):
            task.write_text(text, encoding="utf-8")
            _, said, _ = planglass(server, "task", str(task), "--out", str(out), "--json")
            assert Path(json.loads(said)["results"][0]["file"]).parent == out
            assert answers(server)
    assert kept.read_text(encoding="utf-8") == "kept"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["home", "hostile.yaml", "kept.txt", "out", "task.yaml"]
