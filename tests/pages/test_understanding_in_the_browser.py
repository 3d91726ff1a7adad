"""The page Understanding as modelers use it, and the chips in the Assistant that lead to it."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import yaml
from playwright.sync_api import Locator, Route, expect

from tests.pages.screen import Screen

pytestmark = pytest.mark.browser

DAY = "2024-11-06"
FLOW = "Show me my profit and loss for last quarter and connect me with someone to discuss it"
PLAN = (
    'Step 1. x_start_date = "2024-07-01";\n'
    'Step 2. x_end_date = "2024-09-30";\n'
    "Step 3. x = profit_loss_api(x_start_date, x_end_date);\n"
    'Step 4. y_contact_channel = get_info_api("way to talk", choice);\n'
    "Step 5. y = contact_us_api(x, y_contact_channel);"
)


def look_into(screen: Screen, sentence: str, catalog: str = "accounting") -> None:
    """Open the page with a sentence, and wait until that very sentence has been read."""
    screen.open("understanding?" + urlencode({"catalog": catalog, "sentence": sentence, "day": DAY}))
    expect(read(screen, sentence)).to_be_visible()
    screen.settle()


def read(screen: Screen, sentence: str) -> Locator:
    return screen.page.locator(f'.insight[data-key="said {sentence}"]')


def parameters(screen: Screen) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(screen.page.url).query).items()}


def test_the_address_keeps_sentence_catalog_and_day(screen: Screen) -> None:
    """An example is taken by a click; who opens the address sees the same."""
    screen.open("understanding?" + urlencode({"catalog": "accounting", "day": DAY}))
    example = screen.page.locator(".examples .reply").first
    sentence = example.inner_text()
    example.click()
    expect(read(screen, sentence)).to_be_visible()
    screen.page.wait_for_url(lambda url: "sentence=" in url)
    assert parameters(screen) == {"catalog": "accounting", "sentence": sentence, "day": DAY}
    screen.page.reload()
    expect(read(screen, sentence)).to_be_visible()
    expect(screen.page.get_by_label("Sentence")).to_have_value(sentence)


def mend(screen: Screen, way: str) -> Locator:
    """Press what the sentence is to become, and return the text that it becomes."""
    screen.page.get_by_test_id("stButtonGroup").get_by_text(way, exact=True).click()
    return code_block(screen)


def code_block(screen: Screen) -> Locator:
    """The text as drawn by the last run: what an earlier run left on the page is marked stale until it goes."""
    return screen.page.locator('[data-stale="false"]').get_by_test_id("stCode")


def code(screen: Screen) -> str:
    screen.settle()
    return code_block(screen).inner_text()


def test_a_sentence_that_went_wrong_becomes_an_example_by_a_click(screen: Screen) -> None:
    """The words and the goal can be chosen; the snippet is there to copy and to download."""
    look_into(screen, FLOW)
    mend(screen, "Make it an example")
    expect(code_block(screen)).to_contain_text("profit_loss_report")
    assert yaml.safe_load(code(screen)) == {
        "goals": {"profit_loss_report": {"examples": ["Show me my profit and loss for last quarter"]}}
    }
    with screen.page.expect_download() as download:
        screen.page.get_by_role("button", name="Download example.yaml").click()
    assert yaml.safe_load(download.value.path().read_text(encoding="utf-8")) == yaml.safe_load(code(screen))


def test_fields_that_the_browser_loads_late_hold_what_the_address_says(screen: Screen) -> None:
    """They come when the page has been drawn anew already; what is pressed then is pressed for the same sentence."""
    late: list[Route] = []

    def hold(script: Route) -> None:
        late.append(script)

    screen.page.route(re.compile(r"/static/js/(TextInput|DateInput|Selectbox)\b"), hold)
    look_into(screen, FLOW)
    mend(screen, "Make it an example")
    expect(screen.page.get_by_role("button", name="Download example.yaml")).to_be_visible()
    assert late
    for script in late:
        script.continue_()
    expect(screen.page.get_by_label("Sentence")).to_have_value(FLOW)
    mend(screen, "Make it a test case")
    expect(code_block(screen)).to_contain_text("two-dataflow-incomplete")


def test_nothing_scrolls_sideways_on_a_telephone(small_screen: Screen) -> None:
    """However long a word is."""
    look_into(small_screen, f"profit and loss for last quarter {'x' * 200} and a charge of $75")
    mend(small_screen, "Make it a test case")
    expect(code_block(small_screen)).to_contain_text("profit_loss_report")
    assert not small_screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")


@pytest.mark.long
def test_the_first_sentence_of_all_is_read_as_soon_as_the_assistant_is_ready(fresh_screen: Screen) -> None:
    """A shared link may be the first request to a server."""
    look_into(fresh_screen, FLOW)
    assert fresh_screen.page.get_by_role("region", name="The plan").inner_text() == PLAN


def test_understood_values_are_chips_that_lead_to_how_they_were_understood(small_screen: Screen) -> None:
    """The label and the value; the rule is told to who points at it."""
    screen = small_screen
    screen.open()
    screen.say("Hi, I'd like a loan of $12,000")
    chip = screen.page.locator(".message.user .understood .chip")
    expect(chip).to_have_text("loan amount: $12,000")
    expect(chip).to_have_attribute("title", re.compile("read by: "))
    assert not screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")
    chip.click()
    expect(read(screen, "Hi, I'd like a loan of $12,000")).to_be_visible()
    screen.page.wait_for_url(lambda url: "understanding" in url and "sentence=" in url)
    assert parameters(screen)["catalog"] == "banking"
