"""The demo, the lists and the files, as somebody uses them in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.pages.screen import Screen, Server

pytestmark = pytest.mark.browser


def test_the_demo_plays_to_its_end_with_nothing_typed(screen: Screen) -> None:
    """Play, at once: the paper's conversation runs, and chat and inspector show it."""
    screen.open("demo?script=loan")
    screen.page.get_by_role("radio", name="At once").click()
    screen.page.get_by_role("button", name="Play", exact=True).click()
    expect(screen.page.get_by_text("The end. Now ask something yourself.")).to_be_visible(timeout=180_000)
    assert "The decision on your loan: approved" in screen.chat
    assert "900-12-3456" not in screen.text
    assert "10 of 10" in screen.text


@pytest.mark.long
def test_the_tour_moves_the_inspector_and_ends_with_what_its_logs_prove(screen: Screen, site: Server) -> None:
    """Through both assistants to the end card, with nothing typed; the old and the new plan stand side by side."""
    screen.open("demo")
    for line in range(1, 5):
        expect(screen.page.locator(".working")).to_have_count(0)
        screen.page.get_by_role("button", name="Step", exact=True).click()
        expect(screen.page.locator(".watch .count")).to_have_text(re.compile(f"^{line} of"), timeout=60_000)
    expect(screen.page.locator(".two-plans li.dropped").first).to_be_visible(timeout=60_000)
    expect(screen.page.locator(".two-plans li.added").first).to_be_visible()
    screen.page.get_by_role("radio", name="At once").click()
    screen.page.get_by_role("button", name="Play", exact=True).click()
    expect(screen.page.locator(".end-card")).to_be_visible(timeout=180_000)
    expect(screen.page.locator(".end-card")).to_contain_text("without consent: 0", timeout=60_000)
    expect(screen.page.locator(".end-card")).to_contain_text("1 refused")
    expect(screen.page.locator(".end-card")).to_contain_text("promises of the bank hold", timeout=60_000)
    assert "script=tour-books" in screen.page.url
    expect(screen.page.locator(".end-card h3")).to_be_in_viewport()
    assert "trouble" not in site.log.read_text(), "nothing went wrong on the way from one half to the other"


@pytest.mark.long
def test_the_end_card_waits_for_what_is_still_explored_and_stays_in_sight(fresh_screen: Screen) -> None:
    """On a server that has explored nothing yet, with nobody touching the page."""
    fresh_screen.open("demo?script=tour-books")
    fresh_screen.page.get_by_role("radio", name="At once").click()
    fresh_screen.page.get_by_role("button", name="Play", exact=True).click()
    expect(fresh_screen.page.locator(".end-card")).to_contain_text("promises of the bank hold", timeout=180_000)
    expect(fresh_screen.page.locator(".end-card h3")).to_be_in_viewport()


@pytest.mark.long
def test_step_by_step_the_end_card_stays_in_sight_as_well(screen: Screen) -> None:
    """What the inspector brings up by itself below it, in a low window, does not push it out; what is clicked may."""
    screen.page.set_viewport_size({"width": 1280, "height": 800})
    screen.open("demo?script=tour-books")
    count = screen.page.locator(".watch .count")
    lines = count.inner_text().split(" of ")[1]
    step = screen.page.get_by_role("button", name="Step", exact=True)
    while (before := count.inner_text()) != f"{lines} of {lines}":
        expect(step).to_be_enabled(timeout=60_000)
        step.click(timeout=60_000)
        expect(count).not_to_have_text(before, timeout=60_000)
        expect(screen.page.locator(".working")).to_have_count(0)
        screen.settle()
    expect(screen.page.locator(".end-card")).to_contain_text("promises of the bank hold", timeout=180_000)
    screen.settle()
    expect(screen.page.locator(".end-card h3")).to_be_in_viewport(ratio=1)


def test_the_demo_goes_step_by_step_survives_a_reload_and_starts_again(screen: Screen) -> None:
    """Step says one line; the place in the script follows from the log."""
    screen.open("demo?script=digression")
    screen.page.get_by_role("button", name="Step", exact=True).click()
    expect(screen.page.locator(".watch .count")).to_have_text("1 of 8")
    expect(screen.page.locator(".working")).to_have_count(0)
    screen.page.reload()
    screen.settle()
    expect(screen.page.locator(".watch .count")).to_have_text("1 of 8")
    screen.page.get_by_role("button", name="Restart").click()
    expect(screen.page.locator(".watch .count")).to_have_text("0 of 8")
    expect(screen.page.locator(".message.user")).to_have_count(0)


def test_plans_can_be_read_with_states_landmarks_and_pddl(screen: Screen) -> None:
    """What the planner was given, and what each step would make true."""
    screen.open()
    screen.say("I want a loan")
    session = screen.session
    screen.open(f"plans?session={session}")
    screen.page.locator(".first-ideas summary").first.click()
    screen.page.locator("button.plan").first.click()
    expect(screen.page.locator("button.plan").first).to_have_attribute("aria-pressed", "true")
    screen.panel("States")
    expect(screen.page.locator(".states tbody tr")).to_have_count(2)
    screen.panel("Landmarks")
    expect(screen.page.get_by_role("button", name="loan", exact=True).first).to_be_visible()
    screen.panel("PDDL")
    assert "(define (domain planglass)" in screen.text
    expect(screen.page.get_by_role("button", name="Copy problem.pddl")).to_be_visible()
    with screen.page.expect_download() as download:
        screen.page.get_by_role("button", name="Download problem.pddl").click()
    assert "(:goal" in Path(download.value.path()).read_text(encoding="utf-8")


def test_the_exported_graph_is_one_file_that_asks_for_nothing(
    screen: Screen, chromium: Browser, tmp_path: Path
) -> None:
    """It is opened from the disk, draws, and makes no request."""
    screen.open()
    screen.say("I want a loan")
    screen.open(f"plans?session={screen.session}")
    with screen.page.expect_download() as download:
        screen.page.get_by_role("button", name="Download as one HTML file").click()
    path = tmp_path / "plan.html"
    download.value.save_as(path)
    html = path.read_text(encoding="utf-8")
    assert not re.search(r"<(script|link|img|iframe)\b[^>]*\b(src|href)\s*=", html)
    page = chromium.new_page()
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(path.as_uri())
    expect(page.locator("canvas")).to_be_visible()
    assert requested == [path.as_uri()]
    page.close()


def test_sessions_are_listed_opened_downloaded_and_deleted(fresh_screen: Screen) -> None:
    """From the empty list to a conversation, its file with secrets masked, and its end after a confirmation."""
    screen = fresh_screen
    screen.open("sessions")
    expect(screen.page.locator(".notice")).to_contain_text("No conversations yet")
    screen.open()
    screen.say("I want a loan of $12,000, my SSN is 900-12-3456")
    session = screen.session
    screen.open("sessions")
    expect(screen.page.locator(".barname h2")).to_have_text("a loan")
    screen.page.get_by_role("button", name="Rename…").click()
    screen.page.get_by_label("Name", exact=True).fill("the new kitchen")
    screen.page.get_by_role("button", name="Save").click()
    expect(screen.page.locator(".barname h2")).to_have_text("the new kitchen")
    screen.page.get_by_label("Search").fill("bathroom")
    screen.page.get_by_label("Search").press("Enter")
    expect(screen.page.get_by_text("No conversation has these words")).to_be_visible()
    screen.page.get_by_label("Search").fill("Kitchen loan")
    screen.page.get_by_label("Search").press("Enter")
    expect(screen.page.locator(".barname h2")).to_have_text("the new kitchen")
    for form in ("Text", "HTML"):
        with screen.page.expect_download() as download:
            screen.page.get_by_role("button", name=form, exact=True).click()
        transcript = Path(download.value.path()).read_text(encoding="utf-8")
        assert "I want a loan of $12,000" in transcript
        assert "900-12-3456" not in transcript
    with screen.page.expect_download() as download:
        screen.page.get_by_role("button", name="Download JSON").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "900-12-3456" not in text
    assert json.loads(text)["catalog"] == "banking"
    screen.page.get_by_test_id("stBaseButton-secondary").filter(has_text="Open").click()
    expect(screen.page.locator(".message.user")).to_have_count(1)
    assert session in screen.page.url
    screen.open("sessions")
    screen.page.get_by_role("button", name="Delete…").click()
    screen.page.get_by_role("button", name="Delete for good").click()
    expect(screen.page.locator(".notice")).to_contain_text("No conversations yet")
    screen.open(f"?session={session}")
    expect(screen.page.locator(".notice")).to_contain_text("There is no such conversation here")


@pytest.mark.row("V5", "V7", "V10")
def test_an_id_picture_is_read_in_the_browser(screen: Screen) -> None:
    """Where the bank has no record, a sample picture does; its thumbnail stands in the chat."""
    screen.open()
    screen.say("I want a loan of $14,000")
    screen.say("eva.lindqvist@example.org")
    screen.say("eva.lindqvist@example.com")
    screen.press("I don't know")
    before = screen.page.locator(".message.user").count()
    screen.page.get_by_role("button", name="Use the sample picture Eva Lindqvist").click()
    screen.answered(before)
    expect(screen.page.locator(".message.user .thumb")).to_be_visible()
    screen.panel("Facts")
    expect(screen.page.locator(".facts .fact", has_text="Eva Lindqvist")).to_have_count(1)


def test_an_assistant_that_is_not_there_is_said_and_not_replaced_in_silence(screen: Screen) -> None:
    """The address names a catalog that is not loaded."""
    screen.open("?catalog=travel")
    expect(screen.page.locator(".notice")).to_contain_text("There is no catalog 'travel'")
    expect(screen.page.locator(".message")).to_have_count(0)
    screen.page.get_by_role("button", name="Choose another").click()
    expect(screen.page.locator(".message.assistant").first).to_be_visible()
    screen.open("catalog?catalog=travel")
    assert "There is no catalog “travel” here" in screen.text


def test_starting_over_keeps_the_conversation_and_begins_another_with_the_same_assistant(screen: Screen) -> None:
    screen.open("?catalog=accounting")
    screen.say("an expense report for May 2024, please")
    before = screen.session
    screen.page.get_by_role("button", name="Start over").click()
    expect(screen.page.locator(".message.user")).to_have_count(0)
    assert "Harbour Books" in screen.text
    screen.open(f"?session={before}")
    expect(screen.page.locator(".message.user")).to_have_count(1)
