"""The Catalog page tells of each goal what it would take, and what is missing if people do not go along."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.shell.root import close_services
from tests.pages.tree import Part, Tree


def loan_card(tree: Tree) -> Part:
    return tree.one("section.card", "Wants loan")


def unwilling(tree: Tree, label: str, *said: str) -> None:
    """Choose what people would not go along with; an option is named by how it begins."""
    box = tree.field(label, of="multiselect")
    box.set_value([next(option for option in box.options if option.startswith(one)) for one in said])
    tree.run()


@pytest.mark.row("V20")
def test_of_each_goal_it_is_told_what_it_takes_and_what_would_help_if_people_do_not_go_along(tree: Tree) -> None:
    """Nothing known, a loan can be had; without two answers it cannot, and the ways out are named."""
    tree.open("catalog", catalog="banking", catalog_section="Goals")
    assert "With nothing known, it takes" in loan_card(tree).one(".verdict").text
    unwilling(tree, "What if these cannot be asked for", "social security number", "employer")
    assert "out of reach" in loan_card(tree).one(".verdict").text
    ways = [way.text for way in loan_card(tree).one(".ways").all("li")]
    assert ways[0] == "if people could be asked for social security number"
    assert len([way for way in ways if "if there were a skill that gives credit score from name" in way]) == 1


@pytest.mark.row("V20")
def test_a_consent_that_would_be_declined_is_told_to_be_what_is_missing(tree: Tree) -> None:
    """What if people decline, and the other way is closed too."""
    tree.open("catalog", catalog="banking", catalog_section="Goals")
    unwilling(tree, "What if these cannot be asked for", "employer")
    unwilling(tree, "What if people decline to give", "social security number to")
    assert (
        loan_card(tree).one(".ways").one("li").text
        == "if people agreed to give social security number to credit bureau"
    )


def test_rules_are_read_while_facts_that_may_mean_the_same_are_looked_for(tree: Tree) -> None:
    """Where none are found, nothing is left of the search."""
    tree.open("catalog", catalog="banking", catalog_section="Rules")
    assert "The credit bureau is called at most once." in tree.text
    assert "suggestions" in tree.drawn
    assert "Looking for facts that may mean the same" not in tree.text
    assert "These may mean the same" not in tree.text


def test_an_own_catalog_is_the_first_screen_and_what_is_broken_of_it_or_of_the_settings_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("name: own\nfacts: 7\n", encoding="utf-8")
    monkeypatch.setenv("PLANGLASS_CATALOGS", str(own))
    monkeypatch.setenv("PLANGLASS_ENGINE", "fastest")
    close_services()
    try:
        tree = Tree()
        assert "own.yaml cannot be served" in tree.text
        tree.open("settings")
        assert "There is no engine 'fastest'" in tree.text
        tree.open("catalog")
        assert "own.yaml cannot be used as it stands" in tree.text
        own.write_text("name: own\nlabel: My own shop\nfacts: {size: {ask: What size?}}\n", encoding="utf-8")
        tree.open("catalog")
        assert "My own shop" in tree.one("h1").text
        assert "cannot be used" not in tree.text
        tree.open()
        assert tree.one("h1").text == "My own shop"
        assert "new conversation" in tree.one(".barname").text
    finally:
        close_services()
