"""Take the pictures of the README anew: `python -m docs.images.take`, from the root of the repository."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page

from catalog.demos.banking.personas import ANN
from tests.pages.screen import Screen, open_dashboard

HERE = Path(__file__).parent


def main() -> None:
    """Have a loan, ask about the credit score, and take the assistant's picture by day and by night."""
    with open_dashboard() as (server, browser):
        page = browser.new_page(viewport={"width": 1380, "height": 860})
        screen = Screen(page, server.url)
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
        show_understanding(screen, page)
        show_orchestrators(screen, page)


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


if __name__ == "__main__":
    main()
