"""Take the pictures of the README anew, from the root of the repository: `python -m docs.images.take`.

Names after it take some of them only: `assistant`, `what-if`, `understanding`, `orchestrators`, `rooms`, `tasks`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from catalog.demos.banking.personas import ANN, BEN
from tests.pages.screen import PATIENCE_MS, Screen, open_dashboard

HERE = Path(__file__).parent


def main(names: list[str]) -> None:
    """Take pictures: those that are named, or all."""
    expect.set_options(timeout=PATIENCE_MS)
    with open_dashboard() as (server, browser):
        page = browser.new_page(viewport={"width": 1380, "height": 860})
        screen = Screen(page, server.url)
        for name, show in SHOWN.items():
            if not names or name in names:
                show(screen, page)


def show_assistant(screen: Screen, page: Page) -> None:
    """Have a loan, ask about the credit score, and take the assistant's picture by day and by night."""
    screen.open()
    screen.say("Hi, I'd like a loan of $12,000")
    screen.say(ANN.customer.email)
    screen.press("Yes")
    screen.say(ANN.ssn)
    address = f"?session={screen.session}&select=fact:credit_score&ask=why"
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        screen.open(address)
        page.locator(".drill .answer").wait_for()
        page.locator('.graph[data-ready="1"]').wait_for()
        page.screenshot(path=HERE / f"assistant-{theme}.png")
    screen.open(f"?session={screen.session}&panel=All+plans&select=plan:2")
    page.locator(".difference").wait_for()
    page.screenshot(path=HERE / "plans-dark.png")


def show_what_if(screen: Screen, page: Page) -> None:
    """Take the picture of a declined loan, and of a fork without the credit bureau in which a small one is approved."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1380, "height": 1200})
    screen.open()
    for said in ("I'd like a loan of $25,000", BEN.customer.email, "yes", BEN.ssn):
        screen.say(said)
    page.locator(".chip", has_text="what if?").click()
    page.get_by_role("radio", name="no", exact=True).click()
    for asked, value in (
        ("Who is your employer?", BEN.employer),
        ("For how many years have you worked there?", str(BEN.years_employed)),
        ("How much do you pay a month for rent or your mortgage?", str(BEN.housing_cost)),
    ):
        page.get_by_role("textbox", name=asked).fill(value)
        page.keyboard.press("Enter")
    thumb = page.locator('.slider input[aria-label="Loan amount"]')
    expect(page.locator(".stretches li")).to_have_count(3)
    thumb.fill("2000")
    expect(page.locator(".fork-told")).to_contain_text("approved, in place of declined")
    thumb.blur()
    page.locator(".st-key-panel-box").evaluate("box => box.scrollTo(0, 0)")
    screen.settle()
    page.screenshot(path=HERE / "what-if-light.png")
    page.set_viewport_size({"width": 1380, "height": 860})


def show_understanding(screen: Screen, page: Page) -> None:
    """Take the picture of a sentence with two requests, the second about what the first comes to."""
    page.emulate_media(color_scheme="light")
    screen.open("understanding?" + urlencode({"catalog": "accounting", "sentence": "my costs, please"}))  # loads all
    page.locator(".insight").wait_for()
    sentence = "Show me my profit and loss for last quarter and connect me with someone to discuss it"
    screen.open("understanding?" + urlencode({"catalog": "accounting", "sentence": sentence, "day": "2024-11-06"}))
    page.locator(".insight").wait_for()
    screen.settle()
    page.screenshot(path=HERE / "understanding-light.png")


def show_orchestrators(screen: Screen, page: Page) -> None:
    """Take the picture of a turn at a terminal for which three agents had something to offer."""
    page.emulate_media(color_scheme="light")
    screen.open("orchestrators?" + urlencode({"source": "recorded:slips-of-the-pen", "turn": "14"}))
    page.locator(".agent .tick").first.wait_for()
    screen.settle()
    page.screenshot(path=HERE / "orchestrators-light.png")


def show_rooms(screen: Screen, page: Page) -> None:
    """Take the picture of a room in which a question about a product was answered by one expert of three."""
    page.emulate_media(color_scheme="light")
    screen.open("rooms")
    page.get_by_role("button", name="Open the room").click()
    for name in ("Ben", "Ana"):
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join", exact=True).click()
        box = page.get_by_test_id("stChatInputTextArea")
        expect(box).to_be_visible()
        address = re.sub(r"[&?]as=\w+", "", page.url.removeprefix(screen.url).strip("/"))
        if name == "Ben":
            screen.open(address)
    for said in ("Hello!", "What is a CD?", "@TB is that safe?"):
        box.fill(said)
        box.press("Enter")
        expect(page.locator(".in-room.user .bubble").last).to_have_text(said)
        expect(page.locator(".in-room.assistant .quoted", has_text=said).last).to_be_visible()
        expect(page.locator(".working")).to_have_count(0)
    page.get_by_role("button", name=re.compile("denied message")).click()
    page.get_by_role("button", name="Why was this denied to CD?").last.click()
    page.locator(".drill .because").first.wait_for()
    page.wait_for_url("**about=**")
    screen.open(page.url.removeprefix(screen.url).strip("/"))
    page.locator(".drill .because").first.wait_for()
    screen.settle()
    page.screenshot(path=HERE / "rooms-light.png")


def show_tasks(screen: Screen, page: Page) -> None:
    """Take the picture of a task that was split and lacks a document, with the plan of one of its stages."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1380, "height": 1200})
    screen.open("tasks")
    page.get_by_role("button", name="Hand it over").click()
    page.locator(".node", has_text="Compare the costs with the budget").click()
    page.locator('.st-key-task-plan-graph .graph[data-ready="1"]').wait_for()
    page.wait_for_url("**node=**")
    screen.open(page.url.removeprefix(screen.url).strip("/"))
    page.locator('.st-key-task-plan-graph .graph[data-ready="1"]').wait_for()
    screen.settle()
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    page.screenshot(path=HERE / "tasks-light.png")
    page.set_viewport_size({"width": 1380, "height": 860})


SHOWN = {
    "assistant": show_assistant,
    "what-if": show_what_if,
    "understanding": show_understanding,
    "orchestrators": show_orchestrators,
    "rooms": show_rooms,
    "tasks": show_tasks,
}

if __name__ == "__main__":
    main(sys.argv[1:])
