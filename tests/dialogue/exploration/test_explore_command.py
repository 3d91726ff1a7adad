"""`planglass explore`, as somebody types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialogue.cli.main import main
from tests.dialogue.exploration.toys import CATALOG

BROKEN = "properties: {always: [goal reached], never: [pay called > 1]}\n"
KEPT = "properties: {never: [pay called > 1]}\n"


def catalog(tmp_path: Path, more: str = "") -> str:
    path = tmp_path / "shop.yaml"
    path.write_text(CATALOG + more, encoding="utf-8")
    return str(path)


def test_the_demo_holds_what_it_declares(capsys: pytest.CaptureFixture[str]) -> None:
    """That the credit bureau is asked at most once, and that nobody gets a number without consent: exit code 0."""
    assert main(["explore", "banking", "--goal", "credit_score"]) == 0
    printed = capsys.readouterr().out
    assert "✓ never: credit_check called > 1 (holds)" in printed
    assert "✓ always: consent before ssn leaves (holds)" in printed
    assert "Everything that can happen was explored" in printed


def test_a_broken_property_is_exit_code_3_with_a_counterexample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A shortest one, in words."""
    assert main(["explore", catalog(tmp_path, BROKEN), "--goal", "receipt"]) == 3
    printed = capsys.readouterr().out
    assert "✗ always: goal reached (does not hold)" in printed
    assert "1. The user asks for “receipt”." in printed
    assert "✓ never: pay called > 1 (holds)" in printed


def test_a_bound_without_a_verdict_is_exit_code_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And it says how far it came."""
    assert main(["explore", catalog(tmp_path, KEPT), "--goal", "both", "--states", "5"]) == 4
    printed = capsys.readouterr().out
    assert "Stopped at the bound of 5 states" in printed
    assert "? never: pay called > 1 (not broken so far)" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--goal", "nothing"], "nothing"),
        (["--goal", "receipt", "--known", "nothing"], "nothing"),
        (["--goal", "receipt", "--known", "name", "--stories", "x"], "Leave out --known, or --stories"),
    ],
)
def test_bad_input_is_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """With a word on what is wrong."""
    assert main(["explore", catalog(tmp_path), *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("bound", ["-1", "ten", "1.5"])
def test_a_bound_that_is_no_whole_number_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bound: str
) -> None:
    """By the parser, with exit code 2."""
    with pytest.raises(SystemExit) as ended:
        main(["explore", catalog(tmp_path), "--goal", "receipt", f"--states={bound}"])
    assert ended.value.code == 2
    assert "whole number" in capsys.readouterr().err


def test_without_a_goal_every_goal_is_explored_one_json_object_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The worst of it is the exit code."""
    assert main(["explore", catalog(tmp_path, BROKEN), "--json"]) == 3
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [report["goal"] for report in reports] == ["receipt", "rating", "both"]
    first = reports[0]
    assert first["verdict"] == "sometimes"
    assert first["complete"] is True
    assert first["properties"][0] == {
        "property": "never: pay called > 1",
        "holds": True,
        "trace": [],
    }
    assert first["properties"][1]["trace"][0] == {"kind": "request", "subject": "receipt"}
    assert first["skills"][0]["most"] == 1
    assert {"kind": "ask", "name": "note"} in first["unused"]
    assert first["longest"]["questions"]["most"] == len(
        [move for move in first["longest"]["questions"]["trace"] if move["kind"] not in ("request", "comes")]
    )


def test_traces_are_written_as_stories(tmp_path: Path) -> None:
    """The shortest success, each dead end, each counterexample."""
    stories = tmp_path / "stories"
    main(["explore", catalog(tmp_path, BROKEN), "--goal", "receipt", "--stories", str(stories)])
    written = {path.name for path in stories.iterdir()}
    assert {"receipt-shortest.yaml", "receipt-dead-end-1.yaml", "receipt-counterexample-1.yaml"} <= written


def test_a_property_that_speaks_of_nothing_is_an_error_of_the_catalog(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`planglass check` says where it stands, what was found and what to write."""
    assert main(["check", catalog(tmp_path, "properties: {never: [pai called > 1]}\n")]) == 2
    printed = capsys.readouterr().out
    assert "properties.never[0]" in printed
    assert "Did you mean 'pay'?" in printed
    assert main(["check", catalog(tmp_path, "properties: {never: [pay is called twice]}\n")]) == 2
    assert "“SKILL called > N”" in capsys.readouterr().out
    assert main(["check", catalog(tmp_path, "properties: {never: [goal reached]}\n")]) == 2
    assert "Put it under always." in capsys.readouterr().out


def test_what_is_paid_and_waited_for_at_most_is_said_with_its_unit(capsys: pytest.CaptureFixture[str]) -> None:
    reports = Path(__file__).parents[2] / "stories" / "catalogs" / "reports.yaml"
    main(["explore", str(reports), "--goal", "report"])
    printed = capsys.readouterr().out
    assert "money: at most " in printed
    assert " EUR" in printed
    assert "time: at most about " in printed


def test_several_goals_are_explored_as_the_goal_that_comes_to_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explore", catalog(tmp_path), "--goal", "receipt", "rating", "--states", "3"]) == 4
    assert "“both”" in capsys.readouterr().out
