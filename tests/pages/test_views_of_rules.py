"""What is drawn of mappings, and of goals with alternatives and skills."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from catalog.analysis.mapping_suggestions import MappingSuggestion
from catalog.load import load
from catalog.model.settings import Metric, Settings
from dialogue.services.analyses import planned_task
from pages.catalog.cards import charges, goals, rules, skills, suggestions
from pages.catalog.goal_plans import outlook
from pages.shell.address import Selection
from pages.shell.root import tell_apart
from pages.shell.sheet import Node
from pages.views.events import event_icon, say_event
from pages.views.plan_steps import plan_graph
from pages.views.plans import goal_facts, link_steps, view_steps
from pages.views.snapshot_view import SnapshotView
from planning.model import StepKind
from planning.requests import Outlook, foresee
from tests.dialogue.test_rules import Club

CATALOGS = Path(__file__).parents[1] / "stories" / "catalogs"
REPORTS, TRIPS, JOURNEY = (load(CATALOGS / f"{name}.yaml").catalog for name in ("reports", "trips", "journey"))
BANK = load("banking").catalog


@pytest.fixture
def club(home: Path) -> Iterator[Club]:
    opened = Club(home)
    yield opened
    opened.services.close()


def look(club: Club) -> SnapshotView:
    return SnapshotView(club.services.snapshot(club.session), None, "how")


def test_a_mapping_has_a_kind_and_words_of_its_own_and_leads_from_one_fact_to_the_other(club: Club) -> None:
    club.say("goal badge")
    club.say("post=ann@example.org")
    seen = look(club)
    record = seen.conversation.plans.all[-1]
    view = view_steps(seen.catalog, seen.conversation, record)[1]
    assert (view.step.kind, view.title, view.detail) == (StepKind.MAP, "contact", "copied from e-mail")
    assert view.selection is not None
    assert (view.selection.kind, view.selection.name) == ("fact", "contact")
    assert view.matches(Selection("fact", "contact"))
    assert not view.matches(Selection("skill", "contact"))
    links = {(link.source, link.target, link.fact) for link in link_steps(seen.catalog, record.plan.steps)}
    assert links == {(0, 1, "post"), (1, 2, "contact")}
    nodes, _, _ = plan_graph(seen, record)
    assert [node.kind for node in nodes] == ["ask", "map", "skill", "goal"]
    assert len(planned_task(seen.catalog, seen.snapshot.log, record).states) == 4
    entry = next(entry for entry in club.log if entry.event.kind == "mapped")
    assert (event_icon(entry), say_event(seen, entry)) == ("map", "e-mail was used as contact")


def test_the_pddl_of_a_plan_comes_with_costs_and_a_second_time_without(club: Club) -> None:
    club.say("goal badge")
    seen = look(club)
    found = planned_task(seen.catalog, seen.snapshot.log, seen.conversation.plans.all[-1])
    assert "(increase (total-cost) " in found.pddl.domain
    assert found.strips is not None
    assert "total-cost" not in found.strips.domain + found.strips.problem
    assert found.strips.notes == ("Costs are left out: the shortest plan need not be the cheapest.",)


def test_the_plan_for_a_goal_with_alternatives_leads_to_the_one_that_it_takes(club: Club) -> None:
    club.say("goal plain")
    seen = look(club)
    record = seen.conversation.plans.all[-1]
    wanted = goal_facts(seen.catalog, seen.conversation, record)
    assert len(wanted) == 1
    assert set(wanted) <= {"cup", "medal"}
    assert len(planned_task(seen.catalog, seen.snapshot.log, record).states) == len(record.plan.steps) + 1


def test_the_call_of_a_wanted_skill_leads_to_the_goal(club: Club) -> None:
    club.say("goal enter; post=ann@example.org")
    seen = look(club)
    nodes, edges, selections = plan_graph(seen, seen.conversation.plans.all[-1])
    assert [node.title for node in nodes if node.kind == "goal"] == ["doorman"]
    assert ("0", "1") in {(edge.source, edge.target) for edge in edges}
    assert (selections["1"].kind, selections["1"].name) == ("skill", "doorman")


def texts(nodes: Iterable[Node]) -> str:
    """Read drawn nodes as one text."""
    return " ".join(node if isinstance(node, str) else texts(node.get("children", ())) for node in nodes)


def test_the_catalog_page_tells_what_a_call_takes_where_somebody_said_it() -> None:
    archive, expert = (charges(REPORTS, REPORTS.skills[name]) for name in ("archive", "expert"))
    assert archive == ["2.30 EUR", "about 30 s", "quality 0.9"]
    assert expert == ["cost 3", "4.00 EUR", "about 5 min"]
    assert "2.30 EUR" in texts(skills(REPORTS, None))


def test_the_catalog_page_lists_mappings_orderings_instances_properties_and_settings() -> None:
    told = texts(rules(TRIPS))
    assert "e-mail address can be used as contact mail because both are where we write to" in told
    assert "identification comes before anything sensitive always because nobody else may pay with your card" in told
    assert "once for each skill that gets something sensitive" in told
    assert "outbound flight:  destination of the outbound flight" in texts(rules(JOURNEY))
    assert "The credit bureau is called at most once. never: credit_check called > 1" in texts(rules(BANK))
    bound = REPORTS.model_copy(update={"settings": Settings(budget=2, minimize=Metric.TIME, max_asks=1)})
    assert "Money for one goal at most 2.00 EUR" in texts(rules(bound))
    assert "Money for one goal no limit" in texts(rules(REPORTS))


def test_the_catalog_page_lists_the_logic_of_a_catalog_and_mappings_on_request() -> None:
    books = load("accounting").catalog
    told = texts(rules(books))
    assert "charge can be used as topic where the user asks for that because" in told
    assert 'error("The end date is before the start date.") :- start_date(X, S, _)' in told
    assert "Logic" not in texts(rules(TRIPS))


def test_what_may_mean_the_same_is_listed_with_its_reason_and_the_line_to_paste() -> None:
    suggested = MappingSuggestion("email", "contact_mail", 0.8, "both are mail")
    told = texts(suggestions(TRIPS, (suggested,)))
    assert "nothing is mapped by itself" in told
    assert "e-mail address may mean the same as contact mail both are mail" in told
    assert '- {fact: email, stands_for: contact_mail, because: ""}' in told
    assert suggestions(TRIPS, ()) == []
    assert "No fact is taken for another here." in texts(rules(TRIPS.model_copy(update={"mappings": ()})))


def test_of_a_goal_it_is_told_what_it_takes_in_money_and_time_or_that_it_is_too_dear_or_out_of_reach() -> None:
    goal = REPORTS.goals["report"]
    told = texts(outlook(REPORTS, foresee(REPORTS, goal)))
    assert "With nothing known, it takes 1 question, 1 call, 2.30 EUR, about 40 s, quality 0.9." in told
    poor = REPORTS.model_copy(update={"settings": Settings(budget=0.1)})
    assert "It takes 0.50 EUR, more than the budget allows." in texts(outlook(poor, foresee(poor, goal)))
    assert texts(outlook(REPORTS, Outlook(None))).split() == "out of reach No plan leads to it.".split()


def test_catalogs_of_one_label_are_told_apart_by_their_names() -> None:
    assert tell_apart({"a.yaml": "Bank", "b.yaml": "Bank", "trips": "Trips"}) == {
        "a.yaml": "Bank (a.yaml)", "b.yaml": "Bank (b.yaml)", "trips": "Trips",
    }  # fmt: skip


def test_the_catalog_page_lists_alternatives_and_skills(club: Club) -> None:
    drawn = repr(goals(look(club).catalog, {}))
    assert "Either " in drawn
    assert "Has carried out: " in drawn
