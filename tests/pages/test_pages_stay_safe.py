"""Whatever people, catalogs and skills say is shown as text: nothing runs, nothing is fetched, nothing overflows."""

from __future__ import annotations

import re
import urllib.request
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.pages.screen import Screen, Server

pytestmark = pytest.mark.browser

PAGES = (
    "",
    "rooms",
    "tasks",
    "demo",
    "plans",
    "orchestrators",
    "catalog",
    "understanding",
    "explore",
    "sessions",
    "settings",
)
SECTIONS = ("Skills", "Facts", "Type tree", "Who feeds whom", "Goals", "Rules", "Problems")
PANELS = ("Current plan", "All plans", "Summary", "Facts", "Goals")
EVIL = '<img src=x onerror="window.pwned=1"> ![x](http://outside.invalid/said.png) [y](javascript:window.pwned=1) href'

FIND_EVIL = """() => {
  const found = [];
  const walk = root => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) walk(element.shadowRoot);
      for (const { name, value } of element.attributes)
        if (name.startsWith('on') || /^\\s*javascript:/i.test(value) || /^(src|href|srcset|style)$/.test(name) && /outside\\.invalid/.test(value))
          found.push(element.outerHTML.slice(0, 200));
      if (['U', 'I', 'B', 'SVG'].includes(element.tagName) && /done|note|verdict/.test(element.textContent))
        found.push(element.outerHTML.slice(0, 200));
    }
  };
  walk(document);
  return found;
}"""  # noqa: E501


def assert_inert(screen: Screen) -> None:
    assert screen.page.evaluate("() => window.pwned === undefined"), "a script of the data ran"
    assert screen.page.evaluate(FIND_EVIL) == []


def begin_with_the_hostile_catalog(screen: Screen) -> None:
    screen.open()
    screen.page.get_by_role("button", name="New conversation").click()
    screen.open_options("Assistant")
    screen.page.get_by_role("option", name=re.compile("onerror")).click()
    screen.page.get_by_role("button", name="Begin", exact=True).click()
    expect(screen.page.locator(".barname h1")).to_contain_text("<img src=x")
    expect(screen.page.get_by_role("button", name="Begin", exact=True)).to_have_count(0)


def test_words_of_users_and_catalogs_are_inert_on_every_page(screen: Screen) -> None:
    """Tags, links, Markdown pictures and the word href do nothing in chat, panels, graphs, tooltips and lists."""
    begin_with_the_hostile_catalog(screen)
    screen.say("judge me")
    screen.say(EVIL)
    assert EVIL in screen.chat
    assert "*not bold*" in screen.chat
    for panel in PANELS:
        screen.panel(panel)
        assert_inert(screen)
    session = screen.session
    for address, sections in (
        (f"plans?session={session}", ("Graph", "States", "Landmarks", "Other ways", "PDDL")),
        ("catalog?catalog=hostile", SECTIONS),
    ):
        screen.go(address)
        for section in sections:
            screen.page.get_by_role("radio", name=section, exact=True).click()
            expect(screen.page.get_by_role("radio", name=section, exact=True)).to_be_checked()
            screen.settle()
            assert_inert(screen)
    screen.go("sessions")
    assert_inert(screen)


def test_a_tooltip_of_the_graph_is_text_even_where_it_says_href(screen: Screen) -> None:
    """The library would make HTML of it; a text node cannot be made into any."""
    screen.open("catalog?catalog=hostile&catalog_section=Who+feeds+whom")
    graph = screen.page.locator(".st-key-feeds .graph")
    expect(graph).to_have_attribute("data-ready", "1")
    place = graph.evaluate(
        "root => root.__network.canvasToDOM(root.__network.getPositions(['skill:judge'])['skill:judge'])"
    )
    graph.hover(position=place)
    tooltip = screen.page.locator(".vis-tooltip")
    expect(tooltip).to_be_visible()
    expect(tooltip).to_contain_text("[x](javascript:window.pwned=1)")
    assert tooltip.locator("a, img").count() == 0
    assert_inert(screen)


def test_a_very_long_value_is_shortened_where_it_is_shown(screen: Screen) -> None:
    """The log keeps it whole; the page says how long it is."""
    begin_with_the_hostile_catalog(screen)
    screen.say("write a note")
    screen.say("word " * 390)
    screen.panel("Facts")
    assert "characters)" in screen.page.locator(".facts .value").inner_text()
    assert max(len(text) for text in screen.page.locator(".message").all_inner_texts()) < 800
    assert not screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path or "assistant", marks=[pytest.mark.long] if path else [])
        for path in PAGES  # each needs a server of its own; others are first in the tests of their pages
    ],
)
def test_each_page_can_be_the_first_request_of_all(path: str, fresh_screen: Screen) -> None:
    """A deep link to a server that nobody has used yet opens the page in its shell, with the services."""
    fresh_screen.open(path)
    expect(fresh_screen.page.get_by_test_id("stTopNavSection").first).to_be_visible()
    assert "Something went wrong" not in fresh_screen.text
    assert len(fresh_screen.text.strip()) > 60


def test_no_page_scrolls_sideways_on_a_telephone(small_screen: Screen) -> None:
    """At 390 pixels everything is still within reach."""
    small_screen.open()
    small_screen.say("I want a loan")
    session = small_screen.session
    too_wide = []
    for path in (*PAGES[1:], PAGES[0]):
        small_screen.go(f"{path}?session={session}&select=fact:loan_result")
        if small_screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth"):
            too_wide.append(path)
    assert not too_wide


NAMELESS = """() => {
  const found = [];
  const walk = root => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) walk(element.shadowRoot);
      const named = element.getAttribute('aria-label') || element.textContent.trim() || element.title
        || element.getAttribute('aria-labelledby');
      if (element.tagName === 'BUTTON' && element.checkVisibility() && !named) found.push(element.outerHTML);
      if (element.tagName === 'IMG' && element.getAttribute('alt') === null) found.push(element.outerHTML);
    }
  };
  walk(document);
  return found;
}"""
HEADINGS = """() => {
  const found = [];
  const walk = root => {
    for (const element of root.children ?? []) {
      if (/^H[1-6]$/.test(element.tagName) && element.checkVisibility()) found.push(Number(element.tagName[1]));
      if (element.shadowRoot) walk(element.shadowRoot);
      walk(element);
    }
  };
  walk(document.body);
  return found;
}"""
MISNAMED = """() => {
  const found = [], plain = text => text.toLowerCase().replace(/[^a-z0-9]+/g, ' ').trim();
  const walk = root => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) walk(element.shadowRoot);
      const name = element.getAttribute('aria-label');
      if (name && element.tagName === 'BUTTON' && element.closest('.sheet') && element.checkVisibility()
        && !plain(name).includes(plain(element.innerText))) found.push([element.innerText, name]);
    }
  };
  walk(document);
  return found;
}"""


def assert_read_aloud_well(screen: Screen) -> None:
    """As axe asks for by `button-name`, `image-alt`, `heading-order` and `label-content-name-mismatch`."""
    assert screen.page.evaluate(NAMELESS) == [], screen.page.url
    levels = screen.page.evaluate(HEADINGS)
    assert levels[0] == 1, screen.page.url
    assert all(then - before <= 1 for before, then in pairwise(levels)), (screen.page.url, levels)
    assert screen.page.evaluate(MISNAMED) == [], screen.page.url


@pytest.mark.long
def test_every_button_has_a_name_that_holds_its_words_and_no_heading_skips_a_level(screen: Screen) -> None:
    """What a screen reader would read is there, on the fullest page of all, and on others."""
    screen.open()
    screen.say("I want a loan")
    session = screen.session
    screen.page.locator(".steps .step").first.click()
    expect(screen.page.locator(".drill")).to_be_visible()
    assert_read_aloud_well(screen)
    for path in (
        f"?session={session}&select=fact:loan_result",
        f"plans?session={session}",
        "catalog",
        "sessions",
        "settings",
    ):
        screen.open(path)
        assert_read_aloud_well(screen)


def test_every_answer_carries_the_security_headers(server: Server) -> None:
    """Pages, the graph library and the health of the server alike."""
    for path in ("", "plans", "vis/vis-network.min.js", "api/ready"):
        with urllib.request.urlopen(f"{server.url}/{path}", timeout=10) as answer:
            policy = answer.headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "http:" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
