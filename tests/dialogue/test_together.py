"""Requests of one utterance are planned together: one call for two of them, and each announced when it is reached."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from dialogue.services.inspection import look_into
from dialogue.state.conversation import Conversation
from dialogue.updates.explanations import explain_in
from explain.model import Question, QuestionKind
from planning.engines import DEFAULT_ENGINE, ENGINES
from tests.dialogue.office import Office
from tests.dialogue.toys import Notation

LETTERS = """
name: office
facts:
  a: {label: letter A, fillable: false}
  b: {label: letter B, fillable: false}
  c: {label: letter C, fillable: false}
  note: {label: note, ask: Which note?}
  memo: {label: memo, askable: false}
skills:
  only_a: {endpoint: "python:nowhere:nothing", cost: 1, modes: {now: {outcomes: {made: [a]}}}}
  only_b: {endpoint: "python:nowhere:nothing", cost: 5, modes: {now: {outcomes: {made: [b]}}}}
  both: {endpoint: "python:nowhere:nothing", cost: 3, modes: {now: {outcomes: {made: [a, b], nothing: {}}}}}
  from_a: {endpoint: "python:nowhere:nothing", modes: {now: {inputs: [a, note], outcomes: {made: [c]}}}}
  writer: {endpoint: "python:nowhere:nothing", modes: {now: {inputs: [note], outcomes: {made: [memo]}}}}
goals:
  a: {label: the letter A, facts: [a], examples: [x]}
  b: {label: the letter B, facts: [b], examples: [x]}
  c: {label: the letter C, facts: [c], examples: [x]}
  memo: {label: a memo, facts: [memo], examples: [x]}
"""


@pytest.fixture
def letters(home: Path) -> Iterator[Office]:
    office = Office(home, LETTERS)
    yield office
    office.services.close()


def called(office: Office) -> list[str]:
    return [skill for skill, _ in office.calls]


def plans_of(office: Office) -> list[tuple[str, list[str]]]:
    """List the plans that were made: what became of each, and the subjects of its steps."""
    return [(record.status, [step.subject for step in record.plan.steps]) for record in office.now.plans.all]


def test_one_call_that_serves_two_requests_is_made_once_and_both_are_announced(letters: Office) -> None:
    replies = letters.say("goal a; goal b")
    assert called(letters) == ["both"]
    assert [reply for reply in replies if reply.startswith("Done.")] == [
        "Done. Your letter A: a of.",
        "Done. Your letter B: b of.",
    ]
    assert [goal.goal for goal in letters.now.goals.past] == ["a", "b"]
    assert [goal.status for goal in letters.now.goals.past] == ["achieved", "achieved"]


def test_the_plan_that_is_shown_is_the_one_that_runs(letters: Office) -> None:
    catalog = letters.services.snapshot(letters.session).catalog
    shown = look_into(catalog, Notation(catalog), ENGINES[DEFAULT_ENGINE], "goal a; goal b", date(2026, 11, 21))
    letters.say("goal a; goal b")
    assert [line.split(" = ")[-1] for line in shown.plan.splitlines()] == ["both();"]
    assert plans_of(letters)[-1] == ("finished", ["both"])


@pytest.mark.row("V3")
def test_the_first_idea_is_to_ask_for_the_goals_themselves_and_stays_on_record(letters: Office) -> None:
    letters.say("goal a; goal b")
    assert plans_of(letters) == [("discarded", ["a", "b"]), ("finished", ["both"])]
    assert [event.subject for event in letters.events("pruned")] == ["a", "b"]
    assert not letters.events("asked")


def test_a_plan_for_several_requests_names_them_all(letters: Office) -> None:
    letters.say("goal a; goal b")
    record = letters.now.plans.all[-1]
    assert [(part.goal_id, part.steps, part.shared) for part in record.plan.parts] == [(2, 1, ()), (1, 0, (0,))]
    assert record.goals == (2, 1)


def test_what_one_call_made_for_two_requests_is_explained_in_both(letters: Office) -> None:
    letters.say("goal a; goal b")
    snapshot = letters.services.snapshot(letters.session)
    (call,) = letters.now.calls.history
    for goal in snapshot.conversation.goals.past:
        for kind in (QuestionKind.WHAT, QuestionKind.HOW):
            told = explain_in(snapshot.catalog, snapshot.conversation, Question(kind, goal.goal), goal)
            assert "from the both" in told.text()
            assert call.event in told.evidence


def test_stop_drops_the_request_in_work_and_plans_the_rest_anew(letters: Office) -> None:
    letters.say("goal c; goal b")
    assert letters.asks == "fact note"
    assert called(letters) == ["both"], "b is made on the way to c"
    replies = letters.say("stop")
    assert replies[-1] == "Done. Your letter B: b of."
    assert [(goal.goal, goal.status) for goal in letters.now.goals.past] == [("c", "dropped"), ("b", "achieved")]
    assert called(letters) == ["both"]


def test_what_is_left_is_planned_together_again_when_something_fails(letters: Office) -> None:
    letters.outcomes["both"] = "nothing"
    letters.say("goal a; goal b")
    assert called(letters)[-2:] == ["only_a", "only_b"]
    assert [goal.status for goal in letters.now.goals.past] == ["achieved", "achieved"]
    assert plans_of(letters)[-1] == ("finished", ["only_a", "only_b"])


@pytest.mark.row("V11")
def test_a_digression_is_planned_for_itself_and_the_rest_goes_on(letters: Office) -> None:
    letters.say("goal c; goal b")
    letters.say("goal a")
    assert letters.asks == "fact note", "what is known already is told, and the question is put again"
    letters.say("note=blue")
    assert called(letters) == ["both", "from_a"]
    assert [goal.goal for goal in letters.now.goals.past] == ["a", "c", "b"]
    assert not letters.now.goals.stack


def test_a_request_that_cannot_be_served_holds_up_no_other(home: Path) -> None:
    office = Office(home, LETTERS.replace("from_a: {", "from_x: {").replace("inputs: [a, note]", "inputs: [memo, c]"))
    replies = office.say("goal a; goal c; goal b")
    assert called(office) == ["both"]
    assert [(goal.goal, goal.status) for goal in office.now.goals.past] == [
        ("a", "achieved"),
        ("c", "dropped"),
        ("b", "achieved"),
    ]
    assert replies[-1] == "Done. Your letter B: b of."
    office.services.close()


@pytest.mark.row("P6", "P14")
def test_three_requests_are_one_plan_whose_parts_are_carried_out_in_turn(letters: Office) -> None:
    letters.say("goal memo; goal c; goal b")
    letters.say("note=blue")
    assert called(letters) == ["writer", "both", "from_a"]
    assert plans_of(letters)[-1] == ("finished", ["note", "writer", "both", "from_a"])
    assert [part.steps for part in letters.now.plans.all[-1].plan.parts] == [2, 2, 0]
    assert len(letters.events("kept")) == 1, "it is looked at again when the next request with steps begins"


def test_a_budget_holds_for_each_request(home: Path) -> None:
    """What may be spent is said of one request: two that take all of it each are both done."""
    priced = LETTERS.replace("cost: 1,", "money: 3,").replace("cost: 5,", "money: 3,").replace("cost: 3,", "money: 9,")
    office = Office(home, priced + "settings: {budget: 4}\n")
    office.say("goal a; goal b")
    assert called(office) == ["only_a", "only_b"]
    assert office.now.goals.spent == {2: 3.0, 1: 3.0}
    office.services.close()


def test_old_logs_have_plans_without_parts(letters: Office) -> None:
    letters.say("goal a")
    (*_, record) = letters.now.plans.all
    assert "parts" not in record.plan.model_dump()
    assert record.goals == (1,)
    assert isinstance(letters.now, Conversation)
