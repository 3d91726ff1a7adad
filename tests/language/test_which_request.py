"""Which request it is: what is like a catalog's own examples is taken, what is strange to them is not."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load
from language.intents.labels import evidence_of, find_temperature, find_threshold, served
from language.intents.reader import RequestReader
from language.intents.regression import count_words, foreign_share
from language.interpretation import Context, Understander
from language.slots.filler import SlotFiller
from language.text.request_frames import deeds_in
from language.text.words import fold
from language.understanding import DEFAULT, UNDERSTANDERS

TODAY = date(2024, 11, 6)
BOOKS = load("accounting").catalog
SAID = [(goal.name, text) for goal in BOOKS.goals.values() for text in goal.examples]


@pytest.fixture(scope="module")
def books() -> Understander:
    return UNDERSTANDERS[DEFAULT](BOOKS)


@pytest.fixture(scope="module")
def requests() -> RequestReader:
    return RequestReader(BOOKS, SlotFiller(BOOKS))


@given(st.sampled_from(SAID))
def test_an_example_of_a_goal_asks_for_it(requests: RequestReader, said: tuple[str, str]) -> None:
    goal, text = said
    assert goal in {mention.goal for mention in requests.read(text, fold(text), TODAY).goals}


def test_a_second_question_about_what_was_named_asks_for_nothing_more(requests: RequestReader) -> None:
    text = "are there any keyboard shortcuts & how do i use them"
    assert [mention.goal for mention in requests.read(text, fold(text), TODAY).goals] == ["how_to_help"]


def test_a_mark_inside_a_value_begins_no_other_part_of_what_is_taken_back(books: Understander) -> None:
    said = "Ms. Nakamura would like us to use nakamura@example.net from now on. Please change that in her profile."
    (goal,) = books.understand(said, Context(today=TODAY)).goals
    assert {value.fact: value.value for value in goal.values}["customer_email"] == "nakamura@example.net"


def test_a_deed_in_another_form_is_the_goal_s_own() -> None:
    assert "reserve" in deeds_in(["can i get a reservation for two"])
    assert "delete" not in deeds_in(["create an invoice"])


@pytest.mark.parametrize(
    "text",
    [
        "Draft a contract for a new supplier",
        "a table for two at 8 tonight please",
        "Send my aunt $75 for her birthday",
        "paint the fence green",
        "who won the match yesterday",
    ],
)
def test_what_shares_no_word_of_weight_with_a_goal_is_not_taken_for_it(books: Understander, text: str) -> None:
    assert books.understand(text, Context(today=TODAY)).goals == ()


words = st.lists(st.sampled_from("invoice report sales stretch contract supplier garden".split()), min_size=1)


@given(words, words)
def test_words_are_foreign_to_a_goal_where_no_example_of_it_has_them(example: list[str], text: list[str]) -> None:
    counted = count_words([" ".join(example)], [0])
    share = foreign_share(counted, " ".join(text), 0)
    assert share == pytest.approx(len(set(text) - set(example)) / len(set(text)))
    assert foreign_share(counted, " ".join(text), 1) == 1
    assert foreign_share(counted, " ".join(example), 0, apart=True) == 1


numbers = st.floats(0, 1)


@given(numbers, numbers, numbers, numbers)
def test_more_nearness_to_what_is_served_never_counts_against_it(
    near: float, nearer: float, away: float, foreign: float
) -> None:
    scores = np.array([[3.0, 1.0]])

    def evidence(cosine: float) -> float:
        return float(evidence_of(scores, np.array([cosine]), np.array([away]), np.array([foreign]))[0])

    low, high = sorted((near, nearer))
    assert evidence(low) <= evidence(high)
    assert 0 <= served(np.array([evidence(low)]))[0] <= served(np.array([evidence(high)]))[0] <= 1


@given(st.lists(st.floats(3, 9), min_size=30, max_size=60), st.lists(st.floats(-9, -3), min_size=30, max_size=60))
def test_a_threshold_lies_between_what_is_served_and_what_is_not(inside: list[float], outside: list[float]) -> None:
    threshold = find_threshold(np.array(inside), np.array(outside))
    assert max(outside) < threshold < min(inside)


def test_without_examples_what_is_usual_holds() -> None:
    none = np.zeros((0, 3))
    assert find_temperature(none, np.zeros(0, dtype=np.int64)) == pytest.approx(0.6)
    assert find_threshold(np.zeros(0), np.zeros(0)) == pytest.approx(2.2, abs=0.01)


@pytest.mark.parametrize("said", ["$75", "$70", "500", "for 500", "ann@example.com", "$300 please"])
def test_a_value_alone_begins_nothing(books: Understander, said: str) -> None:
    """It may be an answer to what was asked a moment ago; what it could be for is worth an offer."""
    assert books.understand(said, Context(today=TODAY)).goals == ()


REPORTS = {
    "profit_loss_report": ["a profit and loss report", "the profit and loss statement"],
    "expense_report": ["an expense report", "the expense report"],
    "invoice_sales_report": ["an invoice report", "the invoice and sales report"],
}


@given(
    goal=st.sampled_from(list(REPORTS)),
    which=st.integers(0, 2),
    asks=st.sampled_from(
        ["can you", "could you", "can somebody", "could someone", "please", "can I", "can you please"]
    ),
    does=st.sampled_from(
        ["get me that", "send it to me", "get that for me", "have it", "give me those", "show me them"]
    ),
    soon=st.sampled_from(["asap", "right away", "as soon as possible", "quickly", "today", "immediately", "urgently"]),
    joint=st.sampled_from([", ", ". ", ", and ", "; "]),
)
def test_who_wants_what_was_asked_for_soon_asks_for_nothing_more(
    requests: RequestReader, goal: str, which: int, asks: str, does: str, soon: str, joint: str
) -> None:
    if asks == "can I" and " me" in does:
        does = "have it"
    named = REPORTS[goal][which % len(REPORTS[goal])]
    text = f"I need {named} for May 2024{joint}{asks} {does} {soon}"
    assert [mention.goal for mention in requests.read(text, fold(text), TODAY).goals] == [goal]


@given(
    goals=st.permutations(list(REPORTS)),
    which=st.integers(0, 2),
    time=st.sampled_from(["the same month", "the same period", "that month", "that same month"]),
    joint=st.sampled_from([", ", " and ", ", and ", ", then "]),
    talk=st.booleans(),
)
def test_two_reports_for_the_same_time_are_two_whatever_is_asked_for_then(
    requests: RequestReader, goals: list[str], which: int, time: str, joint: str, talk: bool
) -> None:
    one, other = (REPORTS[goal][which % len(REPORTS[goal])] for goal in goals[:2])
    text = f"{one} for May 2024{joint}{other} for {time}{', and then a video call about both' if talk else ''}"
    found = requests.read(text, fold(text), TODAY).goals
    assert [mention.goal for mention in found] == [*goals[:2], *(["contact_us"] if talk else [])]
    days = {"start_date": "2024-05-01", "end_date": "2024-05-31"}
    assert [{v.fact: v.value for v in mention.values} for mention in found[:2]] == [days, days]
