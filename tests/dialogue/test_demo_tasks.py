"""The three tasks of the demo of reports, on the command line: from the files to the finished documents."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from docx import Document

from catalog.values.sources import cells_of
from dialogue.cli.main import main
from tests.catalog.reports_play import BRANCHES, DATA, FOLDER


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.setenv("PLANGLASS_HOME", str(tmp_path / "home"))

    def task(*arguments: str) -> tuple[int, dict[str, Any]]:
        code = main(("task", *arguments, "--out", str(tmp_path / "out"), "--json"))
        return code, json.loads(capsys.readouterr().out)

    return task


def results(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in report["results"]}


def met(report: dict[str, Any]) -> list[bool]:
    return [one["standing"] == "met" for one in report["criteria"] if one["standing"] != "waiting"]


def headings(file: str) -> list[str]:
    document = Document(io.BytesIO(Path(file).read_bytes()))
    return [one.text for one in document.paragraphs if str(one.style and one.style.name).startswith("Heading")]


@pytest.mark.row("H16")
def test_a_report_on_one_document_is_written_without_a_split(run: Any) -> None:
    code, report = run(str(FOLDER / "tasks" / "orders_report.yaml"))
    assert (code, report["status"]) == (0, "done")
    assert not report["tree"].get("stages") and len(report["tree"]["plan"]) == 5
    assert len(met(report)) == 6 and all(met(report))
    assert headings(results(report)["report"]["file"]) == ["Summary", "Figures", "Chart"]


@pytest.mark.row("H10", "H13", "H16")
def test_the_board_pack_asks_for_the_staff_list_and_is_finished_with_it(run: Any) -> None:
    code, report = run(str(FOLDER / "tasks" / "board_pack.yaml"))
    assert (code, report["status"]) == (3, "missing")
    (missing,) = (one for one in report["missing"] if one["kind"] == "information")
    assert missing["names"] == ["staff_list"] and missing["always"] is True
    supplied = f"staff_list={DATA / 'staff_2025_q3.csv'}"
    code, report = run("--resume", report["id"], "--supply", supplied)
    assert (code, report["status"]) == (0, "done")
    assert len(met(report)) == 9 and all(met(report))
    assert headings(results(report)["board_pack"]["file"]) == ["Summary", "Revenue", "Costs", "People"]
    sources = json.loads(Path(results(report)["board_sources"]["file"]).read_text(encoding="utf-8"))
    row = next(at for at, row in enumerate(sources["rows"]) if row[:2] == ["Summary", "Revenue"])
    assert "ledger_2025_07.csv, E2:E7" in [str(cells) for cells in cells_of(sources, row, "value")]


@pytest.mark.row("H14")
def test_of_a_dozen_files_the_bad_one_is_reported_and_the_others_are_done(run: Any) -> None:
    code, report = run(str(FOLDER / "tasks" / "branches.yaml"))
    assert (code, report["status"]) == (0, "done") and all(met(report))
    (failure,) = report["failures"]
    assert failure["item"] == BRANCHES.index("garston.csv") + 1 and "garston.csv" in failure["shown"]
    assert "web page" in failure["reason"] and failure["skill"] == "adder of branches"
    table = json.loads(Path(results(report)["branch_table"]["file"]).read_text(encoding="utf-8"))
    assert len(table["rows"]) == 12 and table["rows"][0] == ["All branches", 126021.5]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("q3.xlsx", b"\x89PNG\r\n\x1a\n", "is an Excel workbook, but it holds a PNG picture"),
        ("q3.csv", b"\0\1", "it holds a file of a type that I do not know"),
        ("q3.csv", b"", "The document is empty"),
        ("q3.csv", b"a,1\n" * 1_500_000, "has 6 MB, and may have 5 MB"),
    ],
)
def test_an_input_that_is_not_what_it_says_or_too_large_is_refused(
    name: str, data: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(data)
    task = tmp_path / "task.yaml"
    task.write_text(
        f"task: Report\ncatalog: reports\ninputs: {{data_file: {{file: {name}}}}}\nresults: [report]\n",
        encoding="utf-8",
    )
    assert main(("task", str(task))) == 2
    assert says in capsys.readouterr().err


@pytest.mark.row("H12", "H15")
def test_a_word_answers_what_is_asked_and_only_that(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code, report = run(str(FOLDER / "tasks" / "orders_report.yaml"))
    (asked,) = report["missing"]
    assert asked["kind"] == "judge" and report["criteria"][int(asked["names"][0]) - 1]["standing"] == "waiting"
    for wrong, says in (("99=yes", "Nothing is asked with the number 99"), ("yes", "a number and yes or no")):
        try:
            code = main(("task", "--resume", report["id"], "--answer", wrong))
        except SystemExit as usage:
            code = int(str(usage.code))
        assert code == 2 and says in capsys.readouterr().err
    code, judged = run("--resume", report["id"], "--answer", f"{asked['request']}=no")
    assert (code, judged["status"], judged["missing"]) == (5, "unmet", [])
    assert judged["results"] == report["results"]


@pytest.mark.row("H13", "H14")
def test_a_list_is_handed_over_file_by_file_and_files_may_have_the_same_name(
    run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / place / "sales.csv" for place in ("holm", "kelby")]
    for file in files:
        file.parent.mkdir()
        file.write_bytes((DATA / "branches" / f"{file.parent.name}.csv").read_bytes())
    task = tmp_path / "task.yaml"
    begun = "task: Add up\ncatalog: reports\nresults: [branch_results]\n"
    task.write_text(f"{begun}inputs: {{all_takings: {{files: [holm/sales.csv, kelby/sales.csv]}}}}\n", encoding="utf-8")
    code, at_once = run(str(task))
    assert code == 0 and len(results(at_once)["branch_results"]["value"]) == 2
    task.write_text(f"{begun}inputs: [all_takings]\n", encoding="utf-8")
    code, report = run(str(task))
    assert code == 3
    code, later = run("--resume", report["id"], *(arg for one in files for arg in ("--supply", f"all_takings={one}")))
    rows = [[table["rows"] for table in results(one)["branch_results"]["value"]] for one in (at_once, later)]
    assert code == 0 and rows[0] == rows[1] and rows[0][0] != rows[0][1]
    twice = ("--supply", f"quarter={files[0]}", "--supply", f"quarter={files[1]}")
    assert main(("task", "--resume", report["id"], *twice)) == 2
    assert "is one value, and 2 files are given for it" in capsys.readouterr().err


def test_values_are_handed_over_in_words_and_what_is_none_is_told_by_its_name(
    run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task, first, wrong, last = (tmp_path / name for name in ("task.yaml", "first.txt", "wrong.txt", "last.json"))
    task.write_text("task: Expenses\ncatalog: accounting\ninputs: [start_date, end_date]\nresults: [expenses]\n")
    first.write_text("1 March 2024\n")
    wrong.write_text("some day")
    last.write_text('"2024-05-31"')
    code, report = run(str(task))
    assert code == 3
    supplied = ("--supply", f"start_date={first}", "--supply", f"end_date={wrong}")
    assert main(("task", "--resume", report["id"], *supplied)) == 2
    assert "--supply end_date: " in capsys.readouterr().err
    code, report = run("--resume", report["id"], "--supply", f"end_date={last}")
    assert code == 0 and "1 Mar 2024 to 31 May 2024" in results(report)["expenses"]["shown"]
