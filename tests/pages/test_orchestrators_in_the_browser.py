"""The page Orchestrators as people use it: who acts and why, what was learned, and what else could have been."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.terminal.sessions import recorded_sessions
from dialogue.services import make_services
from tests.dialogue.agents.made_up import MadeUp, keep
from tests.pages.screen import Screen, Server
from tests.pages.test_pages_stay_safe import EVIL, HEADINGS, MISNAMED, assert_inert

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lived() -> MadeUp:
    return MadeUp(ORCHESTRATORS["s3"](OrchestratorOptions()), 3, 14)


@pytest.fixture(scope="module")
def source(server: Server, lived: MadeUp) -> str:
    return f"session:{keep(lived, server.home)}"


def test_a_turn_is_opened_by_its_button_and_by_its_address(screen: Screen, source: str, lived: MadeUp) -> None:
    """Each agent stands there with its reason, in the order of the log; the address leads to the same turn."""
    screen.open(f"orchestrators?source={source}")
    page = screen.page
    last = len(lived.moments)
    expect(page.locator(".st-key-turn-card")).to_contain_text(f"Turn {last}")
    page.locator(".turns .move").nth(1).click()
    expect(page.locator(".st-key-turn-card")).to_contain_text(re.compile(r"Turn 2\b"))
    expect(page).to_have_url(re.compile(r"turn=1\b"))
    screen.open(page.url.removeprefix(f"{screen.url}/"))
    expect(page.locator(".st-key-turn-card")).to_contain_text(re.compile(r"Turn 2\b"))
    assert page.locator(".agent").count() == len(lived.moments[1].choice.verdicts)
    expect(page.locator(".turns .move[aria-pressed=true]")).to_have_count(1)


def test_turns_are_reached_by_keyboard(screen: Screen, source: str) -> None:
    screen.open(f"orchestrators?source={source}&turn=0")
    page = screen.page
    page.locator(".turns .move").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-turn-card")).to_contain_text(re.compile(r"Turn 2\b"))


def test_what_was_learned_is_drawn_and_listed(screen: Screen, source: str) -> None:
    screen.open(f"orchestrators?source={source}&orchestrators_section=Learning")
    page = screen.page
    expect(page.locator(".lessons").first).to_contain_text("worth")
    for chart in ("reward", "reliability", "thresholds-before", "beliefs-before"):
        expect(page.locator(f".st-key-{chart} .js-plotly-plot")).to_be_visible()


def test_another_orchestrator_would_have_chosen_otherwise_and_says_why(screen: Screen, source: str) -> None:
    """Differences are marked in words; a click on a choice shows its reasons, under the same address."""
    screen.open(f"orchestrators?source={source}&orchestrators_section=Side+by+side")
    page = screen.page
    expect(page.locator(".agreement")).to_contain_text(re.compile(r"max: the same in \d+ of \d+ turns"))
    differs = page.locator(".replay td.differs").first
    expect(differs).to_contain_text("≠ differs")
    differs.locator("button").click()
    expect(page.locator(".st-key-cell .card")).to_contain_text("would have chosen")
    expect(page).to_have_url(re.compile("cell="))


@pytest.mark.parametrize("section", ["Turns", "Learning", "Side+by+side", "Preferences", "Set+up"])
def test_each_section_fits_a_telephone_and_names_its_parts(section: str, small_screen: Screen, source: str) -> None:
    screen = small_screen
    screen.open(f"orchestrators?source={source}&orchestrators_section={section}&cell=0:max")
    assert not screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")
    levels = screen.page.evaluate(HEADINGS)
    assert levels[0] == 1
    assert all(then - before <= 1 for before, then in pairwise(levels)), levels
    assert screen.page.evaluate(MISNAMED) == []


def test_a_session_that_is_not_there_is_said_to_be_so(screen: Screen, source: str) -> None:
    screen.open("orchestrators?source=session:nope")
    assert source
    expect(screen.page.locator(".st-key-unknown-source")).to_contain_text("is not here")


def prefer(screen: Screen, better: str, worse: str) -> None:
    for label, name in (("Prefer", better), ("to", worse)):
        box = screen.page.get_by_role("combobox", name=label, exact=True)
        box.fill(name)
        box.press("Enter")
    screen.page.get_by_role("button", name="Add", exact=True).click()
    screen.settle()


@pytest.mark.row("C4")
def test_a_cycle_of_preferences_is_refused_and_named_and_nothing_is_lost(screen: Screen, server: Server) -> None:
    """What was there stays; a pair can be taken out again."""
    session = keep(MadeUp(ORCHESTRATORS["preference"](OrchestratorOptions()), 4, 3), server.home)
    screen.open(f"orchestrators?source=session:{session}&orchestrators_section=Preferences")
    page = screen.page
    pairs = page.locator(".st-key-preference-list .goal")
    prefer(screen, "fix", "find")
    expect(pairs).to_have_count(1)
    prefer(screen, "find", "manual")
    expect(pairs).to_have_count(2)
    prefer(screen, "manual", "fix")
    expect(page.locator(".st-key-choices-trouble .problem")).to_contain_text("circle")
    for name in ("fix", "find", "manual"):
        expect(page.locator(".st-key-choices-trouble .problem")).to_contain_text(name)
    expect(pairs).to_have_count(2)
    expect(page.locator(".st-key-preference-graph .graph")).to_have_attribute("data-ready", "1")
    page.get_by_role("button", name="Take out: fix before find").click()
    expect(pairs).to_have_count(1)


@pytest.mark.row("C11")
def test_the_orchestrator_of_a_conversation_is_switched_and_stays(screen: Screen, source: str) -> None:
    screen.open(f"orchestrators?source={source}&orchestrators_section=Set+up")
    page = screen.page
    page.get_by_role("button", name="Use bandit").click()
    expect(page.locator(".orchestrators .goal").filter(has_text="in use")).to_contain_text("bandit")
    screen.open(f"orchestrators?source={source}&orchestrators_section=Set+up")
    expect(page.locator(".orchestrators .goal").filter(has_text="in use")).to_contain_text("bandit")
    page.get_by_role("radio", name="All conversations").click()
    expect(page.locator(".orchestrators .goal").filter(has_text="in use")).to_contain_text("planner")


def test_what_was_learned_is_taken_back(screen: Screen, server: Server) -> None:
    session = keep(MadeUp(ORCHESTRATORS["max"](OrchestratorOptions()), 3, 5), server.home)
    screen.open(f"orchestrators?source=session:{session}&orchestrators_section=Learning")
    page = screen.page
    lessons = page.locator(".lessons .goal")
    before = lessons.count()
    assert before > 2
    lessons.first.get_by_role("button").click()
    expect(lessons).to_have_count(before - 1)
    page.get_by_role("button", name="Undo everything").click()
    expect(page.locator(".st-key-no-lessons")).to_contain_text("Nothing was learned yet")


@pytest.mark.parametrize("section", ["Turns", "Learning", "Side+by+side"])
def test_a_terminal_session_that_comes_with_the_product_is_looked_into(section: str, small_screen: Screen) -> None:
    """Nobody has to use a terminal first: sessions are there to look at, with nothing to be undone."""
    name = next(iter(recorded_sessions()))
    small_screen.open(f"orchestrators?source=recorded:{name}&orchestrators_section={section}")
    shown = {"Turns": ".agent", "Learning": ".lessons", "Side+by+side": ".replay"}[section]
    expect(small_screen.page.locator(shown).first).to_be_visible()
    assert "Undo" not in small_screen.text
    assert not small_screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")


def test_a_reply_is_marked_as_good_and_leads_to_why_its_agent_was_chosen(screen: Screen, server: Server) -> None:
    """The mark is learned from, and stays where the page is loaded again."""
    services = make_services(server.home)
    session = services.start("banking", {"orchestrator": "threshold"})
    services.close()
    screen.open(f"?session={session}")
    screen.say("I want a loan")
    good = screen.page.get_by_role("button", name="This was good: the assistant")
    good.click()
    expect(good).to_have_attribute("aria-pressed", "true")
    screen.open(f"?session={session}")
    expect(good).to_have_attribute("aria-pressed", "true")
    screen.page.get_by_role("button", name="why the assistant?").click()
    expect(screen.page.locator(".st-key-turn-card")).to_contain_text("threshold chose the assistant")
    expect(screen.page.locator(".st-key-turn-card")).to_contain_text("marked as good")


def test_names_and_texts_of_agents_are_inert_in_every_section(screen: Screen, server: Server) -> None:
    """What an agent is called and would do is data, wherever it is shown."""
    lived = MadeUp(ORCHESTRATORS["max"](OrchestratorOptions()), 3, 6)
    named = next(iter(lived.names))
    session = keep(lived, server.home, renamed={named: EVIL[:80], "git status": EVIL, "gti status": EVIL})
    for section in ("Turns", "Learning", "Side+by+side", "Preferences", "Set+up"):
        screen.open(f"orchestrators?source=session:{session}&orchestrators_section={section}&cell=0:max")
        assert EVIL[:20] in screen.text or section in ("Preferences", "Set+up")
        assert_inert(screen)
