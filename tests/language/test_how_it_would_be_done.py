"""Questions for the way to something, and periods that correct the one that was given, with the real understander."""

from __future__ import annotations

from datetime import date

import pytest

from catalog.load import load
from catalog.load.demo_files import DEMOS
from language.interpretation import Context, Interpretation, Pending
from language.understanding import DEFAULT, UNDERSTANDERS

TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def understander():  # type: ignore[no-untyped-def]
    return UNDERSTANDERS[DEFAULT](load(DEMOS["accounting"]).catalog)


def goals(meaning: Interpretation) -> list[str]:
    return [mention.goal for mention in meaning.goals]


@pytest.mark.row("P16")
@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("How would you get my expense report?", "expense_report"),
        ("ok, and how will you draw up a profit and loss report for 2024", "profit_loss_report"),
        ("What would you do to create an invoice for $20?", "create_invoice"),
        ("Which steps would it take to update a customer?", "update_customer"),
        ("How do I create an invoice?", "create_invoice"),
        ("How do I get a profit and loss report?", "profit_loss_report"),
    ],
)
def test_who_asks_how_something_would_be_done_is_understood_so(understander, text: str, goal: str) -> None:  # type: ignore[no-untyped-def]
    meaning = understander.understand(text, Context(today=TODAY))
    assert (goals(meaning), meaning.hypothetical) == ([goal], True)


@pytest.mark.parametrize(
    "text",
    [
        "How do I reset my account?",
        "How would I record an expense?",
        "How can you help me?",
        "How can I contact support?",
        "How can I save money?",
        "How did you get my expense report?",
        "Get my expense report",
        "How would you like the weather?",
    ],
)
def test_who_wants_it_done_or_explained_is_not(understander, text: str) -> None:  # type: ignore[no-untyped-def]
    assert not understander.understand(text, Context(today=TODAY)).hypothetical


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("no, 2024", {"start": "2024-01-01", "end": "2024-12-31"}),
        ("No, make it Q2 2024 instead", {"start": "2024-04-01", "end": "2024-06-30"}),
        ("I meant from March to May 2024", {"start": "2024-03-01", "end": "2024-05-31"}),
    ],
)
def test_a_period_corrects_the_one_that_was_given(understander, text: str, period: dict[str, str]) -> None:  # type: ignore[no-untyped-def]
    given = Context(today=TODAY, given=("end_date", "start_date"), ended=("expense_report",))
    meaning = understander.understand(text, given)
    told = {value.fact: value.value for value in meaning.values}
    assert told == {"start_date": period["start"], "end_date": period["end"]}
    assert not meaning.candidates
    assert not goals(meaning)


def test_without_one_that_was_given_a_period_corrects_nothing(understander) -> None:  # type: ignore[no-untyped-def]
    assert not understander.understand("no, 2024", Context(today=TODAY)).values
    assert not understander.understand("no, 2024", Context(today=TODAY, given=("start_date",))).values


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("yes", "yes"),
        ("ok, thanks", "yes"),
        ("go ahead", "yes"),
        ("no", "no"),
        ("better not", "no"),
        ("never mind", "stop"),
    ],
)
def test_a_go_ahead_is_given_or_not(understander, text: str, control: str) -> None:  # type: ignore[no-untyped-def]
    asked = Context(
        today=TODAY, pending=Pending(kind="confirm", subject="create_invoice_api"), goals=("create_invoice",)
    )
    assert understander.understand(text, asked).control == control
    assert understander.understand("hm", asked).unclear == "I need a yes or a no before I go on."
