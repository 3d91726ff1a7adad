"""Setting up a language model in a browser: tried before it is used, and its key never comes back."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from dialogue.settings import FILE
from tests.pages.screen import PATIENCE_MS, Screen, Server

pytestmark = pytest.mark.browser

KEY = "sk-canary-5f3a"


def fill(screen: Screen, **fields: str) -> None:
    for label, value in fields.items():
        screen.page.get_by_role("textbox", name=label.replace("_", " "), exact=True).fill(value)


def outcome_of(screen: Screen, button: str, title: str) -> str:
    screen.page.get_by_role("button", name=button, exact=True).click()
    card = screen.page.locator(".outcome", has_text=title)
    expect(card).to_be_visible(timeout=PATIENCE_MS)
    screen.settle()
    return card.inner_text()


def choose(screen: Screen, label: str, option: str) -> None:
    screen.open_options(label)
    screen.page.get_by_role("option", name=option, exact=True).click()


@pytest.mark.long
def test_an_engine_is_chosen_for_all_conversations_and_another_for_one(
    fresh_screen: Screen, fresh_server: Server
) -> None:
    screen = fresh_screen
    screen.open()
    screen.say("I want a loan of $12,000")
    session = screen.session
    screen.open(f"settings?session={session}")
    choose(screen, "Planning engine", "optimal")
    assert "used from now on" in outcome_of(screen, "Save choices", "Choices saved")
    assert json.loads((fresh_server.home / FILE).read_text(encoding="utf-8"))["engine"] == "optimal"
    screen.page.get_by_text("All settings", exact=True).click()
    expect(screen.page.locator("tr", has_text="PLANGLASS_ENGINE")).to_contain_text("optimal")
    expect(screen.page.locator("tr", has_text="PLANGLASS_ENGINE")).to_contain_text(FILE)
    choose(screen, "Planning engine here", "pyperplan")
    assert "from the next message on" in outcome_of(screen, "Use here", "Chosen for this conversation")
    screen.open(f"?session={session}")
    expect(screen.page.locator(".barname")).to_contain_text("with pyperplan")


def test_settings_that_cannot_work_are_refused_kindly_and_fit_a_small_screen(small_screen: Screen) -> None:
    screen = small_screen
    screen.open("settings")
    screen.page.get_by_text("For everything that may be a request", exact=True).click()
    fill(screen, Base_URL="localhost:8080", Model="<img src=x onerror=alert(1)>")
    assert "begins with http://" in outcome_of(screen, "Save", "Not saved")
    screen.page.get_by_text("Limits", exact=True).click()
    expect(screen.page.get_by_role("spinbutton", name="Seconds for one plan")).to_be_visible()
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= 390
