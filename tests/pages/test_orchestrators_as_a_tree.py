"""The page Orchestrators as a tree: who acts and why, what was learned, and what else could have been."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.services import make_services
from tests.dialogue.agents.made_up import MadeUp, keep
from tests.pages.test_pages_stay_safe import EVIL
from tests.pages.tree import Tree, assert_inert


@pytest.fixture(scope="module")
def lived() -> MadeUp:
    return MadeUp(ORCHESTRATORS["s3"](OrchestratorOptions()), 3, 14)


@pytest.fixture(scope="module")
def source(site_home: Path, lived: MadeUp) -> str:
    return f"session:{keep(lived, site_home)}"


def test_a_turn_is_opened_by_its_button_and_by_its_address(tree: Tree, source: str, lived: MadeUp) -> None:
    """Each agent stands there with its reason, in the order of the log; the address leads to the same turn."""
    tree.open("orchestrators", source=source)
    assert f"Turn {len(lived.moments)}" in tree.sheet("turn-card").text
    tree.one(".turns").all("button.move")[1].press()
    assert re.search(r"Turn 2\b", tree.sheet("turn-card").text)
    assert tree.app.query_params["turn"] == "1"
    tree.open("orchestrators", **tree.app.query_params)
    assert re.search(r"Turn 2\b", tree.sheet("turn-card").text)
    assert len(tree.all(".agent")) == len(lived.moments[1].choice.verdicts)
    assert [move.attrs["aria-pressed"] for move in tree.all(".move")].count("true") == 1


def test_another_orchestrator_would_have_chosen_otherwise_and_says_why(tree: Tree, source: str) -> None:
    """Differences are marked in words; a click on a choice shows its reasons, under the same address."""
    tree.open("orchestrators", source=source, orchestrators_section="Side by side")
    assert re.search(r"max: the same in \d+ of \d+ turns", tree.one(".agreement").text)
    differs = tree.one("td.differs")
    assert "≠ differs" in differs.text
    differs.one("button").press()
    assert "would have chosen" in tree.sheet("cell").one(".card").text
    assert "cell" in tree.app.query_params


def test_a_session_that_is_not_there_is_said_to_be_so(tree: Tree) -> None:
    tree.open("orchestrators", source="session:nope")
    assert "is not here" in tree.sheet("unknown-source").text


@pytest.mark.row("C11")
def test_the_orchestrator_of_a_conversation_is_switched_and_stays(tree: Tree, source: str) -> None:
    def in_use() -> str:
        return tree.sheet("orchestrator-list").one(".goal", "in use").text

    tree.open("orchestrators", source=source, orchestrators_section="Set up")
    tree.press("Use bandit")
    assert "bandit" in in_use()
    tree.open("orchestrators", source=source, orchestrators_section="Set up")
    assert "bandit" in in_use()
    tree.choose("All conversations")
    assert "planner" in in_use()


def test_what_was_learned_is_taken_back(tree: Tree, site_home: Path) -> None:
    session = keep(MadeUp(ORCHESTRATORS["max"](OrchestratorOptions()), 3, 5), site_home)
    tree.open("orchestrators", source=f"session:{session}", orchestrators_section="Learning")
    before = tree.one(".lessons").all(".goal")
    assert len(before) > 2
    before[0].one("button").press()
    assert len(tree.one(".lessons").all(".goal")) == len(before) - 1
    tree.press("Undo everything")
    assert "Nothing was learned yet" in tree.sheet("no-lessons").text


def test_a_reply_is_marked_as_good_and_leads_to_why_its_agent_was_chosen(tree: Tree, site_home: Path) -> None:
    """The mark is learned from, and stays where the page is loaded again."""
    services = make_services(site_home)
    session = services.start("banking", {"orchestrator": "threshold"})
    services.close()
    tree.open(session=session)
    tree.say("I want a loan")
    good = "This was good: the assistant"
    tree.press(good)
    assert tree.one("button", good).attrs["aria-pressed"] == "true"
    tree.open(session=session)
    assert tree.one("button", good).attrs["aria-pressed"] == "true"
    tree.press("why the assistant?")
    assert "threshold chose the assistant" in tree.sheet("turn-card").text
    assert "marked as good" in tree.sheet("turn-card").text


def test_names_and_texts_of_agents_are_inert_in_every_section(tree: Tree, site_home: Path) -> None:
    """What an agent is called and would do is data, wherever it is shown."""
    lived = MadeUp(ORCHESTRATORS["max"](OrchestratorOptions()), 3, 6)
    named = next(iter(lived.names))
    session = keep(lived, site_home, renamed={named: EVIL[:80], "git status": EVIL, "gti status": EVIL})
    for section in ("Turns", "Learning", "Side by side", "Preferences", "Set up"):
        tree.open("orchestrators", source=f"session:{session}", orchestrators_section=section, cell="0:max")
        assert EVIL[:20] in tree.text or section in ("Preferences", "Set up")
        assert_inert(tree)
