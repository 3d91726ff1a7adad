"""A conversation that is damaged is listed as such, costs no other one, and can be deleted."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.pages.screen import Screen, Server

pytestmark = pytest.mark.browser

CANARY = "900-12-3456"


def test_a_damaged_conversation_costs_no_other_and_can_be_deleted(screen: Screen, site: Server) -> None:
    screen.open()
    screen.say("hello")
    whole = screen.session
    lost = "f" * 32
    with closing(sqlite3.connect(site.home / "sessions.db", timeout=60)) as db:
        row = ("conversation", lost, 1, "2026-11-21T12:00:00+00:00", "session_started", f"garbage {CANARY}")
        db.execute("INSERT INTO stream_entries VALUES (?, ?, ?, ?, ?, ?)", row)
        db.commit()
    screen.open(f"?session={lost}")
    expect(screen.page.locator(".notice")).to_contain_text("This is damaged, and cannot be shown")
    expect(screen.page.get_by_role("button", name="Begin a new conversation")).to_be_visible()
    screen.open("sessions")
    expect(screen.page.locator(f".st-key-open-{whole}")).to_be_visible()
    screen.page.get_by_label("Search").fill(lost)
    screen.page.get_by_label("Search").press("Enter")
    expect(screen.page.locator(f".st-key-words-{lost}")).to_contain_text("Nothing else is concerned.")
    screen.page.locator(f".st-key-delete-{lost} button").click()
    screen.page.get_by_role("button", name="Delete for good").click()
    expect(screen.page.locator(f".st-key-words-{lost}")).to_have_count(0)
    assert CANARY not in site.log.read_text()
    assert "Traceback" not in site.log.read_text()
