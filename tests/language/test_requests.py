"""Requests: what an utterance asks for, in which order, and what of it is about something else of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from catalog.load import loads
from language.interpretation import Analysis, Context, Interpretation
from language.understanding.pipeline import OfflineUnderstander
from tests.language.shared import reader_of

WEDNESDAY = date(2024, 11, 6)
BOOKS = reader_of("accounting")


def hear(text: str, reader: OfflineUnderstander = BOOKS) -> Interpretation:
    return reader.understand(text, Context(today=WEDNESDAY))


def look(text: str) -> Analysis:
    return BOOKS.analyse(text, Context(today=WEDNESDAY))


def goals(meaning: Interpretation) -> list[str]:
    return [mention.goal for mention in meaning.goals]


def values(meaning: Interpretation, position: int = 0) -> dict[str, object]:
    return {value.fact: value.value for value in meaning.goals[position].values}


def references(meaning: Interpretation, position: int) -> dict[str, tuple[int, ...]]:
    return {reference.fact: reference.to for reference in meaning.goals[position].references}


@pytest.mark.row("P2", "P10")
def test_a_report_and_a_call_to_discuss_it_are_two_requests_of_which_the_second_is_about_the_first() -> None:
    meaning = hear(
        "Provide me with the profit and loss statement for the previous quarter and put me on a phone call with a "
        "representative to discuss it"
    )
    assert goals(meaning) == ["profit_loss_report", "contact_us"]
    assert values(meaning) == {"start_date": "2024-07-01", "end_date": "2024-09-30"}
    assert values(meaning, 1) == {"contact_channel": "phone"}
    assert references(meaning, 1) == {"contact_topic": (0,)}
    assert meaning.goals[1].missing == ()


@pytest.mark.row("P3")
def test_a_report_without_a_period_lacks_both_its_days() -> None:
    meaning = hear("Profit and loss report")
    assert goals(meaning) == ["profit_loss_report"]
    assert meaning.goals[0].missing == ("start_date", "end_date")


@pytest.mark.parametrize("text", ["sales forecast for next month", "next month sales forecast"])
def test_what_is_next_by_the_calendar_is_a_time_and_nothing_that_comes_next(text: str) -> None:
    meaning = hear(text)
    assert goals(meaning) == ["invoice_sales_report"]
    assert values(meaning) == {"start_date": "2024-12-01", "end_date": "2024-12-31"}


@pytest.mark.row("P4")
def test_a_chat_without_a_topic_lacks_the_topic() -> None:
    meaning = hear("I want to chat with a representative")
    assert values(meaning) == {"contact_channel": "chat"}
    assert meaning.goals[0].missing == ("contact_topic",)


@pytest.mark.row("P9")
@pytest.mark.parametrize("verb", ["speak to", "talk with", "connect me with", "be put in touch with"])
def test_to_speak_or_to_be_connected_names_no_channel(verb: str) -> None:
    wish = f"please {verb}" if verb.startswith("connect") else f"I would like to {verb}"
    meaning = hear(f"{wish} somebody about payroll")
    assert goals(meaning) == ["contact_us"]
    assert "contact_channel" in meaning.goals[0].missing


@pytest.mark.row("P10")
def test_what_others_need_comes_before_them_whatever_was_said_first() -> None:
    meaning = hear("Let me chat with a person about our net income for May 2024, but pull up that report first.")
    assert goals(meaning) == ["profit_loss_report", "contact_us"]
    assert references(meaning, 1) == {"contact_topic": (0,)}


@pytest.mark.row("P14")
@pytest.mark.parametrize(
    ("text", "found", "to"),
    [
        (
            "expense report for 2022, sales report for 2022, and then a chat about both",
            ["expense_report", "invoice_sales_report", "contact_us"],
            (0, 1),
        ),
        (
            "How do I connect my bank? Also find the $10 charge of 6/6/2024 and have an agent phone me about it",
            ["how_to_help", "charge_lookup", "contact_us"],
            (1,),
        ),
        (
            "Look up a $5 charge and a $9 charge, then call me about both",
            ["charge_lookup", "charge_lookup", "contact_us"],
            (0, 1),
        ),
    ],
)
def test_three_requests_are_told_apart_with_what_the_last_is_about(
    text: str, found: list[str], to: tuple[int, ...]
) -> None:
    meaning = hear(text)
    assert goals(meaning) == found
    assert references(meaning, 2) == {"contact_topic": to}


@pytest.mark.row("P13")
@pytest.mark.parametrize(
    "text", ["tell me a joke", "book a table for two", "how high is Mount Everest?", "delete the invoice", "hmm"]
)
def test_what_no_goal_serves_is_taken_for_none(text: str) -> None:
    meaning = hear(text)
    assert goals(meaning) == []
    assert not meaning.values


@pytest.mark.parametrize(
    "text",
    [
        "Show me sales for 2023 and put me through to somebody about payroll, it is urgent",
        "How do I import journal entries? I'd also like to talk about insurance with an agent",
    ],
)
def test_a_topic_that_is_named_is_no_reference(text: str) -> None:
    meaning = hear(text)
    assert goals(meaning)[1:] == ["contact_us"]
    assert references(meaning, 1) == {}
    assert "contact_topic" in values(meaning, 1)


def test_nothing_is_referred_to_that_cannot_become_the_argument() -> None:
    meaning = hear("Give me some advice on saving money and then connect me with somebody to discuss it")
    assert goals(meaning) == ["financial_advice", "contact_us"]
    assert references(meaning, 1) == {}
    assert "contact_topic" in meaning.goals[1].missing


@pytest.mark.parametrize(
    "text",
    [
        "My accountant keeps nagging me, so: profit and loss, the whole of last year, please!",
        "profit and loss and income and earnings for 2023",
        "Hi there! I have been at it all day. Did we make a profit in 2023? Show me the report.",
    ],
)
def test_one_request_in_many_words_stays_one(text: str) -> None:
    assert goals(hear(text)) == ["profit_loss_report"]


def test_the_same_twice_with_other_values_is_asked_for_twice() -> None:
    meaning = hear("create an invoice of $55 for hairstyling and an invoice of $80 for a pilates session")
    assert goals(meaning) == ["create_invoice", "create_invoice"]
    assert [values(meaning, k)["invoice_amount"] for k in (0, 1)] == ["55.00", "80.00"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("make an invoice of $95 for violin lessons and one for $60 for a pilates session", ["create_invoice"] * 2),
        ("where do I set up overtime? And how do I write off bad debt?", ["how_to_help"] * 2),
        ("two unknown charges, $20 on 9/2/2024 and $21.50 on 9/3/2024, look them up", ["charge_lookup"] * 2),
        ("show me the expenses for January 2024 and for March 2024", ["expense_report"] * 2),
        ("add customer Ann Lee and add customer Bob Ray", ["update_customer"] * 2),
        (
            "Which customers have not paid for May 2024? I want the unpaid invoices of that month.",
            ["invoice_sales_report"],
        ),
        ("I need to know how to reclassify transactions. Can you tell me how to do that?", ["how_to_help"]),
        ("Please bill $500 for painting. That is, an invoice of five hundred dollars.", ["create_invoice"]),
    ],
)
def test_the_same_is_asked_for_as_often_as_its_values_differ(text: str, found: list[str]) -> None:
    assert goals(hear(text)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The delivery van loses value every year. How do I book that in the software?", ["how_to_help"]),
        ("Write an invoice. The amount is 1,150 dollars, I'll tell you later what it is for.", ["create_invoice"]),
        (
            "I need someone on the phone who can tell me how long delivery takes and what the postage costs",
            ["contact_us"],
        ),
        (
            "I need the expense report and the sales report, both for March 2023.",
            ["expense_report", "invoice_sales_report"],
        ),
        ("Our sales were great last year. Now I wonder how to set up a budget in here?", ["how_to_help"]),
        ("Good afternoon, I need the invoice report. Thank you, Renée", ["invoice_sales_report"]),
    ],
)
def test_what_only_sets_the_scene_is_no_request(text: str, found: list[str]) -> None:
    assert goals(hear(text)) == found


@pytest.mark.parametrize(
    ("text", "producer"),
    [
        ("i need a chat with an agent about the charge of 66 dollars from 10/2/2024", "charge_lookup"),
        ("can someone call me about the $19.99 charge from 3/3/2024", "charge_lookup"),
        ("I'd like to discuss our profit and loss statement for June 2024 with an accountant", "profit_loss_report"),
        ("invoice for logistics service please, and connect me so that we can go over the invoice", "create_invoice"),
    ],
)
def test_what_is_to_be_discussed_is_asked_for_too(text: str, producer: str) -> None:
    meaning = hear(text)
    assert goals(meaning) == [producer, "contact_us"]
    assert references(meaning, 1) == {"contact_topic": (0,)}


@pytest.mark.row("P13")
@pytest.mark.parametrize(
    "text",
    [
        "transfer 500 dollars from my savings to my checking account",
        "Please post our job ad for a barista on LinkedIn.",
        "Draft a contract for a new supplier",
        "Order 200 business cards with our new logo",
        "Approve Ben's vacation request",
        "Write a slogan for our bakery",
    ],
)
def test_business_that_no_goal_serves_is_refused(text: str) -> None:
    assert goals(hear(text)) == []


@pytest.mark.parametrize("text", ["shw me the expences of march 2024", "can u gimme the expenses 4 march 2024 pls"])
def test_slips_of_the_pen_and_haste_are_read_over(text: str) -> None:
    meaning = hear(text)
    assert goals(meaning) == ["expense_report"]


@pytest.mark.row("P5", "P7")
def test_what_rules_object_to_is_told_with_the_values_as_they_were_read() -> None:
    meaning = hear("Show me expense report from July 2024 to Jan 2024")
    assert values(meaning) == {"start_date": "2024-07-01", "end_date": "2024-01-31"}
    assert meaning.errors == ("The end date is before the start date.",)


def test_an_analysis_shows_every_segment_with_its_candidates_and_what_follows_from_them() -> None:
    text = "Sales for May 2024 - oh, and tell me a joke - then a phone call about that report"
    seen = look(text)
    assert seen.meaning == hear(text)
    assert [segment.goal for segment in seen.segments if segment.goal] == ["invoice_sales_report", "contact_us"]
    for segment in seen.segments:
        assert text[segment.span.start : segment.span.end] == segment.span.text
        assert len(segment.candidates) <= 3
        assert segment.because
    assert any("_goal(x" in fact for fact in seen.facts)
    assert any(atom.startswith("goal(x") for atom in seen.atoms)
    assert seen.fired
    assert {"requests", "values", "rules", "all"} <= seen.seconds.keys()


TRIPS = """
name: trips
facts:
  town: {scope: goal, value: {kind: choice, options: [Paris, Rome, Oslo]}, ask: "Where to?"}
  day: {scope: goal, value: date, ask: "When?"}
  ticket: {askable: false, fillable: false}
  booking: {scope: goal, label: booking, ask: "Which booking?"}
  seat: {askable: false, fillable: false}
skills:
  sell: {endpoint: "python:a:b", modes: {m: {inputs: [town, day], outcomes: {sold: [ticket]}}}}
  reserve: {endpoint: "python:a:b", modes: {m: {inputs: [booking], outcomes: {done: [seat]}}}}
mappings:
  - {fact: ticket, stands_for: booking, on_request: true, because: the seat is for it}
goals:
  travel: {label: a train ticket, facts: [ticket], examples: [I want to go to Rome, book a train]}
  sit: {label: a reserved seat, facts: [seat], examples: [reserve a seat, "I'd like a seat by the window"]}
"""


@pytest.mark.row("P18")
def test_a_catalog_of_another_world_is_read_from_its_entries_alone() -> None:
    trips = OfflineUnderstander(loads(TRIPS).catalog)
    meaning = hear("I'd like a train ticket to Paris on 3 May 2025, and reserve me a window seat for it", trips)
    assert goals(meaning) == ["travel", "sit"]
    assert values(meaning) == {"town": "Paris", "day": "2025-05-03"}
    assert references(meaning, 1) == {"booking": (0,)}


VOYAGES = """
name: voyages
facts:
  town: {scope: goal, value: {kind: choice, options: [Paris, Rome, Oslo]}, ask: "Where to?"}
  ticket: {label: voyage, askable: false, fillable: false}
  room: {label: bed and board, askable: false, fillable: false}
  booking: {scope: goal, label: booking, ask: "Which booking?"}
  seat: {askable: false, fillable: false}
  bill: {askable: false, fillable: false}
skills:
  sell: {endpoint: "python:a:b", modes: {m: {inputs: [town], outcomes: {sold: [ticket, bill]}}}}
  let: {endpoint: "python:a:b", modes: {m: {outcomes: {let: [room, bill]}}}}
  reserve: {endpoint: "python:a:b", modes: {m: {inputs: [booking], outcomes: {done: [seat]}}}}
mappings:
  - {fact: ticket, stands_for: booking, on_request: true, because: the seat is for it}
  - {fact: room, stands_for: booking, on_request: true, because: the seat is for it}
goals:
  travel: {label: a train ride, WANTED sell, examples: [I want to go to Rome, book a train]}
  stay: {label: bed and board, WANTED let, examples: [find me bed and board]}
  sit: {label: a reserved seat, facts: [seat], examples: [reserve a seat, "I'd like a seat by the window"]}
"""
WANTED = {
    "facts": VOYAGES.replace("WANTED sell", "facts: [ticket]").replace("WANTED let", "facts: [room]"),
    "either": VOYAGES.replace("WANTED sell", "either: [[ticket], [bill]]").replace(
        "WANTED let", "either: [[room], [bill]]"
    ),
    "skills": VOYAGES.replace("WANTED sell", "skills: [sell]").replace("WANTED let", "skills: [let]"),
}


@pytest.mark.parametrize("wanted", WANTED.values(), ids=list(WANTED))
def test_the_results_of_a_goal_name_it_however_the_goal_is_declared(wanted: str) -> None:
    reader = OfflineUnderstander(loads(wanted).catalog)
    meaning = hear("Book a train to Paris, then find me bed and board, then reserve a seat for that voyage", reader)
    assert goals(meaning) == ["travel", "stay", "sit"]
    assert references(meaning, 2) == {"booking": (0,)}
    seen = reader.analyse("find me bed and board", Context(today=WEDNESDAY))
    assert [segment.span.text for segment in seen.segments] == ["find me bed and board"]


@pytest.mark.row("P18")
def test_a_new_goal_is_understood_by_its_label_and_description_before_it_has_examples() -> None:
    more = TRIPS + "  complain: {label: a complaint, description: Complaining about a late train., facts: [seat]}\n"
    reader = OfflineUnderstander(loads(more).catalog)
    assert goals(hear("I want to make a complaint", reader)) == ["complain"]


def test_what_was_learned_is_kept_and_learned_anew_if_it_cannot_be_read(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    catalog = root / "tests" / "pages" / "hostile.yaml"  # a small one is learned quickly
    command = [sys.executable, "-m", "dialogue.cli.main", "understand", str(catalog), "give me a verdict", "--json"]

    def run() -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PLANGLASS_HOME": str(tmp_path)}
        del environment["PLANGLASS_CACHE"]
        return subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=True)

    first = run()
    kept = list((tmp_path / "cache").glob("goals-*.npz"))
    assert len(kept) == 1
    whole = kept[0].read_bytes()
    kept[0].write_bytes(whole[: len(whole) // 2])
    second = run()
    assert second.stdout == first.stdout
    assert kept[0].stat().st_size == len(whole)
    assert json.loads(first.stdout)["goals"][0]["goal"] == "judged"
