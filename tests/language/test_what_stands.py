"""Where something that is said ends, and what of it was taken back: nothing crosses, and nothing is lost."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.load import load, loads
from language.interpretation import APPEALS, Context, DialogueAct, Interpretation, Pending, Understander
from language.understanding import DEFAULT, UNDERSTANDERS

TODAY = date(2025, 12, 1)

KENNEL = """
version: 1
name: kennel
facts:
  pet_name: {label: pet's name, value: person_name, ask: What is the pet called?}
  pet_age: {label: age, value: {kind: number}, ask: How old is the pet?, examples: [it is 5 years old]}
  pet_weight: {label: weight, value: {kind: number}, ask: How heavy is the pet?, examples: [it weighs 12 kg]}
  stay: {label: nights, value: {kind: number, integer: true, minimum: 1}, ask: How many nights?}
  home: {label: home address, value: address, ask: Where do you live?}
  owner: {label: owner, value: person_name, ask: What is your name?}
  mail: {label: e-mail address, value: email, ask: What is your e-mail address?}
  breed: {label: breed, value: {kind: choice, options: {poodle: [], terrier: [], beagle: []}}, ask: Which breed?}
  term: {label: term in months, value: {kind: number, integer: true}, ask: For how many months?}
  shop: {label: vet, value: text, ask: Which vet do you go to?}
  cover: {label: cover, fillable: false}
  place: {label: place, fillable: false}
  course: {label: course, fillable: false}
skills:
  insurer:
    endpoint: python:catalog.demos.none:a
    modes: {m: {inputs: [pet_age, pet_weight, breed, shop, home, mail], outcomes: {made: {facts: [cover]}}}}
  boarding:
    endpoint: python:catalog.demos.none:b
    modes: {m: {inputs: [pet_name, stay, owner], outcomes: {made: {facts: [place]}}}}
  school:
    endpoint: python:catalog.demos.none:c
    modes: {m: {inputs: [term, mail], outcomes: {made: {facts: [course]}}}}
goals:
  insure:
    label: pet insurance
    facts: [cover]
    examples: [insurance for my dog please, I want to insure my pet, insure my dog, pet insurance, an insurance]
  board:
    label: a place in the kennel
    facts: [place]
    examples: [board my dog, I need a place in the kennel, a kennel place for my pet, look after my dog, a kennel place]
  train:
    label: a training course
    facts: [course]
    examples: [train my dog, a training course for my puppy, sign us up for obedience school, a training course]
"""


@pytest.fixture(scope="module")
def bank() -> Understander:
    return UNDERSTANDERS[DEFAULT](load("banking").catalog)


@pytest.fixture(scope="module")
def kennel() -> Understander:
    return UNDERSTANDERS[DEFAULT](loads(KENNEL).catalog)


@pytest.fixture(scope="module")
def books() -> Understander:
    return UNDERSTANDERS[DEFAULT](load("accounting").catalog)


def hear(who: Understander, text: str, asked: str | None = None, *goals: str) -> Interpretation:
    pending = Pending(kind="fact", subject=asked) if asked else None
    return who.understand(text, Context(today=TODAY, pending=pending, goals=goals))


def values(meaning: Interpretation) -> dict[str, JsonValue]:
    """Return all values of an interpretation; each stands in the text where it says."""
    return {value.fact: value.value for value in (*meaning.values, *(v for goal in meaning.goals for v in goal.values))}


def goals(meaning: Interpretation) -> set[str]:
    return {goal.goal for goal in meaning.goals}


# -- taken back --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "loan 5000, no make that 6000",
        "I need a loan of $5,000, sorry, $6,000",
        "a loan of 5000, I mean 6000",
        "loan 5000 or rather 6000",
        "I want to borrow $5,000 - no, wait, $6,000",
        "a loan of 5,000. Sorry, 6,000.",
        "I'd like a loan of 5000 for a car, actually 6000 for a car",
        "loan of 7000, no 5000, no make it 6000",
    ],
)
def test_what_is_corrected_in_the_same_breath_counts_as_corrected(bank: Understander, text: str) -> None:
    meaning = hear(bank, text)
    assert goals(meaning) == {"loan"}
    assert values(meaning)["loan_amount"] == "6000.00"
    (said,) = [value for value in meaning.values if value.fact == "loan_amount"]
    assert text[said.span.start : said.span.end] == said.span.text
    assert "6" in said.span.text


EDITS = st.sampled_from(
    [
        ", no, ",
        ", sorry, ",
        ", I mean ",
        " or rather ",
        ", no make that ",
        ", wait, ",
        " - actually ",
        ". Oops, ",
        ", no wait, ",
    ]
)
PAIRS: dict[str, tuple[str, list[tuple[str, JsonValue]]]] = {
    "mail": (
        "my e-mail address is {}",
        [("ann@example.org", "ann@example.org"), ("anna.bell@example.com", "anna.bell@example.com")],
    ),
    "breed": ("insure my dog, the breed is {}", [("poodle", "poodle"), ("terrier", "terrier"), ("beagle", "beagle")]),
    "stay": ("board my dog, the nights are {}", [("3", 3), ("12", 12), ("7", 7)]),
    "pet_weight": ("insure my dog, the weight is {}", [("12 kg", 12), ("22 kg", 22), ("9 kg", 9)]),
    "home": (
        "my home address is {}",
        [("4 Park Lane, Bath", "4 Park Lane, Bath"), ("12 Mill Road, Bath", "12 Mill Road, Bath")],
    ),
}


@given(st.data())
def test_whatever_is_repaired_the_repair_is_what_is_taken(kennel: Understander, data: st.DataObject) -> None:
    fact = data.draw(st.sampled_from(sorted(PAIRS)))
    frame, said = PAIRS[fact]
    first, second = data.draw(st.permutations(said).map(lambda drawn: drawn[:2]))
    text = frame.format(first[0] + data.draw(EDITS) + second[0])
    meaning = hear(kennel, text)
    assert values(meaning).get(fact) == second[1], text
    for value in meaning.values:
        assert text[value.span.start : value.span.end] == value.span.text


@pytest.mark.parametrize(
    "text",
    [
        "a card, not a loan",
        "no loan, just a card",
        "not a loan, a card",
        "I don't want a loan but a card",
        "I don't want a loan, I want a card",
        "a card instead of a loan",
        "I'd like a card rather than a loan",
        "I want a loan, sorry, a card",
        "a loan - no, a card please",
    ],
)
def test_what_is_negated_or_taken_back_is_not_started(bank: Understander, text: str) -> None:
    assert goals(hear(bank, text)) == {"card"}


def test_who_wants_no_loan_but_a_card_drops_the_loan(bank: Understander) -> None:
    meaning = hear(bank, "no loan, just a card", "email", "loan")
    assert goals(meaning) == {"card"}
    assert [act.goals for act in meaning.acts] == [("loan",)]


THINGS = {"insure": "an insurance", "board": "a kennel place", "train": "a training course"}
CONTRASTS = st.sampled_from(
    ["{yes}, not {no}", "not {no}, {yes}", "I want {yes}, not {no}", "{yes} instead of {no}",
     "I don't want {no}, I want {yes}",
     "I want {no}, sorry, {yes}", "I'd like {no} - no, {yes} please", "{yes} rather than {no}"]
)  # fmt: skip


@given(st.permutations(sorted(THINGS)), CONTRASTS)
def test_of_two_goals_the_one_that_is_wanted_is_started(kennel: Understander, drawn: list[str], frame: str) -> None:
    yes, no, *_ = drawn
    text = frame.format(yes=THINGS[yes], no=THINGS[no])
    assert goals(hear(kennel, text)) == {yes}, text


@pytest.mark.parametrize(
    ("text", "started"),
    [
        ("I want a loan. Sorry, can you show me my spending?", {"loan", "spending"}),
        ("I want a loan, and a card too", {"loan", "card"}),
        ("a loan of no more than 5000", {"loan"}),
    ],
)
def test_politeness_takes_nothing_back(bank: Understander, text: str, started: set[str]) -> None:
    assert goals(hear(bank, text)) == started


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("P&L from March 2024 to May 2024, sorry, June 2024", ("2024-03-01", "2024-06-30")),
        ("P&L for 2023, not 2022", ("2023-01-01", "2023-12-31")),
        ("P&L for 2022, I mean 2023", ("2023-01-01", "2023-12-31")),
    ],
)
def test_a_period_is_repaired_like_anything_else(books: Understander, text: str, days: tuple[str, str]) -> None:
    said = values(hear(books, text))
    assert (said["start_date"], said["end_date"]) == days


# -- where it ends -----------------------------------------------------------------------------------------------------

PLACES = ["4 Park Lane, Bath", "12 Mill Road, Springfield, IL 62704", "7 March Street, York"]
NOT_OF_IT = [
    " and give me a mortgage quote",
    " last week",
    " and moving in in March",
    ", since 2019",
    " and my husband is Tom",
    ", and I want a card",
    " and a credit card please",
    " on 3 May 2024",
    ", for 4 years",
    " but my mother lives in Leeds",
]


@pytest.mark.parametrize("rest", NOT_OF_IT)
@pytest.mark.parametrize("place", PLACES)
def test_an_address_reaches_into_nothing_else(bank: Understander, place: str, rest: str) -> None:
    assert values(hear(bank, f"change my address to {place}{rest}")).get("new_address") == place
    assert values(hear(bank, f"{place}{rest}", "address", "loan")).get("address") == place


@pytest.mark.parametrize(
    "rest", [", 4 years", " since 2019", ", and I want a card", " for 18 months", " and my wife works at Shell"]
)
@pytest.mark.parametrize("employer", ["Harbor Works", "Miller and Sons", "Bank of Bath"])
def test_an_employer_reaches_into_nothing_else(bank: Understander, employer: str, rest: str) -> None:
    assert values(hear(bank, f"my employer is {employer}{rest}")).get("employer") == employer
    assert values(hear(bank, f"{employer}{rest}", "employer", "loan")).get("employer") == employer


@pytest.mark.parametrize("rest", [" and my husband Tom Bell", ", last week", " and I want a card", " and her son"])
def test_a_name_reaches_into_nobody_else(bank: Understander, rest: str) -> None:
    assert values(hear(bank, f"Ann Bell{rest}", "name", "loan")).get("name") == "Ann Bell"


# -- units -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "years"),
    [("18 months", 1.5), ("3 months", 0.25), ("4", 4), ("2 years and 6 months", 2.5), ("a year and a half", 1.5)],
)
def test_a_number_is_counted_in_its_unit(bank: Understander, said: str, years: float) -> None:
    assert values(hear(bank, said, "years_employed", "loan")) == {"years_employed": years}


def test_another_measure_is_no_answer(kennel: Understander, bank: Understander) -> None:
    for who, text, asked in (
        (kennel, "30 kg", "pet_age"),
        (kennel, "6 years", "pet_weight"),
        (bank, "5 km", "years_employed"),
    ):
        meaning = hear(who, text, asked, "insure")
        assert asked not in values(meaning)
        assert meaning.values or "does not say how many" in (meaning.unclear or "")


def test_what_makes_no_whole_number_is_asked_about(kennel: Understander) -> None:
    assert values(hear(kennel, "2 years", "term", "train")) == {"term": 24}
    meaning = hear(kennel, "10 days", "term", "train")
    assert not meaning.values
    assert meaning.unclear


@pytest.mark.parametrize(
    "text",
    [
        "insurance please, my dog is 6 years old and weighs 22 kg",
        "insure my dog, 22 kg, 6 years",
        "pet insurance for a dog that is 72 months old and 22,000 g",
    ],
)
def test_measures_go_to_what_is_measured_in_them(kennel: Understander, text: str) -> None:
    said = values(hear(kennel, text))
    assert (said.get("pet_age"), said.get("pet_weight")) == (6, 22)


# -- no answers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "I don't have a job",
        "unemployed",
        "I want to talk to a human",
        "nobody",
        "between jobs",
        "I'm jobless",
        "no one at all",
        "none at the moment",
        "get me a real person please",
        "let me get back to you",
        "whatever",
    ],
)
@pytest.mark.parametrize("asked", ["employer", "address", "name"])
def test_what_is_no_answer_is_no_value(bank: Understander, asked: str, text: str) -> None:
    meaning = hear(bank, text, asked, "loan")
    assert asked not in values(meaning)
    assert meaning.control or meaning.unclear or any(one.act in APPEALS for one in meaning.acts)


@pytest.mark.parametrize(
    "name",
    ["Shell", "the council", "Human Rights Watch", "None the Wiser Books", "Job Center Plus", "kfc", "my own bakery"],
)
def test_an_employer_of_any_name_is_an_answer(bank: Understander, name: str) -> None:
    assert values(hear(bank, name, "employer", "loan")).get("employer") == name


TRIP = """
version: 1
name: trip
facts:
  passport: {label: passport number, ask: What is your passport number?,
             value: {kind: pattern, regex: "[A-Z][0-9]{8}", example: C12345678}}
  city: {label: departure city, ask: From which city do you leave?, value: text}
  flight: {label: flight, fillable: false}
  standing: {label: status of an application, fillable: false}
  ended: {label: cancelled order, fillable: false}
skills:
  airline:
    endpoint: python:catalog.demos.none:a
    modes: {m: {inputs: [passport, city], outcomes: {booked: {facts: [flight]}}}}
  office:
    endpoint: python:catalog.demos.none:b
    modes: {m: {inputs: [passport], outcomes: {told: {facts: [standing]}}}}
  desk:
    endpoint: python:catalog.demos.none:c
    modes: {m: {inputs: [passport], outcomes: {done: {facts: [ended]}}}}
goals:
  fly: {label: a flight, facts: [flight], examples: [book a flight, I want to fly, get me a plane ticket]}
  ask_status:
    label: the status of an application
    facts: [standing]
    examples: [what is the status of my credit card application, how far is my application, has my card been approved]
  cancel:
    label: cancelling an order
    facts: [ended]
    examples: [cancel my order, "can you cancel that, please", please cancel it, I want to cancel what I ordered]
"""


@pytest.fixture(scope="module")
def trip() -> Understander:
    return UNDERSTANDERS[DEFAULT](loads(TRIP).catalog)


def test_a_code_is_no_city(trip: Understander) -> None:
    assert values(hear(trip, "C12345678", "city", "fly")) == {"passport": "C12345678"}
    assert values(hear(trip, "Berlin", "city", "fly")) == {"city": "Berlin"}


# -- a catalog's own goals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("I want to know the status of my credit card application", "ask_status"),
        ("what's the status of my credit card application?", "ask_status"),
        ("can you cancel that, please", "cancel"),
        ("please cancel it", "cancel"),
    ],
)
def test_a_goal_of_the_catalog_wins_over_a_control(trip: Understander, text: str, goal: str) -> None:
    meaning = hear(trip, text)
    assert (goals(meaning), meaning.control, meaning.question) == ({goal}, None, None)


def test_what_is_under_way_is_stopped_all_the_same(trip: Understander) -> None:
    meaning = trip.understand("please cancel it", Context(today=TODAY, goals=("fly",)))
    assert (goals(meaning), meaning.control) == (set(), DialogueAct.STOP)


# -- how it would be done ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "explain how you would produce a P&L for 2023 without doing it",
        "What would you do if I asked for a profit and loss report for 2023?",
        "what are the steps to get a P&L for 2023?",
        "tell me how you would draw up a profit and loss report for 2023",
        "a P&L for 2023, hypothetically",
        "get me a P&L for 2023, but don't do it yet",
    ],
)
def test_who_asks_how_it_would_be_done_is_told_with_what_was_said(books: Understander, text: str) -> None:
    meaning = hear(books, text)
    assert (goals(meaning), meaning.hypothetical) == ({"profit_loss_report"}, True)
    assert values(meaning)["start_date"] == "2023-01-01"


def test_values_of_the_conversation_are_told_with_the_way(bank: Understander) -> None:
    meaning = hear(bank, "how would you get me a loan of 5000?")
    assert meaning.hypothetical
    assert values(meaning) == {"loan_amount": "5000.00"}


# -- days and amounts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("the 28th", "2025-12-28"),
        ("on the 3rd please", "2025-12-03"),
        ("the 15th of next month", "2026-01-15"),
        ("end of the month", "2025-12-31"),
        ("the start of next month", "2026-01-01"),
        ("in a fortnight", "2025-12-15"),
        ("two weeks from Friday", "2025-12-19"),
        ("25/12", "2025-12-25"),
        ("Tuesday the 9th", "2025-12-09"),
    ],
)
def test_a_day_is_taken_as_people_say_it(bank: Understander, said: str, day: str) -> None:
    assert values(hear(bank, said, "payment_date", "arrange_payment")) == {"payment_date": day}


@pytest.mark.parametrize("said", ["14 mar 86", "14 March 86", "14 mar '86", "march 14 86"])
def test_a_year_of_two_digits_is_read_within_the_bounds(bank: Understander, said: str) -> None:
    assert values(hear(bank, said, "date_of_birth", "loan")) == {"date_of_birth": "1986-03-14"}


@pytest.mark.parametrize("text", ["laon of 12k", "a laon for 12k please", "I need a laon of $12,000"])
def test_an_amount_is_kept_beside_a_slip_of_the_pen(bank: Understander, text: str) -> None:
    assert values(hear(bank, text)) == {"loan_amount": "12000.00"}


# -- an objection ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("from March 2024 to May 2024", {"start_date": "2024-03-01", "end_date": "2024-05-31"}),
        ("I meant March 2024 to May 2024", {"start_date": "2024-03-01", "end_date": "2024-05-31"}),
        ("March - May 2024", {"start_date": "2024-03-01", "end_date": "2024-05-31"}),
        ("the start is March 1 2024", {"start_date": "2024-03-01"}),
        ("May 2024", {"end_date": "2024-05-31"}),
    ],
)
def test_who_is_asked_for_the_end_may_correct_both(books: Understander, text: str, days: dict[str, JsonValue]) -> None:
    assert values(hear(books, text, "end_date", "expense_report")) == days


@pytest.mark.parametrize("whose", ["his", "her", "their", "the", "the customer's"])
def test_what_is_asked_about_somebody_else_is_told_as_theirs(books: Understander, whose: str) -> None:
    meaning = hear(books, f"{whose} phone is (202) 555-0143", "customer_email", "update_customer")
    assert values(meaning).get("customer_phone") == "2025550143"
