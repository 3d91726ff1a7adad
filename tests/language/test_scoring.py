"""The scorer of annotated requests: all of a query, or nothing."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from benchmarks.understanding.score import Answer, Query, score

REPORT: dict[str, Any] = {"goal": "sales", "args": {"day": "2024-05-01"}, "missing": ["end"]}
CALL: dict[str, Any] = {"goal": "call", "args": {"topic": {"ref": 0}}, "missing": ["channel"]}
QUERY = Query(
    "q", "two-dataflow-incomplete", "Sales on 1 May and a call", date(2024, 11, 6), (REPORT, CALL), error=False
)


@pytest.mark.row("P20")
@pytest.mark.parametrize(
    ("answer", "right", "goals", "values"),
    [
        (Answer((REPORT, CALL), error=False), True, True, True),
        (Answer((REPORT, {**CALL, "missing": []}), error=False), False, True, True),
        (Answer((REPORT, {**CALL, "args": {"topic": {"ref": [0]}}}), error=False), False, True, False),
        (Answer(({**REPORT, "args": {}, "missing": ["day", "end"]}, CALL), error=False), False, True, False),
        (Answer(({**REPORT, "goal": "costs"}, CALL), error=False), False, False, True),
        (Answer((CALL, REPORT), error=False), False, False, True),
        (Answer((REPORT,), error=False), False, False, False),
        (Answer((REPORT, CALL), error=True), False, True, True),
    ],
)
def test_a_query_is_right_if_all_of_it_is_and_goals_and_values_are_told_apart(
    answer: Answer, right: bool, goals: bool, values: bool
) -> None:
    scored = score(QUERY, answer)
    assert (scored.right, scored.goals, scored.values) == (right, goals, values)


@pytest.mark.row("P15", "P20")
def test_what_was_given_and_never_said_is_counted_as_invented() -> None:
    invented = {**REPORT, "args": {"day": "2024-05-01", "end": "2024-05-31"}, "missing": []}
    assert score(QUERY, Answer((invented, CALL), error=False)).invented == ("end",)
    assert score(QUERY, Answer((REPORT, CALL), error=False, unsupported=("day",))).invented == ("day",)
    assert score(QUERY, Answer((REPORT, CALL), error=False)).invented == ()


def test_values_of_a_goal_that_nobody_asked_for_and_values_lent_by_another_are_invented() -> None:
    extra = {"goal": "costs", "args": {"day": "2024-05-01"}, "missing": []}
    assert score(QUERY, Answer((REPORT, CALL, extra), error=False)).invented == ("day",)
    lent = {**CALL, "args": {"topic": "2024-05-01"}}
    assert score(QUERY, Answer((REPORT, lent), error=False)).invented == ("topic",)
