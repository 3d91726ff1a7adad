"""Reasons are codes with parameters: each is said by one template, and sentences of old logs are read."""

from __future__ import annotations

import ast
import string
from pathlib import Path
from typing import get_args

import pytest

from catalog.load import load
from catalog.model.settings import Metric
from dialogue.log.events import Answered, Begun, Discarded, GoalDropped, Kept, Settled
from dialogue.log.streams import Event
from language.content import NO_REASON, Reason, ReasonCode, not_agreed, not_heeded
from language.languages import LANGUAGES, Language

BANK = load("banking").catalog
FULL = Reason(
    text="some words",
    words=("at once",),
    facts=("ssn", "email"),
    skills=("credit_check",),
    subject="credit_check",
    label="scored",
    hoped="refused",
    item="Ann",
    error="timed_out",
    number=2,
    other=1.5,
    metric=Metric.TIME,
    of=(Reason(code="told_unasked", facts=("email",)), Reason(code="budget_lifted")),
)


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda language: language.label)
def test_there_is_a_template_for_each_code_and_no_other(language: Language) -> None:
    assert set(language.reasons.TEMPLATES) == set(get_args(ReasonCode))


@pytest.mark.parametrize("code", get_args(ReasonCode))
def test_each_reason_is_said_with_all_that_its_template_names(code: ReasonCode) -> None:
    phrases = LANGUAGES["en"].reasons
    said = phrases.say(BANK, FULL.model_copy(update={"code": code}))
    assert said and not {"{", "}"} & set(said)
    named = {name for _, name, _, _ in string.Formatter().parse(phrases.TEMPLATES[code]) if name}
    bare = phrases.say(BANK, Reason(code=code))
    assert (said != bare) == bool(named - {"why_not"}), "what it names is in its sentence"


def test_reasons_are_given_by_their_codes_and_no_code_is_left_over() -> None:
    """Of a code that is put together of its parts, each is among `MADE`."""
    given = set(MADE)
    for path in Path("dialogue").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Reason":
                codes = (word.value for word in node.keywords if word.arg == "code")
                parts = (one.value for code in codes for one in ast.walk(code) if isinstance(one, ast.Constant))
                given |= {part for part in parts if isinstance(part, str)}
    assert given == set(get_args(ReasonCode))


MADE = ("said", "consent_refused", "consent_unclear", "consent_withdrawn", "not_heeded")
"""Made in `language.content`."""
SAID = [
    (Reason(code="no_plan"), "no plan leads to it"),
    (Reason(text="seen in the ledger"), "seen in the ledger"),
    (Reason(code="rested_on", facts=("email",)), "it was worked out from the old value of your e-mail address"),
    (Reason(code="no_clear_answer", facts=("email",), number=3), "after 3 tries there was no clear answer about your "
     "e-mail address"),
    (not_agreed("credit_check", ("ssn",), "refused"), "you declined to give your social security number to the "
     "credit bureau"),
    (not_agreed("credit_check", ("ssn",), "withdrawn"), "you took back your consent to give your social security "
     "number to the credit bureau"),
    (Reason(code="call_failed", skills=("credit_check",), error="timed_out"), "the credit bureau did not answer in "
     "time"),
    (Reason(code="surprise", skills=("credit_check",), label="made", hoped="lost", item="Ann"), "the credit bureau "
     "came back with “made” for Ann, not “lost”"),
    (Reason(code="surprise", skills=("credit_check",), label="made"), "the credit bureau came back with “made”, not "
     "something else"),
    (Reason(code="called_enough", skills=("credit_check",), number=1), "the credit bureau was called once, which is "
     "as often as it may be"),
    (Reason(code="called_enough", skills=("credit_check",), number=2), "the credit bureau was called 2 times, which "
     "is as often as it may be"),
    (Reason(code="news"), "it ended without reaching the goal"),
    (FULL.model_copy(update={"code": "news"}), "you gave your e-mail address before being asked, and you lifted the "
     "budget"),
    (Reason(code="does_not_fit", facts=("income", "email")), "your yearly income cannot be used as your e-mail "
     "address, which has to be an e-mail address such as ann@example.org"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "words"), SAID, ids=[reason.code for reason, _ in SAID])
def test_reasons_are_said_with_the_labels_of_the_catalog(reason: Reason, words: str) -> None:
    assert LANGUAGES["en"].reasons.say(BANK, reason) == words


def test_a_fact_that_the_catalog_has_no_more_goes_by_its_name() -> None:
    gone = Reason(code="not_fillable", facts=("shoe_size",))
    assert LANGUAGES["en"].reasons.say(BANK, gone) == "I cannot ask you for your shoe_size"


def test_numbers_in_words_that_are_not_heeded_are_not_kept() -> None:
    kept = not_heeded(["unless it is 900-12-3456", "soon"]).model_dump_json()
    assert "3456" not in kept and "soon" in kept
    assert not not_heeded([])


EVENTS: list[tuple[Event, str]] = [
    (Discarded(plan_id=1, reason=Reason(code="news"), cause=1, at_step=0), "reason"),
    (GoalDropped(goal_id=1, reason=Reason(code="stopped")), "reason"),
    (Settled(call_id="c", skill="s", mode="m", reason=Reason(code="looked_up")), "reason"),
    (Begun(goal_id=1, cause=1), "reason"),
    (Kept(plan_id=1, cause=1, note=Reason(code="nothing_cheaper")), "note"),
    (Answered(asked=1, heard=2, accepted=False, unclear=Reason(code="not_understood")), "unclear"),
]


@pytest.mark.parametrize(("event", "field"), EVENTS, ids=[event.kind for event, _ in EVENTS])
def test_a_sentence_in_an_old_log_is_read_as_it_was_said(event: Event, field: str) -> None:
    old = {**event.model_dump(mode="json"), field: "you asked me to stop, {so} to speak"}
    read: Reason = getattr(type(event).model_validate(old), field)
    assert (read.code, LANGUAGES["en"].reasons.say(BANK, read)) == ("said", old[field])
    none = getattr(type(event).model_validate({**old, field: ""}), field)
    assert none == NO_REASON and not none


@pytest.mark.parametrize(
    ("text", "code"), [("no plan leads to it", "no_plan"), ("skipped", "skipped"), ("declined", "declined")]
)
def test_a_sentence_that_decided_something_still_does(text: str, code: str) -> None:
    """Else a loan that no plan led to would not be taken up again, and "skip" would be hidden as a value."""
    read = Reason.model_validate(text)
    assert (read.code, LANGUAGES["en"].reasons.say(BANK, read)) == (code, text)


def test_what_is_usual_is_not_written() -> None:
    assert Reason(code="rested_on", facts=("email",)).model_dump(mode="json") == {
        "code": "rested_on", "facts": ["email"]
    }  # fmt: skip
    assert Reason(code="budget_said", number=0.0).model_dump(mode="json") == {"code": "budget_said", "number": 0.0}
