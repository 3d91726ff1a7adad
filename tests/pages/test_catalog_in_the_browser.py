"""The Catalog page tells of each goal what it would take, and what is missing if people do not go along."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.pages.screen import Screen, await_server, begin_server, stop_server, watched

pytestmark = pytest.mark.browser


def loan_card(screen: Screen) -> Locator:
    screen.open("catalog?catalog=banking&catalog_section=Goals")
    return screen.page.locator(".st-key-section-goals section.card").filter(has_text="Wants loan").first


@pytest.mark.row("V20")
def test_of_each_goal_it_is_told_what_it_takes_and_what_would_help_if_people_do_not_go_along(screen: Screen) -> None:
    """Nothing known, a loan can be had; without two answers it cannot, and the ways out are named."""
    card = loan_card(screen)
    expect(card.locator(".verdict")).to_contain_text("With nothing known, it takes")
    choose = screen.page.get_by_role("combobox", name="What if nobody can be asked for")
    for words in ("social security number", "employer"):
        choose.fill(words)
        choose.press("Enter")
    choose.press("Escape")
    expect(card.locator(".verdict")).to_contain_text("out of reach")
    ways = card.locator(".ways li")
    expect(ways.first).to_have_text("if people could be asked for social security number")
    expect(ways.filter(has_text="if there were a skill that gives credit score from name")).to_have_count(1)


def test_a_graph_stays_whole_when_the_window_gets_wider(small_screen: Screen) -> None:
    """Nodes grow with the room there is; the canvas grows with them."""
    small_screen.open("catalog?catalog=banking&catalog_section=Who+feeds+whom")
    graph = small_screen.page.locator(".st-key-feeds .graph")
    expect(graph).to_have_attribute("data-ready", "1")
    small_screen.page.set_viewport_size({"width": 1380, "height": 860})
    inside = """root => root.clientWidth > 600 && Object.values(root.__network.getPositions())
      .map(at => root.__network.canvasToDOM(at)).every(at => at.y > 0 && at.y < root.clientHeight)"""
    small_screen.page.wait_for_function(f"root => ({inside})(root)", arg=graph.element_handle())


def test_a_fact_that_is_named_leads_to_where_it_is_described(small_screen: Screen) -> None:
    """From a skill's outcome far up in the table of facts; the row is in sight, and marked."""
    small_screen.open("catalog?catalog=banking")
    skills = small_screen.page.locator(".st-key-section-skills")
    skills.get_by_role("button", name="payment day").first.click()
    row = small_screen.page.locator(".st-key-section-facts tr.here")
    expect(row).to_contain_text("payment day")
    expect(row).to_be_in_viewport()


@pytest.mark.row("V20")
def test_a_consent_that_would_be_declined_is_told_to_be_what_is_missing(screen: Screen) -> None:
    """What if people decline, and the other way is closed too."""
    card = loan_card(screen)
    asked = screen.page.get_by_role("combobox", name="What if nobody can be asked for")
    asked.fill("employer")
    asked.press("Enter")
    asked.press("Escape")
    declined = screen.page.get_by_role("combobox", name="What if people decline to give")
    declined.fill("social security number to")
    declined.press("Enter")
    declined.press("Escape")
    expect(card.locator(".ways li").first).to_have_text(
        "if people agreed to give social security number to credit bureau"
    )


def test_rules_are_read_while_facts_that_may_mean_the_same_are_looked_for(screen: Screen) -> None:
    """Where none are found, nothing is left of the search."""
    screen.open("catalog?catalog=banking&catalog_section=Rules")
    expect(screen.page.locator(".st-key-section-rules")).to_contain_text("The credit bureau is called at most once.")
    expect(screen.page.locator(".st-key-suggestions .sheet[data-ready]")).to_be_attached()
    expect(screen.page.get_by_text("Looking for facts that may mean the same")).to_have_count(0)
    expect(screen.page.get_by_text("These may mean the same")).to_have_count(0)


def test_an_own_catalog_is_the_first_screen_and_what_is_broken_of_it_or_of_the_settings_is_shown(
    chromium: BrowserContext, tmp_path: Path
) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("name: own\nfacts: 7\n", encoding="utf-8")
    server = await_server(begin_server(tmp_path / "home", PLANGLASS_CATALOGS=str(own), PLANGLASS_ENGINE="fastest"))
    try:
        for screen in watched(chromium, server):
            screen.open("")
            expect(screen.page.get_by_text("own.yaml cannot be served")).to_be_visible()
            screen.open("settings")
            expect(screen.page.get_by_text("There is no engine 'fastest'")).to_be_visible()
            screen.open("catalog")
            expect(screen.page.get_by_text("own.yaml cannot be used as it stands")).to_be_visible()
            own.write_text("name: own\nlabel: My own shop\nfacts: {size: {ask: What size?}}\n", encoding="utf-8")
            screen.open("catalog")
            expect(screen.page.get_by_role("heading", name="My own shop")).to_be_visible()
            expect(screen.page.get_by_text("cannot be used")).to_have_count(0)
            screen.open("")
            expect(screen.page).to_have_title("My own shop, new conversation · Assistant · Planglass")
    finally:
        stop_server(server)
