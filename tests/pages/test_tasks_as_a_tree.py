"""Tasks, as trees of elements."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic_ai import models

from catalog.load.demo_files import DEMOS
from dialogue.cli.main import main
from dialogue.cli.tasks import UNMET
from pages.shell.root import close_services
from tests.language.scripted import saying, served
from tests.pages.tree import Tree

DATA = DEMOS["reports"].parent / "data"


@pytest.mark.row("H15")
def test_what_a_language_model_judged_is_marked_and_a_person_can_outweigh_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (DATA.parent / "tasks" / "orders_report.yaml").read_text(encoding="utf-8").replace("../data", str(DATA))
    file = tmp_path / "orders_report.yaml"
    judged = "criteria:\n  - {judge: It is about <b>tents</b>., of: report, by: model}"
    file.write_text(text.replace("criteria:", judged), encoding="utf-8")
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    with served(saying('{"reason": "It is about <i>bags</i>.", "met": false}')) as endpoint:
        for name, value in (("LLM_URL", endpoint.url), ("LLM_MODEL", "m"), ("LLM_MODE", "unsure")):
            monkeypatch.setenv(f"PLANGLASS_{name}", value)
        assert main(("task", str(file), "--json")) == UNMET
    task = json.loads(capsys.readouterr().out)["id"]
    close_services()
    try:
        tree = Tree()
        tree.open("tasks", task=task)
        first = tree.one(".criterion").text
        assert "It is about <i>bags</i>." in first
        assert "judged by a language model" in first
        (judging,) = (one for one in tree.app.expander if one.label.startswith("Judge it yourself"))
        next(button for button in judging.button if button.label == "It is met").click()
        tree.run()
        tree.wait(lambda: "judged by a person" in tree.one(".criterion").text)
        assert not [one for one in tree.app.expander if one.label.startswith("Judge it yourself")]
    finally:
        close_services()
