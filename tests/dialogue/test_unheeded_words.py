"""Words of a request that nothing heeds: told, and asked about first where they would change what is done or read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from benchmarks.beyond.__main__ import Played, conversation
from catalog.load import Loaded, load
from catalog.load.demo_files import DEMOS
from language.interpretation import Unheeded

BEYOND = Path(__file__).parents[2] / "benchmarks" / "beyond"
CATALOGS: dict[str, Loaded] = {}


def catalog(name: str) -> Loaded:
    """Load a catalog once."""
    if name not in CATALOGS:
        CATALOGS[name] = load(DEMOS.get(name, BEYOND / f"{name}.yaml"))
    return CATALOGS[name]


def item(name: str) -> dict[str, Any]:
    """Describe a conversation on the day of the benchmark."""
    return {"catalog": name, "today": "2026-11-25"}


def replies(played: Played, text: str) -> list[str]:
    """Say something, and list what was answered."""
    return [event["text"] for event in played.say(text) if event["kind"] == "replied"]


def test_what_cannot_be_heeded_is_named_in_the_question_for_the_go_ahead() -> None:
    with conversation(item("accounting"), catalog("accounting")) as played:
        last = replies(played, "bill Maria Keller $300 for logo design")[-1]
        assert "I cannot take “Maria Keller” into account." in last
        assert not played.called()
        replies(played, "yes")
        assert played.called() == ["create_invoice_api"]


def test_a_no_to_that_leaves_it_undone() -> None:
    with conversation(item("accounting"), catalog("accounting")) as played:
        replies(played, "bill Maria Keller $300 for logo design")
        replies(played, "no")
        assert not played.called()


def test_a_second_request_that_is_not_served_is_spoken_of() -> None:
    with conversation(item("accounting"), catalog("accounting")) as played:
        last = replies(played, "create an invoice for $450 for garden work and email it")[-1]
        assert "“and email it”" in last
        assert not played.called()


def test_a_call_that_asks_for_no_go_ahead_asks_where_a_condition_is_not_heeded() -> None:
    with conversation(item("accounting"), catalog("accounting")) as played:
        said = "I'd like to talk to someone about my invoice by chat unless it costs something"
        assert "“unless it costs something”" in replies(played, said)[-1]
        assert not played.called()
        assert "Shall I go ahead?" in played.asked["text"] if played.asked else False
        replies(played, "yes")
        assert played.called() == ["contact_us_api"]


def test_without_that_go_ahead_such_a_call_is_not_made() -> None:
    with conversation(item("accounting"), catalog("accounting")) as played:
        replies(played, "I'd like to talk to someone about my invoice by chat unless it costs something")
        replies(played, "no")
        assert not played.called()


@pytest.mark.row("V30")
def test_what_would_read_something_else_than_was_asked_for_is_asked_about_first() -> None:
    with conversation(item("office"), catalog("office")) as played:
        said = replies(played, "Show me the mails from Hugo Lange, but only the unread ones")
        assert said[-1].startswith("I cannot take “but only the unread ones” into account.")
        assert "Shall I go ahead?" in said[-1]
        assert not played.called()
        replies(played, "yes")
        assert played.called() == ["mail_search"]


@pytest.mark.parametrize(("sort", "alters"), [("time", True), ("deed", True), ("other", False), ("person", False)])
def test_words_are_read_as_they_were_recorded_before_they_were_weighed(sort: str, alters: bool) -> None:
    recorded = {"span": {"start": 0, "end": 4, "text": "last"}, "sort": sort}
    assert Unheeded.model_validate(recorded).alters is alters
    with pytest.raises(ValidationError):
        Unheeded.model_validate({"sort": sort})


@pytest.mark.row("V30")
def test_a_no_to_what_would_be_read_ends_the_request_and_no_more() -> None:
    with conversation(item("office"), catalog("office")) as played:
        replies(played, "Show me the mails from Hugo Lange, but only the unread ones")
        said = " ".join(replies(played, "no"))
        assert "I will not go ahead" in said
        assert "Nothing you could tell me" not in said
        assert not played.called()
        replies(played, "then show me the mails from Hugo Lange")
        assert played.called() == ["mail_search"]


@pytest.mark.row("V30")
@pytest.mark.parametrize("before", ["No.", "Why not.", "Oh no!", "Maybe not..."])
def test_a_no_that_stands_for_itself_denies_nothing_of_the_next_sentence(before: str) -> None:
    with conversation(item("office"), catalog("office")) as played:
        assert not any(
            "“no" in said.casefold() for said in replies(played, f"{before} Show me the mails from Hugo Lange")
        )
        assert played.called() == ["mail_search"]


@pytest.mark.row("V30")
def test_what_may_be_no_more_than_a_word_is_told_before_the_result() -> None:
    with conversation(item("office"), catalog("office")) as played:
        said = replies(played, "Show me the last mail from Hugo Lange")
        assert "I cannot take “the last” into account." in said
        assert played.called() == ["mail_search"]


@pytest.mark.row("V30")
@pytest.mark.parametrize("denial", ["do not", "don't", "please don't", "whatever you do, never"])
def test_a_denial_of_what_a_goal_does_is_never_overheard(denial: str) -> None:
    with conversation(item("clinic"), catalog("clinic")) as played:
        said = " ".join(replies(played, f"I come on 3 December, so {denial} cancel my appointment"))
        begun = any(event["kind"] == "goal_pushed" for event in played.events)
        assert not begun or denial.rsplit(maxsplit=1)[-1] in said
        assert not played.called()


def test_what_is_asked_for_first_is_told_before_the_question_for_a_value() -> None:
    with conversation(item("clinic"), catalog("clinic")) as played:
        said = replies(played, "Stop my prescription for ramipril for two weeks")
        assert "I cannot take “for two weeks” into account." in said or "two weeks" in said[1]
        assert "patient number" in said[-1]
        assert "two weeks" in replies(played, "P-20417")[-1]
        assert not played.called()


@pytest.mark.parametrize("limit", ["if they complain", "unless it is paid", "but don't tell the customer"])
def test_a_yes_that_is_limited_is_no_yes(limit: str) -> None:
    with conversation(item("office"), catalog("office")) as played:
        replies(played, "Void invoice INV-2041")
        replies(played, f"yes, {limit}")
        assert not played.called()


@pytest.mark.parametrize(
    "plain", ["yes please, thank you", "yes, do that for me", "sure, no problem", "yes, all right"]
)
def test_a_yes_with_polite_words_is_one(plain: str) -> None:
    with conversation(item("office"), catalog("office")) as played:
        replies(played, "Void invoice INV-2041")
        replies(played, plain)
        assert played.called() == ["invoice_voiding"]


@pytest.mark.parametrize(
    "text",
    [
        "Delete the mails from Hugo Lange if I have answered them",
        "Pay half of bill B-318",
        "Delete everything but the mails from Hugo Lange",
        "Save Greta Moss, greta@moss.example, 202-555-0150, in Tom's address book",
        "Cancel all my meetings on Friday",
        "Change my son's address to 12 Mill Lane, Springfield",
        "Reschedule my meeting with Hugo Lange to Friday at 14:30",
    ],
)
def test_nothing_with_an_effect_runs_on_words_beyond_it(text: str) -> None:
    name = "clinic" if "address" in text else "office"
    with conversation(item(name), catalog(name)) as played:
        played.say(text)
        assert not any(skill not in ("bill_lookup",) for skill in played.called())


READ = {
    "Show me the mails from Hugo Lange": "office",
    "Look Greta Moss up in the address book": "office",
    "How much is bill B-318?": "office",
    "Which times are free at the dermatologist on Friday?": "clinic",
    "Give me the expense report for May 2024": "accounting",
}
NARROWED = """in Swiss francs; as a spreadsheet; for my brother; only the urgent ones; every Monday morning
except the small ones; compared with last year; at your branch in Leeds; if it rains; sorted by size
and tell my wife; in Polish; by text message"""
ASIDE = """I have been busy all week; the kids were ill; sorry to bother you; thanks a lot; my old laptop died yesterday
I hope you are well; it is raining here; no hurry"""


@pytest.mark.row("V30")
@pytest.mark.parametrize("more", re.split(r"; |\n", NARROWED))
@pytest.mark.parametrize("text", sorted(READ))
def test_what_narrows_a_request_that_only_reads_is_told(text: str, more: str) -> None:
    with conversation(item(READ[text]), catalog(READ[text])) as played:
        said = " ".join(replies(played, f"{text.rstrip('?')} {more}{'?' if text.endswith('?') else ''}"))
        begun = any(event["kind"] == "goal_pushed" for event in played.events)
        words = [word for word in more.casefold().split() if len(word) > 3] or more.split()
        quoted = " ".join(re.findall(r"“([^”]*)”", said)).casefold()
        assert not begun or any(word in quoted for word in words), said


@pytest.mark.row("V30")
@pytest.mark.parametrize("aside", re.split(r"; |\n", ASIDE))
@pytest.mark.parametrize("text", sorted(READ))
def test_what_is_only_told_beside_a_request_is_not_spoken_of(text: str, aside: str) -> None:
    with conversation(item(READ[text]), catalog(READ[text])) as played:
        assert not any("into account" in said for said in replies(played, f"{aside.capitalize()}. {text}"))


SERVED = {
    "Void invoice INV-2041": "invoice_voiding",
    "Send a reminder for INV-2041": "reminder_sending",
    "Invoice Brook Bakery $450 for consulting": "invoice_writing",
    "Cancel the meeting with Hugo Lange": "meeting_cancellation",
    "Remove Hugo Lange from the address book": "contact_deletion",
}
BEYOND_IT = """if nobody minds; unless the boss objects; for my aunt; every second month; in triplicate
except in winter; as soon as the sun shines; with a ribbon; on Ulrike's behalf; whenever it snows
for the next 4 years"""
FILLER = ["please", "kindly", "could you", "thanks", "I'd like you to", "hi,", "now", "quickly"]


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(sorted(SERVED)), st.sampled_from(re.split(r"; |\n", BEYOND_IT)), st.booleans())
def test_whatever_is_added_to_a_request_with_an_effect_is_asked_about(text: str, more: str, first: bool) -> None:
    said = f"{more.capitalize()}, {text[0].lower()}{text[1:]}" if first else f"{text} {more}"
    with conversation(item("office"), catalog("office")) as played:
        events = played.say(said)
        answer = " ".join(event["text"] for event in events if event["kind"] == "replied")
        assert not played.called()
        begun = any(event["kind"] == "goal_pushed" for event in events)
        words = [word for word in more.casefold().split() if len(word) > 3]
        assert not begun or any(word in answer.casefold() for word in words), answer


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(sorted(SERVED)), st.sampled_from(FILLER), st.booleans())
def test_filler_changes_nothing(text: str, filler: str, first: bool) -> None:
    said = f"{filler} {text[0].lower()}{text[1:]}" if first or filler in ("hi,", "could you") else f"{text}, {filler}"
    with conversation(item("office"), catalog("office")) as played:
        events = played.say(said)
        assert "into account" not in " ".join(event["text"] for event in events if event["kind"] == "replied")
