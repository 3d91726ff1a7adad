"""Values that are told beside something else: while another fact is asked for, before another request, or cold."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.values import Period
from language.interpretation import Context, Interpretation, Pending
from language.readers import find_mentions
from tests.language.shared import reader_of

TODAY = date(2026, 11, 25)
UNDERSTANDER = reader_of("banking")
BOOKS = reader_of("accounting")


def understood(text: str, *goals: str, asked: str = "") -> Interpretation:
    pending = Pending(kind="fact", subject=asked) if asked else None
    return UNDERSTANDER.understand(text, Context(today=TODAY, pending=pending, goals=goals))


def told(meaning: Interpretation) -> dict[str, JsonValue]:
    return {value.fact: value.value for value in meaning.values}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I was born on 14 March 1986", {"date_of_birth": "1986-03-14"}),
        ("I earn $64,000 a year", {"income": "64000.00"}),
        ("well, I make about 64k", {"income": "64000.00"}),
        ("I pay $900 a month in rent", {"housing_cost": "900.00"}),
        ("I have been there for 15 years, no, 24", {"years_employed": 24.0}),
        ("I have $50,000 saved", {"deposit": "50000.00"}),
    ],
)
def test_what_an_example_of_a_fact_says_tells_it_and_begins_nothing(text: str, values: dict[str, JsonValue]) -> None:
    meaning = understood(text)
    assert told(meaning) == values
    assert not meaning.goals


@pytest.mark.parametrize(
    ("text", "asked", "values"),
    [
        ("the house costs $370,000", "loan_amount", {"property_value": "370000.00"}),
        ("I pay $950 a month in rent", "email", {"housing_cost": "950.00"}),
        ("my e-mail is ann@example.org and I earn 64k", "email", {"email": "ann@example.org", "income": "64000.00"}),
        ("I can pay on December 8", "employer", {"payment_date": "2026-12-08"}),
        ("I have been there for 15 years", "employer", {"years_employed": 15.0}),
    ],
)
def test_a_fact_is_told_while_another_is_asked_for(text: str, asked: str, values: dict[str, JsonValue]) -> None:
    assert told(understood(text, "loan", asked=asked)) == values


@pytest.mark.parametrize("text", ["List my transactions", "what's my credit score", "Show me my transactions"])
def test_a_request_in_the_words_of_an_example_is_no_employer(text: str) -> None:
    meaning = understood(text, "loan", asked="employer")
    assert meaning.goals
    assert not meaning.values


@pytest.mark.parametrize("text", ["we sell flowers", "I moved here last year", "my employer? I'm on my own"])
def test_a_sentence_does_not_name_an_employer(text: str) -> None:
    assert not told(understood(text, "loan", asked="employer"))


def test_a_question_that_is_said_again_is_answered_by_what_follows() -> None:
    assert told(understood("my employer? Harbour Works", "loan", asked="employer")) == {"employer": "Harbour Works"}


@pytest.mark.parametrize("asked", ["account_number", "new_address"])
@pytest.mark.parametrize("said", ["{}", "actually it's {}", "no, {}", "change it to {}", "sorry, make that {}"])
@pytest.mark.parametrize("place", ["14 Elm Grove", "7 Birch Close, Truro"])
def test_an_address_is_known_by_its_form(asked: str, said: str, place: str) -> None:
    assert told(understood(said.format(place), "change_address", asked=asked)) == {"new_address": place}


@pytest.mark.parametrize("said", ["I am moving to {}", "we have moved to {}", "I'm about to move to {}"])
def test_what_leads_to_the_address_that_is_asked_for_asks_for_nothing(said: str) -> None:
    meaning = understood(said.format("9 Oak Lane, Bath"), "change_address", asked="new_address")
    assert told(meaning) == {"new_address": "9 Oak Lane, Bath"}
    assert not meaning.goals


def test_what_is_asked_after_an_address_is_heard_too() -> None:
    text = "7 Birch Close, Truro, and by the way what's my credit score"
    meaning = understood(text, "change_address", asked="account_number")
    assert told(meaning) == {"new_address": "7 Birch Close, Truro"}
    assert [goal.goal for goal in meaning.goals] == ["credit_score"]


@pytest.mark.parametrize(
    ("text", "goal", "place"),
    [
        ("change my address to 4 Park Lane, Bath", "change_address", "4 Park Lane, Bath"),
        ("I want to move to 12 Elm Street, Bath and get a mortgage quote", "moving_house", "12 Elm Street, Bath"),
        ("I'd like to move to 12 Elm Street, Bath and need a mortgage", "moving_house", "12 Elm Street, Bath"),
        ("I have moved to 4 Park Lane, Bath", "change_address", "4 Park Lane, Bath"),
    ],
)
def test_an_address_does_not_hide_what_is_asked_for(text: str, goal: str, place: str) -> None:
    meaning = understood(text)
    assert [one.goal for one in meaning.goals] == [goal]
    assert told(meaning) == {"new_address": place}


@pytest.mark.parametrize("joined", [" but first ", ", but before that, ", ". Beforehand, ", ", but first of all "])
@pytest.mark.parametrize(
    ("later", "earlier", "goals"),
    [
        ("I'd like a loan", "change my address to 14 Elm Grove, Bath", ["change_address", "loan"]),
        ("get me a mortgage quote", "show me my transactions", ["transactions", "mortgage"]),
        ("I want a credit card", "check my credit score", ["credit_score", "card"]),
    ],
)
def test_what_is_to_come_first_comes_first(joined: str, later: str, earlier: str, goals: list[str]) -> None:
    meaning = understood(f"{later}{joined}{earlier}")
    assert [goal.goal for goal in meaning.goals] == goals
    assert not any(goal.unheeded for goal in meaning.goals)


@pytest.mark.parametrize("said", ["a loan of €5000", "I need a loan of 5000 euros for a car", "lend me £5,000"])
def test_an_amount_in_another_currency_is_spoken_of(said: str) -> None:
    meaning = understood(said)
    assert [goal.goal for goal in meaning.goals] == ["loan"]
    assert "loan_amount" not in told(meaning)
    assert "another currency" in (meaning.unclear or "")
    assert not any(goal.unheeded for goal in meaning.goals)


@pytest.mark.parametrize("place", ["bungalow", "townhouse", "maisonette", "condo"])
def test_the_price_of_what_a_mortgage_is_for_is_taken(place: str) -> None:
    assert told(understood(f"I want a mortgage quote for a $380,000 {place}")) == {"property_value": "380000.00"}


@pytest.mark.parametrize("said", ["actually make it {}", "hmm, make it {}", "no wait, {}"])
@pytest.mark.parametrize("value", ["Monday", "2023", "12 May"])
def test_a_value_that_is_put_right_begins_nothing(said: str, value: str) -> None:
    accounting = reader_of("accounting")
    text = said.format(value)
    offered = Pending(kind="choice", subject="goal", options=("invoice_sales_report", "profit_loss_report"))
    for pending in (None, offered):
        meaning = accounting.understand(text, Context(today=TODAY, pending=pending))
        assert not meaning.goals


@pytest.mark.parametrize(
    ("text", "asked", "goal", "values"),
    [
        ("six, no wait, seven years", "years_employed", "loan", {"years_employed": 7.0}),
        (
            "5 Quarry Lane, Dover. Oh and how good is my credit?",
            "new_address",
            "change_address",
            {"new_address": "5 Quarry Lane, Dover"},
        ),
        (
            "HB-220011 and the new place is 5 Quarry Lane, Dover",
            "account_number",
            "change_address",
            {"account_number": "HB-220011", "new_address": "5 Quarry Lane, Dover"},
        ),
        (
            "show me where my money goes, HB-330022, as bars",
            "",
            "",
            {"account_number": "HB-330022", "plot_type": "bar chart"},
        ),
        ("moving to 88 Harbor Road, Salem next month", "", "", {"new_address": "88 Harbor Road, Salem"}),
    ],
)
def test_values_in_the_words_of_people(text: str, asked: str, goal: str, values: dict[str, JsonValue]) -> None:
    meaning = understood(text, *([goal] if goal else []), asked=asked)
    assert told(meaning) == values


def test_what_is_to_come_first_may_be_named_by_a_noun() -> None:
    meaning = understood("I'd like a card but before that a chart of my spending")
    assert [goal.goal for goal in meaning.goals] == ["spending", "card"]


@pytest.mark.parametrize("first", ["Monday", "Tuesday"])
@pytest.mark.parametrize("last", ["Thursday", "Friday"])
def test_a_range_of_weekdays_ends_behind_its_beginning(first: str, last: str) -> None:
    (mention,) = find_mentions(Period(), f"from {first} to {last}", TODAY)
    ends = [days for days in mention.readings if isinstance(days, dict)]
    assert ends
    assert all(str(days["start"]) < str(days["end"]) for days in ends)


@given(
    day=st.dates(date(2024, 1, 1), date(2026, 10, 1)),
    form=st.sampled_from(["{0:%B} {0.day}, {0.year}", "{0.day} {0:%B %Y}", "{0.day} {0:%b} {0.year}", "{0:%Y-%m-%d}"]),
    begins=st.sampled_from(
        ["from {} on", "from {} onwards", "from {} onward", "{} onwards", "starting {} and onwards"]
    ),
    asked=st.sampled_from(["charge_amount", "start_date"]),
)
def test_the_beginning_of_a_time_is_no_day_of_something_else(day: date, form: str, begins: str, asked: str) -> None:
    goal = "charge_lookup" if asked == "charge_amount" else "expense_report"
    context = Context(today=TODAY + timedelta(1), pending=Pending(kind="fact", subject=asked), goals=(goal,))
    meaning = BOOKS.understand(begins.format(form.format(day)), context)
    assert told(meaning) == ({"start_date": day.isoformat()} if asked == "start_date" else {})
    assert not any(value.fact == "charge_date" for goal in meaning.goals for value in goal.values)
