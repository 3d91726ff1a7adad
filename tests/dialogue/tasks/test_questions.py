"""Questions about a task on the command line: answered from its log, while it stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialogue.cli.main import main
from explain.tasks import TaskQuestion, TaskQuestionKind
from tests.catalog.reports_play import FOLDER
from tests.dialogue.tasks.workshop import PLANKS, Workshop

TASK = str(FOLDER / "tasks" / "orders_report.yaml")


def test_why_and_how_are_answered_after_a_run_and_later_without_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLANGLASS_HOME", str(tmp_path / "home"))
    assert main(("task", TASK, "--why", "--how", "report=Rows")) == 0
    printed = capsys.readouterr().out
    assert (
        "\nWhy the task stands so:\n  The task has a plan in one piece, so it needs no split. It has 5 steps: "
        in printed
    )
    assert "\nHow “Rows” in the report came about:\n  “Rows” is 36, in row " in printed
    assert "in sheet “July” of orders_2025.xlsx" in printed
    task_id = printed.splitlines()[0].rpartition("[")[2].rstrip("]")
    for option in ("--pause", "--cancel"):
        assert main(("task", option, task_id)) == 2
        assert capsys.readouterr().err == (
            "planglass: The task is over (done), and takes nothing more. What it has done is kept.\n"
        )
    assert main(("task", "--resume", task_id, "--why", "criteria", "--json")) == 0
    report = json.loads(capsys.readouterr().out)
    assert [one["question"] for one in report["answers"]] == ["why_unmet", "who_judged"]
    assert "A program checked criteria 1, 2, 3, 4, 5 and 6. Criterion 7 waits" in report["answers"][1]["text"]
    assert all(one["evidence"] for one in report["answers"])
    assert main(("task", "--resume", task_id, "--how")) == 0
    assert "The writer of reports made report from " in capsys.readouterr().out
    for wrong, says in ((("--why", "paint it"), "no stage “paint it”"), (("--how", "gold"), "nothing called “gold”")):
        assert main(("task", "--resume", task_id, *wrong)) == 2
        assert says in capsys.readouterr().err


def said(shop: Workshop, task_id: str, kind: TaskQuestionKind, **about: object) -> str:
    return shop.tasks.explain(task_id, TaskQuestion(kind, **about)).text()  # type: ignore[arg-type]


def test_a_no_is_why_a_plan_does_not_hold_and_a_yes_after_all_is_why_it_does(shop: Workshop) -> None:
    task_id = shop.give("task: Make a sign\ninputs: {key: {value: blue}}\nresults: [sign]\n")
    (asked,) = shop.state(task_id).open_requests
    assert "It waits for consent to give the key to the spray." in said(shop, task_id, TaskQuestionKind.WHAT_HELPS)
    shop.tasks.consent(task_id, asked.entry, yes=False)
    shop.quiet(task_id)
    why = said(shop, task_id, TaskQuestionKind.WHY)
    assert "The task had a plan with “consent for spray”, and a person said no to it." in why
    assert "it lacks consent to use the key" in why and "blue" not in why
    (again,) = [one for one in shop.state(task_id).open_requests if one.request.request == "consent"]
    shop.tasks.consent(task_id, again.entry, yes=True)
    shop.quiet(task_id)
    assert "Before that it lacked consent to use the key; then a person said yes." in said(
        shop, task_id, TaskQuestionKind.WHY
    )
    how = said(shop, task_id, TaskQuestionKind.HOW, fact="sign")
    assert "The key was handed over. The spray made sign from key." in how and "blue" not in how


def test_who_judged_and_why_a_criterion_is_not_met_is_told_from_the_log(shop: Workshop) -> None:
    task_id = shop.give(
        f"task: Make boards\n{PLANKS}results: [boards]\n"
        "criteria: [{check: count, of: boards, least: 9}, {judge: They look good., of: boards}]\n"
    )
    shop.tasks.judge(task_id, 2, met=False, found="They are crooked.")
    shop.quiet(task_id)
    assert said(shop, task_id, TaskQuestionKind.WHO_JUDGED) == (
        "A program checked criterion 1. A person judged criterion 2."
    )
    why = said(shop, task_id, TaskQuestionKind.WHY_UNMET)
    assert "Criterion 1 is not met: boards has at least 9 entries. It has 3; it should be at least 9." in why
    assert "Criterion 2 is not met: They look good. They are crooked. A person judged so." in why
