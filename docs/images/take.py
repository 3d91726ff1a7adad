"""Take the pictures of the README anew: `python -m docs.images.take`, from the root of the repository."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from catalog.demos.banking.personas import ANN
from tests.pages.browser import HOW_TO_GET_ONE, find
from tests.pages.screen import Screen, start_server, stop_server

HERE = Path(__file__).parent


def main() -> None:
    """Have a loan, ask about the credit score, and take the assistant's picture by day and by night."""
    path = find()
    if path is None:
        raise SystemExit(HOW_TO_GET_ONE)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = start_server(Path(folder))
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
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
        finally:
            browser.close()
            stop_server(server)


if __name__ == "__main__":
    main()
