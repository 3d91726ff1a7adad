"""`planglass govern`: a status and a message in, tags, norms and the next status out."""

from __future__ import annotations

import io
import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.rooms.explanations import made_up_room
from catalog.norms.load import read_norms
from catalog.norms.message import Message
from catalog.norms.vocabulary import Tag
from catalog.problems import Findings
from dialogue.cli.main import main
from dialogue.rooms.events import JudgedMessage
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.stateless import govern, read_request
from dialogue.rooms.governance.status import STATUS
from dialogue.rooms.room import ROOM_FOLD, advance
from tests.catalog.norms.rooms import SMALL

KITCHEN = Governance(read_norms(SMALL).specification)


class Kitchen:
    """The command on the small room: requests in, answers out."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.file = folder / "kitchen.yaml"
        self.file.write_text(SMALL, encoding="utf-8")
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def ask(self, *lines: Any, code: int = 0) -> list[dict[str, Any]]:
        written = (line if isinstance(line, str) else json.dumps(line) for line in lines)
        self._monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(written)))
        assert main(["govern", str(self.file)]) == code
        return [json.loads(line) for line in self._capsys.readouterr().out.splitlines()]

    def judge(self, message: Any, status: Any = None) -> dict[str, Any]:
        (answer,) = self.ask({"status": status, "people": ["Zoe"], "message": message})
        return answer


@pytest.fixture
def kitchen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Kitchen:
    return Kitchen(tmp_path, monkeypatch, capsys)


def said(sender: str, act: str, topic: str = "undefined", **more: Any) -> dict[str, Any]:
    return {"sender": sender, "utterances": [{"act": act, "topic": topic}], **more}


def tags(answer: dict[str, Any]) -> list[str]:
    return [key for key in ("isAllowed", "isDenied", "isRequired") if answer[key]]


@pytest.mark.row("R13")
def test_the_command_names_the_descriptor_with_most_filters(kitchen: Kitchen) -> None:
    assert kitchen.judge(said("Zoe", "query"))["descriptor"] == "asked"
    assert kitchen.judge(said("Zoe", "query", "cake"))["descriptor"] == "asked_for_cake"
    assert kitchen.judge(said("Zoe", "thank"))["descriptor"] is None


@pytest.mark.row("R14")
def test_the_command_names_the_transition_and_what_it_began_and_ended(kitchen: Kitchen) -> None:
    asked = kitchen.judge(said("Zoe", "query", receivers=["Ben"]))
    assert (asked["transition"], asked["activated"]) == ("t1", ["cook_answers"])
    assert asked["deactivated"] == ["host_opens", "cooks_wait"]
    assert asked["status"]["state"] == "busy"
    answered = kitchen.judge(said("Ben", "inform", replies_to="Zoe"), asked["status"])
    assert tags(answered) == ["isAllowed", "isRequired"]
    assert (answered["norms"], answered["met"]) == (["cook_answers"], ["cook_answers"])
    assert (answered["transition"], answered["activated"]) == ("t3", ["host_ends"])


@pytest.mark.row("R16")
def test_the_command_honours_an_exception(kitchen: Kitchen) -> None:
    denied = kitchen.judge(said("Cat", "inform"))
    assert (tags(denied), denied["norms"]) == (["isDenied"], ["cooks_wait"])
    ruled = kitchen.judge({"sender": "Cat", "utterances": [{"act": "inform", "content": "recipe"}]})
    assert (tags(ruled), ruled["norms"]) == (["isDenied"], [])  # the norm does not apply, but bots may not by default
    asked = kitchen.judge(said("Zoe", "query", "cake", receivers=["Cat"]))
    specific = kitchen.judge(said("Cat", "inform", replies_to="Zoe"), asked["status"])
    assert (tags(specific), specific["norms"]) == (["isAllowed", "isRequired"], ["cook_answers"])


MOVES = st.builds(
    said,
    sender=st.sampled_from(["Ana", "Ben", "Cat", "Zoe"]),
    act=st.sampled_from(["greeting", "query", "inform", "bye"]),
    topic=st.sampled_from(["cake", "soup", "undefined"]),
    receivers=st.lists(st.sampled_from(["Ben", "Cat"]), max_size=2, unique=True),
    replies_to=st.sampled_from([None, "Zoe", "Ben"]),
    at=st.sampled_from([None, "2026-03-01T10:00:00Z", "2026-03-01T10:01:00"]),
)


@pytest.mark.row("R18")
@given(st.lists(MOVES, max_size=8))
def test_the_same_status_and_message_give_the_same_answer_and_nothing_is_kept_between_requests(
    moves: list[Any],
) -> None:
    status: Any = None
    for move in moves:
        line = json.dumps({"status": status, "people": ["Zoe"], "message": move})
        first, *others = (answer(line, governance) for governance in (KITCHEN, KITCHEN, fresh()))
        assert others == [first, first]
        status = first["status"]
        if first["isDenied"]:
            assert first["transition"] is None


@pytest.mark.row("R18")
@given(st.integers(0, 2**32))
def test_a_verdict_is_the_same_when_status_and_message_were_written_as_json_and_judged_by_the_command(
    number: int,
) -> None:
    """In rooms that are made up: each message judged in the room, again, after a round trip, and by `govern`."""
    room = made_up_room(number, private=0.2)
    assume(room is not None)
    assert room is not None
    governance = Governance(room.room.specification)
    for before, entry in zip(accumulate(room.log, advance, initial=ROOM_FOLD.initial), room.log, strict=False):
        if isinstance(entry.event, JudgedMessage):
            message = before.messages[entry.event.of].message.model_copy(update={"at": entry.at})
            verdict, status = governance.judge(before.status, message)
            assert verdict == entry.event.verdict
            assert governance.judge(before.status, message) == (verdict, status)
            read = STATUS.validate_json(STATUS.dump_json(before.status))
            again = Message.model_validate_json(message.model_dump_json())
            assert (read, again) == (before.status, message)
            assert Governance(room.room.specification).judge(read, again) == (verdict, status)
            request = {"status": STATUS.dump_python(read, mode="json"), "message": again.model_dump(mode="json")}
            told = answer(json.dumps(request), governance)
            assert (told["isDenied"], told["isRequired"]) == (not verdict.posted, verdict.tag is Tag.REQUIRED)
            assert (told["norms"], told["transition"]) == (list(verdict.norms), verdict.transition)
            assert STATUS.validate_python(told["status"]) == status


def answer(line: str, governance: Governance) -> Any:
    findings = Findings("x", {(): 1})
    return json.loads(json.dumps(govern(governance, read_request(line, findings), findings)))


def fresh() -> Governance:
    return Governance(read_norms(SMALL).specification)


def test_obligations_past_their_deadline_end_when_the_time_is_given(kitchen: Kitchen) -> None:
    asked = kitchen.judge(said("Zoe", "query", receivers=["Ben"], at="2026-03-01T10:00:00Z"))
    (early,) = kitchen.ask({"status": asked["status"], "now": "2026-03-01T10:00:29Z"})
    assert early == {"unmet": [], "status": asked["status"]}
    (late,) = kitchen.ask({"status": asked["status"], "now": "2026-03-01T10:00:30Z"})
    assert [(one["norm"], one["bearers"], one["transition"]) for one in late["unmet"]] == [
        ("cook_answers", ["Ben"], "t4")
    ]
    assert late["status"]["state"] == "open"


def test_a_message_may_be_written_as_fipa_does(kitchen: Kitchen) -> None:
    notation = '(inform :sender (agent-identifier :name Ana@kitchen) :X-utterances "[{\\"act\\": \\"greeting\\"}]")'
    fields = {"performative": "inform", "sender": "Ana", "X-utterances": [{"act": "greeting"}]}
    assert kitchen.judge(notation) == kitchen.judge(fields) == kitchen.judge(said("Ana", "greeting"))


def test_a_message_of_words_alone_is_read_as_in_a_room(kitchen: Kitchen) -> None:
    asked = kitchen.judge({"sender": "Zoe", "content": "Thanks. What is in the soup today, @Ben?"})
    assert asked["descriptor"] == "asked"
    given = kitchen.judge({**said("Zoe", "thank"), "content": "What is in the soup?"})
    assert given["descriptor"] is None


def test_a_conversation_is_judged_line_by_line_and_told_in_brief(
    kitchen: Kitchen, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = kitchen.file.with_name("requests.jsonl")
    lines = [
        {"people": ["Zoe"], "message": said("Zoe", "query", receivers=["Ben"], at="2026-03-01T10:00:00Z")},
        {"status": "next", "message": said("Ana", "inform")},
        {"status": "next", "now": "2026-03-01T10:00:01Z"},
        {"status": "next", "now": "2026-03-01T10:01:00Z"},
        {"status": "next", "message": said("Xy", "bye")},
        {"status": "next", "message": said("Zoe", "bye")},
    ]
    requests.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main(["govern", str(kitchen.file), "--input", str(requests), "--brief"]) == 2
    assert capsys.readouterr().out.splitlines() == [
        "Zoe: allowed by guests_ask → t1: begins cook_answers; ends host_opens, cooks_wait",
        "Ana: denied by default",
        "nothing is overdue",
        "cook_answers unmet by Ben → t4: begins host_ends",
        f"{requests}:5: error: message.sender: 'Xy' is not among the participants. "
        "Known participants: Ana, Ben, Cat, Zoe. Or name the person under `people`.",
        "Zoe: allowed by guests_ask",
    ]


EMPTY = {"state": "open", "members": [], "active": []}
BAD = {
    "{": "not JSON",
    "[1]": "no object",
    "NaN": "not JSON",
    "[" * 5_000: "not JSON",
    '{"message": {"sender": "Ana"}, "x": 1}': "There is no key 'x' here",
    '{"message": {"sendr": "Ana"}}': "Did you mean 'sender'?",
    '{"message": "(sing :sender Ana)"}': "no communicative act",
    '{"message": {"sender": "Ana", "at": "9999-01-01"}}': "the year 9999",
    '{"message": {"sender": "Bob"}}': "'Bob' is not among the participants. Known participants: Ana, Ben, Cat.",
    '{"message": {"sender": "Ana"}, "people": ["guest"]}': "'guest' is the name of a role. Choose another name.",
    '{"message": {"sender": "A"}, "status": {"state": "open", "members": [{"name": "cook", "kind": "bot"}]}}': "role",
    '{"status": null}': "neither `message` nor `now`",
    '{"message": {"sender": "Ana"}, "status": {"state": "shut"}}': "'shut' is not among the states",
    '{"message": {"sender": "Ana"}, "status": {"state": "open", "active": [{"norm": "x", "bearers": []}]}}': "norms",
    '{"message": {"sender": "Ana"}, "status": {"state": "open", "members": [{"name": "A", "kind": "x"}]}}': "'person'",
    '{"message": {"sender": "A"},"status": {"state": "open","members":[{"name": "A", "kind": "bot", "roles": ["x"]}]}}':
        "'x' is not among the roles",
    f'{{"message": {{"sender": "Ana", "content": "{"x" * 30_000}"}}}}': "at most 20000 characters",
    f'{{"x": "{"x" * 1_000_000}"}}': "1,000,000 are read at most",
}  # fmt: skip


def test_a_bad_line_is_told_with_its_number_and_the_others_are_answered(kitchen: Kitchen) -> None:
    good = {"message": said("Ana", "greeting")}
    *bad, last = kitchen.ask(*BAD, "", good, code=2)
    for number, (one, text) in enumerate(zip(bad, BAD.values(), strict=True), start=1):
        assert one["line"] == number
        assert one["error"].startswith(f"stdin:{number}: error: ")
        assert text in one["error"]
    assert tags(last) == ["isAllowed", "isRequired"]


def test_bytes_that_are_no_text_spoil_their_line_alone(kitchen: Kitchen, capsys: pytest.CaptureFixture[str]) -> None:
    requests = kitchen.file.with_name("requests.jsonl")
    requests.write_bytes(b'{"message": {"sender": "\xff"}}\n{"message": {"sender": "Ana"}}\n')
    assert main(["govern", str(kitchen.file), "--input", str(requests)]) == 2
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert "bytes that are not UTF-8" in first["error"]
    assert tags(second) == ["isDenied"]


def test_one_request_may_stand_in_a_file_that_names_its_norms(
    kitchen: Kitchen, capsys: pytest.CaptureFixture[str]
) -> None:
    request = kitchen.file.with_suffix(".json")
    request.write_text(json.dumps({"norms": str(kitchen.file), "message": said("Ana", "greeting")}, indent=2))
    assert main(["govern", str(request)]) == 0
    assert tags(json.loads(capsys.readouterr().out)) == ["isAllowed", "isRequired"]
    request.write_text(json.dumps({"status": EMPTY, "message": said("Ana", "greeting")}))
    assert main(["govern", str(request)]) == 2
    assert "Add `norms`" in json.loads(capsys.readouterr().out)["error"]


def test_norms_that_cannot_be_loaded_are_told_before_any_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["govern", "nowhere.yaml"]) == 2
    assert "There is no such file." in capsys.readouterr().err
