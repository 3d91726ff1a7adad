"""What is corrected before it goes out is what goes out, whatever is being asked just then."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from catalog.load import loads
from dialogue.log.stores import SqliteStore
from dialogue.moves.integrate import sort_out
from dialogue.services import Services
from language.interpretation import Entity, Intent, Interpretation, Span
from tests.dialogue.office import Office
from tests.dialogue.test_confirmations import SAID

CARDS = """
name: office
facts:
  card:
    label: card number
    ask: Which card?
    value: {kind: pattern, regex: "[0-9]{6}", example: "111111", what: a card number}
    examples: ["my card is 111111", "card 111111"]
  ssn:
    label: social security number
    ask: What is your social security number?
    sensitive: true
    value:
      {kind: pattern, regex: "[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}", example: 900-01-0001, what: a social security number}
    examples: ["my social security number is 900-01-0001", "my SSN is 900010001"]
  booking: {label: booking, askable: false}
  score: {label: credit score, askable: false}
skills:
  booker:
    label: booking
    endpoint: python:nowhere:nothing
    effect: irreversible
    confirm: "Book for card {card}?"
    modes: {now: {inputs: [card], outcomes: {booked: [booking]}}}
  bureau:
    label: credit bureau
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [ssn], outcomes: {found: [score]}}}
goals:
  book: {label: a booking, facts: [booking], examples: [book a table, I want to book a table, reserve a table for me]}
  score: {label: your credit score, facts: [score], examples: [what is my credit score, check my credit score]}
"""


class Cards(Office):
    """The same, said in English."""

    def open(self) -> Services:
        return Services(
            SqliteStore(self.home / "sessions.db"),
            {"office": loads(self.catalog, file="cards.yaml")},
            caller=self,
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=date(2026, 11, 21),
        )


@pytest.fixture
def cards(home: Path) -> Iterator[Cards]:
    opened = Cards(home, CARDS)
    yield opened
    opened.services.close()


@pytest.fixture
def office(home: Path) -> Iterator[Office]:
    opened = Office(home)
    yield opened
    opened.services.close()


@pytest.mark.parametrize(
    ("first", "corrected", "sent"),
    [
        ("my social security number is 900123456", "no wait, my social security number is 900234567", "900234567"),
        ("900-12-3456", "no, my SSN is 900-23-4567", "900-23-4567"),
        ("my SSN is 900 12 3456", "sorry, my SSN is 900123457", "900123457"),
    ],
)
def test_a_number_that_is_corrected_while_consent_is_asked_is_what_goes_out(
    cards: Cards, first: str, corrected: str, sent: str
) -> None:
    cards.say("what is my credit score")
    assert cards.asks == "authorize bureau"
    cards.say(first)
    cards.say(corrected)
    assert cards.asks == "authorize bureau", "a correction is neither a yes nor a no"
    cards.say("yes")
    assert cards.called("bureau") == [{"ssn": sent}]


def test_a_yes_that_names_another_number_sends_that_one(cards: Cards) -> None:
    cards.say("what is my credit score")
    cards.say("900123456")
    cards.say("yes, but my social security number is 900234567")
    if cards.asks is not None:
        cards.say("yes")
    assert cards.called("bureau") == [{"ssn": "900234567"}]


@pytest.mark.parametrize(
    "corrected", ["yes, but for card 222222", "no, card 222222", "222222 instead", "make it 222222"]
)
def test_another_card_is_taken_and_asked_about_again(cards: Cards, corrected: str) -> None:
    cards.say("I want to book a table")
    cards.say("111111")
    assert cards.say(corrected)[-1] == "Book for card 222222?"
    assert not cards.calls
    cards.say("yes")
    assert cards.called("booker") == [{"card": "222222"}]


def test_the_same_number_in_another_writing_is_known_already(cards: Cards) -> None:
    cards.say("what is my credit score")
    cards.say("900-12-3456")
    assert "That is what I have" in cards.say("my social security number is 900123456")[0]
    cards.say("yes")
    assert cards.called("bureau") == [{"ssn": "900-12-3456"}]


def test_words_that_are_said_for_one_request_fill_nothing_of_another(office: Office) -> None:
    office.say(SAID)
    year = Span(start=24, end=28, text="2024")
    period = Entity(fact="span", value={"start": "2024-01-01", "end": "2024-12-31"}, span=year, rule="period")
    amount = Entity(fact="amount", value="2024.00", span=year, rule="said as a correction")
    request = Intent(goal="costs", span=Span(start=0, end=28, text="no, the costs report for 2024"), confidence=1.0)
    meaning = Interpretation(goals=(request.model_copy(update={"values": (period,)}),), values=(amount,))
    seen = office.services.snapshot(office.session)
    found = sort_out(seen.catalog, seen.conversation, seen.conversation.seq + 1, meaning)
    assert [value.fact for value in found.requests[0].mention.values] == ["start", "end"]
    assert not found.values


def test_words_that_hold_something_sensitive_fill_nothing_that_is_not(office: Office) -> None:
    said = "no wait 48151623"
    words, number = Span(start=0, end=16, text=said), Span(start=8, end=16, text="48151623")
    detail = Entity(fact="detail", value=said, span=words, rule="the whole answer")
    pin = Entity(fact="pin", value="48151623", span=number, rule="form")
    note = Entity(fact="note", value="no", span=Span(start=0, end=2, text="no"), rule="beside it")
    seen = office.services.snapshot(office.session)
    for meaning in (
        Interpretation(values=(detail, pin, note)),
        Interpretation(
            values=(pin, note), goals=(Intent(goal="invoice", span=words, confidence=1.0, values=(detail,)),)
        ),
    ):
        found = sort_out(seen.catalog, seen.conversation, seen.conversation.seq + 1, meaning)
        kept = {value.fact for value in (*found.values, *(v for one in found.requests for v in one.mention.values))}
        assert kept == {"pin", "note"}


def test_a_no_that_corrects_another_request_leaves_the_question_open(office: Office) -> None:
    office.say("goal costs with start=2023-01-01, end=2023-12-31")
    office.say(SAID)
    office.say("no; start=2023-02-01")
    assert office.asks == "confirm biller"
    assert office.now.facts.known["amount"].value == "250.00"
    office.say("no")
    assert not office.called("biller")
