"""What can happen, as somebody looks at it in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Locator, expect

from tests.pages.screen import PATIENCE_MS, Screen

pytestmark = pytest.mark.browser

HOW = "Show how it comes to this"
REPORT = ".st-key-explored-report .sheet[data-ready]"


def choose(screen: Screen, label: str, option: str | re.Pattern[str]) -> None:
    screen.open_options(label)
    screen.page.get_by_role("option", name=option).click()


def choose_goal(screen: Screen, goal: str) -> None:
    """Choose what is to be walked to, and wait until the page speaks of that: of what was before it, it may still."""
    choose(screen, "Goal", goal)
    expect(screen.page.locator(".notice h2, .walked h2").filter(has_text=goal)).to_be_visible()
    screen.settle()


def walk(screen: Screen) -> None:
    """Have it walked, unless another test did: then there is nothing to be seen of pressing the button."""
    if screen.page.locator(REPORT).count() == 0:
        screen.page.get_by_role("button", name="Explore everything").click()
    expect(screen.page.locator(REPORT)).to_be_attached(timeout=PATIENCE_MS)
    screen.settle()


def show(screen: Screen, button: Locator, title: str) -> None:
    """Have a trace shown, and wait until it is."""
    button.click()
    expect(screen.page.locator(".st-key-trace-moves h3")).to_have_text(title)
    screen.settle()


def test_a_trace_is_followed_move_by_move_and_taken_away_as_a_story(screen: Screen) -> None:
    """What the assistant says to each move, its plan at that moment, and a file that the tests can play."""
    screen.open("explore")
    choose_goal(screen, "an overview of your spending")
    walk(screen)
    most = screen.page.get_by_role("button", name="Show the most questions")
    show(screen, most, "The most questions in one conversation")
    screen.page.locator(".move").first.click()
    expect(screen.page.locator(".move").first).to_have_attribute("aria-pressed", "true")
    expect(screen.page.locator(".st-key-trace-words")).to_contain_text("What is your account number?")
    expect(screen.page.locator(".st-key-trace-steps .step").first).to_contain_text("account number")
    assert "trace=most%3Aquestions&move=0" in screen.page.url
    with screen.page.expect_download() as download:
        screen.page.get_by_role("button", name="Download as a story").click()
    story = yaml.safe_load(Path(download.value.path()).read_text(encoding="utf-8"))
    assert story["catalog"] == "banking"
    assert story["turns"][0]["expect"]["asks"] == "account_number"


def test_on_a_telephone_a_trace_comes_to_the_reader_and_leads_back(small_screen: Screen) -> None:
    """It stands below a long report: pressing “Show” brings it up, its last move in sight, and a button leads back."""
    page = small_screen.page
    small_screen.open("explore")
    choose_goal(small_screen, "a list of your transactions")
    walk(small_screen)
    show(small_screen, page.get_by_role("button", name=HOW).last, "The shortest way to this dead end")
    heading = page.locator(".st-key-trace-moves h3")
    expect(heading).to_be_in_viewport()
    expect(page.locator(".move[aria-pressed=true]")).to_be_in_viewport()
    page.get_by_role("button", name="Back to the report").click()
    expect(page.locator(".small[aria-pressed=true]")).to_be_in_viewport()


@pytest.mark.long
def test_on_a_telephone_nothing_scrolls_sideways(small_screen: Screen) -> None:
    """Report and trace stand below each other."""
    small_screen.open("explore")
    choose_goal(small_screen, "a change of address")
    walk(small_screen)
    assert not small_screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")
