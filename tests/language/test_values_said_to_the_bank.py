"""Which values people give a bank in passing, and which they only speak of."""

from __future__ import annotations

from datetime import date

import pytest
from pydantic import JsonValue

from language.interpretation import Context
from tests.language.shared import reader_of

TODAY = date(2024, 11, 6)  # a Wednesday
UNDERSTANDER = reader_of("banking")


def told(text: str) -> dict[str, JsonValue]:
    return {value.fact: value.value for value in UNDERSTANDER.understand(text, Context(today=TODAY)).values}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I can pay the arrears on Friday", "2024-11-08"),
        ("can you take my overdue payment on 14 November", "2024-11-14"),
        ("tomorrow I'll pay what I still owe", "2024-11-07"),
        ("please debit what is overdue on November 12", "2024-11-12"),
        ("My payment was due on November 4. I'd like to pay it tomorrow.", "2024-11-07"),
    ],
)
def test_the_day_on_which_something_is_to_be_done_goes_to_the_fact_that_can_have_it(text: str, day: str) -> None:
    assert told(text) == {"payment_date": day}


@pytest.mark.parametrize(
    "text",
    [
        "I missed a payment today",
        "I noticed today that I missed a payment",
        "I want to settle the instalment due on November 20",
        "I get my salary on November 20, how do I settle what's overdue",
        "Once I get my pay on November 20 I want to settle what's overdue",
        "can I pay the reminder that came on Friday",
        "Please tell me today how to pay my arrears",
        "I can't pay before November 30, can we arrange something",
        "collect my overdue payment on Monday or Tuesday",
        "I need a loan, I turn 40 on December 2",
        "My wife was born on 3 May 1979 and I want a card",
    ],
)
def test_a_day_that_is_only_spoken_of_is_taken_for_none(text: str) -> None:
    assert told(text) == {}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a loan please, 15,000 dollars", {"loan_amount": "15000.00"}),
        ("can I have a card, I make $52,000 a year", {"income": "52000.00"}),
        ("mortgage calculator 450000 house 90000 deposit", {"property_value": "450000.00", "deposit": "90000.00"}),
        (
            "What would a mortgage be on a $275,000 flat with $40,000 down?",
            {"property_value": "275000.00", "deposit": "40000.00"},
        ),
        ("if we put down 45k, what would a mortgage cost a month?", {"deposit": "45000.00"}),
        ("how much would a mortgage cost a month if I put down 60k", {"deposit": "60000.00"}),
        ("mortgage please, income 64k deposit 20k", {"income": "64000.00", "deposit": "20000.00"}),
        ("mortgage please, 64k income 20k deposit", {"income": "64000.00", "deposit": "20000.00"}),
        ("loan 10k income 64k a year", {"loan_amount": "10000.00", "income": "64000.00"}),
    ],
)  # fmt: skip
def test_amounts_are_told_by_how_they_stand(text: str, values: dict[str, JsonValue]) -> None:
    assert told(text) == values


@pytest.mark.parametrize(
    "text",
    [
        "my wife earns $50,000 a year, can i get a credit card",
        "I pay $12,000 a year in council tax, can I have a card",
        "i want a loan, 2024",
        "i want a loan, room 4711",
        "I want a loan, my brother got 20k",
        "I'd like a loan. I owe another bank $7,000.",
        "my landlord wants 20k deposit from me, can I get a loan",
        "what would a mortgage cost if I had $50,000 saved",
        "can I get a loan if I earn $90,000 a year",
        "what would a mortgage cost on 250k over 20 years",
        "We bought a place in Linden and have been there for 11 years. Can I get a loan?",
    ],
)
def test_amounts_that_are_somebody_elses_or_something_elses_are_not_taken(text: str) -> None:
    assert told(text) == {}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("change my address to 31 Canal View, Norwood", {"new_address": "31 Canal View, Norwood"}),
        (
            "change my address from 12 Mill Lane, Springfield to 31 Canal View, Norwood",
            {"new_address": "31 Canal View, Norwood"},
        ),
        ("pls put 903 Harrow Street, Easton on file as my new address", {"new_address": "903 Harrow Street, Easton"}),
        ("please register 8 Oak Street, Linden as my address", {"new_address": "8 Oak Street, Linden"}),
        (
            "We're buying 15 Orchard Way, Linden for $275,000 and moving house",
            {"new_address": "15 Orchard Way, Linden", "property_value": "275000.00"},
        ),
        ("don't change my address to 31 Canal View, Norwood", {}),
        ("my brother lives at 4 Oak Street, Linden. I want a loan", {}),
        ("my neighbour at 31 Canal View, Norwood wants a loan", {}),
    ],
)
def test_an_address_is_taken_where_it_is_changed_or_named(text: str, values: dict[str, JsonValue]) -> None:
    assert told(text) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "credit card application, name Marisol Vega, email marisol.vega@posteo.example",
            {"name": "Marisol Vega", "email": "marisol.vega@posteo.example"},
        ),
        ("a card, please! name's Dario Conti", {"name": "Dario Conti"}),
        ("Employer: Brightwater Foods. I want a loan", {"employer": "Brightwater Foods"}),
        ("we'd like a loan for her tuition", {"loan_purpose": "studies"}),
        ("I'd like a bar chart that shows what I spend", {"plot_type": "bar chart"}),
        ("an overview of what I spend, my mail linh@example.net", {"email": "linh@example.net"}),
        ("my accountant Anna (anna@books.example) wants my bank statement", {}),
        ("I want a loan but my friend's car is a wreck", {}),
        ("name a good restaurant", {}),
    ],
)
def test_what_is_listed_is_taken_word_for_word(text: str, values: dict[str, JsonValue]) -> None:
    assert told(text) == values
