"""A page that ends in an error which quotes a value: it is said that it failed, and the value stands nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.dialogue.test_no_value_in_a_log import CANARY, WRITTEN
from tests.pages.screen import await_server, begin_server, stop_server, watched

pytestmark = [pytest.mark.browser, pytest.mark.long]
VAULT = """
name: vault
facts:
  ssn: {label: number, ask: Your number?, sensitive: true}
  score: {label: score, askable: false}
skills:
  bureau:
    label: bureau
    endpoint: python:tests.dialogue.bad_skills:works
    modes: {now: {inputs: [ssn], outcomes: {found: {facts: [score]}}}}
goals: {score: {label: your score, facts: [score], examples: [my credit score, what is my score, tell me my score]}}
"""


def test_a_page_that_fails_on_a_value_says_so_without_it(chromium: BrowserContext, tmp_path: Path) -> None:
    catalog = tmp_path / "vault.yaml"
    catalog.write_text(VAULT, encoding="utf-8")
    server = await_server(
        begin_server(
            tmp_path / "home",
            ("-m", "tests.pages.dashboard_that_fails"),
            PLANGLASS_CATALOGS=str(catalog),
            PLANGLASS_SKILLS="tests.dialogue.bad_skills",
        )
    )
    try:
        screens = watched(chromium, server)
        screen = next(screens)
        screen.may_fail = True
        screen.open("?catalog=vault")
        screen.say("my credit score")
        screen.say("yes")
        box = screen.page.get_by_test_id("stChatInputTextArea")
        box.fill(CANARY)
        box.press("Enter")
        expect(screen.page.get_by_text("Done. Your score").first).to_be_visible()
        screen.page.get_by_role("radio", name="Facts", exact=True).click()
        expect(screen.page.get_by_text("Something went wrong here").first).to_be_visible()
        shown = screen.page.content()
        next(screens, None)
    finally:
        stop_server(server)
    written = server.log.read_text()
    assert "ValueError" in written and "dashboard_that_fails" in written, "what went wrong, and where, is told"
    assert not [number for number in WRITTEN if number in written + shown]
