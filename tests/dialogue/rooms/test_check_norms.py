"""`planglass check-norms`: what can go wrong under norms, with messages that show it, or a proof that nothing can."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from dialogue.cli.main import main

DESK: dict[str, Any] = {
    "name": "desk",
    "roles": {"guest": None, "clerk": None},
    "participants": {"Bo": {"kind": "bot", "roles": "clerk"}, "Cy": {"kind": "bot", "roles": "clerk"}},
    "people": {"roles": "guest"},
    "acts": ["query", "inform"],
    "descriptors": {"asked": {"sender": "guest", "receivers": "clerk"}, "told": {"sender": "clerk"}},
    "norms": {
        "answer": {"kind": "obligation", "bearer": "clerk", "act": {"act": "inform", "replies_to": "guest"}},
        "guests_wait": {"kind": "prohibition", "bearer": "guest"},
    },
    "transitions": {
        "t1": {"on": "asked", "activate": ["answer", "guests_wait"]},
        "t2": {"on": "told", "if": {"nothing_owed": True}, "deactivate": "guests_wait"},
    },
}
"""A sound room: guests wait until both clerks have answered."""


def changed(**parts: dict[str, Any]) -> dict[str, Any]:
    """Return the desk with some entries changed: under each key."""
    return {**DESK, **{key: {**DESK[key], **entries} for key, entries in parts.items()}}


class Desk:
    """The command on a norm file."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file = folder / "desk.yaml"
        self._capsys = capsys

    def check(self, norms: dict[str, Any] | str, *options: str, code: int) -> str:
        text = norms if isinstance(norms, str) else yaml.safe_dump(norms, sort_keys=False)
        self.file.write_text(text, encoding="utf-8")
        assert main(["check-norms", str(self.file), *options]) == code
        said = self._capsys.readouterr()
        return said.out or said.err

    def line(self, text: str) -> str:
        lines = self.file.read_text(encoding="utf-8").replace("'", "").splitlines()
        return f"{self.file}:{next(at for at, line in enumerate(lines, start=1) if line.strip().startswith(text))}: "


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, capsys)


def test_a_sound_room_is_proved_to_be_one(desk: Desk) -> None:
    said = desk.check(DESK, code=0)
    assert said.startswith("Proved with 2 people in the room: no finding.")
    assert json.loads(desk.check(DESK, "--json", code=0))["verdict"] == "proved"


def test_who_is_asked_and_can_never_answer_leaves_everybody_in_silence(desk: Desk) -> None:
    said = desk.check(changed(norms={"hush": {"kind": "prohibition", "bearer": "Cy", "act": {
        "act": "inform", "replies_to": "guest"}, "standing": True}}), code=3)  # fmt: skip
    lines = said.splitlines()
    assert f"{desk.line('t1:')}finding: transitions.t1: After this no one may say anything" in said
    assert lines[1] == "    1. Ana: query, to Bo → t1"
    assert f"{desk.line('answer:')}finding: norms.answer: After this Cy owes “answer”" in said


def test_a_conflict_is_found_with_the_message_that_would_be_denied(desk: Desk) -> None:
    hush = {"kind": "prohibition", "bearer": "clerk", "act": {"act": "inform", "replies_to": "guest"}, "standing": True}
    found = json.loads(desk.check(changed(norms={"hush": hush}), "--json", code=3))["findings"]
    conflict = next(one for one in found if one["kind"] == "conflict")
    assert (conflict["who"], conflict["names"]) == (["Bo"], ["answer", "hush"])
    assert conflict["denied"]["sender"] == "Bo"
    assert [step["fires"] for step in conflict["sequence"]] == [["t1"]]


def test_bots_that_must_answer_one_another_can_go_on_for_ever(desk: Desk) -> None:
    said = desk.check(
        changed(
            descriptors={"passed_on": {"sender": "clerk", "receivers": "clerk"}},
            transitions={"t3": {"on": "passed_on", "activate": "reply"}},
            norms={"reply": {"kind": "obligation", "bearer": "$receivers", "act": "inform"}},
        ),
        code=3,
    )
    assert "can go on for ever without a word from a person." in said
    assert "(from here on it repeats)" in said


def test_a_norm_that_nothing_activates_is_found_on_its_line_with_the_reason(desk: Desk) -> None:
    said = desk.check(changed(norms={"idle": {"kind": "permission", "bearer": "clerk"}}), code=3)
    found = f"{desk.line('idle:')}finding: norms.idle: “idle” never begins, whatever is said. Nothing activates 'idle'"
    assert said.startswith(found)


def test_where_a_bound_is_met_nothing_is_said_to_be_proved(desk: Desk) -> None:
    assert "so far" in desk.check(DESK, "--states", "2", code=4)
    idle = changed(norms={"idle": {"kind": "permission", "bearer": "clerk"}})
    assert ": warning: norms.idle: " in desk.check(idle, "--states", "2", code=3)


@pytest.mark.parametrize(
    ("norms", "line", "found"),
    [
        (changed(people={"roles": "gust"}), "roles: gust", "gust"),
        (changed(norms={"late": {"kind": "obligation", "bearer": "$later"}}), "bearer: $later", "$later"),
        (changed(descriptors={"own": {"sender": "$bearrer"}}), "sender: $bearrer", "$bearrer"),
        (changed(transitions={"t4": {"on": "asked", "to": "nowhere"}}), "to: nowhere", "nowhere"),
        (changed(transitions={"t4": {"on": "axed"}}), "on: axed", "axed"),
        ("name: twice\nnorms:\n  a: {kind: permission, bearer: everybody}\n  a: {}\n", "a: {}", "'a'"),
        ("norms:\n  a: [\n  ]: b", "]: b", "not YAML"),
    ],
)
def test_bad_input_is_refused_with_its_line(desk: Desk, norms: dict[str, Any] | str, line: str, found: str) -> None:
    said = desk.check(norms, code=2)
    assert f"{desk.line(line)}error: " in said
    assert found in said


def test_a_file_that_is_not_there_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-norms", "nowhere.yaml"]) == 2
    assert "nowhere.yaml" in capsys.readouterr().err


TWICE = changed(
    norms={"hush": {"kind": "prohibition", "bearer": "everybody", "act": {"sender": "everybody"}}},
    transitions={
        "t1": {"on": "asked", "activate": "answer"},
        "t2": {"on": "told", "if": {"active": "answer"}, "activate": "hush", "deactivate": "answer"},
    },
)
"""Where somebody has answered and owes another answer, nobody may speak any more."""
TWICE["norms"] = {name: norm for name, norm in TWICE["norms"].items() if name != "guests_wait"}
TWICE["norms"]["answer"] = {**TWICE["norms"]["answer"], "bearer": "Bo"}


def test_what_only_happens_where_two_messages_wait_for_answers_is_shown_with_two_messages(desk: Desk) -> None:
    said = desk.check(TWICE, code=3).splitlines()
    assert said[1:4] == [
        "    1. Ana: query, to Bo → t1",
        "    2. Ana: query, to Bo → t1",
        "    3. Bo: inform, in answer to Ana (of step 1) → t2",
    ]
    (deadlock,) = json.loads(desk.check(TWICE, "--json", code=3))["findings"]
    assert [step["message"]["in_reply_to"] for step in deadlock["sequence"]] == ["", "", "1"]


def test_what_no_messages_show_is_no_finding_and_nothing_is_proved(desk: Desk) -> None:
    norms = {**TWICE, "transitions": {**TWICE["transitions"], "t1": {**TWICE["transitions"]["t1"], "from": "first"}}}
    norms["transitions"]["t1"]["to"] = "second"
    norms["protocol"] = {"states": ["first", "second"]}
    assert "no finding so far" in desk.check(norms, code=4)
