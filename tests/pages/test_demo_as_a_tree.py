"""The demo and the plans, as trees of elements."""

from __future__ import annotations

from tests.pages.tree import Tree


def test_the_demo_goes_step_by_step_survives_a_reload_and_starts_again(tree: Tree) -> None:
    """Step says one line; the place in the script follows from the log."""
    tree.open("demo", script="digression")
    tree.press("Step")
    assert tree.one(".watch").one(".count").text == "1 of 8"
    again = Tree()
    again.open("demo", **tree.app.query_params)
    assert again.one(".watch").one(".count").text == "1 of 8"
    again.press("Restart")
    assert again.one(".watch").one(".count").text == "0 of 8"
    assert not again.all(".message.user")


def test_plans_can_be_read_with_states_landmarks_and_pddl(tree: Tree) -> None:
    """What the planner was given, and what each step would make true."""
    tree.open()
    tree.say("I want a loan")
    tree.open("plans", session=tree.session)
    assert tree.one(".first-ideas").one("summary")
    tree.one("button.plan").press()
    assert tree.one("button.plan").attrs["aria-pressed"] == "true"
    tree.choose("States")
    assert len(tree.one(".states").one("tbody").all("tr")) == 2
    tree.choose("Landmarks")
    assert [one for one in tree.all("button", "loan") if one.text == "loan"]
    tree.choose("PDDL")
    assert "(define (domain planglass)" in tree.text
    assert tree.one("button", "Copy problem.pddl")
