"""An answer counts for the question that its author saw; what was not shown there is asked again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.state.masking import mask, secrets_of
from tests.dialogue.books import Books
from tests.dialogue.office import Office
from tests.dialogue.toys import BEHAVIOUR, Toybox

WHY = "You wrote that before you could see my question, so I did not take it as an answer."
FIRST = "goal invoice with amount=250.00, detail=cleaning"
SECOND = "goal invoice with amount=999.00, detail=repairs"


@pytest.fixture
def office(home: Path) -> Iterator[Office]:
    opened = Office(home)
    yield opened
    opened.services.close()


def answer(office: Office | Books, text: str, seen: int) -> list[str]:
    """Say something on a page that was drawn up to an entry."""
    before = len(office.log)
    office.services.say(office.session, text, seen=seen)
    assert office.services.wait(office.session, 30)
    return [entry.event.text for entry in office.log[before:] if entry.event.kind == "replied"]


def test_a_yes_on_a_page_that_shows_another_question_agrees_to_nothing(office: Office) -> None:
    office.say(FIRST)
    tab = len(office.log)
    office.say("no")
    office.say(SECOND)
    replies = answer(office, "yes", seen=tab)
    assert not office.calls
    assert replies[0] == WHY
    assert replies[-1].endswith("Create an invoice over €999 for repairs, note (not given)?")
    answer(office, "yes", seen=len(office.log))
    assert [values["amount"] for values in office.called("biller")] == ["999.00"]


@pytest.mark.parametrize("said", ["no", "skip"])
def test_a_no_on_a_page_that_shows_another_question_leaves_that_open(office: Office, said: str) -> None:
    office.say(FIRST)
    tab = len(office.log)
    office.say("no")
    office.say(SECOND)
    assert answer(office, said, seen=tab)[0] == WHY
    assert office.asks == "confirm biller"


def test_a_yes_on_a_page_that_shows_other_values_is_no_yes_to_these(office: Office) -> None:
    office.say(FIRST)
    tab = len(office.log)
    office.say("amount=300.00")
    assert answer(office, "yes", seen=tab)[0] == WHY
    assert not office.calls


def test_a_question_that_was_put_again_in_the_same_words_was_seen(office: Office) -> None:
    office.say(FIRST)
    tab = len(office.log)
    office.say("gibberish")
    answer(office, "yes", seen=tab)
    assert len(office.called("biller")) == 1


def test_a_yes_before_any_question_agrees_to_nothing(office: Office) -> None:
    tab = len(office.log)
    office.say(FIRST)
    assert answer(office, "yes", seen=tab)[0] == WHY
    assert not office.calls


def test_consent_is_given_only_where_it_was_asked_for(office: Office) -> None:
    office.say("goal ticket with topic=x")
    tab = len(office.log)
    office.say("goal vault with pin=48151623")
    assert office.asks == "authorize guard"
    assert answer(office, "yes", seen=tab)[0] == WHY
    assert not office.events("authorized")
    assert office.asks == "authorize guard"


def test_what_stands_for_itself_counts_wherever_it_is_said(office: Office) -> None:
    tab = len(office.log)
    office.say("goal ticket")
    replies = answer(office, "topic=the weather", seen=tab)
    assert office.now.facts.known["topic"].value == "the weather"
    assert WHY not in replies
    answer(office, "goal advice", seen=tab)
    assert office.called("adviser")


def test_what_is_no_answer_to_anything_shown_is_not_counted_as_an_attempt(office: Office) -> None:
    tab = len(office.log)
    office.say("goal ticket with topic=x")
    assert office.asks == "fact channel"
    assert answer(office, "gibberish", seen=tab)[0] == WHY
    assert not office.events("answered")


def test_stop_stops_wherever_it_is_said(office: Office) -> None:
    tab = len(office.log)
    office.say(FIRST)
    answer(office, "stop", seen=tab)
    assert not office.now.goals.stack


CLOSED = "The question that you answered is no longer open, so I did not take that as an answer."


@pytest.fixture
def books(home: Path) -> Iterator[Books]:
    opened = Books(home)
    yield opened
    opened.services.close()


def value_of(books: Books, fact: str) -> object:
    return books.now.facts.known[fact].value


def test_an_answer_counts_for_the_question_that_its_author_saw_and_not_for_the_next(books: Books) -> None:
    """The first day is asked for on the one page, and the last day meanwhile on the other."""
    books.say("an expense report, please")
    tab = len(books.log)
    books.say("January 1 2024")
    replies = answer(books, "March 1 2024", seen=tab)
    assert value_of(books, "start_date") == "2024-03-01"
    assert "end_date" not in books.now.facts.known
    assert replies[-1] == "Back to my question: Up to which day should the report be?"


def test_what_was_for_another_request_is_not_taken_for_one_that_asks_the_same(books: Books) -> None:
    books.say("create an invoice for garden work")
    tab = len(books.log)
    for line in ("300", "yes", "create an invoice for logo design"):
        books.say(line)
    assert answer(books, "500", seen=tab) == [WHY, "Back to my question: Over which amount should the invoice be?"]
    assert "invoice_amount" not in books.now.facts.known


@pytest.mark.parametrize("said", ["yes", "no", "I don't know", "hm"])
def test_an_answer_to_a_question_that_is_no_longer_open_is_told_to_be_that(books: Books, said: str) -> None:
    books.say("create an invoice for $450 for garden work")
    tab = len(books.log)
    books.say("yes")
    assert answer(books, said, seen=tab) == [CLOSED]
    assert len(books.called("create_invoice_api")) == 1


def test_a_late_value_for_what_was_asked_and_done_is_offered_and_not_written(books: Books) -> None:
    books.say("create an invoice for garden work")
    tab = len(books.log)
    books.say("300")
    books.say("yes")
    assert answer(books, "500", seen=tab)[-1] == "Shall I redo “a new invoice” with that?"
    assert len(books.called("create_invoice_api")) == 1


@pytest.mark.parametrize("said", ["yes", "ok, do it"])
def test_what_was_told_on_another_page_is_not_agreed_to(books: Books, said: str) -> None:
    for was_seen in (False, True):
        books.begin()
        tab = len(books.log)
        books.say("what would you do if I asked for a profit and loss report for 2023?")
        answer(books, said, seen=len(books.log) if was_seen else tab)
        assert len(books.events("goal_pushed")) == was_seen


def test_who_did_not_see_a_value_change_does_not_consent_to_the_new_one(home: Path) -> None:
    """The question is worded alike for both: it names what is sensitive, and does not show it."""
    bank = Books(home, "banking")
    bank.say("I'd like a loan of $12,000")
    bank.say("ann.bell@example.org")
    tab = len(bank.log)
    bank.say("my social security number is 900-45-6789")
    assert answer(bank, "yes", seen=tab)[0] == WHY
    assert not bank.events("authorized")
    answer(bank, "yes", seen=len(bank.log))
    assert [given["ssn"] for given in bank.called("credit_check")] == ["900-45-6789"]
    bank.services.close()


TABS = st.tuples(
    st.sampled_from(("left", "right")),
    st.sampled_from(
        ("look", "yes", "yes", "no", "amount=300.00", "pin=12345678", FIRST, SECOND, "goal vault with pin=48151623")
    ),
)


@settings(max_examples=25)
@given(done=st.lists(TABS, min_size=4, max_size=12))
def test_of_two_tabs_none_sets_anything_going_that_was_not_read_back_on_it(
    tmp_path_factory: pytest.TempPathFactory, done: list[tuple[str, str]]
) -> None:
    office = Office(tmp_path_factory.mktemp("office"))
    pages = dict.fromkeys(("left", "right"), len(office.log))
    try:
        for tab, text in done:
            if text == "look":
                pages[tab] = len(office.log)
                continue
            before, seen = len(office.calls), pages[tab]
            answer(office, text, seen=seen)
            shown = [e.event for e in office.log[:seen] if e.event.kind == "asked"]
            for skill, values in office.calls[before:]:
                assert text == "yes"
                assert shown
                if skill == "biller":
                    assert f"€{str(values['amount']).removesuffix('.00')} for {values['detail']}" in shown[-1].text
                else:
                    assert (skill, shown[-1].about, shown[-1].subject) == ("guard", "authorize", "guard")
    finally:
        office.services.close()


SAID = ("yes", "no", "amount=300.00", FIRST, SECOND, "gibberish")


@settings(max_examples=20)
@given(turns=st.lists(st.tuples(st.sampled_from(SAID), st.integers(0, 3)), min_size=3, max_size=7))
def test_nothing_is_written_that_was_not_agreed_to_on_a_page_that_showed_it(
    tmp_path_factory: pytest.TempPathFactory, turns: list[tuple[str, int]]
) -> None:
    office = Office(tmp_path_factory.mktemp("office"))
    try:
        pages = [len(office.log)]
        for text, back in turns:
            seen = pages[max(0, len(pages) - 1 - back)]
            shown = [e for e in office.log[:seen] if e.event.kind == "asked" and e.event.about == "confirm"]
            before = len(office.calls)
            answer(office, text, seen=seen)
            pages.append(len(office.log))
            for _, values in office.calls[before:]:
                assert text == "yes"
                assert shown
                assert f"€{str(values['amount']).removesuffix('.00')} for {values['detail']}" in shown[-1].event.text
    finally:
        office.services.close()


@pytest.mark.parametrize("text", ["yes", "amount=1.00"])
def test_a_command_that_comes_twice_counts_once(office: Office, text: str) -> None:
    office.say(FIRST)
    jobs = [
        threading.Thread(target=office.services.say, args=(office.session, text), kwargs={"command_id": "typed-1"})
        for _ in range(4)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert office.services.wait(office.session, 30)
    assert [event.command_id for event in office.events("heard")].count("typed-1") == 1


def test_what_is_said_while_the_assistant_is_at_work_stands_as_it_was_said_and_where_it_is_answered(
    box: Toybox,
) -> None:
    box.say("goal trophy")
    BEHAVIOUR.gate.clear()
    box.services.say(box.session, "a=apple")
    box.services.say(box.session, "what")
    seen = box.services.snapshot(box.session)
    assert seen.busy
    assert mask("what", secrets_of(seen.catalog, seen.log, to_author=True)) == "what"
    assert mask("what", secrets_of(seen.catalog, seen.log)) == "••••", "it may be anything for everybody else"
    BEHAVIOUR.gate.set()
    assert box.services.wait(box.session, 30)
    texts = [(message.sender, message.text) for message in box.now.messages.all]
    assert texts.index(("user", "what")) > texts.index(("user", "a=apple")) + 1, "the answer to the first is between"


def test_what_is_said_while_something_sensitive_is_asked_for_is_masked(box: Toybox) -> None:
    box.say("goal prize")
    box.say("a=apple")
    box.say("yes")
    assert box.asks == "fact secret"
    understood = threading.Event()
    understander = box.services.understander_of("toys")
    read = understander.understand
    understander.understand = lambda text, context: (understood.wait(30), read(text, context))[1]  # type: ignore[method-assign]
    box.services.say(box.session, "tuna casserole")
    seen = box.services.snapshot(box.session)
    assert seen.busy
    assert mask("tuna casserole", secrets_of(seen.catalog, seen.log, to_author=True)) == "••••"
    understood.set()
    assert box.services.wait(box.session, 30)


def test_what_is_said_to_a_question_for_consent_stands_as_it_was_typed_unless_it_may_be_a_value(box: Toybox) -> None:
    box.say("goal prize")
    box.say("a=apple")
    assert (box.asks or "").startswith("authorize")
    understood = threading.Event()
    understander = box.services.understander_of("toys")
    read = understander.understand
    understander.understand = lambda text, context: (understood.wait(30), read(text, context))[1]  # type: ignore[method-assign]
    box.services.say(box.session, "why do you need that?")
    seen = box.services.snapshot(box.session)
    assert seen.busy
    shown = [mask("why do you need that?", secrets_of(seen.catalog, seen.log, to_author=own)) for own in (True, False)]
    assert shown == ["why do you need that?", "••••"]
    box.services.say(box.session, "yes, it is 4711")
    seen = box.services.snapshot(box.session)
    assert mask("yes, it is 4711", secrets_of(seen.catalog, seen.log, to_author=True)) == "••••"
    understood.set()
    assert box.services.wait(box.session, 30)
