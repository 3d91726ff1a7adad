"""Values in requests to a sports club: seats, lengths, days and messages, each for the request that it stands in."""

from __future__ import annotations

from datetime import date

import pytest
from pydantic import JsonValue

from catalog.load import loads
from language.interpretation import Context, Pending
from language.understanding import DEFAULT, UNDERSTANDERS

TODAY = date(2025, 12, 1)  # a Monday
CLUB = """
version: 1
name: club
facts:
  recipient: {label: recipient, value: person_name, said: ["to {recipient}", "tell {recipient}"]}
  message: {label: message, value: text, said: ["saying '{message}'", "that says '{message}'"]}
  event: {label: event, value: text, said: ["called {event}", "named {event}", "titled '{event}'"]}
  venue: {label: venue, value: text, said: ["at {venue}", "in {venue}"]}
  event_day: {label: day of the event, value: {kind: date, looks: ahead}}
  seats: {label: seats, value: {kind: number, integer: true, minimum: 1}, said: ["for {seats} people"]}
  minutes: {label: duration, value: {kind: number, unit: minutes}, said: ["{minutes}-minute", "for {minutes} minutes"]}
  fee: {label: fee, value: money, examples: ["the fee is $20", "a $20 fee"]}
  height: {label: height in cm, ask: How tall are you?, value: number, examples: ["I am 180 cm tall"]}
  weight: {label: weight in kg, ask: How much do you weigh?, value: number, examples: ["I weigh 80 kg"]}
  sent: {label: sent message, fillable: false}
  planned: {label: planned event, fillable: false}
  booked: {label: booked court, fillable: false}
  fitted: {label: fitted gear, fillable: false}
skills:
  post: {endpoint: "python:x:a", modes: {m: {inputs: [recipient, message], outcomes: {ok: [sent]}}}}
  planner:
    endpoint: "python:x:b"
    modes: {m: {inputs: [event, venue, event_day, seats, fee], outcomes: {ok: [planned]}}}
  court: {endpoint: "python:x:c", modes: {m: {inputs: [minutes, event_day], outcomes: {ok: [booked]}}}}
  gear: {endpoint: "python:x:d", modes: {m: {inputs: [height, weight], outcomes: {ok: [fitted]}}}}
goals:
  send: {label: a message, facts: [sent], examples: [send a message, write to somebody, drop a line]}
  plan_event: {label: a club event, facts: [planned], examples: [plan an event, organise a party, create an event]}
  court: {label: a court, facts: [booked], examples: [book a court, reserve a tennis court, I want to play tennis]}
  gear: {label: fitted gear, facts: [fitted], examples: [fit me with skis, I need rental skis, get me fitted gear]}
"""
UNDERSTANDER = UNDERSTANDERS[DEFAULT](loads(CLUB).catalog)


def told(text: str, asked: str | None = None, *goals: str) -> dict[str, JsonValue]:
    pending = Pending(kind="fact", subject=asked) if asked else None
    meaning = UNDERSTANDER.understand(text, Context(today=TODAY, pending=pending, goals=goals))
    return {value.fact: value.value for value in meaning.values}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("send a message to Olga saying 'hall 5 is free'", {"recipient": "Olga", "message": "hall 5 is free"}),
        ("drop a line to my coach Ben that says 'running late'", {"recipient": "Ben", "message": "running late"}),
        ("write to Ann Bell and book a court on Friday", {"recipient": "Ann Bell", "event_day": "2025-12-05"}),
        ("reserve a 90-minute tennis court tomorrow", {"minutes": 90, "event_day": "2025-12-02"}),
        (
            "plan an event called Winter Ball at the town hall for 80 people on 20 December",
            {"event": "Winter Ball", "venue": "the town hall", "seats": 80, "event_day": "2025-12-20"},
        ),
        (
            "organise a party named Crazy Golf Night in Hall 2, fee $15",
            {"event": "Crazy Golf Night", "venue": "Hall 2", "fee": "15.00"},
        ),
        ("create an event titled 'To the Moon' with a $25 fee", {"event": "To the Moon", "fee": "25.00"}),
        ("create an event called Spring Cup, no, Summer Cup", {"event": "Summer Cup"}),
        ("create an event called The Big Race, sorry, The Last Race", {"event": "The Last Race"}),
        ("create an event titled 'Up', no, 'Down'", {"event": "Down"}),
        ("plan an event for 30, sorry, 40 people", {"seats": 40}),
        ("fit me with skis, I weigh 79 kilos and am 1.82 m tall", {"height": 182, "weight": 79}),
        ("I need rental skis, 175 cm, 70 kg", {"height": 175, "weight": 70}),
    ],
)  # fmt: skip
def test_each_value_is_for_the_request_and_the_fact_that_it_is_said_for(
    text: str, values: dict[str, JsonValue]
) -> None:
    assert told(text) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5 foot 11", {"height": 180.34}),
        ("1.82 m", {"height": 182}),
        ("1,75 m", {"height": 175}),
        ("6 ft 2", {"height": 187.96}),
        ("80 kg", {"weight": 80}),
    ],
)
def test_a_length_is_one_however_it_is_measured(text: str, values: dict[str, JsonValue]) -> None:
    assert told(text, "height", "gear") == values


def test_what_is_denied_beside_a_request_is_not_started_though_the_request_is_unsure() -> None:
    text = "book a court with lots of light, my friend had one last year, not an event"
    meaning = UNDERSTANDER.understand(text, Context(today=TODAY))
    assert "plan_event" not in [goal.goal for goal in meaning.goals]
