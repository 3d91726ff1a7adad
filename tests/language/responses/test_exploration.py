"""What is said of properties and of the most there can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from catalog.load import load
from catalog.model.properties import read_property
from language.responses.exploration import say_claim, say_extreme

REPORTS = load(Path(__file__).parents[2] / "stories" / "catalogs" / "reports.yaml").catalog


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("archive called > 0", "The archive is never called."),
        ("archive called > 1", "The archive is called at most once."),
        ("archive called > 3", "The archive is called at most 3 times."),
        ("register_number asked > 2", "The user is asked for their register number of the company at most twice."),
        ("report asked > 0", "The user is never asked for their report."),
    ],
)
def test_a_limit_is_said_as_people_say_it(text: str, said: str) -> None:
    assert say_claim(REPORTS, read_property("never", text).claim) == said


@pytest.mark.parametrize(
    ("what", "most", "said"),
    [
        ("money", 4.5, "money: at most 4.50 EUR"),
        ("seconds", 930.0, "time: at most about 16 min"),
        ("calls", 12.0, "calls of skills: at most 12"),
        ("questions", None, "questions: no limit"),
    ],
)
def test_the_most_there_can_be_is_said_with_its_unit(what: str, most: float | None, said: str) -> None:
    assert say_extreme(REPORTS, what, most) == said


def test_the_most_that_was_seen_is_no_bound_where_not_everything_was_walked() -> None:
    seen = say_extreme(REPORTS, "calls", 12.0, complete=False)
    assert seen == "calls of skills: 12 so far, possibly more"
