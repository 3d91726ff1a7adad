"""People, sentences and days in requests: they are read where a catalog's own examples have theirs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.load import load
from catalog.model import Catalog
from language.entities.names import common_value
from language.interpretation import Context
from language.understanding import DEFAULT, UNDERSTANDERS
from language.understanding.pipeline import OfflineUnderstander
from tests.examples import examples

TODAY = date(2026, 11, 25)
BEYOND = Path(__file__).parents[2] / "benchmarks" / "beyond"
NAMED = "Hugo Lange"


@cache
def catalog_of(name: str) -> Catalog:
    return load(BEYOND / f"{name}.yaml").catalog


@cache
def understander(name: str) -> OfflineUnderstander:
    made = UNDERSTANDERS[DEFAULT](catalog_of(name))
    assert isinstance(made, OfflineUnderstander)
    return made


def read(name: str, text: str) -> tuple[list[str], Mapping[str, object], list[str]]:
    meaning = understander(name).understand(text, Context(today=TODAY))
    values = [*meaning.values, *(value for goal in meaning.goals for value in goal.values)]
    left = [one.span.text for goal in meaning.goals for one in goal.unheeded]
    return [goal.goal for goal in meaning.goals], {value.fact: value.value for value in values}, left


NAMING = [
    (goal.name, example)
    for goal in catalog_of("office").goals.values()
    for example in goal.examples
    if NAMED in example and len(example) < len("Put a meeting with Hugo Lange into the calendar")
]
GIVEN = st.sampled_from("Greta Tom Ines Priya Olga Kenji Marta Noah Yusuf Lena Ravi Chloe".split())
FAMILY = st.sampled_from("Moss Baker Roth Okafor Larsen Ito Novak Reyes Haddad Quist Singh Duval".split())


@settings(deadline=None, max_examples=examples(25))
@given(st.sampled_from(NAMING), GIVEN, FAMILY)
def test_whoever_stands_where_an_example_names_somebody_is_taken(
    naming: tuple[str, str], given_name: str, family_name: str
) -> None:
    goal, example = naming
    name = f"{given_name} {family_name}"
    goals, values, left = read("office", example.replace(NAMED, name))
    assert goals == [goal]
    assert name in values.values()
    assert left == []


@pytest.mark.parametrize(
    ("text", "goal", "values"),
    [
        ("did ines roth write to me", "find_mail", {"sender": "ines roth"}),
        ("ben's phone number", "find_contact", {"contact_name": "ben"}),
        ("Could you show me what Greta Moss has sent me?", "find_mail", {"sender": "Greta Moss"}),
        ("get rid of everything that Tom Baker sent me", "delete_mail", {"sender": "Tom Baker"}),
        ("could you look up Ines Roth in the address book", "find_contact", {"contact_name": "Ines Roth"}),
        ("What's Greta Moss's phone number?", "find_contact", {"contact_name": "Greta Moss"}),
    ],
)
def test_a_name_is_taken_with_and_without_capitals(text: str, goal: str, values: Mapping[str, object]) -> None:
    assert read("office", text)[:2] == ([goal], values)


@pytest.mark.parametrize(
    "text",
    [
        "delete the mails about Brexit",
        "Delete the mails that I got in Paris",
        "hi Kim, delete mails of a sender",
        "get rid of the mails from last Friday",
    ],
)
def test_what_names_no_one_person_is_nobodys_name(text: str) -> None:
    assert "sender" not in read("office", text)[1]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "write to Greta Moss that the printer is back",
            {"recipient": "Greta Moss", "mail_text": "the printer is back"},
        ),
        ("Send a mail to Tom Baker saying that we moved", {"recipient": "Tom Baker", "mail_text": "we moved"}),
        ("Write to Kim that I met Ann in Rome", {"recipient": "Kim", "mail_text": "I met Ann in Rome"}),
        ("Send the mail that I wrote yesterday to Tom Baker", {"recipient": "Tom Baker"}),
    ],
)
def test_what_somebody_is_told_is_a_sentence_and_no_thing_that_was_written(
    text: str, values: Mapping[str, object]
) -> None:
    assert read("office", text)[:2] == (["send_mail"], values)


@pytest.mark.parametrize(
    ("text", "goal", "values"),
    [
        ("I can't come tomorrow, so cancel it please", "cancel_appointment", {"appointment_day": "2026-11-26"}),
        ("cancel my appointment on 1 December 2026", "cancel_appointment", {"appointment_day": "2026-12-01"}),
        ("stop metformin from January on", "stop_prescription", {"medicine": "metformin"}),
        ("I've been ill since 20 November 2026 and need a note for work", "sick_note", {"sick_from": "2026-11-20"}),
        (
            "my new address is 4 Park Row, Dover, please update it",
            "change_address",
            {"new_address": "4 Park Row, Dover"},
        ),
        ("I live at 7 Hill Street, Dover now", "change_address", {"new_address": "7 Hill Street, Dover"}),
        ("I no longer need my appointment", "cancel_appointment", {}),
    ],
)
def test_days_and_addresses_are_those_of_the_request(text: str, goal: str, values: Mapping[str, object]) -> None:
    assert read("clinic", text)[:2] == ([goal], values)


def test_little_words_as_in_an_example_tell_a_number() -> None:
    _, values, _ = read("clinic", "We would like a fee waiver, we earn $30,000 a year and there are four of us")
    assert values == {"household_income": "30000.00", "household_size": 4}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("my boss wants a certificate that I was ill", []),
        ("I don't take ramipril any more", []),
        ("do not stop my metformin", []),
        ("stop metformin from January on", ["from January on"]),
    ],
)
def test_what_is_not_heeded_goes_by_what_examples_say_and_deny(text: str, left: list[str]) -> None:
    assert read("clinic", text)[2] == left


def test_of_two_people_who_are_joined_the_other_is_left() -> None:
    assert read("office", "delete the mails from Kim and Ann")[2] == ["and Ann"]


def test_the_value_of_a_fact_is_what_all_its_examples_have_in_common() -> None:
    assert common_value(["from Hugo Lange", "mails from Hugo Lange", "that Hugo Lange sent me"]) == NAMED
    assert common_value(["saying that we moved", "the text is: we moved"]) == "we moved"
    assert common_value(["from Hugo Lange"]) == ""
