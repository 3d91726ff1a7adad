"""Conversations as they are listed, named, opened, deleted and missed: the page Sessions and others as trees."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.pages.tree import Tree

CANARY = "900-12-3456"


def test_a_damaged_conversation_costs_no_other_and_can_be_deleted(
    fresh_tree: Tree, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tree = fresh_tree
    tree.say("hello")
    whole = tree.session
    lost = "f" * 32
    with closing(sqlite3.connect(home / "sessions.db", timeout=60)) as db:
        row = ("conversation", lost, 1, "2026-11-21T12:00:00+00:00", "session_started", f"garbage {CANARY}")
        db.execute("INSERT INTO stream_entries VALUES (?, ?, ?, ?, ?, ?)", row)
        db.commit()
    tree.open(session=lost)
    assert "This is damaged, and cannot be shown" in tree.one(".notice").text
    assert "Begin a new conversation" in [button.label for button in tree.app.button]
    tree.open("sessions")
    assert tree.app.button(key=f"open-{whole}")
    tree.fill("Search", lost)
    assert "Nothing else is concerned." in tree.sheet(f"words-{lost}").text
    tree.app.button(key=f"delete-{lost}").click()
    tree.run()
    tree.press("Delete for good")
    assert f"words-{lost}" not in tree.drawn
    assert CANARY not in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("page", ["assistant", "plans", "demo"])
def test_a_conversation_that_does_not_exist_gets_a_kind_page(page: str, tree: Tree) -> None:
    """It says what is the case, and leads on."""
    tree.open(page, session="nope")
    assert "There is no such conversation here" in tree.one(".notice").text
    tree.press("Begin a new conversation")
    assert not tree.all(".notice")
    assert "session" not in tree.app.query_params


def test_sessions_are_listed_opened_named_and_deleted(fresh_tree: Tree) -> None:
    """From the empty list to a conversation, and its end after a confirmation."""
    tree = fresh_tree
    tree.open("sessions")
    assert "No conversations yet" in tree.one(".notice").text
    tree.open()
    tree.say("I want a loan of $12,000, my SSN is 900-12-3456")
    session = tree.session
    tree.open("sessions")
    name = tree.sheet(f"words-{session}")
    assert name.one(".barname").one("h2").text == "a loan"
    tree.press("Rename…")
    tree.field("Rename…", of="button").click()  # a dialog is drawn by the click that opens it
    tree.field("Name").set_value("the new kitchen")
    tree.press("Save")
    assert tree.sheet(f"words-{session}").one("h2").text == "the new kitchen"
    tree.fill("Search", "bathroom")
    assert "No conversation has these words" in tree.text
    tree.fill("Search", "Kitchen loan")
    assert tree.sheet(f"words-{session}").one("h2").text == "the new kitchen"
    tree.app.button(key=f"open-{session}").click()
    tree.run()
    assert len(tree.all(".message.user")) == 1
    assert tree.session == session
    tree.open("sessions")
    tree.press("Delete…")
    tree.press("Delete for good")
    assert "No conversations yet" in tree.one(".notice").text
    tree.open(session=session)
    assert "There is no such conversation here" in tree.one(".notice").text


def test_an_assistant_that_is_not_there_is_said_and_not_replaced_in_silence(tree: Tree) -> None:
    """The address names a catalog that is not loaded."""
    tree.open(catalog="travel")
    assert "There is no catalog 'travel'" in tree.one(".notice").text
    assert not tree.all(".message")
    tree.press("Choose another")
    assert tree.all(".message.assistant")
    tree.open("catalog", catalog="travel")
    assert "There is no catalog “travel” here" in tree.text


def test_starting_over_keeps_the_conversation_and_begins_another_with_the_same_assistant(tree: Tree) -> None:
    tree.open(catalog="accounting")
    tree.say("an expense report for May 2024, please")
    before = tree.session
    tree.press("Start over")
    assert not tree.all(".message.user")
    assert "Harbour Books" in tree.text
    tree.open(session=before)
    assert len(tree.all(".message.user")) == 1
