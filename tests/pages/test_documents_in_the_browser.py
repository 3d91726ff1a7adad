"""Documents in the chat: uploaded with a wish, shown by name, type and size; what skills made is taken home."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from docx import Document
from playwright.sync_api import expect

from tests.catalog.reports_play import DATA
from tests.pages.screen import Screen

pytestmark = pytest.mark.browser


def test_a_workbook_is_uploaded_and_the_report_on_it_is_taken_home(screen: Screen) -> None:
    screen.open("?catalog=reports")
    screen.page.locator("input[type=file]").set_input_files(DATA / "orders_2025.xlsx")
    expect(screen.page.get_by_test_id("stFileChipName")).to_be_visible()
    expect(screen.page.get_by_test_id("stFileChipIconSpinner")).to_have_count(0)
    screen.say("write a report on this file")
    expect(screen.page.locator(".filename").first).to_contain_text("Excel workbook, 8 kB")
    assert "each figure has its cells" in screen.chat
    button = screen.page.get_by_role("button", name="report.docx (Word document")
    with screen.page.expect_download() as began:
        button.click()
    document = Document(io.BytesIO(Path(began.value.path()).read_bytes()))
    assert [one.text for one in document.paragraphs if one.style and one.style.name == "Heading 1"] == [
        "Summary",
        "Figures",
        "Chart",
    ]
    screen.say("draw a chart of this file")
    expect(screen.page.get_by_role("button", name="chart.png (PNG picture")).to_be_visible()
    expect(screen.page.locator("[data-testid=stImage] img").first).to_be_visible()


@pytest.mark.row("H12")
def test_a_task_is_begun_in_the_chat_judged_there_taken_home_and_found_on_the_page_tasks(screen: Screen) -> None:
    screen.open("?catalog=reports")
    screen.say("run the orders report task")
    button = screen.page.get_by_role("button", name="report.docx (Word document")
    expect(button).to_be_visible(timeout=60_000)
    expect(screen.page.locator(".chat").last).to_contain_text(
        "Is this so? The summary names the product that sold most."
    )
    with screen.page.expect_download() as began:
        button.click()
    assert Document(io.BytesIO(Path(began.value.path()).read_bytes())).paragraphs
    screen.page.get_by_role("button", name="Yes", exact=True).click()
    expect(screen.page.locator(".chat").last).to_contain_text("Noted for “Write a report on the orders")
    screen.say("where does the total amount come from?")
    assert "rests on" in screen.chat
    screen.go("tasks")
    expect(screen.page.get_by_text("Write a report on the orders of the third quarter").first).to_be_visible()
