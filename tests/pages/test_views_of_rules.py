"""What is drawn of mappings, and of goals with alternatives and skills."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.components.address import Selection
from pages.components.catalogview import goals
from pages.components.eventwords import event_icon, say_event
from pages.components.models import model_of, states
from pages.components.planview import goal_facts, link_steps, view_steps
from pages.components.seen import Seen
from pages.components.steps import plan_graph
from planning.model import StepKind
from tests.dialogue.test_rules import Club


@pytest.fixture
def club(home: Path) -> Iterator[Club]:
    opened = Club(home)
    yield opened
    opened.services.close()


def look(club: Club) -> Seen:
    return Seen(club.services.snapshot(club.session), None, "how")


def test_a_mapping_has_a_kind_and_words_of_its_own_and_leads_from_one_fact_to_the_other(club: Club) -> None:
    club.say("goal badge")
    club.say("post=ann@example.org")
    seen = look(club)
    record = seen.conversation.plans[-1]
    view = view_steps(seen.catalog, seen.conversation, record)[1]
    assert (view.step.kind, view.title, view.detail) == (StepKind.MAP, "contact", "taken from e-mail")
    assert view.selection == Selection("fact", "contact")
    assert view.matches(Selection("fact", "contact"))
    assert not view.matches(Selection("skill", "contact"))
    links = {(link.source, link.target, link.fact) for link in link_steps(seen.catalog, record.plan.steps)}
    assert links == {(0, 1, "post"), (1, 2, "contact")}
    nodes, _, _ = plan_graph(seen, record)
    assert [node.kind for node in nodes] == ["ask", "map", "skill", "goal"]
    assert len(states(model_of(seen, record))) == 4
    entry = next(entry for entry in club.log if entry.event.kind == "mapped")
    assert (event_icon(entry), say_event(seen, entry)) == ("map", "e-mail was taken for contact")


def test_the_plan_for_a_goal_with_alternatives_leads_to_the_one_that_it_takes(club: Club) -> None:
    club.say("goal plain")
    seen = look(club)
    record = seen.conversation.plans[-1]
    wanted = goal_facts(seen.catalog, seen.conversation, record)
    assert len(wanted) == 1
    assert set(wanted) <= {"cup", "medal"}
    assert len(states(model_of(seen, record))) == len(record.plan.steps) + 1


def test_the_call_of_a_wanted_skill_leads_to_the_goal(club: Club) -> None:
    club.say("goal enter; post=ann@example.org")
    seen = look(club)
    nodes, edges, selections = plan_graph(seen, seen.conversation.plans[-1])
    assert [node.title for node in nodes if node.kind == "goal"] == ["doorman"]
    assert ("0", "1") in {(edge.source, edge.target) for edge in edges}
    assert selections["1"] == Selection("skill", "doorman")


def test_the_catalog_page_lists_alternatives_and_skills(club: Club) -> None:
    drawn = repr(goals(look(club).catalog, {}))
    assert "Either " in drawn
    assert "Has carried out: " in drawn
