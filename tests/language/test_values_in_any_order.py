"""Values in requests, in whatever order people say them: whose things they are, repairs, periods, addresses."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.language.test_people_in_requests import FAMILY, GIVEN, TODAY, read

NAMES = st.builds("{} {}".format, GIVEN, FAMILY)
STREETS = st.sampled_from(["Mill Lane", "Quarry Road", "Harbour View", "Station Road", "Park Lane", "Cove Road"])
TOWNS = st.sampled_from(["Lydd", "Ashford", "Bath", "Kelby", "Springfield"])
PLACES = st.builds("{} {}, {}".format, st.integers(1, 120), STREETS, TOWNS)
DAYS = st.integers(1, 300).map(lambda days: TODAY + timedelta(days=days))


def spoken(day: date) -> str:
    return f"{day.day} {day:%B}"


@settings(deadline=None, max_examples=15)
@given(
    NAMES,
    st.sampled_from(["Delete {}'s mails", "Delete all of {}'s mails", "delete the mails of {}", "Delete mails of {}"]),
)
def test_whoever_owns_the_mails_is_their_sender(name: str, said: str) -> None:
    goals, values, left = read("office", said.format(name))
    assert (goals, values, left) == (["delete_mail"], {"sender": name}, [])


@settings(deadline=None, max_examples=15)
@given(
    st.lists(NAMES, min_size=2, max_size=2, unique=True),
    st.sampled_from(
        [
            ("Delete {}'s mails", "{}'s", "delete_mail", "sender"),
            ("Delete {}'s mails", "{}'s mails", "delete_mail", "sender"),
            ("Look up {} in the address book", "{}", "find_contact", "contact_name"),
            ("Delete {} from the address book", "{}", "delete_contact", "contact_name"),
        ]
    ),
    st.sampled_from([", no, ", ", I mean ", ", er, I mean ", ". No wait, "]),
)
def test_of_a_name_that_is_said_anew_the_second_counts(
    names: list[str], said: tuple[str, str, str, str], term: str
) -> None:
    first, again, goal, fact = said
    goals, values, left = read("office", first.format(names[0]) + term + again.format(names[1]))
    assert (goals, values, left) == ([goal], {fact: names[1]}, [])


def test_a_month_may_be_the_first_name_of_somebody() -> None:
    assert read("office", "look up Jan Ostrow in the address book")[1] == {"contact_name": "Jan Ostrow"}


@settings(deadline=None, max_examples=15)
@given(st.integers(1950, 2010), st.integers(1950, 2010), st.sampled_from([", no, ", ", no, sorry, ", ", I mean "]))
def test_of_a_day_the_year_alone_may_be_put_right(wrong: int, right: int, term: str) -> None:
    if wrong == right:
        return
    _, values, _ = read("clinic", f"I want to register as a patient, I was born on 2 July {wrong}{term}{right}")
    assert values == {"date_of_birth": f"{right}-07-02"}


def test_of_a_day_to_come_the_day_alone_may_be_put_right() -> None:
    _, values, left = read("clinic", "book me in on 3 December, no, the 4th")
    assert values == {"appointment_day": "2026-12-04"}
    assert left == []


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from([("from", "to"), ("since", "until")]))
def test_each_end_of_a_period_is_looked_for_where_it_may_be(back: int, ahead: int, words: tuple[str, str]) -> None:
    first, last = TODAY - timedelta(days=back), TODAY + timedelta(days=ahead)
    if first == last:
        return
    _, values, _ = read("clinic", f"I need a sick note {words[0]} {spoken(first)} {words[1]} {spoken(last)}")
    assert values == {"sick_from": first.isoformat(), "sick_until": last.isoformat()}


@settings(deadline=None, max_examples=20)
@given(DAYS)
def test_the_end_of_a_period_alone_is_looked_for_where_it_may_be(day: date) -> None:
    assert read("clinic", f"I need a sick note up to {spoken(day)}")[1] == {"sick_until": day.isoformat()}


def test_what_is_from_a_day_to_come_has_no_end() -> None:
    assert read("office", "set an out of office reply from tomorrow")[1] == {"away_from": "2026-11-26"}


@settings(deadline=None, max_examples=15)
@given(
    PLACES,
    st.sampled_from(
        [
            "We have moved, the new address is {}",
            "I moved last month and you still have the old address. It's {} now",
            "I don't live at 3 Mill Street any more but at {}",
            "Please put {} on my record as my address",
            "My phone is 202-555-0144 and new address {}",
        ]
    ),
)
def test_an_address_ends_with_its_town_however_it_is_led_to(place: str, said: str) -> None:
    assert read("clinic", said.format(place))[1].get("new_address") == place


@pytest.mark.parametrize("said", ["pay my fees, {}", "pay fees {}", "I want to pay my fees. {}"])
def test_a_number_beside_paying_is_told_by_its_form(said: str) -> None:
    assert read("clinic", said.format("P-20417"))[1] == {"patient_number": "P-20417"}
