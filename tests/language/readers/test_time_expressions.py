"""Periods are read as people say them, against a given day; what could be read in two ways is not taken."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import loads
from catalog.problems import CatalogError
from catalog.values import Date, Period, Unreadable
from catalog.wording.values import say_fault
from language.readers import find_mentions, read_answer

TODAY = date(2024, 11, 6)  # a Wednesday
BACK = Period(order="month_first", looks="back")
AHEAD = Period(order="day_first", looks="ahead")

SAID: list[tuple[str, str | None, str | None]] = [
    ("nov 2023", "2023-11-01", "2023-11-30"),
    ("april 15 2022-june 30 2022", "2022-04-15", "2022-06-30"),
    ("fy21", "2021-01-01", "2021-12-31"),
    ("1 Half 2023", "2023-01-01", "2023-06-30"),
    ("6/22 to 7/22", "2022-06-01", "2022-07-31"),
    ("1Q23", "2023-01-01", "2023-03-31"),
    ("Mar-Apr 2022", "2022-03-01", "2022-04-30"),
    ("April end-June start 2023", "2023-04-30", "2023-06-01"),
    ("2023 Q1 detailed expense report", "2023-01-01", "2023-03-31"),
    ("the first quarter of 2023", "2023-01-01", "2023-03-31"),
    ("3Q 23", "2023-07-01", "2023-09-30"),
    ("from q1 to q3 2023", "2023-01-01", "2023-09-30"),
    ("last year's Q3", "2023-07-01", "2023-09-30"),
    ("the last quarter of 2023", "2023-10-01", "2023-12-31"),
    ("the first three months of 2024", "2024-01-01", "2024-03-31"),
    ("the second half of last year", "2023-07-01", "2023-12-31"),
    ("fiscal year 2022", "2022-01-01", "2022-12-31"),
    ("last month", "2024-10-01", "2024-10-31"),
    ("previous quarter", "2024-07-01", "2024-09-30"),
    ("the whole of last year", "2023-01-01", "2023-12-31"),
    ("the year before last", "2022-01-01", "2022-12-31"),
    ("November of last year", "2023-11-01", "2023-11-30"),
    ("the last 3 months", "2024-08-01", "2024-10-31"),
    ("the last 30 days", "2024-10-08", "2024-11-06"),
    ("last week", "2024-10-28", "2024-11-03"),
    ("this quarter", "2024-10-01", "2024-12-31"),
    ("year to date", "2024-01-01", "2024-11-06"),
    ("mtd", "2024-11-01", "2024-11-06"),
    ("this year so far", "2024-01-01", "2024-11-06"),
    ("from Oct 2, 2023 until today", "2023-10-02", "2024-11-06"),
    ("since March", "2024-03-01", "2024-11-06"),
    ("from Oct 2", "2024-10-02", None),
    ("starting March 2024", "2024-03-01", None),
    ("until June 2024", None, "2024-06-30"),
    ("invoices from april 2024", "2024-04-01", "2024-04-30"),
    ("last Friday", "2024-11-01", "2024-11-01"),
    ("yesterday", "2024-11-05", "2024-11-05"),
    ("the day before yesterday", "2024-11-04", "2024-11-04"),
    ("3/4/2024", "2024-03-04", "2024-03-04"),
    ("25/12/2023", "2023-12-25", "2023-12-25"),
    ("11th November '18", "2018-11-11", "2018-11-11"),
    ("June 3-28, 2024", "2024-06-03", "2024-06-28"),
    ("between March 3 and 9, 2024", "2024-03-03", "2024-03-09"),
    ("between 1 May 2023 and 30 September 2023", "2023-05-01", "2023-09-30"),
    ("1/1/24-3/31/24", "2024-01-01", "2024-03-31"),
    ("2023-01 to 2023-06", "2023-01-01", "2023-06-30"),
    ("Q1 and Q2 2023", "2023-01-01", "2023-06-30"),
    ("Jan, Feb and March 2024", "2024-01-01", "2024-03-31"),
    ("since the start of the year", "2024-01-01", "2024-11-06"),
    ("until the end of March 2024", None, "2024-03-31"),
    ("november to february", "2023-11-01", "2024-02-29"),
    ("december", "2023-12-01", "2023-12-31"),
    ("febuary 2024", "2024-02-01", "2024-02-29"),
    ("July 2024 to Jan 2024", "2024-07-01", "2024-01-31"),
    ("5/5/2024 to 5/5/2024", "2024-05-05", "2024-05-05"),
    ("Q1 of this year, 2024", "2024-01-01", "2024-03-31"),
    ("for the second quarter of last year (2023)", "2023-04-01", "2023-06-30"),
    ("in 2024, March", "2024-03-01", "2024-03-31"),
    ("May of 2023", "2023-05-01", "2023-05-31"),
    ("Sept. 2023", "2023-09-01", "2023-09-30"),
    ("Sep. 1, 2023 to Oct. 15, 2023", "2023-09-01", "2023-10-15"),
    ("the first two quarters of 2024", "2024-01-01", "2024-06-30"),
    ("the most recent quarter", "2024-07-01", "2024-09-30"),
    ("past thirty days", "2024-10-08", "2024-11-06"),
    ("last quater", "2024-07-01", "2024-09-30"),
    ("last 3q23", "2023-07-01", "2023-09-30"),
    ("lst month", "2024-10-01", "2024-10-31"),
    ("laast yaer", "2023-01-01", "2023-12-31"),
    ("second qaurter of 2024", "2024-04-01", "2024-06-30"),
    ("frist quarter 2023", "2023-01-01", "2023-03-31"),
    ("agust 2023", "2023-08-01", "2023-08-31"),
    ("yesteday", "2024-11-05", "2024-11-05"),
    ("starting on June 15, 2024 and ending on June 14, 2024", "2024-06-15", "2024-06-14"),
    ("start date 2024-03-10, end date 2024-01-10", "2024-03-10", "2024-01-10"),
    ("with a start date of 1/5/2024 and an end date of 2/6/2024", "2024-01-05", "2024-02-06"),
    ("that start on May 1, 2024 and end on May 20, 2024", "2024-05-01", "2024-05-20"),
    ("start: 3/1/2024 end: 3/31/2024", "2024-03-01", "2024-03-31"),
    ("up to the end date of August 31, 2024", None, "2024-08-31"),
    ("ending on July 31, 2024", None, "2024-07-31"),
    ("start date 7/1/2024", "2024-07-01", None),
    ("for the quarter ending June 30, 2024", "2024-04-01", "2024-06-30"),
    ("the 12 months ended September 30, 2024", "2023-10-01", "2024-09-30"),
    ("the week ending 10/13/2024", "2024-10-07", "2024-10-13"),
    ("the first day of March 2024 to the last day of May 2024", "2024-03-01", "2024-05-31"),
    ("in september 2024 after everything", "2024-09-01", "2024-09-30"),
    ("from June 2024 and after", "2024-06-01", None),
    ("from january first twenty twenty four until today", "2024-01-01", "2024-11-06"),
    ("from march fifth to march twenty first twenty twenty three", "2023-03-05", "2023-03-21"),
    ("the fifteenth of june two thousand and twenty four", "2024-06-15", "2024-06-15"),
    ("march first", "2024-03-01", "2024-03-31"),
    ("between march fifth and march twelfth of this year", "2024-03-05", "2024-03-12"),
    ("March 12 of last year", "2023-03-12", "2023-03-12"),
    ("costs twenty twenty three", "2023-01-01", "2023-12-31"),
    ("the quater ending september 30 2024", "2024-07-01", "2024-09-30"),
    ("from May 2024 on", "2024-05-01", None),
    ("that we end Q4 2023 with", "2023-10-01", "2023-12-31"),
    ("from Feb 1, 2024 all the way to Feb 29, 2024", "2024-02-01", "2024-02-29"),
    ("starting January 2024 and going until June 2024", "2024-01-01", "2024-06-30"),
    ("from august 2023 till date", "2023-08-01", "2024-11-06"),
    ("April 1 to April 30", "2024-04-01", "2024-04-30"),
    ("20240401 to 20240430", "2024-04-01", "2024-04-30"),
    ("2024-02-01/2024-02-29", "2024-02-01", "2024-02-29"),
    ("YTD 2024", "2024-01-01", "2024-11-06"),
    ("begin 02/01/2024, end 02/15/2024", "2024-02-01", "2024-02-15"),
    ("jan-june 24", "2024-01-01", "2024-06-30"),
    ("q 2 2024", "2024-04-01", "2024-06-30"),
    ("for 2023, I need it by Friday", "2023-01-01", "2023-12-31"),
    ("for 2023, we meet next week", "2023-01-01", "2023-12-31"),
    ("next month", "2024-12-01", "2024-12-31"),
    ("so far this year", "2024-01-01", "2024-11-06"),
    ("year-to-date", "2024-01-01", "2024-11-06"),
    ("about Q1 2024", "2024-01-01", "2024-03-31"),
    ("of who paid late in June 2024", "2024-06-01", "2024-06-30"),
    ("I compare with my notes from 4/15/2023 to 8/31/2023", "2023-04-15", "2023-08-31"),
    ("I need today for May 2024", "2024-05-01", "2024-05-31"),
    ("I now need for May 2024", "2024-05-01", "2024-05-31"),
]


def ends_of(value: object) -> tuple[str | None, str | None]:
    assert isinstance(value, dict)
    return value.get("start"), value.get("end")


@pytest.mark.row("P1")
@pytest.mark.row("P8")
@pytest.mark.parametrize(("said", "start", "end"), SAID)
def test_a_period_goes_from_its_first_to_its_last_day(said: str, start: str | None, end: str | None) -> None:
    (mention,) = find_mentions(BACK, f"Show me the report {said}, please", TODAY)
    assert mention.unsure is None
    assert [ends_of(reading) for reading in mention.readings] == [(start, end)]


@pytest.mark.parametrize(("said", "start", "end"), SAID)
def test_the_words_of_a_period_alone_say_the_same(said: str, start: str | None, end: str | None) -> None:
    text = f"Show me the report {said}, please"
    (mention,) = find_mentions(BACK, text, TODAY)
    assert text[mention.start : mention.end] == mention.text
    assert ends_of(read_answer(BACK, mention.text, TODAY)) == (start, end)


@pytest.mark.row("P15")
@pytest.mark.parametrize(
    "said",
    ["may 22", "end of April", "two months ago", "before June 2024", "not 2023", "the 30th of February 2024",
     "profit against last year", "the week of 10/7/2024", "summer 2023", "early 2023", "the rest of 2024",
     "most of 2024", "prior to June 2024", "the same quarter of last year", "March of this year, 2023", "YTD 2021"],
)  # fmt: skip
def test_what_leaves_a_day_open_is_not_taken_and_the_reason_is_told(said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_answer(BACK, said, TODAY)
    assert said.rsplit(maxsplit=1)[-1] in say_fault(caught.value.fault)


@pytest.mark.row("P15")
@pytest.mark.parametrize(
    "said",
    ["How may I undo it?", "call 555-201-3344", "an invoice over $2,023", "2000 units", "a second opinion", "#2024",
     "older than 90 days", "the monthly report", "who sat there?", "dec@example.org", "costs 2023/24", "v2.10.2023x",
     "list months", "the net year", "my sales right now", "two thousand twenty four dollars", "twenty items",
     "the second invoice and the third charge"],
)  # fmt: skip
def test_words_and_numbers_that_are_none_of_time_are_no_period(said: str) -> None:
    assert find_mentions(BACK, said, TODAY) == ()


def test_the_day_on_which_somebody_asks_is_the_day_asked_about_where_it_is_said_so() -> None:
    assert ends_of(read_answer(BACK, "what did we sell today", TODAY)) == ("2024-11-06", "2024-11-06")
    with pytest.raises(Unreadable, match="several said"):
        read_answer(BACK, "sales for today and for last month", TODAY)


def test_a_text_full_of_times_is_read_to_its_end() -> None:
    assert len(find_mentions(BACK, "q1 and q1 and " * 700, TODAY)) == 1_400


def test_two_periods_are_never_one_to_choose() -> None:
    with pytest.raises(Unreadable, match="several said"):
        read_answer(BACK, "profit for 2021, and profit for 2023", TODAY)
    with pytest.raises(Unreadable, match="several said"):
        read_answer(BACK, "compare Q1 2023 to Q1 2024", TODAY)


def test_without_an_order_or_a_direction_what_depends_on_it_stays_open() -> None:
    with pytest.raises(Unreadable):
        read_answer(Period(), "3/4/2024", TODAY)
    with pytest.raises(Unreadable, match="no year"):
        read_answer(Period(), "March", TODAY)
    assert ends_of(read_answer(Period(), "13 March 2024", TODAY)) == ("2024-03-13", "2024-03-13")


def test_ahead_means_the_next_one_that_is_not_over() -> None:
    assert ends_of(read_answer(AHEAD, "from 3/12 to 5/12", TODAY)) == ("2024-12-03", "2024-12-05")
    assert ends_of(read_answer(AHEAD, "May", TODAY)) == ("2025-05-01", "2025-05-31")
    assert ends_of(read_answer(AHEAD, "Friday", TODAY)) == ("2024-11-08", "2024-11-08")


@pytest.mark.parametrize(
    ("said", "day"),
    [("3/4/2024", "2024-03-04"), ("May 3", "2024-05-03"), ("Friday", "2024-11-01"), ("2/21/18", "2018-02-21")],
)
def test_a_date_too_can_be_told_how_it_is_written_and_where_to_look(said: str, day: str) -> None:
    assert read_answer(Date(order="month_first", looks="back"), said, TODAY) == day


@given(st.text())
def test_no_text_makes_it_fail_and_every_span_is_in_the_text(text: str) -> None:
    for mention in find_mentions(BACK, text, TODAY):
        assert text[mention.start : mention.end] == mention.text


WORDS = """from to until between and since q1 3q23 2023 '22 may march 5 3rd last this year month quarter of the to date
fy21 1/2/2023 6/22 - , & friday ago before half first start end so far week not
ending onwards twenty four lst quater third compare""".split()


@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join))
def test_however_words_of_time_are_put_together_what_is_found_is_read_again_from_its_words(text: str) -> None:
    for mention in find_mentions(BACK, text, TODAY):
        if not mention.unsure and "not" not in text and "before" not in text:
            again = [found.readings for found in find_mentions(BACK, mention.text, TODAY) if not found.unsure]
            assert again == [mention.readings]


CATALOG = """
name: library
facts:
  from_day: {{value: date}}
  to_day: {{value: {to_day}}}
  time: {{value: {{kind: period, start: from_day, end: {end}}}}}
  loans: {{fillable: false}}
skills:
  list_loans:
    endpoint: python:library:f
    modes: {{now: {{inputs: [from_day, to_day], outcomes: {{ok: [loans]}}}}}}
goals: {{loans: {{facts: [loans], examples: [my loans]}}}}
"""


def test_the_ends_of_a_period_are_dates_of_the_catalog() -> None:
    assert loads(CATALOG.format(to_day="date", end="to_day")).catalog.facts["time"].value.kind == "period"
    for to_day, end, found in (
        ("date", "to_dya", "to_dya"),
        ("money", "to_day", "no date"),
        ("date", "from_day", "two facts"),
    ):
        with pytest.raises(CatalogError, match=found):
            loads(CATALOG.format(to_day=to_day, end=end))
