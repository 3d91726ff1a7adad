"""What can happen, as a tree of elements."""

from __future__ import annotations

import re

import pytest

from tests.pages.test_exploring_in_the_browser import HOW
from tests.pages.tree import Part, Tree, assert_inert


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let explorations come to their ends, however busy the machine is."""
    monkeypatch.setenv("PLANGLASS_LIMITS_EXPLORE_SECONDS", "3600")


def choose_goal(tree: Tree, goal: str) -> None:
    """Choose what is to be walked to."""
    tree.fill("Goal", goal, of="selectbox")
    shown = [one.text for one in [*tree.all(".notice"), *tree.all(".walked")]]
    assert [words for words in shown if goal in words], shown


def walk(tree: Tree) -> None:
    """Have it walked, unless another test did."""
    if "explored-report" not in tree.drawn:
        tree.press("Explore everything")
        tree.wait(lambda: "explored-report" in tree.drawn and "waiting-trace" not in tree.drawn)


def show(tree: Tree, button: Part, title: str) -> None:
    """Have a trace shown."""
    button.press()
    assert tree.sheet("trace-moves").one("h3").text == title


def test_everything_is_walked_and_the_verdict_comes_first(fresh_tree: Tree) -> None:
    """In large words; the declared properties hold; nothing was walked before that was asked for."""
    tree = fresh_tree
    tree.open("explore")
    choose_goal(tree, "your credit score")
    assert "“your credit score” has not been explored yet" in tree.one(".notice").text
    walk(tree)
    assert re.search(r"is reached in [\d,]+ of [\d,]+ conversations", tree.one(".walked").one("h2").text)
    assert "Everything that can happen was explored" in tree.text
    held = tree.all(".goal.achieved")
    assert len(held) == 2
    assert "The credit bureau is called at most once." in held[0].text
    assert "900-01-0001" not in tree.text


def test_dead_ends_say_what_is_missing(tree: Tree) -> None:
    """With the assistant's own words, and the way that leads there."""
    tree.open("explore")
    choose_goal(tree, "a list of your transactions")
    walk(tree)
    end = tree.one("section.part", "Dead ends").one(".card")
    assert "Missing" in end.text
    show(tree, end.one("button", HOW), "The shortest way to this dead end")


def test_words_of_the_catalog_are_inert_here_too(tree: Tree) -> None:
    """Labels of facts, skills, outcomes and goals in reports, traces, plans and graphs."""
    tree.open("explore")
    catalogs = tree.field("Catalog", of="selectbox")
    catalogs.select(next(option for option in catalogs.options if "onerror" in option))
    tree.run()
    assert "onerror" in tree.one(".barname").one("small").text
    choose_goal(tree, "a verdict")
    walk(tree)
    assert_inert(tree)
    shown = {
        "Show the most questions": "The most questions in one conversation",
        HOW: "The shortest way to this dead end",
    }
    for name, title in shown.items():
        show(tree, tree.one("button", name), title)
        assert_inert(tree)
