from __future__ import annotations

from datetime import date

import pytest

from language.interpretation import Context, Interpretation
from language.understanding.pipeline import OfflineUnderstander
from tests.language.shared import reader_of

BOOKS = reader_of("accounting")
BANK = reader_of("banking")
LOOKED_UP = ("charge_date", "charge_amount", "charge", "charge_details")


def read(text: str, known: tuple[str, ...] = (), by: OfflineUnderstander = BOOKS) -> Interpretation:
    return by.understand(text, Context(today=date(2024, 11, 28), known=known))


@pytest.mark.parametrize("known", [(), LOOKED_UP], ids=["nothing known", "another one known"])
@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Why was I charged $62.50?", "62.50"),
        ("why did I get charged 18 dollars", "18.00"),
        ("What is this $140 charge for?", "140.00"),
    ],
)
def test_why_about_what_was_not_looked_up_yet_is_a_request(text: str, amount: str, known: tuple[str, ...]) -> None:
    meaning = read(text, known)
    assert meaning.question is None
    (goal,) = meaning.goals
    assert goal.goal == "charge_lookup"
    assert {value.fact: value.value for value in goal.values} == {"charge_amount": amount}


def test_how_to_do_something_is_a_request_whoever_is_asked() -> None:
    (goal,) = read("How do you calculate overtime?").goals
    assert (goal.goal, [value.value for value in goal.values]) == ("how_to_help", ["overtime"])


@pytest.mark.parametrize(
    ("text", "known", "by"),
    [
        ("How did you get the charge?", LOOKED_UP, BOOKS),
        ("How did you get my profit and loss report?", (), BOOKS),
        ("Why do you need the start date?", (), BOOKS),
        ("Why do you need my social security number?", (), BANK),
        ("How did you get my credit score?", ("credit_score",), BANK),
        ("Why is my credit score so low?", ("credit_score",), BANK),
    ],
)
def test_a_question_about_what_the_assistant_did_stays_one(
    text: str, known: tuple[str, ...], by: OfflineUnderstander
) -> None:
    meaning = read(text, known, by)
    assert meaning.question is not None and not meaning.goals
