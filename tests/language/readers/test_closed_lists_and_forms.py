"""Closed lists, amounts, phones and parts of names: what was said decides, and what is unclear is not taken."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.values import Choice, Email, Money, PersonName, Phone, UnfitDeclaration, Unreadable
from catalog.wording.values import expected
from language.readers import Mention, find_mentions, read_answer
from language.readers.amounts import find_amounts
from language.readers.choices import find_nearest

TODAY = date(2024, 11, 6)

DETAIL = Choice.model_validate(
    {
        "options": {
            "car repair": ["fixing a car"],
            "car repair service": None,
            "graphic design": ["logo design"],
            "graphic design work": None,
            "cleaning service": ["cleaning"],
            "painting service": None,
            "security service": None,
            "photography service": None,
            "construction project": None,
            "it project": None,
            "yoga class": None,
            "marketing campaign": None,
            "marketing consultation": None,
        }
    }
)
TOPIC = Choice.model_validate(
    {
        "options": {
            "questions": ["a question"], "issue": ["a problem"], "tax": ["taxes"], "account": None, "password": None,
            "Accounting Software": None, "Payroll": ["wages"], "service_plan": ["my plan"], "purchase order": None,
            "purchase orders": None, "timesheets": None, "timesheets/payroll": None,
        },
        "vague": ["questions", "issue"],
    }
)  # fmt: skip
CHANNEL = Choice.model_validate(
    {"options": {"phone": ["ring", "phone call"], "chat": ["live chat"], "video": ["video call"]}}
)
DOLLARS = Money(currency="USD", any_currency=True)
DIGITS = Phone(region="US", digits=True)


def nearest(kind: Choice, text: str) -> list[object]:
    return [mention.readings[0] for mention in find_nearest(kind, text) if not mention.unsure]


@pytest.mark.parametrize(
    ("kind", "text", "item"),
    [
        (DETAIL, "invoice for car repair", "car repair"),
        (DETAIL, "invoice for a car repair service", "car repair service"),
        (DETAIL, "graphic design, $310", "graphic design"),
        (DETAIL, "wedding photography", "photography service"),
        (DETAIL, "I cleaned the office: cleaning", "cleaning service"),
        (DETAIL, "a logo design", "graphic design"),
        (DETAIL, "yoga clases", "yoga class"),
        (DETAIL, "the IT project", "it project"),
        (TOPIC, "how do purchase orders work", "purchase orders"),
        (TOPIC, "how does a purchase order work", "purchase order"),
        (TOPIC, "get timesheets into payroll", "timesheets/payroll"),
        (TOPIC, "I have questions about taxes", "tax"),
        (TOPIC, "I have questions", "questions"),
        (TOPIC, "there is an issue", "issue"),
        (TOPIC, "I lost my account password", "password"),
        (TOPIC, "our accounting software", "Accounting Software"),
        (TOPIC, "about my service plan", "service_plan"),
        (TOPIC, "payrol please", "Payroll"),
        (CHANNEL, "can somebody ring me", "phone"),
        (CHANNEL, "a video call with an expert", "video"),
        (CHANNEL, "not by phone, a chat please", "chat"),
    ],
)
def test_of_a_closed_list_the_literal_item_wins_and_else_the_one_that_fits(kind: Choice, text: str, item: str) -> None:
    assert nearest(kind, text) == [item]


HELP = Choice.model_validate(
    {
        "options": {
            "accounts payable": ["bills to pay", "what we owe suppliers", "paying bills"], "melio": None,
            "capital": ["own money in the business"], "depreciation": ["loses value"], "Fixed Assets": ["equipment"],
            "timesheets": ["clock in"], "payroll": ["pay my staff"], "inventory": ["stock"], "Tax Filing": None,
            "tax": ["taxes"], "Billing": ["charged twice"], "order": None, "password": None, "account": ["sign in"],
            "service_plan": ["my plan"],
        }
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("How do I pay bills through Melio?", "melio"),  # in its own words, before a paraphrase
        ("how do I pay the bills", "accounts payable"),
        ("paying bills with Melio", "melio"),  # an item's name, before other words for another
        ("how is the owner's capital entered", "capital"),
        ("the van lost its value", "depreciation"),  # in whatever inflection
        ("how do I pay our staff", "payroll"),  # articles and the like do not count
        ("to go over Tax Filing", "Tax Filing"),  # what is longer
        ("I see an order, but I call about my password", "password"),  # what is introduced as the topic
        ("the tax on my order: it concerns billing", "Billing"),
        ("depreciation of equipment", "depreciation"),  # the head of a phrase
        ("the password to my account", "password"),
        ("my account password", "password"),
        ("an order and a password", None),
        ("about an order and a password", None),
        ("I am stuck, where do I click next", None),  # neither "stock" nor "clock in"
        ("it was taxed. Filing it is next", "tax"),  # nothing is said across a stop
        ("I can't sign in", "account"),  # a want, and no refusal
        ("about the plan", "service_plan"),
        ("help me plan my week", None),  # "my plan" is a noun
        ("the tax or an order", None),
    ],
)
def test_of_several_items_the_one_that_is_said_most_plainly_wins(text: str, item: str | None) -> None:
    assert nearest(HELP, text) == ([item] if item else [])


def test_a_word_that_is_known_is_no_slip_of_the_pen() -> None:
    assert nearest(DETAIL, "printing service") == ["painting service"]
    assert find_nearest(DETAIL, "printing service", {"printing"}.__contains__) == ()


@pytest.mark.row("P9")
@pytest.mark.row("P15")
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (DETAIL, "a service"), (DETAIL, "some work"), (DETAIL, "the project"), (DETAIL, "marketing"),
        (DETAIL, "fix the kitchen sink"), (DETAIL, "yoga class and car repair"), (DETAIL, "not for car repair"),
        (TOPIC, "an agent please"), (TOPIC, "customer service"), (TOPIC, "technical support from an expert"),
        (CHANNEL, "I want to speak to someone"), (CHANNEL, "let me talk to a person"), (CHANNEL, "connect me"),
        (CHANNEL, "discuss it with me"), (CHANNEL, "what is that?"), (CHANNEL, ""),
    ],
)  # fmt: skip
def test_words_that_fit_no_item_or_two_alike_give_none(kind: Choice, text: str) -> None:
    assert nearest(kind, text) == []


def test_vague_options_are_options() -> None:
    with pytest.raises(ValueError, match="is no option") as caught:
        Choice.model_validate({"options": ["a"], "vague": ["b"]})
    assert isinstance(caught.value.errors()[0]["ctx"]["error"], UnfitDeclaration)  # type: ignore[attr-defined]


@given(st.text())
def test_whatever_is_found_in_any_text_is_found_at_its_place(text: str) -> None:
    found: list[Mention] = [
        *find_nearest(DETAIL, text),
        *find_nearest(TOPIC, text),
        *find_mentions(DIGITS, text, TODAY),
    ]
    for mention in found:
        assert text[mention.start : mention.end] == mention.text


@pytest.mark.parametrize(
    ("said", "amount"),
    [("$4,500", "4500.00"), ("3k", "3000.00"), ("twelve dollar", "12.00"), ("75 bucks", "75.00"), ("1.2k", "1200.00"),
     ("USD 40", "40.00"), ("£45.50", "45.50"), ("99 cents", "0.99"), ("ninety-nine cents", "0.99"), ("310$", "310.00"),
     ("nineteen dollars and ninety nine cents", "19.99"), ("12 dollars and 50 cents", "12.50"), ("99c", "0.99"),
     ("twelve dollars fifty", "12.50"), ("$12 and 5 cents", "12.05"), ("a forty-dollar charge", "40.00"),
     ("two hundred and fifty", "250.00"), ("one thousand, one hundred and fifty dollars", "1150.00"),
     ("1 thousand 2 hundred dollars", "1200.00"), ("4 hundred and 20 bucks", "420.00"), ("1.150,00 €", "1150.00"),
     ("two and a half thousand dollars", "2500.00"), ("1 or 1 dollars", "1.00")],
)  # fmt: skip
def test_an_amount_has_two_decimals_whatever_its_currency(said: str, amount: str) -> None:
    assert read_answer(DOLLARS, f"it was {said}", TODAY) == amount


@pytest.mark.parametrize("said", ["40 to 50 dollars", "between 40 and 50 dollars", "forty or fifty bucks", "not $40"])
def test_an_amount_that_is_left_open_is_not_taken(said: str) -> None:
    with pytest.raises(Unreadable, match=r"range|denied"):
        read_answer(DOLLARS, f"it was {said}", TODAY)


def test_of_very_many_numbers_the_first_hundred_are_looked_at() -> None:
    assert len(find_amounts("1 " * 500_000)) == len(find_amounts("five, " * 50_000)) == 100


def test_without_any_currency_another_one_is_refused() -> None:
    with pytest.raises(Unreadable, match="other currency"):
        read_answer(Money(currency="USD"), "£45.50", TODAY)


@pytest.mark.parametrize(
    ("said", "digits"),
    [("555-201-3344", "5552013344"), ("(555) 014-7788", "5550147788"), ("+1 555 870 4410", "15558704410"),
     ("555.201.3344", "5552013344"), ("5552013344", "5552013344"), ("20 7946 0958", "2079460958"),
     ("555 – 201 – 3344", "5552013344"), ("[555] 201-3344", "5552013344"), ("555-201-3344 ext. 12", "5552013344"),
     ("phone #5552013344", "5552013344"), ("5552013344 (on 3/5/2024)", "5552013344")],
)  # fmt: skip
def test_a_phone_number_can_be_kept_as_its_digits(said: str, digits: str) -> None:
    assert read_answer(DIGITS, f"it is {said} now", TODAY) == digits
    assert read_answer(DIGITS, DIGITS.show(digits), TODAY) == digits


@pytest.mark.parametrize(
    "said",
    ["2024-01-15", "10/02/2023", "10/02/2023 - 12/31/2023", "2022-2023", "$1,250,000.00", "1234567.89", "12 34",
     "12/01/2023 - 12/31/2023", "2023 2024 2025", "order number 5552013344", "zip 94107-1234"],
)  # fmt: skip
def test_dates_amounts_and_other_numbers_are_no_phone_numbers(said: str) -> None:
    assert find_mentions(DIGITS, said, TODAY) == ()
    with pytest.raises(Unreadable):
        read_answer(DIGITS, said, TODAY)


@pytest.mark.parametrize(
    ("said", "address"),
    [("mail me at Ann.Example@Example.ORG.", "Ann.Example@Example.ORG"),
     ("email=ann@example.org—thanks", "ann@example.org"),
     ("(ann_b+c@sub.example.co.uk)", "ann_b+c@sub.example.co.uk"), ("ann@example.org's", "ann@example.org")],
)  # fmt: skip
def test_an_address_can_be_kept_as_it_is_written(said: str, address: str) -> None:
    assert read_answer(Email(as_written=True), said, TODAY) == address
    assert read_answer(Email(), said, TODAY) == address.replace("Example.ORG", "example.org")


@pytest.mark.parametrize(("part", "example"), [("full", "Ann Example"), ("given", "Ann"), ("family", "Example")])
def test_a_part_of_a_name_says_which_it_is(part: str, example: str) -> None:
    kind = PersonName.model_validate({"kind": "person_name", "part": part})
    assert expected(kind).endswith(example)
    assert read_answer(kind, "Jean-Luc", TODAY) == "Jean-Luc"
