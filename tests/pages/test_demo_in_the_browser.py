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


def test_what_the_planner_was_given_is_taken_along(screen: Screen) -> None:
    screen.open()
    screen.say("I want a loan")
    screen.go(f"plans?session={screen.session}&section=PDDL")
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
    screen.go(f"plans?session={screen.session}")
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


def test_a_session_is_downloaded_as_text_html_and_json_with_secrets_masked(screen: Screen) -> None:
    screen.open()
    screen.say("I want a loan of $12,000, my SSN is 900-12-3456")
    session = screen.session
    screen.go("sessions")
    row = screen.page.locator(f".st-key-row-{session}")
    for form in ("Text", "HTML"):
        with screen.page.expect_download() as download:
            row.get_by_role("button", name=form, exact=True).click()
        transcript = Path(download.value.path()).read_text(encoding="utf-8")
        assert "I want a loan of $12,000" in transcript
        assert "900-12-3456" not in transcript
    with screen.page.expect_download() as download:
        row.get_by_role("button", name="Download JSON").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "900-12-3456" not in text
    assert json.loads(text)["catalog"] == "banking"
