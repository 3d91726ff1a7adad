"""Mappings, orderings, alternatives and skills as goals on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialogue.cli.main import main

ROOT = Path(__file__).parents[1]
TRIPS = str(ROOT / "stories" / "catalogs" / "trips.yaml")
TWO_AUTHORS = str(ROOT / "catalog" / "two_authors.yaml")


def test_mappings_are_suggested_as_yaml_to_paste_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "banking", "--suggest-mappings"]) == 0
    assert "No two facts look as if they were the same" in capsys.readouterr().out
    main(["check", TWO_AUTHORS, "--suggest-mappings"])
    out = capsys.readouterr().out
    assert "mappings:\n  # " in out
    assert '  - {fact: phone, stands_for: contact_phone, because: ""}' in out
    main(["check", TWO_AUTHORS, "--suggest-mappings", "--json"])
    written = json.loads(capsys.readouterr().out)["suggestions"]
    assert [set(one) for one in written] == [{"fact", "stands_for", "score", "reason"}] * 6
    main(["check", TWO_AUTHORS, "--json"])
    assert "suggestions" not in json.loads(capsys.readouterr().out)


def test_a_plan_for_a_goal_with_alternatives_lists_its_actions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", TRIPS, "--goal", "trip"]) == 0
    out = capsys.readouterr().out
    assert "take contact_mail (from email)" in out
    assert "choose" not in out
    assert main(["plan", TRIPS, "--goal", "identity", "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert [step["name"] for step in steps] == ["member", "identification"]


def test_landmarks_and_pddl_of_a_goal_with_alternatives(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["landmarks", TRIPS, "--goal", "trip"]) == 0
    out = capsys.readouterr().out
    assert "contact_mail" in out
    assert "one of train, flight" in out
    assert main(["pddl", TRIPS, "--goal", "trip", "--out", str(tmp_path)]) == 0
    symbols = json.loads((tmp_path / "symbols.json").read_text(encoding="utf-8"))
    assert {"achieved trip", "done identification", "choose trip 1"} <= set(symbols.values())
