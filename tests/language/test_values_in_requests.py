"""Values in requests in people's own words, over catalogs that nothing here was written for."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest
from pydantic import JsonValue

from catalog.load import loads
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
    return UNDERSTANDERS[DEFAULT](loads(text).catalog)


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
