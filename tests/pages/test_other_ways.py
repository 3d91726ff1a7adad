"""Other ways to a goal on the page of plans: as plain functions, and in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from catalog.load import load, loads
from dialogue.log.stores import embedded_url, open_store
from dialogue.services import Services, make_services
from dialogue.services.analyses import WaysToGoal
from dialogue.state.plans import PlanRecord
from pages.catalog.goal_plans import way_list
from pages.views.snapshot_view import SnapshotView
from tests.pages.screen import Screen


@pytest.fixture
def services(home: Path) -> Iterator[Services]:
    made = make_services(home)
    yield made
    made.close()


def ways_of(services: Services, seen: SnapshotView, record: PlanRecord) -> WaysToGoal:
    return services.analyses.ways(seen.snapshot, record).result(60)


def seen_after(services: Services, *said: str) -> SnapshotView:
    session = services.start("banking")
    for text in said:
        services.say(session, text)
        assert services.wait(session, 60)
    return SnapshotView(services.snapshot(session), None, "how")


def test_ways_start_where_the_conversation_stands_and_ask_nothing_that_people_cannot_tell(services: Services) -> None:
    seen = seen_after(services, "I want a loan of $12,000", "ann.bell@example.org")
    record = seen.conversation.plans.all[-1]
    found = ways_of(services, seen, record)
    asked = {fact for way in found.ways.ways for fact in way.asks}
    assert found.ways.ways
    assert not asked & seen.conversation.facts.known.keys()
    assert all(seen.catalog.facts[fact].fillable for fact in asked)
    drawn = json.dumps(way_list(seen, record, found))
    assert "from where the conversation stands" in drawn
    assert drawn.count(" as planned") == 1


def test_ways_of_a_plan_that_ended_start_where_it_was_made(services: Services) -> None:
    seen = seen_after(services, "I want a loan of $12,000", "ann.bell@example.org")
    first = seen.conversation.plans.all[0]
    found = ways_of(services, seen, first)
    assert any("email" in way.asks for way in found.ways.ways)
    assert "from where this plan was made" in json.dumps(way_list(seen, first, found))


def test_where_no_way_is_left_that_is_said(services: Services) -> None:
    seen = seen_after(services, "I want a loan of $12,000", *["skip"] * 8)
    record = seen.conversation.plans.all[-1]
    assert record.status == "none"
    drawn = json.dumps(way_list(seen, record, ways_of(services, seen, record)))
    assert "No way to the goal from where this plan was made" in drawn
    assert "if " in drawn and "you gave " in drawn
    assert "there were a skill" not in drawn, "what the person alone can mend comes before what nobody has built"


def test_where_every_way_is_too_dear_it_is_said_what_the_cheapest_takes(home: Path) -> None:
    reports = load(Path(__file__).parents[1] / "stories" / "catalogs" / "reports.yaml")
    services = Services(open_store(embedded_url(home)), {"reports": reports})
    try:
        session = services.start("reports")
        for said in ("I need a report on a company", "spend at most 0.10 euros"):
            services.say(session, said)
            assert services.wait(session, 60)
        seen = SnapshotView(services.snapshot(session), None, "how")
        record = seen.conversation.plans.all[-1]
        assert record.status == "none"
        drawn = json.dumps(way_list(seen, record, ways_of(services, seen, record)))
    finally:
        services.close()
    assert "takes 0.50 EUR at least: more than may still be spent" in drawn


GUESS_OR_LOOK_UP = """
name: guessing
facts: {answer: {askable: false}}
skills:
  guess: {cost: 2, modes: {only: {outcomes: {right: {facts: [answer], likelihood: 0.2}, wrong: {}}}}}
  look_up: {cost: 5, modes: {only: {outcomes: {found: [answer]}}}}
goals: {know: {label: the answer, facts: [answer], examples: [I want to know the answer]}}
settings: {likelihoods: POLICY}
"""


@pytest.mark.parametrize(("policy", "said"), [("declared", ["5 with them, 5", "10 with them, 2"]), ("ignored", [])])
def test_each_way_is_shown_with_its_cost_with_likelihoods_and_without(policy: str, said: list[str], home: Path) -> None:
    guessing = loads(GUESS_OR_LOOK_UP.replace("POLICY", policy))
    services = Services(open_store(embedded_url(home)), {"guessing": guessing})
    try:
        session = services.start("guessing")
        services.say(session, "I want to know the answer")
        assert services.wait(session, 60)
        seen = SnapshotView(services.snapshot(session), None, "how")
        record = seen.conversation.plans.all[0]
        drawn = json.dumps(way_list(seen, record, ways_of(services, seen, record)))
    finally:
        services.close()
    assert re.findall(r"cost (\d+ with them, \d+) without", drawn) == said


@pytest.mark.browser
def test_other_ways_are_read_on_the_page_and_lead_on(screen: Screen) -> None:
    """What each would ask, call and cost; the one that is followed is marked, in words too."""
    screen.open()
    screen.say("I want a loan of $12,000")
    screen.go(f"plans?session={screen.session}&section=Other+ways")
    cards = screen.page.locator(".way")
    expect(cards.first).to_contain_text("Way 1")
    assert cards.count() > 1
    beside = [
        place["x"]
        for place in (cards.first.bounding_box(), screen.page.locator(".st-key-ways .hint").bounding_box())
        if place
    ]
    assert beside[0] == beside[1], "the cards stand in line with the words above them"
    expect(screen.page.locator(".st-key-ways .hint")).to_contain_text("just ask for your credit score")
    expect(cards.first).to_contain_text("Asks you for")
    expect(cards.first).to_contain_text("Calls")
    expect(cards.first).to_contain_text("Cost")
    costs = [float(text.split()[1].rstrip(".:")) for text in screen.page.locator(".way p").all_inner_texts()]
    assert costs == sorted(costs)
    cards.first.get_by_role("button").first.click()
    expect(screen.page.locator(".drill")).to_be_visible()


@pytest.mark.long
@pytest.mark.browser
def test_other_ways_fit_on_a_telephone(small_screen: Screen) -> None:
    small_screen.open()
    small_screen.say("I want a loan of $12,000")
    small_screen.open(f"plans?session={small_screen.session}&section=Other+ways")
    expect(small_screen.page.locator(".way").first).to_be_visible()
    assert not small_screen.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")
