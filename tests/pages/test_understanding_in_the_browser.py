"""The page Understanding as modelers use it, and the chips in the Assistant that lead to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import yaml
from playwright.sync_api import Locator, Route, expect

from tests.pages.screen import HOSTILE, Screen
from tests.pages.test_pages_stay_safe import EVIL, assert_inert

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


def type_sentence(screen: Screen, sentence: str) -> None:
    box = screen.page.get_by_label("Sentence")
    box.fill(sentence)
    box.press("Enter")
    expect(read(screen, sentence)).to_be_visible()


def parameters(screen: Screen) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(screen.page.url).query).items()}


@pytest.mark.row("P2", "P6", "P10")
def test_a_sentence_is_followed_from_its_words_to_the_plan_as_the_paper_prints_it(screen: Screen) -> None:
    """Marks, candidates, values with their rules, what is missing, references, facts, model, rules, task and plan."""
    look_into(screen, FLOW)
    page = screen.page
    sentence = page.locator(".sentence")
    expect(sentence.locator(".segment")).to_have_count(2)
    expect(sentence.locator(".mark").nth(0)).to_contain_text("last quarterfirst day, last day · date")
    expect(sentence.locator(".mark").nth(1)).to_contain_text("result of x")
    requests = page.locator(".st-key-requests")
    expect(requests.locator(".candidates").first.locator("li")).to_have_count(3)
    expect(requests.locator(".candidate.taken").first).to_contain_text("taken: likeliest goal")
    expect(requests.locator(".argument").first).to_contain_text("1 July 2024")
    expect(requests.locator(".argument").first).to_contain_text("read by: period in words")
    expect(requests.locator(".argument.missing")).to_contain_text("way to talk")
    rules = page.locator(".st-key-rules")
    expect(rules.get_by_role("region", name="Facts of what was said")).to_contain_text("_contact_topic(y,x).")
    expect(rules.get_by_role("region", name="What holds by the rules")).to_contain_text(
        "contact_topic(y,x,profit_loss)."
    )
    expect(rules.locator(".fired").filter(has_text="goal(x,profit_loss_report).")).to_contain_text(":- _goal(X,")
    assert page.get_by_role("region", name="The plan").inner_text() == PLAN
    page.get_by_text("Domain of the task in PDDL").click()
    expect(page.get_by_role("region", name="Domain in PDDL")).to_contain_text("(:action get_info_api")
    expect(page.locator(".times")).to_contain_text(re.compile(r"applying rules [\d.,]+ ms"))


@pytest.mark.row("P7")
def test_what_the_rules_object_to_is_told_with_the_rule_and_nothing_is_planned(screen: Screen) -> None:
    look_into(screen, "expenses from May 2024 to March 2024")
    expect(screen.page.locator(".insight")).to_contain_text("The end date is before the start date.")
    expect(screen.page.locator(".fired").filter(has_text="error(").locator(".rule")).to_contain_text("@before(E,S)")
    expect(screen.page.locator(".st-key-plan")).to_contain_text("Nothing is planned: the rules object.")


def test_what_nothing_serves_is_said_to_be_so_with_the_likeliest_goals(screen: Screen) -> None:
    look_into(screen, "what's the weather like in Paris")
    expect(screen.page.locator(".insight h2")).to_have_text("Nothing in this catalog serves that")
    expect(screen.page.locator(".candidate")).to_have_count(3)
    expect(screen.page.locator(".candidate.taken")).to_have_count(0)


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


def test_a_sentence_with_something_sensitive_is_not_kept_in_the_address(screen: Screen) -> None:
    """It is shown to whoever has typed it."""
    look_into(screen, "I want a loan of $9,000", "banking")
    screen.page.wait_for_url(lambda url: "sentence=" in url)
    type_sentence(screen, "I want a loan, my ssn is 123-45-6789")
    expect(screen.page.locator(".st-key-secret")).to_contain_text("not kept in the address")
    screen.page.wait_for_url(lambda url: "sentence=" not in url)
    assert "6789" not in screen.page.url


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


def edit(screen: Screen, label: str, text: str, effect: Callable[[], None]) -> None:
    """Write into a field of the form, and wait until its effect is shown and the page is at rest."""
    field = screen.page.get_by_label(label)
    field.fill(text)
    field.press("Enter")
    effect()
    screen.settle()


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


def test_a_sentence_that_went_wrong_becomes_a_test_case_after_a_correction(screen: Screen) -> None:
    """It begins with what was understood; an edited value is read, and an emptied one is missing."""
    look_into(screen, FLOW)
    mend(screen, "Make it a test case")
    shown = code_block(screen)
    expect(shown).to_contain_text("two-dataflow-incomplete")
    screen.settle()
    edit(screen, "first day", "1 January 2024", lambda: expect(shown).to_contain_text("2024-01-01"))
    edit(screen, "last day", "", lambda: expect(shown).not_to_contain_text("2024-09-30"))
    case = json.loads(code(screen))
    assert case["goals"] == [
        {"goal": "profit_loss_report", "args": {"start_date": "2024-01-01"}, "missing": ["end_date"]},
        {"goal": "contact_us", "args": {"contact_topic": {"ref": 0}}, "missing": ["contact_channel"]},
    ]
    assert (case["text"], case["today"], case["error"]) == (FLOW, DAY, False)


def test_words_of_catalogs_and_sentences_are_inert(screen: Screen) -> None:
    """In the marks, the cards, the rules, the forms and the snippets."""
    look_into(screen, f"judge me and write a note: {EVIL}".replace('"', "'"), str(HOSTILE))
    shown = mend(screen, "Make it an example")
    screen.open_options("Which words")
    screen.page.get_by_role("option").last.click()
    expect(shown).to_contain_text("onerror")
    screen.settle()
    assert_inert(screen)
    expect(mend(screen, "Make it a test case")).to_contain_text('"text": "judge me')
    screen.settle()
    assert_inert(screen)


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


def test_the_chip_of_something_sensitive_is_masked_and_stays_in_the_conversation(screen: Screen) -> None:
    """A click tells how the value was established, beside the chat."""
    screen.open()
    screen.say("I'd like a loan, my ssn is 123-45-6789")
    chip = screen.page.locator(".message.user .understood .chip", has_text="social security number")
    expect(chip).to_have_text("social security number: ••••")
    assert "6789" not in (chip.get_attribute("title") or "")
    chip.click()
    expect(screen.page.locator(".drill")).to_contain_text("social security number")
    assert "6789" not in screen.text
    assert "understanding" not in screen.page.url
