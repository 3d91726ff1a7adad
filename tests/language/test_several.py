"""Lists as answers, and values for facts that there are several of: never put where somebody else was meant."""

from __future__ import annotations

from datetime import date

import pytest

from catalog.load import loads
from language.interpretation import Context, DialogueAct, Interpretation, Pending
from language.understanding import DEFAULT, UNDERSTANDERS

TODAY = date(2026, 11, 21)
CATALOG = """
name: journey
facts:
  city: {value: {kind: choice, options: [Paris, Rome, Madrid]}, examples: [I want to see Paris]}
  cities: {list_of: city, ask: "Which cities?"}
  stop: {}
  stops: {list_of: stop, ask: "Which stops?"}
  days: {value: {kind: list, of: date}, ask: "Which days?"}
  flight_to: {label: destination, ask: "Where to?"}
  flight_day: {label: day of travel, value: date, ask: "When?", examples: [I travel on 3 May 2027]}
  flight_fare: {value: {kind: choice, options: [economy, business]}, ask: "Which fare?"}
  guest_name: {label: name, value: person_name, ask: "Who?"}
  guest_card: {value: {kind: pattern, regex: '[A-Z]{2}[0-9]{4}', example: AB1234, what: a card}}
  plan: {fillable: false}
skills:
  maker:
    endpoint: python:a:b
    modes:
      m:
        inputs: [cities, stops, days, flight_day (out), flight_day (back), flight_fare (out), flight_fare (back)]
        outcomes: {made: [plan]}
instances:
  flight: {facts: [flight_to, flight_day, flight_fare], of: {out: way out, back: way back}}
  guest: {facts: [guest_name, guest_card], of: {first: first guest, second: second guest}}
goals:
  plan: {facts: [plan], examples: [plan my journey, I want a journey]}
"""
JOURNEY = UNDERSTANDERS[DEFAULT](loads(CATALOG).catalog)


def hear(text: str, asked: str | None = None, goals: tuple[str, ...] = ("plan",)) -> Interpretation:
    pending = Pending(kind="fact", subject=asked) if asked else None
    return JOURNEY.understand(text, Context(today=TODAY, pending=pending, goals=goals))


def values(meaning: Interpretation) -> dict[str, object]:
    return {value.fact: value.value for value in meaning.values}


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        ("Paris, Rome and Madrid", "cities", ["Paris", "Rome", "Madrid"]),
        ("Paris", "cities", ["Paris"]),
        ("I'd like to see Rome & Paris please", "cities", ["Rome", "Paris"]),
        ("Old Town; Mill Lane, the lower end", "stops", ["Old Town", "Mill Lane, the lower end"]),
        ("- Harbour Street\n- Old Town", "stops", ["Harbour Street", "Old Town"]),
        ("3 May 2027 and May 5, 2027", "days", ["2027-05-03", "2027-05-05"]),
    ],
)
def test_several_values_are_one_answer_to_the_question_for_a_list(text: str, asked: str, expected: list[str]) -> None:
    assert values(hear(text, asked)) == {asked: expected}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Paris or Rome", "cities"),
        ("not Paris", "cities"),
        ("Berlin and Paris, or so", "cities"),
        ("3/5/2027 and 4 May 2027", "days"),
        ("Old Town or Mill Lane", "stops"),
    ],
)
def test_what_leaves_a_list_open_is_asked_for_again(text: str, asked: str) -> None:
    meaning = hear(text, asked)
    assert values(meaning) == {}
    assert meaning.unclear


def test_a_request_is_no_list_of_free_words() -> None:
    meaning = hear("I want a journey", "stops", goals=())
    assert values(meaning) == {}
    assert [goal.goal for goal in meaning.goals] == ["plan"]
    assert hear("I don't know", "stops").control is DialogueAct.SKIP


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 May 2027", {"flight_day (out)": "2027-05-03"}),
        ("out on 3 May 2027", {"flight_day (out)": "2027-05-03"}),
        ("back on 3 May 2027", {"flight_day (back)": "2027-05-03"}),
        ("I travel back on 3 May 2027", {"flight_day (back)": "2027-05-03"}),
        ("out and back on 3 May 2027", {}),
        ("out on 3 May 2027 and back on 5 May 2027", {}),
    ],
)
def test_an_answer_goes_to_the_instance_it_names_else_to_the_one_asked_for(
    text: str, expected: dict[str, object]
) -> None:
    assert values(hear(text, "flight_day (out)")) == expected


@pytest.mark.parametrize("text", ["my way back goes to Paris", "the way back: Paris"])
def test_free_words_about_another_instance_are_not_taken_for_any(text: str) -> None:
    assert values(hear(text, "flight_to (out)")) == {}


def test_free_words_are_an_answer_though_they_sound_like_an_instance() -> None:
    assert values(hear("Back Bay", "flight_to (out)")) == {"flight_to (out)": "Back Bay"}


@pytest.mark.parametrize("text", ["I travel on 3 May 2027", "business class please", "I am Ann Lee", "AB1234"])
def test_what_could_be_for_either_instance_is_for_none(text: str) -> None:
    assert values(hear(text)) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my out flight day is 3 May 2027", {"flight_day (out)": "2027-05-03"}),
        ("my second guest card is AB1234", {"guest_card (second)": "AB1234"}),
    ],
)
def test_what_is_said_with_the_name_of_an_instance_is_for_that(text: str, expected: dict[str, object]) -> None:
    assert values(hear(text)) == expected
