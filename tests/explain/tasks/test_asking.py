"""What people mean that ask about a task: a stage, a criterion, a result, a figure in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explain.tasks import TaskQuestion, TaskQuestionKind
from explain.tasks.answers import (
    ask_how,
    ask_why,
    find_fact,
    find_stage,
    no_such_result,
    no_such_stage,
    say_answer,
    say_question,
)
from tests.explain.tasks.made_up import record_with, searched
from tests.explain.tasks.test_results import UNMET, shop
from tests.explain.tasks.test_stages import FIVE, LACKING
from tests.planning.hierarchy.tasks import chain, describe, plant, script

Kind = TaskQuestionKind
SPLIT = searched(LACKING, plant(describe("f5")), script(FIVE), attempts=1)


@pytest.mark.parametrize(
    ("about", "stage"),
    [
        ("", "1"),
        ("the task", "1"),
        ("1.1.3", "1.1.3"),
        ("3", "1.1.3"),
        ("Make f3", "1.1.3"),
        ("“make  f3.”", "1.1.3"),
        ("f4", "1.1.4"),
        ("make", None),
        ("9", None),
        ("paint it", None),
    ],
)
def test_a_stage_is_found_by_its_number_or_its_words(about: str, stage: str | None) -> None:
    assert find_stage(SPLIT, about) == stage


def test_a_stage_of_another_attempt_is_found_by_its_words() -> None:
    other = [(f"Get f{n}.", [f"f{n - 1}"], [f"f{n}"]) for n in range(1, 5)]
    whole = script(FIVE, [*other, ("Paint.", ["f4"], ["f5"]), ("Look.", ["f5"], ["f5"])])
    record = searched(LACKING, plant(describe("f5")), whole, attempts=2)
    assert find_stage(record, "3") == "1.1.3"
    assert find_stage(record, "paint") == "1.2.5"


def test_why_asks_about_a_criterion_or_a_stage_and_of_the_task_about_what_is_not_met() -> None:
    assert ask_why(SPLIT, "criterion 3") == (TaskQuestion(Kind.WHY_UNMET, criterion=3),)
    assert ask_why(SPLIT, "Criteria") == (TaskQuestion(Kind.WHY_UNMET), TaskQuestion(Kind.WHO_JUDGED))
    assert ask_why(SPLIT, "") == (TaskQuestion(Kind.WHY),)
    assert ask_why(SPLIT, "2") == (TaskQuestion(Kind.WHY, "1.1.2"),)
    assert ask_why(SPLIT, "nothing") == ()
    assert ask_why(shop(UNMET), "") == (TaskQuestion(Kind.WHY), TaskQuestion(Kind.WHY_UNMET))
    assert ask_why(shop(UNMET, replace(UNMET, entry=30, standing="met")), "") == (TaskQuestion(Kind.WHY),)


def test_how_asks_about_a_result_by_its_name_or_label_and_a_figure_in_it() -> None:
    assert ask_how(shop(), "") == (TaskQuestion(Kind.HOW),)
    assert ask_how(shop(), "Sources of the report = Total") == (
        TaskQuestion(Kind.HOW, fact="report_sources", figure="Total"),
    )
    assert ask_how(shop(), "report") == (TaskQuestion(Kind.HOW, fact="report"),)
    assert ask_how(shop(), "gold=Total") == ()
    assert find_fact(shop(), "quart") == "quarter"
    assert find_fact(shop(), "nothing") == "nothing"


def test_what_was_asked_is_said_above_the_answer_with_the_entries_that_prove_it() -> None:
    assert say_answer(SPLIT, TaskQuestion(Kind.WHAT_HELPS, "1.1.3")).startswith(
        "What would help “Make f3”:\n  What is missing is the x, for “Make f3”; every attempt lacked it. ["
    )
    headings = [
        say_question(shop(), one)
        for one in (
            TaskQuestion(Kind.WHY_SPLIT),
            TaskQuestion(Kind.WHY_STUCK, "7"),
            TaskQuestion(Kind.HOW, fact="report", figure="Total"),
            TaskQuestion(Kind.HOW),
            TaskQuestion(Kind.WHY_UNMET),
            TaskQuestion(Kind.WHO_JUDGED),
        )
    ]
    assert headings == [
        "Why the task was split",
        "Why the task is stuck",
        "How “Total” in the report came about",
        "How every result came about",
        "Why criteria are not met",
        "Who judged",
    ]
    assert say_answer(record_with(chain(1), plant(describe("f1")), ()), TaskQuestion(Kind.WHY)).endswith(
        "The task is not planned yet."
    )


def test_what_there_is_not_is_answered_by_what_there_is() -> None:
    assert no_such_stage(SPLIT, "paint").startswith("There is no stage “paint”. Stages are: “Make f1”, “Make f2”,")
    assert no_such_stage(shop(), "paint").startswith("There is no stage “paint”. It has no stages.")
    assert no_such_result(shop(), "gold").startswith("There is nothing called “gold”. There is: prices, quarter,")
    assert no_such_result(replace(shop(), current={}), "gold").endswith("Nothing is there yet.")
