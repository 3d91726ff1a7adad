"""The Catalog page tells of each goal what it would take, and what is missing if people do not go along."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.pages.screen import Screen

pytestmark = pytest.mark.browser


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
