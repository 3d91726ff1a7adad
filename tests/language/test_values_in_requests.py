"""Values in requests in people's own words, over catalogs that nothing here was written for."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.load import load, loads
from language.interpretation import Context, Interpretation, Pending, Understander
from language.understanding import DEFAULT, UNDERSTANDERS

TODAY = date(2025, 12, 1)  # a Monday
TRAVEL = """
version: 1
name: travel
facts:
  origin: {label: departure city, ask: Where do you leave from?, value: text, said: ["from {origin}"]}
  destination: {label: destination, ask: Where do you want to go?, value: text, said: ["to {destination}"]}
  flight_day: {label: day of the flight, ask: When do you want to fly?, value: {kind: date, looks: ahead}}
  passport:
    label: passport number
    ask: What is your passport number?
    value: {kind: pattern, regex: "[A-Z][0-9]{8}", example: C12345678}
  pickup: {label: pick-up place, ask: Where do you pick up the car?, value: text, said: ["at {pickup}"]}
  rental_days:
    label: rental days
    ask: For how many days?
    value: {kind: number, integer: true, minimum: 1}
    said: ["for {rental_days} days"]
  trip_name: {label: name of the trip, value: text, said: ["called {trip_name}", "titled '{trip_name}'"]}
  note: {label: note, value: text, said: ["saying '{note}'"]}
  stars: {label: stars, value: {kind: number, integer: true}, said: ["more than {stars} stars"]}
  since: {label: day since when, value: date, said: ["since {since}"]}
  host: {label: host, value: person_name, said: ["at {host}'s", "visit {host}"]}
  flight: {label: flight, fillable: false}
  car: {label: car, fillable: false}
  trip: {label: trip, fillable: false}
  hotels: {label: hotels, fillable: false}
  bookings: {label: bookings, fillable: false}
  visit: {label: visit, fillable: false}
skills:
  airline:
    endpoint: "python:x:a"
    modes: {m: {inputs: [origin, destination, flight_day, passport], outcomes: {ok: [flight]}}}
  rental: {endpoint: "python:x:b", modes: {m: {inputs: [pickup, rental_days], outcomes: {ok: [car]}}}}
  planner: {endpoint: "python:x:c", modes: {m: {inputs: [trip_name, note], outcomes: {ok: [trip]}}}}
  finder: {endpoint: "python:x:d", modes: {m: {inputs: [destination, stars], outcomes: {ok: [hotels]}}}}
  lister: {endpoint: "python:x:e", modes: {m: {inputs: [since], outcomes: {ok: [bookings]}}}}
  visitor: {endpoint: "python:x:f", modes: {m: {inputs: [host], outcomes: {ok: [visit]}}}}
goals:
  fly: {facts: [flight], examples: [book a flight, I want to fly, get me a plane ticket, fly somewhere]}
  rent: {facts: [car], examples: [rent a car, I need a rental car, hire a car]}
  plan: {facts: [trip], examples: [plan a trip, create a trip, make a new trip]}
  hotel: {facts: [hotels], examples: [find a hotel, look for hotels, show me hotels]}
  list_bookings: {facts: [bookings], examples: [show my bookings, list what I booked, my bookings]}
  visit: {facts: [visit], examples: [visit somebody, I want to visit a friend, plan a visit]}
"""
RAIL = """
version: 1
name: rail
facts:
  leave: {label: departure station, ask: From which station?, value: text}
  arrive: {label: arrival station, ask: To which station?, value: text}
  day: {label: travel day, ask: On which day?, value: {kind: date, looks: ahead}}
  ticket: {label: ticket, fillable: false}
skills:
  rail: {endpoint: "python:x:a", modes: {m: {inputs: [leave, arrive, day], outcomes: {ok: [ticket]}}}}
goals:
  ticket:
    label: a train ticket
    facts: [ticket]
    examples: [I need a train ticket, take the train from Bath to York, a ticket from Leeds to Derby on Friday]
"""


@cache
def understander(text: str) -> Understander:
    return UNDERSTANDERS[DEFAULT]((load(text) if text == "banking" else loads(text)).catalog)


def hear(catalog: str, text: str, asked: str | None = None, *goals: str) -> Interpretation:
    pending = Pending(kind="fact", subject=asked) if asked else None
    meaning = understander(catalog).understand(text, Context(today=TODAY, pending=pending, goals=goals))
    for value in meaning.values:
        assert text[value.span.start : value.span.end] == value.span.text
    return meaning


def values(meaning: Interpretation) -> dict[str, JsonValue]:
    return {value.fact: value.value for value in (*meaning.values, *(v for goal in meaning.goals for v in goal.values))}


@pytest.mark.parametrize(
    ("text", "goals", "told"),
    [
        (
            "fly to Paris from London tomorrow",
            ["fly"],
            {"origin": "London", "destination": "Paris", "flight_day": "2025-12-02"},
        ),
        (
            "get me a plane ticket to Oslo on 3 March from Rome",
            ["fly"],
            {"origin": "Rome", "destination": "Oslo", "flight_day": "2026-03-03"},
        ),
        ("tomorrow I want to fly to Lisbon", ["fly"], {"destination": "Lisbon", "flight_day": "2025-12-02"}),
        (
            "book a flight from San Jose to New York, please",
            ["fly"],
            {"origin": "San Jose", "destination": "New York"},
        ),
        ("fly from Berlin, no, Hamburg to Rome", ["fly"], {"origin": "Hamburg", "destination": "Rome"}),
        ("I want to fly to Vienna, not to Graz", ["fly"], {"destination": "Vienna"}),
        (
            "I want to fly to Rome and rent a car at the airport for 4 days",
            ["fly", "rent"],
            {"destination": "Rome", "pickup": "the airport", "rental_days": 4},
        ),
        ("rent a car for 3 days at Gare du Nord", ["rent"], {"pickup": "Gare du Nord", "rental_days": 3}),
        (
            "plan a trip called Summer in Provence saying 'bring the tent, and call Mum tomorrow'",
            ["plan"],
            {"trip_name": "Summer in Provence", "note": "bring the tent, and call Mum tomorrow"},
        ),
        (
            "create a trip titled 'From Kiel to Ulm' and find a hotel with more than 3 stars",
            ["plan", "hotel"],
            {"trip_name": "From Kiel to Ulm", "stars": 3},
        ),
        ("show my bookings since November 21", ["list_bookings"], {"since": "2025-11-21"}),
        ("list what I booked since last Monday, thanks", ["list_bookings"], {"since": "2025-11-24"}),
        ("show my bookings since May", ["list_bookings"], {"since": "2025-05-01"}),
        (
            "fly me from paris to berlin on the 9th and show my bookings since 3 May",
            ["fly", "list_bookings"],
            {"origin": "paris", "destination": "berlin", "flight_day": "2025-12-09", "since": "2025-05-03"},
        ),
        ("I want to visit my boss Kim", ["visit"], {"host": "Kim"}),
        ("I want to visit our old neighbour Ann Bell", ["visit"], {"host": "Ann Bell"}),
    ],
)
def test_what_stands_in_frames_is_taken_whole_and_asks_for_nothing(
    text: str, goals: list[str], told: dict[str, JsonValue]
) -> None:
    meaning = hear(TRAVEL, text)
    assert sorted(goal.goal for goal in meaning.goals) == sorted(goals)
    assert values(meaning) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a ticket from Exeter to Bristol tomorrow", {"leave": "Exeter", "arrive": "Bristol", "day": "2025-12-02"}),
        ("I need a train ticket to Hull from Crewe", {"leave": "Crewe", "arrive": "Hull"}),
        ("i need a train ticket from hull to crewe", {"leave": "hull", "arrive": "crewe"}),
        (
            "take the train from Newcastle upon Tyne to Kings Cross next Monday",
            {"leave": "Newcastle upon Tyne", "arrive": "Kings Cross", "day": "2025-12-08"},
        ),
        ("I want to go to Leeds by train on Sunday", {"arrive": "Leeds", "day": "2025-12-07"}),
        ("I need a train ticket to surprise my mother", {}),
        ("I need a train ticket, I turn 40 on December 2", {}),
    ],
)
def test_what_stands_before_names_in_examples_is_learned(text: str, told: dict[str, JsonValue]) -> None:
    assert values(hear(RAIL, text)) == told


@pytest.mark.parametrize("asked", ["origin", "destination"])
@pytest.mark.parametrize("text", ["C12345678", "it's X99887766"])
def test_a_code_fills_the_fact_that_has_its_form(asked: str, text: str) -> None:
    assert values(hear(TRAVEL, text, asked, "fly")).keys() == {"passport"}


# -- amounts -----------------------------------------------------------------------------------------------------------

HOUSE = """
version: 1
name: realty
facts:
  price:
    label: price of the home
    ask: What does it cost?
    value: money
    examples: ["it costs $300,000", "a house for $250,000"]
  savings: {label: savings, ask: How much have you saved?, value: money, examples: ["I have saved $20,000"]}
  limit: {label: spending limit, ask: What limit would you like?, value: money, examples: ["my limit is $500"]}
  occupation: {label: occupation, ask: What do you do for a living?, value: text, examples: [I am a teacher]}
  employer: {label: employer, ask: Who is your employer?, value: text, examples: [I work for Shell]}
  pet_age: {label: age of the pet, ask: How old is your pet?, value: number, examples: [it is 5 years old]}
  pet_weight: {label: weight of the pet, ask: How heavy is your pet?, value: number, examples: [it weighs 12 kg]}
  quote: {label: quote, fillable: false}
  capped: {label: card with a limit, fillable: false}
  profile: {label: profile, fillable: false}
  cover: {label: cover, fillable: false}
skills:
  lender: {endpoint: "python:x:a", modes: {m: {inputs: [price, savings], outcomes: {ok: [quote]}}}}
  capper: {endpoint: "python:x:b", modes: {m: {inputs: [limit], outcomes: {ok: [capped]}}}}
  profiler: {endpoint: "python:x:c", modes: {m: {inputs: [occupation, employer], outcomes: {ok: [profile]}}}}
  insurer: {endpoint: "python:x:d", modes: {m: {inputs: [pet_age, pet_weight], outcomes: {ok: [cover]}}}}
goals:
  finance:
    label: a home loan
    facts: [quote]
    examples: [I want to finance a house, a home loan please, quote me a mortgage]
  cap:
    label: a spending limit
    facts: [capped]
    examples: [set a spending limit, limit my spending, I want a limit on my card]
  profile: {label: your profile, facts: [profile], examples: [fill in my profile, set up my profile, my profile please]}
  insure: {label: pet insurance, facts: [cover], examples: [insure my dog, pet insurance please, I want to insure my cat]}
"""  # noqa: E501
NUMBERS = st.one_of(
    st.integers(20, 900).map(lambda n: (f"{n * 100}", n * 100)),
    st.integers(20, 900).map(lambda n: (f"{n * 100:,}", n * 100)),
    st.integers(3, 90).map(lambda n: (f"{n}k", n * 1000)),
    st.integers(3, 90).map(lambda n: (f"{n}.5k", n * 1000 + 500)),
    st.integers(3, 90).map(lambda n: (f"{n} grand", n * 1000)),
    st.sampled_from([("five thousand", 5000), ("twelve grand", 12_000), ("seven hundred and fifty", 750)]),
)
MONEY = st.sampled_from(["{}", "${}", "{} dollars", "{} bucks", "USD {}", "{} USD", "about {}", "around ${}", "{}$"])
POSITIONS = {
    "loan": [
        "a loan of {}", "{} loan", "loan {}", "I need a loan of {}", "lend me {}", "could you lend me {} please",
        "{} for a loan please", "I'd like to borrow {}", "laon of {}", "i need to borow {}", "loan please, {}",
        "I want a loan for {}", "loan amount {}", "a {} loan", "give me a {} loan", "i need {} as a loan",
        "I want to take out a loan of {} to buy a car", "a personl loan of {}", "want to get a loan worth {}",
        "can I borrow {} from you", "loan: {}", "loan request for {}", "a loan, {}",
    ],
    "cap": [
        "set a spending limit of {}", "limit my spending to {}", "a {} spending limit", "spending limit: {}",
        "set my spendng limit to {}", "I want a limit of {} on my card", "I want a limit on my card, {}",
    ],
}  # fmt: skip


@given(NUMBERS, MONEY, st.sampled_from([(goal, frame) for goal in POSITIONS for frame in POSITIONS[goal]]))
def test_an_amount_is_kept_however_it_is_written_and_wherever_it_stands(
    number: tuple[str, int], money: str, place: tuple[str, str]
) -> None:
    (written, worth), (goal, frame) = number, place
    if "$" in money and not written[0].isdigit():
        money = "{} dollars"
    amount = money.format(written)
    text = frame.format(amount)
    meaning = hear("banking" if goal == "loan" else HOUSE, text)
    assert goal in [asked.goal for asked in meaning.goals], text
    assert values(meaning).get("loan_amount" if goal == "loan" else "limit") == f"{worth}.00", text


@pytest.mark.parametrize(
    ("catalog", "text", "told"),
    [
        (HOUSE, "quote me a mortgage for a $450k condo", {"price": "450000.00"}),
        (HOUSE, "finance a cottage worth $300,000 for me", {"price": "300000.00"}),
        ("banking", "mortgage quote for a $450k condo", {"property_value": "450000.00"}),
        ("banking", "a mortgage for a villa at $900k", {"property_value": "900000.00"}),
        ("banking", "I need a lone of $8,250 for a car", {"loan_amount": "8250.00", "loan_purpose": "a car"}),
    ],
)
def test_an_amount_is_that_of_what_it_stands_beside(catalog: str, text: str, told: dict[str, JsonValue]) -> None:
    assert values(hear(catalog, text)) == told


@pytest.mark.parametrize(
    ("text", "limit"), [("my limit is 1 dollar", "1.00"), ("make the limit USD 1,250.50", "1250.50")]
)
def test_an_amount_is_in_the_currency_of_the_examples(text: str, limit: str) -> None:
    meaning = understander(HOUSE).understand(text, Context(today=TODAY, goals=("cap",)))
    assert values(meaning) == {"limit": limit}


BILLS = """
version: 1
name: bills
facts:
  amount: {label: amount, ask: Over which amount?, value: money, examples: ["a bill over $450"]}
  sent: {label: bill, fillable: false}
skills:
  desk:
    endpoint: "python:x:a"
    effect: irreversible
    confirm: "Shall I write a bill over {amount}?"
    modes: {m: {inputs: [amount], outcomes: {ok: [sent]}}}
goals:
  bill: {label: a bill, facts: [sent], examples: [write a bill, a bill please]}
"""


@pytest.mark.parametrize("text", ["no, over $95", "over $95", "no, $95", "no, it's over 95 dollars", "$95 please"])
def test_a_value_in_the_words_of_an_example_corrects_what_is_to_be_done(text: str) -> None:
    context = Context(
        today=TODAY,
        pending=Pending(kind="confirm", subject="desk", facts=("amount",)),
        goals=("bill",),
        known=("amount",),
        given=("amount",),
    )
    assert values(understander(BILLS).understand(text, context)) == {"amount": "95.00"}


# -- what somebody is, and whom they work for --------------------------------------------------------------------------

STATUSES = ["I am a student", "student", "housewife", "self-employed", "I'm retired", "retired", "between jobs",
            "I got laid off in June", "stay at home dad", "i freelance", "I'm a plumber", "unemployed", "pensioner",
            "I don't have a job", "on maternity leave", "phd student", "I work for myself", "looking for work",
            "I run my own business", "I was made redundant", "not employed at present"]  # fmt: skip
EMPLOYERS = ["Student Loans Company", "the university", "Shell", "the council", "kfc", "NHS", "amazon", "a hospital",
             "the school down the road", "city of leeds", "Retired Greyhound Trust", "my dad's garage",
             "a law firm in York", "Freelancers Union", "the navy", "Nurse Agency Ltd", "Carpenter Brothers",
             "the dentist on Mill Road"]  # fmt: skip


@pytest.mark.parametrize("catalog", ["banking", HOUSE], ids=["bank", "house"])
@pytest.mark.parametrize("text", STATUSES)
def test_what_somebody_is_names_no_employer(catalog: str, text: str) -> None:
    meaning = hear(catalog, text, "employer", "loan" if catalog == "banking" else "profile")
    assert "employer" not in values(meaning)
    assert meaning.control or meaning.unclear


@pytest.mark.parametrize("catalog", ["banking", HOUSE], ids=["bank", "house"])
@pytest.mark.parametrize("text", EMPLOYERS)
def test_a_name_that_speaks_of_what_people_are_is_an_employer(catalog: str, text: str) -> None:
    meaning = hear(catalog, text, "employer", "loan" if catalog == "banking" else "profile")
    assert values(meaning) == {"employer": text}


@pytest.mark.parametrize("text", ["retired", "student", "self-employed", "a teacher", "housewife", "nurse"])
def test_what_somebody_does_may_be_what_they_are(text: str) -> None:
    assert values(hear(HOUSE, text, "occupation", "profile")) == {"occupation": text}
