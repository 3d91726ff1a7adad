"""The tree of hypotheses of a task as a file: read back, it is the same tree; and nothing sensitive is in it."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import pytest

from dialogue.cli.main import main
from dialogue.services import make_services
from dialogue.tasks.reporting.record import export_of, reload_tree
from dialogue.tasks.state.task import TASK_FOLD, Task, advance
from planning.hierarchy.tree import Reopened, SplitAttempted
from tests.catalog.reports_play import DATA, FOLDER
from tests.dialogue.tasks.workshop import PLANKS, Workshop

TASK = str(FOLDER / "tasks" / "board_pack.yaml")


@pytest.mark.row("H17")
def test_the_command_line_saves_the_tree_and_what_it_saved_is_the_same_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLANGLASS_HOME", str(tmp_path / "home"))
    first, later, last = (tmp_path / name for name in ("first.json", "later.json", "last.json"))
    assert main(("task", TASK, "--tree", str(first))) == 3
    task_id = capsys.readouterr().out.splitlines()[0].rpartition("[")[2].rstrip("]")
    assert main(("task", "--resume", task_id, "--tree", str(later))) == 0
    assert later.read_text(encoding="utf-8") == first.read_text(encoding="utf-8")
    assert task_id in capsys.readouterr().out
    supplied = f"staff_list={DATA / 'staff_2025_q3.csv'}"
    assert main(("task", "--resume", task_id, "--supply", supplied, "--tree", str(last))) == 0
    services = make_services()
    try:
        task = services.tasks.view(task_id).task
    finally:
        services.close()
    record = reload_tree(last.read_bytes())
    assert record.tree == task.tree and record.tree != reload_tree(first.read_bytes()).tree
    for kind in (Reopened, SplitAttempted):
        assert any(isinstance(move, kind) for move in record.moves)
    assert main(("task", "--resume", task_id, "--tree", str(tmp_path / "none" / "tree.json"))) == 2
    assert "No such file or directory" in capsys.readouterr().err


@pytest.mark.row("H17")
def test_after_every_entry_of_a_log_the_tree_reads_back_as_it_is(shop: Workshop) -> None:
    """What is handed over, a no, a yes after all, and a description that is confirmed only then."""
    table = shop.give(f"task: Make a table\n{PLANKS}")
    shop.tasks.hand_over(table, "screws", "steel")
    (asked,) = shop.state(shop.quiet(table)).open_requests
    shop.tasks.confirm(table, asked.entry)
    sign = shop.give("task: Make a sign\ninputs: [key]\nresults: [sign]\n")
    shop.tasks.hand_over(sign, "key", "blue")
    for yes in (False, True):
        (asked,) = [one for one in shop.state(shop.quiet(sign)).open_requests if one.request.request == "consent"]
        shop.tasks.consent(sign, asked.entry, yes=yes)
    for task_id in map(shop.quiet, (table, sign)):
        view = shop.tasks.view(task_id)
        assert view.task.ending is not None
        for end in range(1, len(view.log) + 1):
            log = view.log[:end]
            task: Task = reduce(advance, log, TASK_FOLD.initial)
            assert reload_tree(export_of(log, task, view.catalog)).tree == task.tree


def test_what_is_sensitive_is_not_in_the_file(shop: Workshop) -> None:
    task_id = shop.give(
        "task: Make a sign with periwinkle on it\ncontext: PERIWINKLE is what opens the shop\n"
        "inputs:\n  key: {value: periwinkle, description: The key.}\n  planks: {value: [oak]}\n"
        "  paint: {value: as blue as periwinkle}\n"
        "results: {boards: {}, sign: {description: Sprayed with periwinkle., schema: {const: periwinkle}}}\n"
        "activities:\n  - {text: Spray periwinkle, results: [sign]}\n"
        "  - {text: Saw it, each: {plank: planks}, results: [boards]}\n"
        "criteria: [{judge: It says periwinkle., of: sign}]\n"
    )
    text = shop.tasks.export_tree(task_id)
    assert "periwinkle" not in text.lower()
    record = reload_tree(text)
    assert record.tree.hypotheses.keys() == shop.state(task_id).tree.hypotheses.keys()
    assert record.description.inputs["key"].description == "The key."
    assert list(record.description.inputs) == ["key", "planks", "paint"]
    assert record.description.text.startswith("Make a sign with ")
