"""How the benchmark of understanding scores: all or nothing, with the rates that the paper reports beside that."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from benchmarks.understanding.score import Answer, Query, score

REPORT: dict[str, Any] = {"goal": "expense_report", "args": {"start_date": "2024-01-01"}, "missing": ["end_date"]}
TALK: dict[str, Any] = {"goal": "contact_us", "args": {"contact_topic": {"ref": 0}}, "missing": ["contact_channel"]}
QUERY = Query("q", "two-dataflow-incomplete", "…", date(2024, 11, 6), (REPORT, TALK), error=False)


@pytest.mark.row("P20")
def test_a_query_is_right_if_all_of_it_is() -> None:
    scored = score(QUERY, Answer((REPORT, TALK), error=False))
    assert (scored.right, scored.goals, scored.values, scored.invented) == (True, True, True, ())


@pytest.mark.row("P20")
@pytest.mark.parametrize(
    ("answer", "goals", "values"),
    [
        (Answer((TALK, REPORT), error=False), False, True),
        (Answer((REPORT,), error=False), False, False),
        (Answer((REPORT, {**TALK, "args": {"contact_topic": "tax"}}), error=False), True, False),
        (Answer((REPORT, TALK), error=True), True, True),
    ],
)
def test_whatever_is_wrong_makes_all_of_it_wrong_and_the_rates_tell_what(
    answer: Answer, goals: bool, values: bool
) -> None:
    scored = score(QUERY, answer)
    assert not scored.right
    assert (scored.goals, scored.values) == (goals, values)


@pytest.mark.row("P20")
def test_a_value_for_what_was_not_said_is_told_to_be_invented() -> None:
    guessed = {**REPORT, "args": {**REPORT["args"], "end_date": "2024-12-31"}, "missing": []}
    scored = score(QUERY, Answer((guessed, TALK), error=False))
    assert not scored.right
    assert "end_date" in str(scored.invented)
