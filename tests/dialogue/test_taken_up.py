"""What was told, objected to, or made invalid by a correction is taken up again with the values that were said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dialogue.books import Books
from tests.dialogue.office import Office

MAY = {"start_date": "2024-05-01", "end_date": "2024-05-31"}


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Books]:
    opened = Books(tmp_path_factory.mktemp("books"))
    yield opened
    opened.services.close()


@pytest.fixture
def books(held: Books) -> Books:
    held.begin()
    return held


@pytest.fixture
def office(home: Path) -> Iterator[Office]:
    opened = Office(home)
    yield opened
    opened.services.close()


# what was told is done when it is agreed to


@pytest.mark.parametrize(
    "assent",
    ["ok do it", "go ahead then", "please do", "sounds good, make it so", "great, go for it", "yes", "produce it then"],
)
def test_who_agrees_to_what_was_told_gets_it_with_the_values_that_were_said(books: Books, assent: str) -> None:
    books.say("how would you produce an expense report for May 2024?")
    assert not books.events("calling")
    books.say(assent)
    assert books.called("expense_spend_api") == [MAY]


def test_what_an_assent_adds_counts_instead_of_what_was_said_before(books: Books) -> None:
    books.say("what are the steps to create an invoice for $200?")
    books.say("alright, do that please, but for $300")
    assert books.asks == "fact invoice_detail"
    replies = books.say("garden work")
    assert replies[-1].startswith("Shall I write an invoice over $300 for gardening service?")
    books.begin()
    books.say("explain how you would produce a P&L for 2023")
    books.say("do that for 2024 instead")
    assert books.called("profit_loss_api") == [{"start_date": "2024-01-01", "end_date": "2024-12-31"}]


def test_an_assent_may_come_after_a_value(books: Books) -> None:
    books.say("what are the steps to create an invoice for $200?")
    replies = books.say("it is for garden work, so go ahead")
    assert "over $200 for gardening service" in replies[-1]


def test_what_is_asked_for_by_its_name_takes_what_was_said_when_it_was_told(books: Books) -> None:
    books.say("how would you make an invoice for $75 for window cleaning?")
    replies = books.say("ok, create the invoice")
    assert "$75 for cleaning service" in replies[-1]


def test_what_was_told_can_be_agreed_to_after_a_thank_you_and_beside_an_open_question(books: Books) -> None:
    books.say("create an invoice for $20")
    books.say("how would you produce an expense report for May 2024?")
    books.say("thanks")
    books.say("ok do it")
    assert books.called("expense_spend_api") == [MAY]
    assert books.asks == "fact invoice_detail"


@pytest.mark.parametrize("said", ["ok", "great", "thanks", "no, leave it", "interesting"])
def test_who_only_acknowledges_what_was_told_starts_nothing(books: Books, said: str) -> None:
    books.say("explain how you would produce a P&L for 2023")
    books.say(said)
    assert not books.events("goal_pushed")


def test_an_assent_to_something_told_long_ago_starts_nothing(books: Books) -> None:
    books.say("explain how you would produce a P&L for 2023")
    books.say("expense report for May 2024")
    books.say("ok do it")
    assert not books.called("profit_loss_api")


# an objection is answered by whatever puts the request right


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("the start is January 1 2024", "2024-01-01", "2024-02-29"),
        ("the first day should be January 15 2024", "2024-01-15", "2024-02-29"),
        ("from March 2024 to May 2024", "2024-03-01", "2024-05-31"),
        ("I meant January 2024 to May 2024", "2024-01-01", "2024-05-31"),
        ("the end is November 30 2024", "2024-08-01", "2024-11-30"),
    ],
)
def test_an_objection_goes_away_with_whichever_value_is_corrected(
    books: Books, said: str, start: str, end: str
) -> None:
    replies = books.say("show my expenses from August 2024 to February 2024")
    assert replies[-1].startswith("The end date is before the start date.")
    books.say(said)
    assert books.called("expense_spend_api") == [{"start_date": start, "end_date": end}]


def test_a_value_that_does_not_put_the_request_right_is_noted_and_the_objection_stays(books: Books) -> None:
    books.say("show my expenses from August 2024 to February 2024")
    replies = books.say("the start is March 1 2024")
    assert "noted your first day" in replies[0]
    assert "The end date is before the start date." in replies[-1]
    books.say("June 30 2024")
    assert books.called("expense_spend_api") == [{"start_date": "2024-03-01", "end_date": "2024-06-30"}]


DAYS = st.integers(1, 28).map(lambda day: f"2024-03-{day:02}")


@settings(max_examples=25)
@given(
    begin=st.tuples(DAYS, DAYS), said=st.lists(st.tuples(st.sampled_from(["start", "end", "note"]), DAYS), max_size=4)
)
def test_a_request_is_carried_out_once_its_ends_are_in_order_and_never_before(
    tmp_path_factory: pytest.TempPathFactory, begin: tuple[str, str], said: list[tuple[str, str]]
) -> None:
    office = Office(tmp_path_factory.mktemp("office"))
    try:
        office.say(f"goal costs with start={begin[0]}, end={begin[1]}")
        now = dict(zip(("start", "end"), begin, strict=True))
        for fact, day in said:
            if now["start"] <= now["end"]:
                break
            assert not office.called("cost_reporter")
            assert office.asks in ("fact start", "fact end")
            office.say(f"{'topic' if fact == 'note' else fact}={day}")
            now[fact] = day
        if now["start"] <= now["end"]:
            assert office.called("cost_reporter") == [{"start": now["start"], "end": now["end"]}]
        else:
            assert not office.called("cost_reporter")
    finally:
        office.services.close()


# what a correction makes invalid while something else is open comes back


def test_a_result_that_was_corrected_while_something_waited_is_offered_again_after_it(books: Books) -> None:
    books.say("profit and loss report for 2024 please")
    books.say("create an invoice for $450")
    books.say("sorry, I meant the report for 2023")
    assert books.asks == "fact invoice_detail"
    books.say("garden work")
    replies = books.say("yes")
    assert replies[-1] == "Shall I redo “a profit and loss report” now, with what you changed?"
    books.say("yes")
    assert books.called("profit_loss_api")[-1] == {"start_date": "2023-01-01", "end_date": "2023-12-31"}


def test_it_is_offered_also_when_what_waited_is_dropped_and_not_twice(books: Books) -> None:
    books.say("profit and loss report for 2024 please")
    books.say("create an invoice for $450")
    books.say("sorry, I meant the report for 2023")
    assert books.say("stop")[-1].startswith("Shall I redo")
    books.say("no")
    books.say("expense report for May 2024")
    assert books.asks is None


def test_what_was_asked_for_anew_meanwhile_is_not_offered_again(books: Books) -> None:
    books.say("profit and loss report for 2024 please")
    books.say("create an invoice for $450")
    books.say("profit and loss report for 2023 please")
    books.say("garden work")
    books.say("yes")
    assert books.asks is None


def test_what_is_said_beside_a_request_for_what_was_told_counts_instead_of_what_was_said_then(office: Office) -> None:
    office.say("would list with user=ann")
    office.say("goal list; user=bea")
    assert office.called("lister") == [{"user": "bea"}]


def test_what_is_said_with_a_request_and_beside_it_counts_instead_of_what_was_said_then(office: Office) -> None:
    office.say("would invoice with amount=1.00, detail=yoga; note=old")
    office.say("goal invoice with amount=2.00; note=new")
    office.say("yes")
    assert office.called("biller") == [{"amount": "2.00", "detail": "yoga", "note": "new"}]
