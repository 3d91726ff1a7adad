"""A yes to the question for consent or a go-ahead counts only where each word beside it is understood."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest

from language.interpretation import Context, DialogueAct, Interpretation, Pending
from tests.language.shared import reader_of

BANK = reader_of("banking")
YES = ("yes", "yes please", "sure", "ok", "go ahead", "of course")
LIMITS = (
    "but only half of it", "but not all of it", "if it is free", "but ask my brother first", "but not today", "later",
    "only if nobody else sees it", "for my wife", "unless it costs something", "but tomorrow evening",
    "after my holiday", "but from my other account", "but I want to see it before",
)  # fmt: skip
PLAIN = (
    "thanks", "please do", "that is fine", "you may give it to the payment desk", "go ahead with that", "do it now",
    "that is my account number", "I agree", "please use the payment day", "thank you very much",
)  # fmt: skip


def read(text: str, kind: str) -> Interpretation:
    context = Context(
        today=date(2026, 11, 21),
        pending=Pending(kind=kind, subject="payment_desk"),
        known=("account_number", "overdue_amount", "payment_date"),
        goals=("arrange_payment",),
        given=("payment_date", "account_number"),
    )
    return BANK.understand(text, context)


@pytest.mark.parametrize("kind", ["confirm", "authorize"])
@pytest.mark.parametrize("limit", LIMITS)
def test_a_yes_with_a_condition_that_is_not_understood_agrees_to_nothing(limit: str, kind: str) -> None:
    for yes, comma in product(YES, (", ", " ")):
        assert read(f"{yes}{comma}{limit}", kind).control is not DialogueAct.YES


@pytest.mark.parametrize("kind", ["confirm", "authorize"])
@pytest.mark.parametrize("more", PLAIN)
def test_a_yes_with_more_of_the_same_is_a_yes(more: str, kind: str) -> None:
    for yes in YES:
        assert read(f"{yes}, {more}", kind).control is DialogueAct.YES


def test_a_yes_with_another_value_gives_that() -> None:
    for yes in YES:
        meaning = read(f"{yes}, but make it 5 December", "confirm")
        assert [(value.fact, value.value) for value in meaning.values] == [("payment_date", "2026-12-05")]
