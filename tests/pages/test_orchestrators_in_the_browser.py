"""The page Orchestrators as people use it: who acts and why, what was learned, and what else could have been."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.terminal.sessions import recorded_sessions
from tests.dialogue.agents.made_up import MadeUp, keep
from tests.pages.screen import Screen, Server
from tests.pages.test_pages_stay_safe import HEADINGS, MISNAMED

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lived() -> MadeUp:
    return MadeUp(ORCHESTRATORS["s3"](OrchestratorOptions()), 3, 14)


@pytest.fixture(scope="module")
def source(server: Server, lived: MadeUp) -> str:
    return f"session:{keep(lived, server.home)}"


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


def show(screen: Screen, section: str) -> None:
    """Look at a section, by its button."""
    screen.page.get_by_role("radio", name=section, exact=True).click()
    expect(screen.page.get_by_role("radio", name=section, exact=True)).to_be_checked()
    screen.settle()


def test_each_section_fits_a_telephone_and_names_its_parts(small_screen: Screen, source: str) -> None:
    screen = small_screen
    screen.open(f"orchestrators?source={source}&cell=0:max")
    for section in ("Turns", "Learning", "Side by side", "Preferences", "Set up"):
        show(screen, section)
        assert not screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth"), section
        levels = screen.page.evaluate(HEADINGS)
        assert levels[0] == 1, section
        assert all(then - before <= 1 for before, then in pairwise(levels)), (section, levels)
        assert screen.page.evaluate(MISNAMED) == [], section


def test_a_terminal_session_that_comes_with_the_product_is_looked_into(small_screen: Screen) -> None:
    """Nobody has to use a terminal first: sessions are there to look at, with nothing to be undone."""
    name = next(iter(recorded_sessions()))
    small_screen.open(f"orchestrators?source=recorded:{name}")
    for section, shown in {"Turns": ".agent", "Learning": ".lessons", "Side by side": ".replay"}.items():
        show(small_screen, section)
        expect(small_screen.page.locator(shown).first).to_be_visible()
        assert "Undo" not in small_screen.text, section
        assert not small_screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth"), section


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
