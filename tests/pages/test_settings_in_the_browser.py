"""Setting up a language model in a browser: tried before it is used, and its key never comes back."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, expect

from dialogue.services.settings import FILE
from tests.language.scripted import refusing, requests, saying, served
from tests.pages.screen import PATIENCE_MS, Screen, Server, own_server, watched

pytestmark = pytest.mark.browser

KEY = "sk-canary-5f3a"


@pytest.fixture(scope="module")
def fresh_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start one server for all tests here, as settings hold for everybody; each test sets what it needs."""
    with own_server(tmp_path_factory.mktemp("settings")) as started:
        yield started


@pytest.fixture
def small_fresh_screen(chromium: BrowserContext, fresh_server: Server) -> Iterator[Screen]:
    yield from watched(chromium, fresh_server, width=390, height=844)


def fill(screen: Screen, **fields: str) -> None:
    for label, value in fields.items():
        screen.page.get_by_role("textbox", name=label.replace("_", " "), exact=True).fill(value)


def outcome_of(screen: Screen, button: str, title: str) -> str:
    screen.page.get_by_role("button", name=button, exact=True).click()
    card = screen.page.locator(".outcome", has_text=title)
    expect(card).to_be_visible(timeout=PATIENCE_MS)
    screen.settle()
    return card.inner_text()


def choose(screen: Screen, label: str, option: str) -> None:
    screen.open_options(label)
    screen.page.get_by_role("option", name=option, exact=True).click()


@pytest.mark.long
def test_an_engine_is_chosen_for_all_conversations_and_another_for_one(
    fresh_screen: Screen, fresh_server: Server
) -> None:
    screen = fresh_screen
    screen.open()
    screen.say("I want a loan of $12,000")
    session = screen.session
    screen.open(f"settings?session={session}")
    choose(screen, "Planning engine", "optimal")
    assert "used from now on" in outcome_of(screen, "Save choices", "Choices saved")
    assert json.loads((fresh_server.home / FILE).read_text(encoding="utf-8"))["engine"] == "optimal"
    screen.page.get_by_text("All settings", exact=True).click()
    expect(screen.page.locator("tr", has_text="PLANGLASS_ENGINE")).to_contain_text("optimal")
    expect(screen.page.locator("tr", has_text="PLANGLASS_ENGINE")).to_contain_text(FILE)
    choose(screen, "Planning engine here", "pyperplan")
    assert "from the next message on" in outcome_of(screen, "Use here", "Chosen for this conversation")
    screen.open(f"?session={session}")
    expect(screen.page.locator(".barname")).to_contain_text("with pyperplan")


def test_settings_that_cannot_work_are_refused_kindly_and_fit_a_small_screen(small_screen: Screen) -> None:
    screen = small_screen
    screen.open("settings")
    screen.page.get_by_text("For everything that may be a request", exact=True).click()
    fill(screen, Base_URL="localhost:8080", Model="<img src=x onerror=alert(1)>")
    assert "begins with http://" in outcome_of(screen, "Save", "Not saved")
    screen.page.get_by_text("Limits", exact=True).click()
    expect(screen.page.get_by_role("spinbutton", name="Seconds for one plan")).to_be_visible()
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_model_is_tried_saved_and_its_key_forgotten(fresh_screen: Screen, fresh_server: Server) -> None:
    """Success, refusal and no answer are told apart; the key is in no page, and in no file unless that is wanted."""
    screen = fresh_screen
    screen.open("settings")
    screen.page.get_by_text("Never", exact=True).click()
    with served(saying(requests()), refusing(401)) as endpoint:
        fill(screen, Base_URL=endpoint.url, Model="some-model", Key=KEY)
        assert "marked nothing" in outcome_of(screen, "Try it", "It answers")
        assert "did not accept the key" in outcome_of(screen, "Try it", "There was no answer")
        assert endpoint.sent[0][1]["authorization"] == f"Bearer {KEY}"
    assert "cannot be reached" in outcome_of(screen, "Try it", "cannot be reached")
    screen.page.get_by_text("When the assistant is not sure what is asked for", exact=True).click()
    outcome_of(screen, "Save", "Saved")
    file = fresh_server.home / FILE
    kept = json.loads(file.read_text(encoding="utf-8"))["llm"]
    assert (kept["mode"], kept["model"]) == ("unsure", "some-model")
    assert "key" not in kept
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert KEY not in screen.page.content()
    screen.open("settings")
    assert KEY not in screen.page.content()
    expect(screen.page.get_by_role("textbox", name="Key", exact=True)).to_have_attribute(
        "placeholder", "a key is set; type here to replace it"
    )
    expect(screen.page.get_by_role("textbox", name="Key", exact=True)).to_have_value("")
    outcome_of(screen, "Forget the key", "Saved")
    expect(screen.page.get_by_role("button", name="Forget the key")).to_have_count(0)
    assert KEY not in fresh_server.log.read_text(encoding="utf-8")


@pytest.mark.row("P17")
def test_a_model_that_is_of_no_use_is_told_beneath_what_was_said_and_does_no_harm(small_fresh_screen: Screen) -> None:
    screen = small_fresh_screen
    screen.open("settings")
    screen.page.get_by_text("For everything that may be a request", exact=True).click()
    nonsense = saying("{not what was asked for")
    with served(nonsense, nonsense) as endpoint:
        fill(screen, Base_URL=endpoint.url, Model="some-model")
        outcome_of(screen, "Save", "Saved")
        screen.open("?catalog=accounting")
        screen.say("Expense report for May 2024")
    expect(screen.page.locator(".message.user .of-no-use")).to_contain_text("The model's answer was not used")
    assert "1 May 2024 to 31 May 2024" in screen.chat
    assert screen.page.evaluate("document.documentElement.scrollWidth") <= 390
