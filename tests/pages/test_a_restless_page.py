"""A page that is drawn anew all the time: no click and no text is lost, as people press and type."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.pages.screen import await_server, begin_server, stop_server, watched

pytestmark = [pytest.mark.browser]
TASK = "task: Judge it\ninputs: [note]\nresults: [verdict]\nconfirmed: true\n"
PRESS_MS = 60


@pytest.mark.row("H9")
def test_no_click_and_no_text_is_lost_on_a_page_that_is_drawn_anew_ten_times_a_second(
    chromium: BrowserContext, tmp_path: Path
) -> None:
    server = await_server(begin_server(tmp_path / "home", ("-m", "tests.pages.restless")))
    try:
        for screen in watched(chromium, server, width=390, height=844):
            page = screen.page

            def press(button: Locator) -> None:
                button.click(delay=PRESS_MS)

            screen.open("tasks")
            page.get_by_role("radio", name="Write one").click()
            screen.open_options("Catalog")
            page.get_by_role("option", name=re.compile("onerror")).click()
            page.locator(".editor textarea").first.fill(TASK)
            expect(page.locator(".insight")).to_contain_text("Judge it")
            press(page.get_by_role("button", name="Hand it over"))
            tag, missing = page.locator(".st-key-task-status .tag"), page.locator(".st-key-task-missing")
            missing.get_by_label(re.compile("^Type it")).fill("It is so.")
            press(missing.get_by_role("button", name="Hand it over"))
            expect(missing.locator("h3", has_text="A skill that gives verdict")).to_have_count(1)
            skill = missing.locator(".editor textarea")
            expect(skill).to_be_editable()  # its text has come
            begun = skill.input_value()
            for i in range(3):
                skill.fill(begun.replace("my_package.my_module", f"os.path{i}"))
                press(missing.get_by_role("button", name="Supply it"))
                expect(missing.locator(".fault").first).to_contain_text(f"os.path{i}")
                expect(skill).to_have_value(re.compile(f"os.path{i}"))
            for _ in range(3):
                press(page.get_by_role("button", name="Cancel…"))
                press(page.get_by_role("button", name="Let it go on"))
                expect(page.get_by_role("button", name="Let it go on")).to_have_count(0)
            for _ in range(5):
                press(page.get_by_role("button", name="Pause"))
                expect(tag).to_contain_text("paused")
                press(page.get_by_role("button", name="Resume"))
                expect(tag).not_to_contain_text("paused")
            expect(skill).to_have_value(re.compile("os.path2"))
    finally:
        stop_server(server)
