"""What can happen, as somebody looks at it in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import expect

from tests.pages.screen import PATIENCE_MS, Screen
from tests.pages.test_pages_stay_safe import assert_inert

pytestmark = pytest.mark.browser

REPORT = ".st-key-explored-report .sheet[data-ready]"


def choose(screen: Screen, label: str, option: str | re.Pattern[str]) -> None:
    screen.page.get_by_label(label).first.click()
    screen.page.get_by_role("option", name=option).click()
    screen.settle()


def walk(screen: Screen) -> None:
    screen.page.get_by_role("button", name="Walk everything").click()
    expect(screen.page.locator(REPORT)).to_be_attached(timeout=PATIENCE_MS)
    screen.settle()


def test_everything_is_walked_and_the_verdict_comes_first(screen: Screen) -> None:
    """In large words; the declared properties hold; nothing was walked before that was asked for."""
    screen.open("explore")
    expect(screen.page.locator(".notice")).to_contain_text("Nothing was walked yet")
    choose(screen, "Goal", "your credit score")
    walk(screen)
    expect(screen.page.locator(".walked h2")).to_contain_text(
        re.compile(r"is reached in [\d,]+ of [\d,]+ conversations")
    )
    assert "Everything that can happen was walked" in screen.text
    held = screen.page.locator(".goal.achieved")
    expect(held).to_have_count(2)
    expect(held.first).to_contain_text("The credit bureau is called at most once.")
    assert "900-01-0001" not in screen.text


def test_a_trace_is_followed_move_by_move_and_taken_away_as_a_story(screen: Screen) -> None:
    """What the assistant says to each move, its plan at that moment, and a file that the tests can play."""
    screen.open("explore")
    choose(screen, "Goal", "an overview of your spending")
    walk(screen)
    screen.page.get_by_role("button", name="Show the most questions").click()
    expect(screen.page.locator(".st-key-trace-moves h3")).to_have_text("The most questions in one conversation")
    screen.settle()
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


def test_dead_ends_say_what_is_missing(screen: Screen) -> None:
    """With the assistant's own words, and the way that leads there."""
    screen.open("explore")
    choose(screen, "Goal", "a list of your transactions")
    walk(screen)
    ends = screen.page.locator("section.part", has_text="Dead ends").locator(".card")
    expect(ends.first).to_contain_text("Missing")
    ends.first.get_by_role("button", name="Show how it comes to this").click()
    expect(screen.page.locator(".st-key-trace-moves h3")).to_have_text("The shortest way to this dead end")


def test_words_of_the_catalog_are_inert_here_too(screen: Screen) -> None:
    """Labels of facts, skills, outcomes and goals in reports, traces, plans and graphs."""
    screen.open("explore")
    choose(screen, "Catalog", re.compile("onerror"))
    expect(screen.page.locator(".barname small")).to_contain_text("onerror")
    screen.settle()
    choose(screen, "Goal", "a verdict")
    walk(screen)
    assert_inert(screen)
    for name in ("Show the most questions", "Show how it comes to this"):
        screen.page.get_by_role("button", name=name).first.click()
        screen.settle()
        assert_inert(screen)


def test_on_a_telephone_a_trace_comes_to_the_reader_and_leads_back(small_screen: Screen) -> None:
    """It stands below a long report: pressing “Show” brings it up, its last move in sight, and a button leads back."""
    page = small_screen.page
    small_screen.open("explore")
    choose(small_screen, "Goal", "a list of your transactions")
    walk(small_screen)
    page.get_by_role("button", name="Show how it comes to this").last.click()
    heading = page.locator(".st-key-trace-moves h3")
    expect(heading).to_have_text("The shortest way to this dead end")
    expect(heading).to_be_in_viewport()
    expect(page.locator(".move[aria-pressed=true]")).to_be_in_viewport()
    page.get_by_role("button", name="Back to the report").click()
    expect(page.locator(".small[aria-pressed=true]")).to_be_in_viewport()


def test_on_a_telephone_nothing_scrolls_sideways(small_screen: Screen) -> None:
    """Report and trace stand below each other."""
    small_screen.open("explore")
    choose(small_screen, "Goal", "a change of address")
    walk(small_screen)
    assert not small_screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")
