"""What people want simulated in finch's room: no figure is used that was not meant."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.demos.finch.calculations import InvestmentPeriod, spell, write
from catalog.demos.finch.simulation_request import SimulationRequest, request_of
from catalog.norms import Message, Utterance
from catalog.norms.load import load_norms
from language.rooms.speech_acts import Listener

BOTS = {"In", "SA", "CD", "TB"}
CALLED = {"In": "Investment adviser", "SA": "Savings expert", "CD": "Certificate expert", "TB": "Treasury bond expert"}
MADE = "4000 for 2 years"


@cache
def listener() -> Listener:
    return Listener(load_norms("catalog/demos/finch/norms.yaml").specification)


def wish(*texts: str) -> SimulationRequest:
    """Return what Ana wants after saying some things."""
    said: list[Message] = []
    found = SimulationRequest()
    for text in texts:
        heard = listener().hear(text, {**CALLED, "Ben": ""})
        parts = tuple(one.as_utterance() for one in heard.utterances)
        said.append(Message(sender="Ana", utterances=parts, mentions=heard.mentions, content=text))
        found = request_of("Ana", said, {"SA": "savings", "CD": "cd", "TB": "bonds"}, BOTS)
        if not found.question:  # the mediator has it calculated
            said.append(Message(sender="In", utterances=(Utterance(act="request", values={"person": "Ana"}),)))
    return found


def figures(*texts: str) -> str:
    """Write what would be calculated with, or what is asked."""
    found = wish(*texts)
    if found.question:
        return found.question
    amount, period = found.figures["amount"], found.figures["period"]
    assert isinstance(amount, Decimal)
    assert isinstance(period, InvestmentPeriod)
    return f"{amount:f} for {spell(period)}"


@pytest.mark.parametrize(
    ("text", "calculated"),
    [
        ("90 days and 2500 reais", "2500 for 90 days"),
        ("which one pays best after tax for 90 days and 2.500,00 reais?", "2500.00 for 90 days"),
        ("simulate 1000 for 6 weeks", "1000 for 42 days"),
        ("1k for a fortnight", "1000 for 14 days"),
        ("R$ 1.234,56 over one year and ten days", "1234.56 for 375 days"),
        ("ten years is too long for 4000, make it 3", "4000 for 3 years"),
        ("2000 for 5 years instead of 10 years", "2000 for 5 years"),
        ("5000 for 365 days", "5000 for 1 year"),
    ],
)
@pytest.mark.parametrize("before", ["", MADE, "700 for ten years in savings"])
def test_figures_of_a_message_outweigh_all_of_before(before: str, text: str, calculated: str) -> None:
    assert figures(before, text) == calculated


@pytest.mark.parametrize(
    ("text", "calculated"),
    [
        ("make it 3", "4000 for 3 years"),
        ("no, 3", "4000 for 3 years"),
        ("rather 3", "4000 for 3 years"),
        ("2 years is too long, make it 1", "4000 for 1 year"),
        ("make it 500", "500 for 2 years"),
        ("make it 90 days", "4000 for 90 days"),
        ("what about 5 years?", "4000 for 5 years"),
        ("5000 instead", "5000 for 2 years"),
        ("double the amount", "8000.00 for 2 years"),
        ("that's too long, 1", "4000 for 1 year"),
        ("only CDs and savings please", "4000 for 2 years"),
        ("twice as long", "4000 for 4 years"),
        ("half the time please", "4000 for 1 year"),
        ("3 times the amount", "12000.00 for 2 years"),
        ("What if I only put in half of that, 2000?", "2000 for 2 years"),
        ("twice that, I mean 8000 reais", "8000 for 2 years"),
        ("twice that, so 4 years", "4000 for 4 years"),
    ],
)
def test_a_correction_is_of_the_figure_spoken_of(text: str, calculated: str) -> None:
    assert figures(MADE, text) == calculated
    assert wish(MADE, text).carried


@pytest.mark.parametrize(
    ("said", "calculated"),
    [
        (["I want to invest 4000", "3", "years"], "4000 for 3 years"),
        (["4000 for 180 days", "make it 200", "days"], "4000 for 200 days"),
        (["4000 for 180 days", "make it 200", "reais"], "200 for 180 days"),
        ([MADE, "half of that", "the amount"], "2000.00 for 2 years"),
        ([MADE, "double that", "the period please"], "4000 for 4 years"),
        (["1 real for 2 weeks"], "1 for 14 days"),
        ([MADE, "36 months", "24 would be better"], "4000 for 2 years"),
    ],
)
def test_what_was_asked_about_can_be_answered_in_a_word(said: list[str], calculated: str) -> None:
    assert figures(*said) == calculated


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ([MADE, "-500 for 2 years"], "I can simulate amounts from 0.01"),
        ([MADE, "0 reais for a year"], "I can simulate amounts from 0.01"),
        ([MADE, "minus 20 reais for 3 months"], "I can simulate amounts from 0.01"),
        ([MADE, "1000 for 80 years"], "I can simulate periods from one day"),
        ([MADE, "1000 for 5 to 10 years"], "I do not understand “5” and “10” here. Which period do you mean?"),
        ([MADE, "the same for 5-10 years"], "I do not understand “5-10” here."),
        ([MADE, "1000 or 2000 for 3 years"], "I do not understand “1000” and “2000” here. Which amount do you mean?"),
        ([MADE, "0 for a year"], "I can simulate amounts from 0.01"),
        (["I want to invest 4000", "5 years or 6 years"], "I do not understand"),
        (["4000 for 2 years", "I want to invest 500", "ten"], "Is that 10 days, months or years?"),
        ([MADE, "half of that"], "Is that of the amount, or of the period?"),
        ([MADE, "I want to invest 9000"], "For how long"),
        ([MADE, "I would like to invest for 7 years"], "How much"),
        ([MADE, "can I put 1000 in until Christmas?"], "I do not understand “until christmas” here. Which period"),
        ([MADE, "make it a few years"], "I do not understand “a few years” here."),
        ([MADE, "make it 3", "half of that"], "Is that of the amount, or of the period?"),
        (["4000 for 180 days", "make it 200"], "Do you mean 200 reais, or 200 days?"),
        (["I want to invest 4000", "3"], "Is that 3 days, months or years?"),
        ([MADE, "ten years is too long, make it 3"], "How much"),
        ([MADE, "@Ben I would put 500 there for 3 years", "-1 for a year"], "I can simulate amounts from 0.01"),
    ],
)
def test_what_cannot_be_or_is_not_clear_is_asked_about_and_never_replaced(said: list[str], asks: str) -> None:
    assert asks in figures(*said)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1000 at 6 % for 3 years", "I leave out “6 %”. We calculate with the rates of today."),
        ("simulate 2000 for 18 months with 8.5% interest", "I leave out “8.5%”. We calculate with the rates of today."),
        ("2000 for 18 months", ""),
    ],
)
def test_a_rate_that_is_not_calculated_with_is_told(text: str, told: str) -> None:
    assert wish(MADE, text).spell_left_out() == told
    assert wish(text).spell_left_out() == told


@pytest.mark.parametrize(
    ("text", "products"),
    [
        ("what about bonds only?", ("bonds",)),
        ("how about just the certificates", ("cd",)),
        ("and what about savings alone?", ("savings",)),
    ],
)
def test_a_product_alone_can_be_asked_for_afterwards(text: str, products: tuple[str, ...]) -> None:
    assert wish(MADE, text).products == products
    assert figures(MADE, text) == MADE


@pytest.mark.parametrize("text", ["what about bonds?", "are only bonds taxed?", "what is a treasury bond?"])
def test_a_question_on_a_product_changes_nothing_of_the_wish(text: str) -> None:
    assert wish(MADE, text).products == ("savings", "cd", "bonds")


@pytest.mark.parametrize(
    ("text", "products"),
    [
        ("1000 in treasury for a year", ("bonds",)),
        ("compare savings with bonds for 10k over 4 years", ("savings", "bonds")),
        ("compare savings with the others for 10k over 4 years", ("savings", "cd", "bonds")),
        ("1000 for 3 years in CDs", ("cd",)),
        ("simulate 1000 for 3 years, only CDs and bonds", ("cd", "bonds")),
        ("1000 at 6% for 3 years", ("savings", "cd", "bonds")),
        ("simulate 1000 for 3 years", ("savings", "cd", "bonds")),
    ],
)
@pytest.mark.parametrize("before", ["", "4000 in savings for 3 months"])
def test_only_the_products_that_are_named_are_compared(before: str, text: str, products: tuple[str, ...]) -> None:
    assert wish(before, text).products == products


AMOUNTS = {"700": 700, "R$ 700": 700, "700,00 reais": 700, "1.300,00 reais": 1300, "1,300": 1300, "2.5k": 2500}
BAD_AMOUNTS = ("-700", "700 or 900", "0 reais", "between 500 and 900")
PERIODS = {
    "90 days": "90 days",
    "6 weeks": "42 days",
    "18 months": "18 months",
    "5 years": "5 years",
    "a year": "1 year",
}
BAD_PERIODS = ("5 to 10 years", "5-10 years", "200 years", "0 days", "2 or 3 months")
LEFTOVERS = ("", " at 7%", " please", " for my 2 kids", " until 2041", ", I am 35", " and 44/7", " with 300 a month")
FORMS = (
    "{a} for {p}{x}", "I want to invest {a} for {p}{x}", "for {p} I have {a}{x}", "what would {a} become after {p}{x}",
    "{p} and {a}{x}", "simulate {a}{x}", "I want to invest {a}{x}", "I would like to invest for {p}{x}",
    "run a simulation for {p}{x}", "I have {a}{x}",
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([*AMOUNTS, *BAD_AMOUNTS]),
    st.sampled_from([*PERIODS, *BAD_PERIODS]),
    st.sampled_from(LEFTOVERS),
    st.sampled_from(FORMS),
    st.sampled_from([(), (MADE,), ("4000 for 2 years in savings", "hello"), ("I want to invest 4000",)]),
)
def test_nothing_is_calculated_with_a_figure_that_is_neither_in_the_message_nor_referred_to(
    amount: str, period: str, left: str, form: str, before: tuple[str, ...]
) -> None:
    """None of the forms refers back; the only figure of before that may be used is one whose question is open."""
    found = wish(*before, form.format(a=amount, p=period, x=left))
    if found.question or found == replace(wish(*before), done=True):
        return
    told_amount, told_period = "{a}" in form, "{p}" in form
    open_amount = before == ("I want to invest 4000",)
    assert told_amount or open_amount
    assert told_period
    assert found.figures["amount"] == Decimal(AMOUNTS.get(amount, -1) if told_amount else 4000)
    assert write(found.figures["period"]) == PERIODS.get(period)
    assert told_amount or "amount" in found.carried
