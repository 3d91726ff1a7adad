"""The values that a text says of declared facts (`find_values`)."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from pydantic import JsonValue

from catalog.model import Fact
from catalog.values import Date, Money, Number
from language.slots.candidates import ValueCandidate, find_values

TODAY = date(2026, 2, 12)
FACTS = (
    Fact(name="months", label="period", value=Number(unit="month", integer=True)),
    Fact(name="days", label="period", value=Number(unit="day", integer=True)),
    Fact(name="amount", label="amount", value=Money(any_currency=True)),
    Fact(name="start", label="start", value=Date()),
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("R$ 1,200 over three years from 1 March 2026", {"amount": "1200.00", "months": 36, "start": "2026-03-01"}),
        ("2500 for 90 days", {"amount": "2500.00", "days": 90}),
        ("800 bucks in a year and a half", {"amount": "800.00", "months": 18}),
        ("a year and ten days", {"days": 375}),
        ("700 for 18mo", {"amount": "700.00", "months": 18}),
        ("700 for 2y", {"amount": "700.00", "months": 24}),
        ("six kilos of rice", {}),
    ],
)
def test_each_value_is_of_the_fact_that_can_take_it(text: str, said: dict[str, JsonValue]) -> None:
    found = [one for one in find_values(FACTS, text, TODAY) if one.plain and one.value is not None]
    assert {one.fact: one.value for one in found} == said
    assert len(found) == len(said)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_a_value_stands_with_its_unit() -> None:
    text = "2500 reais for 90 days"
    assert [text[one.start : one.end] for one in find_values(FACTS, text, TODAY)] == ["2500 reais", "90 days"]


@pytest.mark.parametrize(
    ("text", "fact", "why"),
    [("not 4000", "amount", "denied"), ("at least 4000", "amount", "a_range"), ("up to 3 years", "months", "a_range")],
)
def test_what_is_denied_or_only_a_bound_says_so(text: str, fact: str, why: str) -> None:
    assert [_unsure(one) for one in find_values(FACTS, text, TODAY)] == [(fact, why)]


def test_a_number_that_may_count_something_else_is_not_plain() -> None:
    assert [one.plain for one in find_values(FACTS, "the 3 of us", TODAY)] == [False]


def _unsure(one: ValueCandidate) -> tuple[str, str]:
    assert one.mention is not None
    assert one.mention.unsure is not None
    return one.fact, one.mention.unsure.code
