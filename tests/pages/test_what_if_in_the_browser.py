"""The scene of What if?: a person is declined, and drags, and consents otherwise, in a browser."""

from __future__ import annotations

import hashlib
import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from catalog.demos.banking.personas import BEN
from tests.pages.screen import Screen, Server, watched

pytestmark = pytest.mark.browser


def digest_of_bank(server: Server) -> str:
    return hashlib.sha256((server.home / "banking" / "bank.db").read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def declined(chromium: BrowserContext, site: Server) -> str:
    """Have a loan declined, and return the address: one conversation for all scenes, for forks do not touch it."""
    with contextmanager(watched)(chromium, site) as screen:
        screen.open()
        for said in ("I'd like a loan of $25,000", BEN.customer.email, "yes", BEN.ssn):
            screen.say(said)
        assert "declined" in screen.last_said or "declined" in screen.chat
        return f"?session={screen.session}"


def slider(screen: Screen, label: str) -> Locator:
    return screen.page.locator(f'.slider input[aria-label="{label}"]')


def hold(screen: Screen, thumb: Locator) -> None:
    """Take hold of the thumb of a slider."""
    thumb.scroll_into_view_if_needed()
    least, most, value = (float(str(thumb.evaluate(f"e => e.{name}"))) for name in ("min", "max", "value"))
    screen.page.mouse.move(*place(thumb, (value - least) / (most - least)))
    screen.page.mouse.down()


def place(thumb: Locator, share: float) -> tuple[float, float]:
    box = thumb.bounding_box()
    assert box is not None
    return box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2


def drag(screen: Screen, thumb: Locator, value: float) -> None:
    """Drag the thumb that is held to about a value, in steps."""
    least, most, now = (float(str(thumb.evaluate(f"e => e.{name}"))) for name in ("min", "max", "value"))
    for part in range(1, 21):
        at = now + (value - now) * part / 20
        screen.page.mouse.move(*place(thumb, (at - least) / (most - least)))


def fork_tells(screen: Screen, words: str | re.Pattern[str]) -> None:
    expect(screen.page.locator(".fork-told")).to_contain_text(words)


@pytest.mark.row("F1", "F4", "F5", "F9")
def test_what_a_declined_person_can_do_otherwise(screen: Screen, site: Server, declined: str) -> None:
    """No amount flips it, and the panel says so; without consent, it does along a way that asks what it lacks."""
    screen.open(declined)
    before, page = digest_of_bank(site), screen.page
    page.locator(".chip", has_text="what if?").click()
    fork_tells(screen, "this is what happened")
    thumb = slider(screen, "Loan amount")
    expect(page.locator(".stretches")).to_contain_text("This alone changes nothing.")
    hold(screen, thumb)
    drag(screen, thumb, 500)
    page.mouse.up()
    fork_tells(screen, "With the loan amount $500: declined too (computed anew)")
    page.get_by_role("button", name="Drop this fork").click()
    fork_tells(screen, "this is what happened")

    page.get_by_role("radio", name="no", exact=True).click()
    for asked, value in (
        ("Who is your employer?", BEN.employer),
        ("For how many years have you worked there?", str(BEN.years_employed)),
        ("How much do you pay a month for rent or your mortgage?", str(BEN.housing_cost)),
    ):
        fork_tells(screen, asked)
        field = page.get_by_role("textbox", name=asked)
        field.fill(value)
        field.press("Enter")
    fork_tells(screen, "declined too (computed anew)")
    steps = page.locator(".fates")
    expect(steps.locator(".dropped", has_text="credit bureau")).to_be_visible()
    expect(steps.locator(".added", has_text="account review")).to_contain_text("computed anew")
    values = page.locator(".st-key-what-if-fork tr")
    expect(values.filter(has_text="Credit score")).to_contain_text(re.compile(r"452\s*626\s*computed anew"))
    expect(values.filter(has_text="Employer")).to_contain_text(re.compile(r"Harbour Works\s*supposed"))
    expect(steps.locator(".kept", has_text="customer database")).to_contain_text("recorded")
    expect(page.locator(".stretches [aria-current]")).to_have_text(re.compile("declined"))

    hold(screen, thumb)
    drag(screen, thumb, 6_000)
    expect(page.locator(".stretches [aria-current]")).to_have_text("further checks $2,350 to $8,950")
    fork_tells(screen, "further checks, in place of declined")  # the plan follows while the thumb is still held
    drag(screen, thumb, 1_500)
    expect(page.locator(".stretches [aria-current]")).to_have_text("approved $500 to $2,340")
    page.mouse.up()
    fork_tells(screen, "approved, in place of declined")
    assert page.locator(".fork-told .tag").inner_text() == "fork"
    assert "declined" in page.locator(".message.declined").inner_text()
    assert BEN.ssn not in screen.text
    assert digest_of_bank(site) == before


@pytest.mark.row("F9")
def test_outcome_and_border_follow_a_drag_without_the_server(screen: Screen, declined: str) -> None:
    """Moved a hundred times a second: the mark and the amount follow in the browser; the page is told once it rests."""
    screen.open(declined)
    screen.page.locator(".chip", has_text="what if?").click()
    fork_tells(screen, "this is what happened")
    thumb = slider(screen, "Loan amount")
    expect(screen.page.locator(".stretches")).to_be_visible()
    shown = thumb.evaluate(
        """async input => {
          const seen = [];
          for (let at = 1000; at < 2000; at += 10) {
            input.value = at;
            input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
            seen.push(input.closest('.slider').querySelector('.shown').textContent);
            await new Promise(done => setTimeout(done, 10));
          }
          return seen;
        }"""
    )
    assert shown == [f"${at:,}" for at in range(1_000, 2_000, 10)]
    fork_tells(screen, "With the loan amount $1,990: declined too")


@pytest.mark.row("F7")
def test_the_page_of_plans_leads_to_the_fork_beside_the_conversation(screen: Screen, declined: str) -> None:
    screen.open(f"plans{declined}&select=skill:credit_check")
    screen.page.get_by_role("button", name="What if: credit bureau").click()
    fork_tells(screen, "this is what happened")
    assert declined.endswith(screen.session)
    expect(screen.page.locator(".message.declined")).to_be_visible()
    expect(screen.page.get_by_text("Suppose what a skill says").locator("xpath=ancestor::details")).to_have_attribute(
        "open", ""
    )


@pytest.mark.row("F8")
def test_a_moment_is_opened_by_its_address(screen: Screen, other_screen: Screen, declined: str) -> None:
    """The time line is moved by keyboard; who is sent the address sees the same, and goes back to now."""
    screen.open(declined)
    line = slider(screen, "Time line")
    line.focus()
    for _ in range(20):
        screen.page.keyboard.press("ArrowLeft")
    expect(screen.page).to_have_url(re.compile("at=42"))
    expect(screen.page.locator(".message.declined")).to_have_count(0)
    other_screen.open(screen.page.url.removeprefix(screen.url).strip("/"))
    expect(other_screen.page.locator(".message").last).to_contain_text("What is your social security number?")
    expect(other_screen.page.locator(".step", has_text="social security number")).to_contain_text("waiting for you")
    other_screen.page.get_by_role("button", name="Back to now").click()
    expect(other_screen.page.locator(".message.declined")).to_be_visible()
    expect(other_screen.page).not_to_have_url(re.compile("at="))


@pytest.mark.row("F8", "F9")
def test_a_fork_begins_at_a_message_on_a_small_screen(small_screen: Screen, declined: str) -> None:
    small_screen.open(declined)
    said = small_screen.page.locator(".message.user", has_text="yes")
    said.hover()
    said.get_by_role("button", name="Fork from here").click()
    fork_tells(small_screen, "this is what happened")
    width = small_screen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
